/**
 * Who this process is, and whether another one that once said who it was still runs.
 *
 * A process is named by its machine, its start of that machine, its number and its own start, so
 * that a number which the system has given to another program since is not taken for the old one.
 * Linux tells all four; where a part is not known it is left empty and not compared.
 */
import fs from 'node:fs';
import os from 'node:os';
import type { Processes } from './host.ts';

export function createProcesses(): Processes {
  const machine = os.hostname();
  const boot = readOrEmpty('/proc/sys/kernel/random/boot_id').trim();
  return {
    self: [machine, boot, process.pid, startOf(process.pid)].join(' '),
    isGone(name) {
      const [theirMachine = '', theirBoot = '', pid = '', start = ''] = name.split(' ');
      if (theirMachine !== machine) return undefined;
      if (theirBoot !== boot) return true;
      const number = Number(pid);
      if (!Number.isSafeInteger(number) || number <= 0) return undefined;
      if (!exists(number)) return true;
      return start !== '' && startOf(number) !== start;
    },
  };
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** @returns when a process was started, in ticks since the machine was; '' where that is not told or it has ended */
function startOf(pid: number): string {
  const text = readOrEmpty(`/proc/${pid}/stat`);
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
