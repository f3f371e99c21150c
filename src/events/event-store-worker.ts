/**
 * The thread that keeps deliveries: waiting for the disk takes longer than all the rest of a
 * delivery, and the thread that answers requests has others to read meanwhile. It does what it is
 * asked, one batch after the other, and answers each.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../failure.ts';
import type { Appended, NewEvent } from './event-store.ts';
import { openEventStore } from './sqlite-event-store.ts';

export interface AppendRequest {
  id: number;
  events: readonly NewEvent[];
}

export interface AppendAnswer {
  id: number;
  appended?: Appended[];
  /** What was expected to go wrong; `stack` is set for what was not. */
  error?: Pick<Failure, 'kind' | 'message' | 'next'> | { stack: string } | undefined;
}

async function serve(): Promise<void> {
  const store = await openEventStore(workerData as string);
  parentPort?.on('message', async ({ id, events }: AppendRequest) => {
    const answer: AppendAnswer = { id };
    try {
      answer.appended = await store.append(events);
    } catch (error) {
      answer.error = describe(error);
    }
    parentPort?.postMessage(answer);
  });
  parentPort?.once('close', () => void store.close());
}

function describe(error: unknown): AppendAnswer['error'] {
  if (error instanceof Failure) {
    const { kind, message, next } = error;
    return { kind, message, next };
  }
  return { stack: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

void serve();
