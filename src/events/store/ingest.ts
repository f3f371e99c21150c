/**
 * From the bytes of deliveries to events that are kept, and to what their listener has to know of them. All
 * that takes time is here, so that it can be done on the thread of the store (`EventStore.ingest`) as well as
 * where requests are answered.
 */

import { matcher } from '../../contract/webhooks/patterns.ts';
import { Failure } from '../../failure.ts';
import type { Appended, Arrival, NewEvent, ReadingRules, Sum, Taken } from '../event.ts';
import type { DeliveryContent } from '../read/read-delivery.ts';
import { readEvent } from '../read/read-event.ts';
import { eventText } from '../show/event-text.ts';
import type { EventStore } from './event-store.ts';
import { transientEvent } from './transient-event.ts';

/**
 * Keeps deliveries in the order given, all of them or none. Resolves when they are on disk.
 * @returns one entry for each, in the same order
 * @throws Failure where one cannot be read, and as `EventStore.append`
 */
export async function ingest(
  store: Pick<EventStore, 'append'>,
  arrivals: readonly Arrival[],
  rules: ReadingRules,
): Promise<Taken[]> {
  const isShown = matcher(rules.events);
  const read = arrivals.map((arrival) => attempt(() => readEvent(arrival, rules, isShown)));
  const kept = read.map(({ event }) => (rules.isRemembering ? event : transientEvent(event)));
  const appended = await store.append(kept);
  return read.map(({ event, content }, i) => {
    const { source } = kept[i] as NewEvent;
    const { id, duplicateOf } = appended[i] as Appended;
    const { fault, mode, status, forwardTo, outcome } = event;
    const isPrinted = fault !== null || (event.event !== null && isShown(event.event));
    const expectedMode = otherMode(mode, rules.mode);
    const text =
      rules.form && isPrinted
        ? eventText({ event: { ...event, id, duplicateOf }, content }, rules.form, { expectedMode })
        : undefined;
    const approved = outcome === 'approved' ? sumsOf(content) : [];
    const name = event.event;
    return { id, duplicateOf, event: name, fault, mode, status, source, forwardTo, approved, text };
  });
}

/** @returns the mode that was expected, when the event's own is another; an absent one is none */
export function otherMode(mode: string | null, expected: string | undefined): string | undefined {
  if (mode === null || expected === undefined) return undefined;
  return mode.toLowerCase() === expected.toLowerCase() ? undefined : expected;
}

/** @returns the amounts of a delivery's purchases */
export function sumsOf({ parts }: DeliveryContent): Sum[] {
  const sums: Sum[] = [];
  for (const { purchase } of parts) {
    const { amount, currency } = purchase ?? {};
    if (typeof amount === 'number')
      sums.push([typeof currency === 'string' ? currency : '', amount]);
  }
  return sums;
}

/** What a sender sends is no defect that ends the listener, even where it meets one. */
function attempt<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('guard', `gw cannot read it: ${reason}`, {
      code: 'delivery-not-read',
      next: 'Report this as a defect of gw, with the delivery as its sender has it.',
      cause,
    });
  }
}
