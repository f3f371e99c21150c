/**
 * Who this process is, and whether another one that once said who it was still runs.
 *
 * A process is named by its machine, its start of that machine, its number, its own start, and the
 * namespace that the number is of. So a number which the system has given to another program since is not
 * taken for the old one, nor that of a container for one of the machine. Linux tells all five; where a part
 * is not known it is left empty and not compared. What is of another namespace cannot be asked about from
 * here.
 */
import fs from 'node:fs';
import os from 'node:os';
import { codeOf } from './error-reason.ts';
import type { Processes } from './host.ts';

/** The name of a process, as whoever sends a request leaves it in the ledger. */
interface ProcessName {
  machine: string;
  /** Which start of the machine it is of. */
  boot: string;
  pid: string;
  /** In ticks since the machine was started. */
  start: string;
  /** Number of the namespace that `pid` is of; empty where the system has none. */
  space: string;
}

/** @returns the parts of a name; each is empty where it is not known */
export function parseProcessName(name: string): ProcessName {
  const [machine = '', boot = '', pid = '', start = '', space = ''] = name.split(' ');
  return { machine, boot, pid, start, space };
}

export function createProcesses(): Processes {
  const self = [
    os.hostname(),
    readOrEmpty('/proc/sys/kernel/random/boot_id').trim(),
    process.pid,
    startOf(process.pid) ?? '',
    // One of a kind until the machine is started anew.
    /\d+/.exec(linkOrEmpty('/proc/self/ns/pid'))?.[0] ?? '',
  ].join(' ');
  const own = parseProcessName(self);
  return {
    self,
    isGone(name) {
      const { machine, boot, pid, start, space } = parseProcessName(name);
      if (machine !== own.machine) return undefined;
      if (boot !== own.boot) return boot === '' || own.boot === '' ? undefined : true;
      return space === own.space ? hasEnded(Number(pid), start) : undefined;
    },
  };
}

/** @param start in ticks, as it was told; '' where it was not */
function hasEnded(pid: number, start: string): boolean | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (!exists(pid)) return true;
  if (start === '') return false;
  const now = startOf(pid);
  return now === undefined ? undefined : now !== start;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return codeOf(error) === 'EPERM';
  }
}

/** @returns when a process was started, in ticks since the machine was; '' where it has ended; undefined where that is not told */
function startOf(pid: number): string | undefined {
  // A container may have been left the /proc of another namespace, where the number is of something else.
  const isOurs = linkOrEmpty('/proc/self') === String(process.pid);
  const text = isOurs ? readOrEmpty(`/proc/${pid}/stat`) : '';
  if (text === '') return undefined;
  // The name of the program is in parentheses and may hold anything; 19 fields follow it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? '' : (fields[19] ?? '');
}

function readOrEmpty(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function linkOrEmpty(file: string): string {
  try {
    return fs.readlinkSync(file);
  } catch {
    return '';
  }
}
