/**
 * Names this process, and tells whether another named process still runs.
 *
 * A name has five parts: the machine, its boot, the process number, the start of the process, and the namespace of the
 * number. If the system gives the number to another program later, gw does not confuse the two. Nor does it confuse
 * processes of a container with those of the machine. Linux provides all five. An unknown part is empty and is not
 * compared. A process in another namespace cannot be checked from here.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from './error-reason.ts';
import type { Processes } from './host.ts';

/** The name of a process, as the sender of a request leaves it in the ledger. */
interface ProcessName {
  machine: string;
  /** Id of the machine's boot. */
  boot: string;
  pid: string;
  /** In ticks since the machine was started. */
  start: string;
  /** Number of the namespace of `pid`; empty if the system has none. */
  space: string;
}

/** @returns the parts of a name; unknown parts are empty */
export function parseProcessName(name: string): ProcessName {
  const [machine = '', boot = '', pid = '', start = '', space = ''] = name.split(' ');
  return { machine, boot, pid, start, space };
}

export function createProcesses(): Processes {
  const self = [
    hostname(),
    readOrEmpty('/proc/sys/kernel/random/boot_id').trim(),
    process.pid,
    startOf(process.pid) ?? '',
    // Unique until the machine restarts.
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

/** @param start start in ticks from the name; '' if unknown */
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
    // Another user's process cannot be signalled, but it exists.
    return codeOf(error) === 'EPERM';
  }
}

/** @returns the start of a process, in ticks since the machine started; '' if it has ended; undefined if unknown */
function startOf(pid: number): string | undefined {
  // In a container, /proc may belong to another namespace, where the number means another process.
  const isOurs = linkOrEmpty('/proc/self') === String(process.pid);
  const text = isOurs ? readOrEmpty(`/proc/${pid}/stat`) : '';
  if (text === '') return undefined;
  // The program's name is in parentheses and may contain anything. The start is the twentieth field after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? '' : (fields[19] ?? '');
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function linkOrEmpty(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
