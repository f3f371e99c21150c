/**
 * Where deliveries become events. Those that arrive in the same turn of the event loop are kept in
 * one transaction, and so share one wait for the disk; nobody gets an answer before that.
 */
import type { Appended, EventStore, NewEvent } from '../../events/event-store.ts';
import { isLedgerAway } from './outage.ts';

/** Deliveries of one transaction. */
const MAX_BATCH = 512;

export interface Inbox {
  /** Resolves when the event is on disk. @throws what the store throws: it is not kept then */
  keep(event: NewEvent): Promise<Appended>;
}

interface Waiting {
  event: NewEvent;
  resolve(appended: Appended): void;
  reject(error: unknown): void;
}

/** @param turn resolves when everything that the event loop has ready has been handled */
export function createInbox(
  store: Pick<EventStore, 'append' | 'appendsAtOnce'>,
  turn: () => Promise<void>,
): Inbox {
  const { appendsAtOnce: atOnce = 1 } = store;
  let waiting: Waiting[] = [];
  let isScheduled = false;
  let underWay = 0;

  const schedule = () => {
    if (isScheduled || underWay === atOnce || waiting.length === 0) return;
    isScheduled = true;
    void turn().then(async () => {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      isScheduled = false;
      underWay++;
      schedule();
      await keepAll(store, batch);
      underWay--;
      schedule();
    });
  };
  return {
    keep: (event) =>
      new Promise((resolve, reject) => {
        waiting.push({ event, resolve, reject });
        schedule();
      }),
  };
}

async function keepAll(store: Pick<EventStore, 'append'>, batch: readonly Waiting[]) {
  try {
    const appended = await store.append(batch.map(({ event }) => event));
    for (const [i, { resolve }] of batch.entries()) resolve(appended[i] as Appended);
  } catch (error) {
    // One delivery that cannot be kept must not take the others with it, if it is that.
    if (isLedgerAway(error)) for (const { reject } of batch) reject(error);
    else if (batch.length > 1) for (const one of batch) await keepAll(store, [one]);
    else batch[0]?.reject(error);
  }
}
