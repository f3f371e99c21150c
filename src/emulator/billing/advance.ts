/**
 * Moves the gateway's time, with everything that falls due: forward by days for an advance, or along with the clock
 * while a server is up.
 *
 * Each day of an advance takes three steps. Everything due before its end is delivered. In one transaction the day is
 * billed and the clock moves to its end. Then the day's own events are delivered for the first time. The clock is
 * stored with every step, so an interrupted advance has run whole days, and another one goes on from there. Two
 * advances at once share the days between them.
 *
 * Tests: test/unit/emulator/billing/billing-run.test.ts, test/unit/emulator/deliveries/deliver.test.ts
 */

import { addDays } from '../../base/calendar.ts';
import { usage } from '../../failure.ts';
import {
  createDeliverer,
  type DeliverOptions,
  type DeliveryCounts,
  nothingDelivered,
} from '../deliveries/deliver.ts';
import { countTaken } from '../deliveries/queue.ts';
import { dayOf } from '../gateway-clock.ts';
import { billStoredDay, catchUp, type DayCounts, endOf, MAX_DAYS } from './billing-run.ts';

export interface AdvancedDay extends DeliveryCounts {
  /** `YYYY-MM-DD` */
  day: string;
  events: DayCounts;
}

export interface AdvanceOptions extends DeliverOptions {
  /** The gateway's time at the end. */
  to: Date;
}

/**
 * @returns the result of each day, as soon as it has run
 * @throws Failure usage if `to` has passed or is more than ten years away; the signal's reason
 */
export async function* advance({ to, ...options }: AdvanceOptions): AsyncGenerator<AdvancedDay> {
  const { store, clock, signal } = options;
  const { now, first } = store.read((tx) => ({ now: tx.now, first: tx.billingDay }));
  if (to < now)
    throw goesBack(now, to, 'Choose a later time, or start over with `gw emulator reset`.');
  if (to > endOf(addDays(first, MAX_DAYS)))
    throw usage(
      'clock-goes-too-far',
      `That is more than ${MAX_DAYS} days ahead.`,
      'Advance in several steps, for example `gw emulator advance 12m`.',
    );

  const deliverer = createDeliverer(options);
  try {
    for (;;) {
      // Lets an interrupt through, since nothing else here may wait.
      await clock.sleep(0, signal);
      const day = store.read((tx) => tx.billingDay);
      if (day >= dayOf(to)) break;
      const counts = nothingDelivered();
      // The clock must not reach the end before the day is billed, or another process would bill it.
      await deliverer.deliver(new Date(endOf(day).getTime() - 1), counts);
      const events = store.write((tx) => {
        // Another process may have billed it first.
        if (tx.billingDay !== day) return undefined;
        const billed = billStoredDay(tx, day);
        tx.moveTo(endOf(day));
        return billed;
      });
      await deliverer.deliver(endOf(day), counts);
      // A listener of gw delivers too, and may have been first.
      const taken = store.read((tx) => countTaken(tx, endOf(day)));
      if (events) yield { day, events, ...counts, delivered: Math.max(counts.delivered, taken) };
    }
    await deliverer.deliver(to, nothingDelivered());
    store.write((tx) => tx.moveTo(to));
  } finally {
    await deliverer.close();
  }
}

function goesBack(now: Date, to: Date, next: string): Error {
  return usage(
    'clock-goes-back',
    `The gateway's clock is at ${now.toISOString()} and cannot go back to ${to.toISOString()}.`,
    next,
  );
}

/**
 * Moves the clock for `gw emulator start --clock`. If the clock is already on that day and the time has come, nothing
 * happens, so the command can be repeated.
 * @throws Failure usage if the day has passed; otherwise as `advance`
 */
export async function moveClockTo(time: Date, options: DeliverOptions): Promise<void> {
  const now = options.store.read((tx) => tx.now);
  if (dayOf(now) === dayOf(time) && now >= time) return;
  if (now > time)
    throw goesBack(
      now,
      time,
      'To go on from there, omit --clock. To start over at that time, add --fresh or use `gw emulator reset --clock DATE`.',
    );
  for await (const _day of advance({ ...options, to: time }));
}

/** The interval at which the store is read, since other processes write to the same file at any time. */
const POLL_MS = 500;

export interface BackgroundOptions extends DeliverOptions {
  signal: AbortSignal;
  /** Called with an error; the server goes on and tries again. */
  onDefect?: ((error: unknown) => void) | undefined;
}

/**
 * Bills the days that pass and delivers what is due, while a server answers requests. It resolves when the signal is
 * aborted. An attempt that is cut off stays queued.
 */
export async function runInBackground(options: BackgroundOptions): Promise<void> {
  const { store, clock, signal, onDefect } = options;
  const deliverer = createDeliverer(options);
  while (!signal.aborted) {
    try {
      catchUp(store);
      while (!signal.aborted && (await deliverer.deliverSome()));
    } catch (error) {
      if (!signal.aborted) onDefect?.(error);
    }
    await clock.sleep(POLL_MS, signal).catch(() => undefined);
  }
  await deliverer.close();
}
