/**
 * Reads subscriptions from the table of things: the record as last seen, and the newest charge of a webhook. The newer
 * one decides. A value that neither has is null.
 *
 * Tests: test/unit/commands/report/at-risk.test.ts, test/unit/commands/report/forecast.test.ts
 */
import { DAY_MS } from '../../base/calendar.ts';
import { pagesOf } from '../../base/pages.ts';
import { cardExpiryOf } from '../../contract/expiry.ts';
import { scheduleOf } from '../../requests/known/subscription-schedule.ts';
import { cardNotice, newestEvent, sentCardOf } from '../../things/sources.ts';
import { stopCause } from '../../things/subscription-state.ts';
import type { Thing } from '../../things/thing.ts';
import type { SearchIndex } from '../../things/thing-index.ts';
import type { NewestCharge } from '../../things/totals.ts';
import { byName, type Known, LOOKED_AT, tiedTo } from './named-things.ts';
import type { KnownSubscription } from './report-view.ts';

/** Subscriptions whose customers and cards are read at once. */
const AT_ONCE = 500;
const NOTICE_MS = 31 * DAY_MS;

interface Desk extends Known {
  things: Pick<SearchIndex, 'each' | 'tied' | 'newestCharges'>;
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
    // The newest charge usually has the customer's card.
    const tokens = payers.map((payer) =>
      expiryOf(payer) ? null : (payer.customer?.token ?? null),
    );
    const cards = await cardsOf(desk, tokens);
    for (const payer of payers) {
      const known = knownOf(payer, today);
      const card = cards.get(payer.customer?.token ?? '');
      if (known) all.push({ ...known, cardExpiry: expiryOf(payer) ?? expiryIn(card) });
    }
  }
  return all;
}

/**
 * A card that was charged often may take the places of others, so gw asks again for those of which it saw too little.
 * @returns the newest thing that tells the expiry, by the token
 */
async function cardsOf(desk: Desk, tokens: readonly (string | null)[]) {
  const cards = new Map<string, Thing>();
  let left = [...new Set(tokens)].filter((token) => token !== null);
  for (let asked = Number.POSITIVE_INFINITY; left.length > 0 && left.length < asked; ) {
    asked = left.length;
    const tied = await tiedTo(desk, ['card', 'purchase'], left);
    for (const [token, thing] of byName(tied.filter((one) => expiryIn(one) !== null)))
      cards.set(token, thing);
    if (tied.length < LOOKED_AT * asked) break;
    const isHidden = (token: string) =>
      !cards.has(token) && tied.filter((one) => one.token === token).length < LOOKED_AT;
    left = left.filter(isHidden);
  }
  return cards;
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

/**
 * A charge with a replaced card says nothing about the present one, and neither does one before the card was changed.
 * @returns the expiry of the card as it was changed from here, or in a newer charge
 */
function expiryOf({ customer, charge }: Payer): string | null {
  const token = customer?.token ?? null;
  const isOther = token !== null && charge?.token != null && charge.token !== token;
  const paid = isOther ? undefined : charge;
  const sent = customer && sentCardOf(customer, paid?.at ?? null);
  return (sent && cardExpiryOf(sent.record)) ?? paid?.cardExpiry ?? null;
}

function expiryIn(thing: Thing | undefined): string | null {
  const { record, event } = thing?.sources ?? {};
  return record?.cardExpiry ?? event?.cardExpiry ?? null;
}

function knownOf(payer: Payer, today: string): Omit<KnownSubscription, 'cardExpiry'> | undefined {
  const { row, customer, charge } = payer;
  const { record } = row.sources;
  const event = newestEvent(row.sources);
  const [seenAt] = [event?.seenAt ?? '', record?.seenAt ?? ''].toSorted().toReversed();
  if (!seenAt) return undefined;
  const isActive = row.outcome === 'active';
  const notice = customer && cardNotice(customer.sources);
  const noticed = notice?.outcome === 'expiring' ? notice.seenAt : undefined;
  const isRecent = noticed !== undefined && Date.parse(noticed) + NOTICE_MS >= Date.parse(today);
  return {
    name: nameOf(row),
    customer: row.customer,
    who: row.who,
    email: row.email,
    plan: row.plan,
    ...scheduleOf(row, today),
    isActive,
    hasExpiredCard: notice?.outcome === 'expired' && stopCause(row) === 'card expired',
    amount: row.amount ?? charge?.amount ?? null,
    // Only lists of plans have the currency.
    currency: row.currency ?? charge?.currency ?? null,
    expiryNotice: isRecent ? noticed.slice(0, 'YYYY-MM-DD'.length) : null,
    seenAt,
    source: row.told === 'heard' ? 'heard' : seenAt === record?.seenAt ? 'record' : 'event',
  };
}
