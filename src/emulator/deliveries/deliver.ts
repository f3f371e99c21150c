/**
 * Delivers what falls due, wave by wave: the deliveries of one instant, several in flight, then those
 * of the next instant, until none is due by the time given. Attempts happen at an instant of the
 * gateway's own time, so two days of repetitions take no longer than their attempts do.
 *
 * Any 2xx is success (`host/http/post-event.ts`). Anything else is not: another status, a redirect, no
 * connection, no status within the time limit, which is real time.
 *
 * Beside the interface's header every delivery has `X-Gw-Delivery`, its number: the same one when it
 * is repeated, which a body cannot show (two days' charge:pending are alike).
 *
 * Whoever delivers holds the lock of `delivery-lock.ts`. An attempt that is cut off leaves its
 * delivery in the queue: it arrives at least once.
 */
import pMap from 'p-map';
import { SERVICE_MODE_HEADER } from '../../contract/webhooks/names.ts';
import { type DeliveryRequest, DeliverySender } from '../../host/http/post-event.ts';
import { briefReason } from '../../host/http/transport-reason.ts';
import type { Clock } from '../gateway-clock.ts';
import type { Store } from '../store.ts';
import { lock, tryLock } from './delivery-lock.ts';
import { type DueDelivery, isAnyDue, nextWave, settle } from './queue.ts';

const DELIVERY_HEADER = 'X-Gw-Delivery';
const DEFAULT_TIMEOUT_MS = 10_000;
const POLICY = {
  connections: 16,
  usesProxies: false,
  reasonOf: briefReason,
};

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

export function createDeliverer({
  store,
  clock,
  signal = new AbortController().signal,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: DeliverOptions): Deliverer {
  const sender = new DeliverySender({ ...POLICY, timeoutMs });

  const isDue = (until: Date) => store.read((tx) => isAnyDue(tx, until));

  async function deliverWave(until: Date, counts: DeliveryCounts): Promise<boolean> {
    const { wave, isLive } = store.read((tx) => ({ wave: nextWave(tx, until), isLive: tx.isLive }));
    if (!wave) return false;
    const deliverOne = async (delivery: DueDelivery) => {
      const { isTaken, status, reason } = await sender.send(requestOf(delivery, isLive), signal);
      // Nothing is known of one that was cut off.
      if (status === undefined && signal.aborted) return;
      const outcome = { isDelivered: isTaken, result: status?.toString() ?? reason };
      const state = store.write((tx) => settle(tx, delivery.id, wave.at, outcome));
      if (state === 'delivered') counts.delivered++;
      if (state === 'abandoned') counts.abandoned++;
      if (state === 'queued') counts.failed++;
    };
    // All of the wave must have ended before the lock goes.
    await pMap(wave.deliveries, deliverOne, { concurrency: POLICY.connections });
    signal.throwIfAborted();
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
    close: () => sender.close(),
  };
}

function requestOf({ id, url, body }: DueDelivery, isLive: boolean): DeliveryRequest {
  const headers = [
    ['content-type', 'application/json'],
    ['user-agent', 'gw-emulator'],
    [SERVICE_MODE_HEADER, isLive ? 'Live' : 'Sandbox'],
    [DELIVERY_HEADER, String(id)],
  ] as const;
  return { url: new URL(url), headers, body };
}
