/**
 * Where deliveries become events. Those that arrive in the same turn of the event loop are kept in
 * one transaction, or in as many as may be under way, and so share a wait for the disk; nobody gets
 * an answer before that.
 */
import { isFileAway } from './outage.ts';

/** Deliveries of one transaction. */
const MAX_BATCH = 512;
/** As few, or fewer, are not shared out. */
const MIN_BATCH = 16;

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

interface WaitingItem<Item, Kept> {
  item: Item;
  resolve(kept: Kept): void;
  reject(error: unknown): void;
}

export function createInbox<Item, Kept>({
  keepAll,
  atOnce,
  turn,
}: InboxOptions<Item, Kept>): Inbox<Item, Kept> {
  let waiting: WaitingItem<Item, Kept>[] = [];
  let isScheduled = false;
  let underWay = 0;

  const schedule = () => {
    if (isScheduled || underWay === atOnce || waiting.length === 0) return;
    isScheduled = true;
    void turn().then(async () => {
      const count = batchOf(waiting.length, atOnce);
      const batch = waiting.slice(0, count);
      waiting = waiting.slice(count);
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

/**
 * A part of them where several batches may be under way: senders that wait for their answers would otherwise all
 * be answered at the same time, and send again at the same time, so that nobody has anything to keep while requests
 * are read, nor the other way round.
 */
function batchOf(waiting: number, atOnce: number): number {
  return Math.min(Math.max(Math.ceil(waiting / atOnce), MIN_BATCH), MAX_BATCH);
}

async function keepBatch<Item, Kept>(
  keepAll: InboxOptions<Item, Kept>['keepAll'],
  batch: readonly WaitingItem<Item, Kept>[],
): Promise<void> {
  try {
    const kept = await keepAll(batch.map(({ item }) => item));
    for (const [i, { resolve }] of batch.entries()) resolve(kept[i] as Kept);
  } catch (error) {
    // One delivery that cannot be kept must not take the others with it, if it is that.
    if (isFileAway(error)) for (const { reject } of batch) reject(error);
    else if (batch.length > 1) for (const one of batch) await keepBatch(keepAll, [one]);
    else batch[0]?.reject(error);
  }
}
