/**
 * The event store with its `append` on a thread of its own (event-store-worker.ts). Everything else is
 * rare, and stays on the thread that asks.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Failure } from '../failure.ts';
import type { Appended, EventStore } from './event-store.ts';
import type { AppendAnswer, AppendRequest } from './event-store-worker.ts';
import { openEventStore } from './sqlite-event-store.ts';

interface Asked {
  resolve(appended: Appended[]): void;
  reject(error: unknown): void;
}

/**
 * @param path file of the ledger
 * @param program the built `events-worker`
 * @throws Failure as `openEventStore`
 */
export async function openThreadedEventStore(path: string, program: string): Promise<EventStore> {
  // First here, so that a file that cannot be used is told of in the ordinary way, and is made once.
  const store = await openEventStore(path);
  const worker = new Worker(program, { workerData: path });
  const asked = new Map<number, Asked>();
  let last = 0;
  let death: Error | undefined;

  worker.on('message', ({ id, appended, error }: AppendAnswer) => {
    const { resolve, reject } = asked.get(id) ?? {};
    asked.delete(id);
    if (appended) resolve?.(appended);
    else reject?.(errorOf(error));
  });
  const die = (error: Error) => {
    death = error;
    for (const { reject } of asked.values()) reject(error);
    asked.clear();
  };
  worker.on('error', die);
  worker.on('exit', () => die(death ?? new Error('The thread that keeps events has ended')));

  return {
    ...store,
    append: (events) =>
      new Promise((resolve, reject) => {
        if (death) {
          reject(death);
          return;
        }
        const request: AppendRequest = { id: ++last, events };
        asked.set(request.id, { resolve, reject });
        worker.postMessage(request);
      }),
    async close() {
      const ended = death ? undefined : once(worker, 'exit');
      await worker.terminate();
      await ended;
      await store.close();
    },
  };
}

function errorOf(error: AppendAnswer['error']): Error {
  if (error && 'kind' in error) {
    return new Failure(error.kind, error.message, { next: error.next });
  }
  return new Error(error?.stack ?? 'The thread that keeps events gave no answer');
}
