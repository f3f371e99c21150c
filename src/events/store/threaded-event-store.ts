/**
 * The event store that takes deliveries in on a thread of its own (event-store-worker.ts). Everything else
 * is rare, and stays on the thread that asks.
 */
import { Worker } from 'node:worker_threads';
import { Failure } from '../../failure.ts';
import type { Arrival, ReadingRules, Taken } from '../event.ts';
import { EventFile } from './event-file.ts';
import type { TakeAnswer, ToEventThread } from './event-store-worker.ts';
import { packArrivals } from './packed-arrivals.ts';

interface PendingCall {
  resolve(taken: Taken[]): void;
  reject(error: unknown): void;
}

export class ThreadedEventStore extends EventFile {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly #asked = new Map<number, PendingCall>();
  #last = 0;
  #death: Error | undefined;

  /**
   * @param path file of the ledger
   * @param program the built `event-store-worker`
   * @throws Failure as `EventFile`
   */
  constructor(path: string, program: string) {
    // First here, so that a file that cannot be used is told of in the ordinary way, and is made once.
    super(path);
    this.#worker = new Worker(program, { workerData: path });
    this.#worker.on('message', (answer: TakeAnswer) => this.#settle(answer));
    this.#worker.on('error', (error) => this.#die(error));
    this.#ended = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
    void this.#ended.then(() => this.#die(new Error('The thread that stores events has ended')));
  }

  ingest(arrivals: readonly Arrival[], rules: ReadingRules): Promise<Taken[]> {
    if (this.#death) return Promise.reject(this.#death);
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      const packed = packArrivals(arrivals);
      this.#tell({ id, packed, rules }, [packed.bodies.buffer]);
    });
  }

  override async close(): Promise<void> {
    this.#tell('end');
    await this.#ended;
    await super.close();
  }

  #tell(what: ToEventThread, given: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(what, given);
  }

  #settle({ id, taken, error }: TakeAnswer): void {
    const { resolve, reject } = this.#asked.get(id) ?? {};
    this.#asked.delete(id);
    if (taken) resolve?.(taken);
    else reject?.(errorOf(error));
  }

  #die(error: Error): void {
    this.#death ??= error;
    for (const { reject } of this.#asked.values()) reject(this.#death);
    this.#asked.clear();
  }
}

function errorOf(error: TakeAnswer['error']): Error {
  if (error && 'kind' in error) return new Failure(error.kind, error.message, error);
  return new Error(error?.stack ?? 'The thread that stores events did not answer');
}
