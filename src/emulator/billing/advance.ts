/**
 * Moves the gateway's clock forward, one day after the other, as if the time had passed.
 *
 * For each day: what falls due before its end is delivered, the day is billed and the clock moved to
 * its end in one transaction, and what the day brought is delivered for the first time. Where nobody is
 * told of events, one transaction bills several days. The clock is stored with every step, so an advance
 * that is cut off has run whole days, and another one goes on from there. Two at once share the days
 * between them.
 */

import { addDays } from '../../base/calendar.ts';
import { usage } from '../../failure.ts';
import {
  createDeliverer,
  type DeliverOptions,
  type DeliveryCounts,
} from '../deliveries/deliver.ts';
import { dayOf } from '../gateway-clock.ts';
import { billStoredDays, type DayCounts, endOf, MAX_DAYS } from './billing-run.ts';

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
 * @returns what each day brought, as it is run
 * @throws Failure usage when `to` has passed or is more than ten years away; the signal's reason
 */
export async function* advance({ to, ...options }: AdvanceOptions): AsyncGenerator<AdvancedDay> {
  const { store, clock, signal } = options;
  const { now, first } = store.read((tx) => ({ now: tx.now, first: tx.billingDay }));
  if (to < now)
    throw usage(
      'clock-goes-back',
      `The gateway's clock is at ${now.toISOString()} and cannot go back to ${to.toISOString()}.`,
      'Choose a later time, or start over with `gw emulator reset`.',
    );
  if (to > endOf(addDays(first, MAX_DAYS)))
    throw usage(
      'clock-goes-too-far',
      `That is more than ${MAX_DAYS} days ahead.`,
      'Advance in several steps, for example `gw emulator advance 12m`.',
    );

  const deliverer = createDeliverer(options);
  try {
    const last = addDays(dayOf(to), -1);
    for (;;) {
      // Lets an interrupt through where nothing else waits.
      await clock.sleep(0, signal);
      const day = store.read((tx) => tx.billingDay);
      if (day > last) break;
      // The clock must not reach the end before the day is billed, or another process would bill it.
      const counts = await deliverer.deliver(new Date(endOf(day).getTime() - 1));
      const billed = store.write((tx) => {
        // Another process may have been first.
        if (tx.billingDay !== day) return [];
        const days = billStoredDays(tx, day, last);
        tx.moveTo(endOf(days.at(-1)?.day ?? day));
        return days;
      });
      const more = await deliverer.deliver(endOf(billed.at(-1)?.day ?? day));
      // Several days are billed only where nothing is delivered.
      let delivered = sumOf(counts, more);
      for (const billedDay of billed) {
        yield { ...billedDay, ...delivered };
        delivered = NONE;
      }
    }
    await deliverer.deliver(to);
    store.write((tx) => tx.moveTo(to));
  } finally {
    await deliverer.close();
  }
}

const NONE: DeliveryCounts = { delivered: 0, failed: 0, abandoned: 0 };

function sumOf(some: DeliveryCounts, more: DeliveryCounts): DeliveryCounts {
  return {
    delivered: some.delivered + more.delivered,
    failed: some.failed + more.failed,
    abandoned: some.abandoned + more.abandoned,
  };
}

/**
 * Moves the clock as `gw emulator start --clock` asks for it: nothing happens where that day is today
 * and the time has come, so that the same command can be run again.
 * @throws Failure usage when the day has passed; otherwise as `advance`
 */
export async function moveClockTo(time: Date, options: DeliverOptions): Promise<void> {
  const now = options.store.read((tx) => tx.now);
  if (dayOf(now) === dayOf(time) && now >= time) return;
  if (now > time)
    throw usage(
      'clock-goes-back',
      `The gateway's clock is at ${now.toISOString()} and cannot go back to ${time.toISOString()}.`,
      'To go on from there, omit --clock. To start over at that time, add --fresh or use `gw emulator reset --clock DATE`.',
    );
  for await (const _day of advance({ ...options, to: time }));
}
