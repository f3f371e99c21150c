/**
 * Finds out what all customers still owe: declined charges of subscriptions that no later try paid. A purchase that was
 * declined is owed by nobody, unless somebody says that it is. Of all payments, only those are read that have the
 * subscription or reference of a declined one.
 */

import { pagesOf } from '../../base/pages.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { Owner } from '../../things/owner.ts';
import type { Thing } from '../../things/thing.ts';
import type { SearchIndex } from '../../things/thing-index.ts';
import { salesSince, UnpaidCharges } from '../history/sums.ts';
import { countRetries, itemOf } from '../history/timeline.ts';
import { payersOf } from './payers.ts';
import type { RowFrame } from './report-row.ts';
import { compareValues } from './report-row.ts';
import type { KnownSubscription, UnpaidCustomer, UnpaidRow } from './report-view.ts';

const KINDS = ['purchase', 'request', 'event'] as const;
/** Names whose payments are in memory at once. */
const NAMES_AT_ONCE = 100;

/**
 * @param subscriptions those that are known, with the retries that wait
 * @param hasPurchases whether declined purchases are owed too
 * @returns what was first declined in the time of the report, oldest first, and the purchases that are left out
 */
export async function unpaidRows(
  known: { things: Pick<SearchIndex, 'each' | 'tied'>; scope: Owner },
  subscriptions: readonly KnownSubscription[],
  { from, until }: Pick<RowFrame, 'from' | 'until'>,
  hasPurchases: boolean,
): Promise<{ rows: UnpaidRow[]; purchases: UnpaidRow[] }> {
  const charges = await unpaidCharges(known);
  const time = (at: string) => Date.parse(at);
  const all = charges.all.filter(
    ({ first: { at } }) => time(at) >= time(from) && time(at) < time(until),
  );
  const payers = await payersOf(
    known,
    all.map(({ last }) => last),
  );
  // Only the last charge of a subscription is tried again.
  const newest = new Map(charges.all.map(({ last: { subscription, id } }) => [subscription, id]));
  const retries = new Map(subscriptions.map(({ name, retry }) => [name, retry?.date ?? null]));
  const rows = all
    .map(({ first, last, amount, tries }, n): UnpaidRow => {
      const { customer, who, email } = payers[n]?.[1] ?? last;
      const { currency, subscription, reference, profile, id, message, lastFour } = last;
      return {
        ...{ since: first.at, amount, currency, tries, reason: message },
        nextRetry:
          newest.get(subscription) === id ? (retries.get(subscription ?? '') ?? null) : null,
        ...{
          who,
          email,
          customer,
          lastFour,
          subscription,
          reference,
          lastTry: last.at,
          id,
          profile,
        },
      };
    })
    .sort((one, other) => compareValues(time(one.since), time(other.since)));
  const isOwed = ({ subscription }: UnpaidRow) => hasPurchases || subscription !== null;
  return { rows: rows.filter(isOwed), purchases: rows.filter((row) => !isOwed(row)) };
}

/** @returns notes of the later sales that may have paid some of these charges */
export async function perhapsPaid(
  { things, scope }: Parameters<typeof unpaidRows>[0],
  rows: readonly UnpaidRow[],
): Promise<string[]> {
  const customers = [...new Set(rows.flatMap(({ customer }) => customer ?? []))];
  const notes: string[] = [];
  for await (const some of pagesOf(customers, NAMES_AT_ONCE)) {
    const filter = { kinds: ['purchase'], outcome: 'approved', scope, needs: 'nothing' } as const;
    const found = await things.tied(some, { ...filter, limit: Number.MAX_SAFE_INTEGER });
    const items = found.reverse().map((one) => itemOf(one));
    const owed = rows.filter(({ customer }) => customer !== null && some.includes(customer));
    for (const [{ subscription, reference, id, who }, sale] of salesSince(owed, items)) {
      const name = subscription ?? reference ?? id ?? '';
      const by = `${sale.reference ?? sale.id} of ${sale.at.slice(0, 10)}`;
      notes.push(
        `${neutralise(name)} of ${neutralise(who ?? '')} may be paid: ${neutralise(by)} took the same amount later. gw does not know what it was for.`,
      );
    }
  }
  return notes;
}

async function unpaidCharges({
  things,
  scope,
}: Parameters<typeof unpaidRows>[0]): Promise<UnpaidCharges> {
  const charges = new UnpaidCharges();
  const filter = { kinds: KINDS, scope, needs: 'nothing' } as const;
  const names = new Set<string>();
  for await (const thing of things.each({ ...filter, outcome: 'declined' })) {
    const name = nameOf(thing);
    if (name === null) charges.add(itemOf(thing));
    else names.add(name);
  }
  for await (const some of pagesOf(names, NAMES_AT_ONCE)) {
    const asked = new Set(some);
    const found = await things.tied(some, { ...filter, limit: Number.MAX_SAFE_INTEGER });
    // One that has names of several pages belongs to that of its own.
    const items = found
      .filter((one) => one.outcome !== 'sample' && asked.has(nameOf(one) ?? ''))
      .reverse()
      .map((one) => itemOf(one));
    countRetries(items);
    for (const item of items) charges.add(item);
  }
  return charges;
}

/** @returns what a payment and its later tries are called by; null if it is one by itself */
function nameOf({ subscription, reference }: Pick<Thing, 'subscription' | 'reference'>) {
  return subscription ?? reference;
}

/** @returns who owes, in a text that tells customers apart as far as their charges do */
const payerOf = ({ customer, email, who }: UnpaidRow) => customer ?? email ?? who;

/** @param rows oldest first @returns a row for each customer and currency, in the same order */
export function unpaidByCustomer(rows: readonly UnpaidRow[]): UnpaidCustomer[] {
  const customers = new Map<string, UnpaidCustomer>();
  for (const row of rows) {
    const { since, who, email, customer, currency, profile } = row;
    const key = JSON.stringify([payerOf(row), currency]);
    const none = { since, charges: 0, amount: 0n, currency, who, email, customer, profile };
    const one = customers.get(key) ?? none;
    one.charges++;
    one.amount += BigInt(row.amount);
    customers.set(key, one);
  }
  return [...customers.values()];
}

/** @returns how many owe */
export function payersIn(rows: readonly UnpaidRow[]): number {
  return new Set(rows.map(payerOf)).size;
}
