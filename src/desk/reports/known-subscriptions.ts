/**
 * Reads subscriptions from the table of things: the record as last seen, and the newest charge of a webhook. The newer
 * one decides. A value that neither has is null.
 */
import { DAY_MS } from '../../base/calendar.ts';
import { pagesOf } from '../../base/pages.ts';
import { scheduleOf } from '../../requests/known/subscription-schedule.ts';
import type { SearchScope } from '../../things/scope.ts';
import type { Thing } from '../../things/thing.ts';
import type { SearchIndex } from '../../things/thing-index.ts';
import type { NewestCharge } from '../../things/totals.ts';
import type { KnownSubscription } from '../../view/records/report.ts';

/** Subscriptions whose customers and cards are read at once. */
const AT_ONCE = 500;
/** The most things to read for one name. */
const LOOKED_AT = 20;
const NOTICE_MS = 31 * DAY_MS;

/** The index of things, and the profiles whose things are wanted. */
interface Desk {
  things: Pick<SearchIndex, 'each' | 'tied' | 'newestCharges'>;
  scope: SearchScope;
}

/**
 * @param today by the gateway's own dates, `YYYY-MM-DD`
 * @returns every known subscription of the scope, active or not, one at a time
 */
export async function* knownSubscriptions(
  desk: Desk,
  today: string,
): AsyncGenerator<KnownSubscription> {
  const { things, scope } = desk;
  const newest = await things.newestCharges(scope);
  const charges = new Map(newest.map((charge) => [charge.subscription, charge]));
  const rows = things.each({ kinds: ['subscription'], scope });
  for await (const page of pagesOf(rows, AT_ONCE)) {
    const customers = await namedThings(
      desk,
      ['customer'],
      page.map(({ customer }) => customer),
    );
    const payers = page.map((row) => {
      const customer = row.customer === null ? undefined : customers.get(row.customer);
      return { row, customer, charge: charges.get(nameOf(row)) };
    });
    // The newest charge usually has the customer's card.
    const tokens = payers.flatMap((payer) =>
      expiryOf(payer) ? [] : (payer.customer?.token ?? []),
    );
    const cards = await namedThings(desk, ['card', 'purchase'], tokens);
    for (const payer of payers) {
      const known = knownOf(payer, today);
      const card = cards.get(payer.customer?.token ?? '');
      if (known) yield { ...known, cardExpiry: expiryOf(payer) ?? expiryIn(card) };
    }
  }
}

/** A subscription, and the customer whose card pays for it. */
interface Payer {
  row: Thing;
  customer: Thing | undefined;
  /** Its newest charge. */
  charge: NewestCharge | undefined;
}

/** @returns the newest thing for each id, reference or token; of a card, the newest with an expiry */
async function namedThings(
  { things, scope }: Desk,
  kinds: readonly ('customer' | 'card' | 'purchase')[],
  names: readonly (string | null)[],
): Promise<Map<string, Thing>> {
  const wanted = new Set(names.filter((name) => name !== null));
  const found = new Map<string, Thing>();
  if (wanted.size === 0) return found;
  const limit = LOOKED_AT * wanted.size;
  for (const one of await things.tied([...wanted], { kinds, scope, limit })) {
    const named = one.kind === 'customer' ? [one.id, one.reference] : [one.token];
    if (one.kind !== 'customer' && expiryIn(one) === null) continue;
    for (const name of named) if (name !== null && !found.has(name)) found.set(name, one);
  }
  return found;
}

function nameOf({ subscription, id }: Thing): string {
  return subscription ?? id;
}

/**
 * A charge with a replaced card says nothing about the present one.
 * @returns the expiry of the card in the newest charge
 */
function expiryOf({ customer, charge }: Payer): string | null {
  const token = customer?.token ?? null;
  const isOther = token !== null && charge?.token != null && charge.token !== token;
  return isOther ? null : (charge?.cardExpiry ?? null);
}

function expiryIn(thing: Thing | undefined): string | null {
  const { record, event } = thing?.sources ?? {};
  return record?.cardExpiry ?? event?.cardExpiry ?? null;
}

function knownOf(payer: Payer, today: string): Omit<KnownSubscription, 'cardExpiry'> | undefined {
  const { row, customer, charge } = payer;
  const { record, event } = row.sources;
  const [seenAt] = [event?.seenAt ?? '', record?.seenAt ?? ''].toSorted().toReversed();
  if (!seenAt) return undefined;
  const isActive = row.outcome === 'active';
  const notice = customer?.sources.notice;
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
    hasExpiredCard: notice?.outcome === 'expired' && !isActive,
    amount: row.amount ?? charge?.amount ?? null,
    // Only lists of plans have the currency.
    currency: row.currency ?? charge?.currency ?? null,
    expiryNotice: isRecent ? noticed.slice(0, 'YYYY-MM-DD'.length) : null,
    seenAt,
    source: seenAt === record?.seenAt ? 'record' : 'event',
  };
}
