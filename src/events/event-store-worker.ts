/**
 * The thread that keeps deliveries: waiting for the disk takes longer than all the rest of a
 * delivery, and the thread that answers requests has others to read meanwhile. It does what it is
 * asked, one batch after the other, and answers each, until it is asked to end. It is never made to:
 * a thread that is ended while it loads the addon of SQLite takes the process with it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../failure.ts';
import type { Appended, NewEvent } from './event-store.ts';
import { SqliteEventStore } from './sqlite-event-store.ts';

export interface AppendRequest {
  id: number;
  events: readonly NewEvent[];
}

/** What the thread is told. */
export type ToEventThread = AppendRequest | 'end';

export interface AppendAnswer {
  id: number;
  appended?: Appended[];
  /** What was expected to go wrong; `stack` is set for what was not. */
  error?: Pick<Failure, 'kind' | 'code' | 'message' | 'next'> | { stack: string } | undefined;
}

function serve(): void {
  const store = new SqliteEventStore(workerData as string);
  parentPort?.on('message', async (told: ToEventThread) => {
    if (told === 'end') {
      await store.close();
      parentPort?.close();
      return;
    }
    const { id, events } = told;
    const answer: AppendAnswer = { id };
    try {
      answer.appended = await store.append(events);
    } catch (error) {
      answer.error = answerOf(error);
    }
    parentPort?.postMessage(answer);
  });
}

function answerOf(error: unknown): AppendAnswer['error'] {
  if (error instanceof Failure) {
    const { kind, code, message, next } = error;
    return { kind, code, message, next };
  }
  return { stack: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

serve();
