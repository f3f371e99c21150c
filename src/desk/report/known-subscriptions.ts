/**
 * Reads subscriptions from the table of things: the record as last seen, and the newest charge of a webhook. The newer
 * one decides. A value that neither has is null.
 *
 * Tests: test/unit/desk/report/at-risk.test.ts, test/unit/desk/report/forecast.test.ts
 */
import { pagesOf } from '../../base/pages.ts';
import { scheduleOf } from '../../requests/known/subscription-schedule.ts';
import { isRecent } from '../../things/card-state.ts';
import { cardNotice, newestEvent } from '../../things/sources.ts';
import { movedTo, stopCause, stoppedOn } from '../../things/subscription-state.ts';
import type { Thing } from '../../things/thing.ts';
import type { SearchIndex } from '../../things/thing-index.ts';
import type { NewestCharge } from '../../things/totals.ts';
import { expiriesOf } from '../query/card-holders.ts';
import { byName, type Known, tiedTo } from '../query/named-things.ts';
import type { KnownSubscription } from './report-view.ts';

/** Subscriptions whose customers and cards are read at once. */
const AT_ONCE = 500;

interface Desk extends Known {
  things: Pick<SearchIndex, 'each' | 'tied' | 'newestCharges' | 'cardExpiries'>;
}

/**
 * @param today by the gateway's own dates, `YYYY-MM-DD`
 * @returns every known subscription of the scope, active or not
 */
export async function knownSubscriptions(desk: Desk, today: string): Promise<KnownSubscription[]> {
  const { things, scope } = desk;
  const newest = await things.newestCharges(scope);
  const charges = new Map(newest.map((charge) => [charge.subscription, charge]));
  const all: KnownSubscription[] = [];
  for await (const page of pagesOf(things.each({ kinds: ['subscription'], scope }), AT_ONCE)) {
    const named = page.map(({ customer }) => customer);
    const customers = byName(await tiedTo(desk, ['customer'], named));
    const payers = page.map((row) => ({
      row,
      customer: customers.get(row.customer ?? ''),
      charge: charges.get(nameOf(row)),
    }));
    const holders = payers.flatMap(({ customer }) => customer ?? []);
    const expiries = await expiriesOf(desk, holders);
    for (const payer of payers) {
      const known = knownOf(payer, today);
      const cardExpiry = payer.customer && expiries.get(payer.customer);
      if (known)
        all.push({ ...known, cardExpiry: cardExpiry ?? paidOf(payer)?.cardExpiry ?? null });
    }
  }
  return all;
}

/** A subscription, and the customer whose card pays for it. */
interface Payer {
  row: Thing;
  customer: Thing | undefined;
  /** Its newest charge. */
  charge: NewestCharge | undefined;
}

function nameOf({ subscription, id }: Thing): string {
  return subscription ?? id;
}

/** @returns the newest charge, unless it was made with a card that was replaced since */
function paidOf({ customer, charge }: Payer): NewestCharge | undefined {
  const token = customer?.token ?? null;
  const isOther = token !== null && charge?.token != null && charge.token !== token;
  return isOther ? undefined : charge;
}

function knownOf(payer: Payer, today: string): Omit<KnownSubscription, 'cardExpiry'> | undefined {
  const { row, customer, charge } = payer;
  const { record } = row.sources;
  const event = newestEvent(row.sources);
  const [seenAt] = [event?.seenAt ?? '', record?.seenAt ?? ''].toSorted().toReversed();
  if (!seenAt) return undefined;
  const isActive = row.outcome === 'active';
  const notice = customer && cardNotice(customer.sources);
  const isExpiring = notice?.outcome === 'expiring' && isRecent(notice, today);
  return {
    name: nameOf(row),
    customer: row.customer,
    who: row.who,
    email: row.email,
    plan: row.plan,
    ...scheduleOf(row, today),
    isActive,
    ...stopIn(row),
    hasExpiredCard: notice?.outcome === 'expired' && stopCause(row) === 'card expired',
    amount: row.amount ?? charge?.amount ?? null,
    // Only lists of plans have the currency.
    currency: row.currency ?? charge?.currency ?? null,
    expiryNotice: isExpiring ? notice.seenAt.slice(0, 'YYYY-MM-DD'.length) : null,
    seenAt,
    source: row.told === 'heard' ? 'heard' : seenAt === record?.seenAt ? 'record' : 'event',
  };
}

function stopIn(row: Thing): Pick<KnownSubscription, 'stoppedOn' | 'stopCause' | 'movedTo'> {
  if (row.outcome === 'active') return { stoppedOn: null, stopCause: null, movedTo: null };
  return {
    stoppedOn: stoppedOn(row) ?? null,
    stopCause: stopCause(row) ?? null,
    movedTo: movedTo(row.sources.record?.deeds ?? []) ?? null,
  };
}
