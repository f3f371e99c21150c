/**
 * The thread that reads and keeps deliveries, while the thread that answers requests takes others. It does
 * what it is asked, one batch after the other, and answers each, until it is asked to end. It is never made to:
 * a thread that is ended while it loads the addon of SQLite takes the process with it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../../failure.ts';
import type { ReadingRules, Taken } from '../event.ts';
import { EventFile } from './event-file.ts';
import { ingest } from './ingest.ts';
import { type PackedArrivals, unpackArrivals } from './packed-arrivals.ts';

export interface TakeRequest {
  id: number;
  packed: PackedArrivals;
  rules: ReadingRules;
}

/** What the thread is told. */
export type ToEventThread = TakeRequest | 'end';

export interface TakeAnswer {
  id: number;
  taken?: Taken[];
  /** What was expected to go wrong; `stack` is set for what was not. */
  error?: Pick<Failure, 'kind' | 'code' | 'message' | 'next'> | { stack: string } | undefined;
}

function serve(): void {
  const store = new EventFile(workerData as string);
  let answered: Promise<unknown> = Promise.resolve();
  parentPort?.on('message', async (told: ToEventThread) => {
    if (told !== 'end') {
      answered = Promise.all([answered, answer(store, told)]);
      return;
    }
    await answered;
    await store.close();
    parentPort?.close();
  });
}

async function answer(store: EventFile, { id, packed, rules }: TakeRequest): Promise<void> {
  const answer: TakeAnswer = { id };
  try {
    answer.taken = await ingest(store, unpackArrivals(packed), rules);
  } catch (error) {
    answer.error = answerOf(error);
  }
  parentPort?.postMessage(answer);
}

function answerOf(error: unknown): TakeAnswer['error'] {
  if (error instanceof Failure) {
    const { kind, code, message, next } = error;
    return { kind, code, message, next };
  }
  return { stack: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

serve();
