/**
 * Delivers what falls due, wave by wave: the deliveries of one instant, several in flight, then those
 * of the next instant, until none is due by the time given. Attempts happen at an instant of the
 * gateway's own time, so two days of repetitions take no longer than their attempts do.
 *
 * 200 and 201 are success (section 6). Anything else is not: another status, a redirect, no connection,
 * no status within the time limit, which is real time.
 *
 * Beside the interface's header every delivery has `X-Gw-Delivery`, its number: the same one when it
 * is repeated, which a body cannot show (two days' charge:pending are alike).
 *
 * Whoever delivers holds the lock of `delivery-lock.ts`. An attempt that is cut off leaves its
 * delivery in the queue: it arrives at least once.
 */
import { setMaxListeners } from 'node:events';
import pMap from 'p-map';
import { briefReason } from '../../base/transport-reason.ts';
import { SERVICE_MODE_HEADER } from '../../contract/webhook-events.ts';
import { DeliverySender } from '../../webhooks/delivery.ts';
import type { Clock } from '../gateway-clock.ts';
import type { Store } from '../store.ts';
import { lock, tryLock } from './delivery-lock.ts';
import { type DueDelivery, isAnyDue, nextWave, settle } from './queue.ts';

const DELIVERY_HEADER = 'X-Gw-Delivery';
const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 16;

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
  given_up: number;
}

export class Deliverer {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #sender: DeliverySender;

  constructor({ store, clock, signal, timeoutMs = DEFAULT_TIMEOUT_MS }: DeliverOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#signal = signal ?? new AbortController().signal;
    // Each attempt listens.
    setMaxListeners(0, this.#signal);
    this.#sender = new DeliverySender({
      isTaken: (status) => status === 200 || status === 201,
      timeoutMs,
      clock,
      connections: MAX_CONNECTIONS,
      usesProxies: false,
      reasonOf: briefReason,
    });
  }

  /**
   * Attempts everything that falls due up to and including an instant of the gateway's time; waits
   * for another process that delivers.
   * @throws the signal's reason; Failure incomplete when the other process does not end
   */
  async deliver(until: Date): Promise<DeliveryCounts> {
    const counts: DeliveryCounts = { delivered: 0, failed: 0, given_up: 0 };
    if (!this.#isDue(until)) return counts;
    const held = await lock(this.#store.path, this.#clock, this.#signal);
    try {
      while (await this.#deliverWave(until, counts));
    } finally {
      held.release();
    }
    return counts;
  }

  /** Attempts one wave of what is due now. @returns whether there was one and the lock was free */
  async deliverSome(): Promise<boolean> {
    const now = this.#store.read((tx) => tx.now);
    if (!this.#isDue(now)) return false;
    const held = tryLock(this.#store.path);
    if (!held) return false;
    try {
      return await this.#deliverWave(now, { delivered: 0, failed: 0, given_up: 0 });
    } finally {
      held.release();
    }
  }

  close(): Promise<void> {
    return this.#sender.close();
  }

  #isDue(until: Date): boolean {
    return this.#store.read((tx) => isAnyDue(tx, until));
  }

  async #deliverWave(until: Date, counts: DeliveryCounts): Promise<boolean> {
    const { wave, isLive } = this.#store.read((tx) => ({
      wave: nextWave(tx, until),
      isLive: tx.isLive,
    }));
    if (!wave) return false;
    const deliverOne = async (delivery: DueDelivery) => {
      const { isTaken, status, reason } = await this.#attempt(delivery, isLive);
      // Nothing is known of one that was cut off.
      if (status === undefined && this.#signal.aborted) return;
      const outcome = { isDelivered: isTaken, result: status?.toString() ?? reason };
      const state = this.#store.write((tx) => settle(tx, delivery.id, wave.at, outcome));
      if (state === 'delivered') counts.delivered++;
      if (state === 'given up') counts.given_up++;
      if (state === 'queued') counts.failed++;
    };
    // All of the wave must have ended before the lock goes.
    await pMap(wave.deliveries, deliverOne, { concurrency: MAX_CONNECTIONS });
    this.#signal.throwIfAborted();
    return true;
  }

  #attempt({ id, url, body }: DueDelivery, isLive: boolean) {
    const headers = [
      ['content-type', 'application/json'],
      ['user-agent', 'gw-emulator'],
      [SERVICE_MODE_HEADER, isLive ? 'Live' : 'Sandbox'],
      [DELIVERY_HEADER, String(id)],
    ] as const;
    return this.#sender.send({ url: new URL(url), headers, body }, this.#signal);
  }
}
