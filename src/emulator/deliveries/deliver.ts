/**
 * Delivers what falls due, wave by wave: the deliveries of one instant, several in flight, then those
 * of the next instant, until none is due by the time given. Attempts happen at an instant of the
 * gateway's own time, so two days of repetitions take no longer than their attempts do.
 *
 * Whoever delivers holds the lock of `delivery-lock.ts`. An attempt that is cut off leaves its
 * delivery in the queue: it arrives at least once.
 */
import pMap from 'p-map';
import type { Clock } from '../gateway-clock.ts';
import type { Store } from '../store.ts';
import { lock, tryLock } from './delivery-lock.ts';
import { MAX_CONNECTIONS, openPostman, type Postman } from './postman.ts';
import { type DueDelivery, isAnyDue, nextWave, settle } from './queue.ts';

export interface DeliverOptions {
  store: Store;
  clock: Clock;
  /** Ends it early; what was not answered stays queued. */
  signal?: AbortSignal | undefined;
  /** Limit of one attempt, real time. */
  timeoutMs?: number | undefined;
}

export interface DeliveryCounts {
  delivered: number;
  /** Attempts that failed and will be repeated. */
  failed: number;
  abandoned: number;
}

export interface Deliverer {
  /**
   * Attempts everything that falls due up to and including an instant of the gateway's time; waits
   * for another process that delivers.
   * @throws the signal's reason; Failure incomplete when the other process does not end
   */
  deliver(until: Date): Promise<DeliveryCounts>;
  /** Attempts one wave of what is due now. @returns whether there was one and the lock was free */
  deliverSome(): Promise<boolean>;
  close(): Promise<void>;
}

export function createDeliverer({ store, clock, signal, timeoutMs }: DeliverOptions): Deliverer {
  let postman: Promise<Postman> | undefined;

  const isDue = (until: Date) => store.read((tx) => isAnyDue(tx, until));

  async function deliverWave(until: Date, counts: DeliveryCounts): Promise<boolean> {
    const { wave, isLive } = store.read((tx) => ({ wave: nextWave(tx, until), isLive: tx.isLive }));
    if (!wave) return false;
    postman ??= openPostman({ clock, timeoutMs, signal });
    const { attempt } = await postman;
    const deliverOne = async (delivery: DueDelivery) => {
      const outcome = await attempt(delivery, isLive).catch((error) => {
        // All of the wave must have ended before the lock goes.
        if (signal?.aborted) return undefined;
        throw error;
      });
      if (!outcome) return;
      const state = store.write((tx) => settle(tx, delivery.id, wave.at, outcome));
      if (state === 'delivered') counts.delivered++;
      if (state === 'abandoned') counts.abandoned++;
      if (state === 'queued') counts.failed++;
    };
    await pMap(wave.deliveries, deliverOne, { concurrency: MAX_CONNECTIONS });
    signal?.throwIfAborted();
    return true;
  }

  return {
    async deliver(until) {
      const counts: DeliveryCounts = { delivered: 0, failed: 0, abandoned: 0 };
      if (!isDue(until)) return counts;
      const held = await lock(store.path, clock, signal);
      try {
        while (await deliverWave(until, counts));
      } finally {
        held.release();
      }
      return counts;
    },
    async deliverSome() {
      const now = store.read((tx) => tx.now);
      if (!isDue(now)) return false;
      const held = tryLock(store.path);
      if (!held) return false;
      try {
        return await deliverWave(now, { delivered: 0, failed: 0, abandoned: 0 });
      } finally {
        held.release();
      }
    },
    close: async () => (await postman)?.close(),
  };
}
