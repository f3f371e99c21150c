/**
 * Delivers what is due in waves: all deliveries of one instant, several in flight, then those of the next, until none
 * is due by the given time. Attempts happen at an instant of the gateway's own time. So two days of repetitions take no
 * longer than their attempts.
 *
 * Any 2xx is success (`host/http/post-event.ts`). Anything else is a failure: another status, a redirect, no
 * connection, no status within the time limit, which is real time.
 *
 * In addition to the interface's header, every delivery has its number in `X-Gw-Delivery`. A repeated delivery has the
 * same number. The body cannot show that: the charge:pending of two days are alike. `Date` is the time of the event by
 * the gateway's clock, which nothing else says of a notice about a card.
 *
 * Only one process at a time delivers for a store, so no attempt is made twice at once. It holds SQLite's own lock on a
 * file beside the store, which the system releases if the process is killed. An attempt that is cut off leaves its
 * delivery in the queue, so a delivery arrives at least once.
 */
import pMap from 'p-map';
import { DELIVERY_HEADER, SERVICE_MODE_HEADER } from '../../contract/webhooks/names.ts';
import { type DeliveryRequest, DeliverySender } from '../../host/http/post-event.ts';
import { briefReason } from '../../host/http/transport-reason.ts';
import { isBusy } from '../../store/sqlite/file-failure.ts';
import { IN_MEMORY, openFile } from '../../store/sqlite/open-file.ts';
import type { GatewayClock } from '../gateway-clock.ts';
import type { Store } from '../store.ts';
import { type DueDelivery, isAnyDue, isQueued, nextWave, settle } from './queue.ts';

const DEFAULT_TIMEOUT_MS = 10_000;
const RETRY_MS = 50;
const POLICY = {
  connections: 16,
  usesProxies: false,
  reasonOf: briefReason,
};

export interface DeliverOptions {
  store: Store;
  clock: GatewayClock;
  /** Ends the delivery early; unanswered attempts stay queued. */
  signal?: AbortSignal | undefined;
  /** The time limit of one attempt, in real time. */
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
   * Attempts everything that is due up to and including an instant of the gateway's time. It waits while another
   * process delivers.
   * @param counts the results are added to these
   * @throws the signal's reason
   */
  deliver(until: Date, counts: DeliveryCounts): Promise<void>;
  /** Attempts one wave of what is due now. @returns false if nothing was due, or another process delivers */
  deliverSome(): Promise<boolean>;
  close(): Promise<void>;
}

export function nothingDelivered(): DeliveryCounts {
  return { delivered: 0, failed: 0, abandoned: 0 };
}

export function createDeliverer({
  store,
  clock,
  signal = new AbortController().signal,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: DeliverOptions): Deliverer {
  const sender = new DeliverySender({ ...POLICY, timeoutMs });

  async function deliverWave(until: Date, counts: DeliveryCounts): Promise<boolean> {
    const { wave, isLive } = store.read((tx) => ({ wave: nextWave(tx, until), isLive: tx.isLive }));
    if (!wave) return false;
    const deliverOne = async (delivery: DueDelivery) => {
      if (!store.read((tx) => isQueued(tx, delivery))) return;
      const { isTaken, status, reason } = await sender.send(requestOf(delivery, isLive), signal);
      // The outcome of an attempt that was cut off is unknown.
      if (status === undefined && signal.aborted) return;
      const outcome = { isDelivered: isTaken, result: status?.toString() ?? reason };
      const state = store.write((tx) => settle(tx, delivery, wave.at, outcome));
      if (state) counts[state === 'queued' ? 'failed' : state]++;
    };
    // All attempts of the wave must end before the lock is released.
    await pMap(wave.deliveries, deliverOne, { concurrency: POLICY.connections });
    signal.throwIfAborted();
    return true;
  }

  const isDue = (until: Date) => store.read((tx) => isAnyDue(tx, until));

  /** @returns false, without running `work`, while another process delivers */
  async function alone(work: () => Promise<unknown>): Promise<boolean> {
    const release = tryLock(store.path);
    if (!release) return false;
    try {
      await work();
      return true;
    } finally {
      release();
    }
  }

  return {
    async deliver(until, counts) {
      while (isDue(until)) {
        const isMine = await alone(async () => {
          while (await deliverWave(until, counts));
        });
        if (!isMine) await clock.sleep(RETRY_MS, signal);
      }
    },
    async deliverSome() {
      const now = store.read((tx) => tx.now);
      return isDue(now) && (await alone(() => deliverWave(now, nothingDelivered())));
    },
    close: () => sender.close(),
  };
}

/** @param path the store's file @returns a function that releases the lock; undefined while another process holds it */
export function tryLock(path: string): (() => void) | undefined {
  // No other process can open a store in memory.
  if (path === IN_MEMORY) return () => undefined;
  const naming = {
    path: `${path}-deliverer`,
    name: 'The lock file',
    repair: 'Remove that file.',
  };
  const database = openFile(naming, 0);
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return () => database.close();
}

function requestOf({ id, url, body, created_at }: DueDelivery, isLive: boolean): DeliveryRequest {
  const headers = [
    ['date', new Date(created_at).toUTCString()],
    ['content-type', 'application/json'],
    ['user-agent', 'gw-emulator'],
    [SERVICE_MODE_HEADER, isLive ? 'Live' : 'Sandbox'],
    [DELIVERY_HEADER, String(id)],
  ] as const;
  return { url: new URL(url), headers, body };
}
