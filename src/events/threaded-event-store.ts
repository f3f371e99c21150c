/**
 * The event store with its `append` on a thread of its own (event-store-worker.ts). Everything else
 * is rare, and stays on the thread that asks.
 */
import { Worker } from 'node:worker_threads';
import { Failure } from '../failure.ts';
import type { Appended, EventStore, NewEvent } from './event-store.ts';
import type { AppendAnswer, ToEventThread } from './event-store-worker.ts';
import { SqliteEventStore } from './sqlite-event-store.ts';

interface Asked {
  resolve(appended: Appended[]): void;
  reject(error: unknown): void;
}

/**
 * @param path file of the ledger
 * @param program the built `event-store-worker`
 * @throws Failure as `openEventStore`
 */
export async function openThreadedEventStore(path: string, program: string): Promise<EventStore> {
  return new ThreadedEventStore(path, program);
}

class ThreadedEventStore extends SqliteEventStore {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly #asked = new Map<number, Asked>();
  #last = 0;
  #death: Error | undefined;

  constructor(path: string, program: string) {
    // First here, so that a file that cannot be used is told of in the ordinary way, and is made once.
    super(path);
    this.#worker = new Worker(program, { workerData: path });
    this.#worker.on('message', (answer: AppendAnswer) => this.#settle(answer));
    this.#worker.on('error', (error) => this.#die(error));
    this.#ended = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
    void this.#ended.then(() => this.#die(new Error('The thread that stores events has ended')));
  }

  override append(events: readonly NewEvent[]): Promise<Appended[]> {
    if (this.#death) return Promise.reject(this.#death);
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      this.#tell({ id, events });
    });
  }

  override async close(): Promise<void> {
    this.#tell('end');
    await this.#ended;
    await super.close();
  }

  #tell(what: ToEventThread): void {
    this.#worker.postMessage(what);
  }

  #settle({ id, appended, error }: AppendAnswer): void {
    const { resolve, reject } = this.#asked.get(id) ?? {};
    this.#asked.delete(id);
    if (appended) resolve?.(appended);
    else reject?.(errorOf(error));
  }

  #die(error: Error): void {
    this.#death ??= error;
    for (const { reject } of this.#asked.values()) reject(this.#death);
    this.#asked.clear();
  }
}

function errorOf(error: AppendAnswer['error']): Error {
  if (error && 'kind' in error) return new Failure(error.kind, error.message, error);
  return new Error(error?.stack ?? 'The thread that stores events did not answer');
}
