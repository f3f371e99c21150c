/**
 * Where deliveries become events. Those that arrive in the same turn of the event loop are kept in
 * one transaction, and so share one wait for the disk; nobody gets an answer before that.
 */
import { isLedgerAway } from './outage.ts';

/** Deliveries of one transaction. */
const MAX_BATCH = 512;

export interface Inbox<Item, Kept> {
  /** Resolves when it is on disk. @throws what `keepAll` throws: it is not kept then */
  keep(item: Item): Promise<Kept>;
}

export interface InboxOptions<Item, Kept> {
  /** Keeps all or none. @returns one entry for each, in the same order */
  keepAll(items: readonly Item[]): Promise<readonly Kept[]>;
  /** As many batches may be under way. */
  atOnce: number;
  /** Resolves when everything that the event loop has ready has been handled. */
  turn(): Promise<void>;
}

interface Waiting<Item, Kept> {
  item: Item;
  resolve(kept: Kept): void;
  reject(error: unknown): void;
}

export function createInbox<Item, Kept>({
  keepAll,
  atOnce,
  turn,
}: InboxOptions<Item, Kept>): Inbox<Item, Kept> {
  let waiting: Waiting<Item, Kept>[] = [];
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
      await keepBatch(keepAll, batch);
      underWay--;
      schedule();
    });
  };
  return {
    keep: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        schedule();
      }),
  };
}

async function keepBatch<Item, Kept>(
  keepAll: InboxOptions<Item, Kept>['keepAll'],
  batch: readonly Waiting<Item, Kept>[],
): Promise<void> {
  try {
    const kept = await keepAll(batch.map(({ item }) => item));
    for (const [i, { resolve }] of batch.entries()) resolve(kept[i] as Kept);
  } catch (error) {
    // One delivery that cannot be kept must not take the others with it, if it is that.
    if (isLedgerAway(error)) for (const { reject } of batch) reject(error);
    else if (batch.length > 1) for (const one of batch) await keepBatch(keepAll, [one]);
    else batch[0]?.reject(error);
  }
}
