/**
 * One process at a time delivers for a store, so that no attempt is made twice at once.
 *
 * The lock is SQLite's own on a file beside the store. The system takes it back from a process that
 * dies, even by SIGKILL, which a lease in a table could only guess from the time that went by.
 */
import { Failure } from '../../failure.ts';
import { isBusy } from '../../store/sqlite/file-failure.ts';
import { IN_MEMORY, openFile } from '../../store/sqlite/open-file.ts';
import type { Clock } from '../gateway-clock.ts';

const RETRY_MS = 50;
const MAX_WAIT_MS = 300_000;

export interface DeliveryLock {
  release(): void;
}

/** @param path the store's file @returns undefined while another one has the lock */
export function tryLock(path: string): DeliveryLock | undefined {
  // Nobody else can have a store that is in memory.
  if (path === IN_MEMORY) return { release: () => undefined };
  const naming = {
    path: `${path}-deliverer`,
    name: 'The lock file',
    repair: 'Remove that file.',
  };
  const database = openFile(naming, 0);
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}

/** Waits for the lock, at most five minutes. @throws Failure incomplete when the time is over */
export async function lock(
  path: string,
  clock: Pick<Clock, 'sleep'>,
  signal?: AbortSignal,
): Promise<DeliveryLock> {
  for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += RETRY_MS) {
    const taken = tryLock(path);
    if (taken) return taken;
    await clock.sleep(RETRY_MS, signal);
  }
  throw new Failure('incomplete', 'Another process is delivering web hooks from this file.', {
    code: 'deliveries-locked',
    next: 'End the other `gw emulator` process, or wait for it, then run the command again.',
  });
}
