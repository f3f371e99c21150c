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
 * One process at a time delivers for a store, so that no attempt is made twice at once. The lock is SQLite's own on a
 * file beside the store: the system takes it back from a process that is killed. An attempt that is cut off
 * leaves its delivery in the queue: it arrives at least once.
 */
import pMap from 'p-map';
import { SERVICE_MODE_HEADER } from '../../contract/webhooks/names.ts';
import { type DeliveryRequest, DeliverySender } from '../../host/http/post-event.ts';
import { briefReason } from '../../host/http/transport-reason.ts';
import { isBusy } from '../../store/sqlite/file-failure.ts';
import { IN_MEMORY, openFile } from '../../store/sqlite/open-file.ts';
import type { Clock } from '../gateway-clock.ts';
import type { Store } from '../store.ts';
import { type DueDelivery, isAnyDue, nextWave, settle } from './queue.ts';

const DELIVERY_HEADER = 'X-Gw-Delivery';
const DEFAULT_TIMEOUT_MS = 10_000;
const RETRY_MS = 50;
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
   * @param counts what became of the attempts is added to them
   * @throws the signal's reason
   */
  deliver(until: Date, counts: DeliveryCounts): Promise<void>;
  /** Attempts one wave of what is due now. @returns whether there was one and nobody else delivers */
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

  const isDue = (until: Date) => store.read((tx) => isAnyDue(tx, until));

  /** @returns false, and does nothing, while another process delivers */
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

/** @param path the store's file @returns what gives the lock back; undefined while another process has it */
export function tryLock(path: string): (() => void) | undefined {
  // Nobody else can have a store that is in memory.
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

function requestOf({ id, url, body }: DueDelivery, isLive: boolean): DeliveryRequest {
  const headers = [
    ['content-type', 'application/json'],
    ['user-agent', 'gw-emulator'],
    [SERVICE_MODE_HEADER, isLive ? 'Live' : 'Sandbox'],
    [DELIVERY_HEADER, String(id)],
  ] as const;
  return { url: new URL(url), headers, body };
}
