/** The name of a process, as whoever sends a request leaves it behind (src/host/processes.ts). */
export interface ProcessName {
  machine: string;
  /** Which start of the machine it is of. */
  boot: string;
  pid: string;
  /** In ticks since the machine was started. */
  start: string;
  /** Number of the namespace that `pid` is of; empty where the system has none. */
  space: string;
}

export function processName({ machine, boot, pid, start, space }: ProcessName): string {
  return [machine, boot, pid, start, space].join(' ');
}

/** @returns its parts; each is empty where it is not known */
export function parseProcessName(name: string): ProcessName {
  const [machine = '', boot = '', pid = '', start = '', space = ''] = name.split(' ');
  return { machine, boot, pid, start, space };
}
