/** What is known, in memory: facts with the names that the index would have them by. */
import type { Owner } from '../../../src/base/account.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import type { Known } from '../../../src/desk/query/sources.ts';
import type { Fact } from '../../../src/index/document.ts';
import { fold } from '../../../src/index/normalise.ts';
import type { LedgerEntry, RememberedRecord } from '../../../src/journal/ledger.ts';

export const OWNER: Owner = { account: 'a1', profile: 'sandbox', host: 'gateway.example' };

/** A fact with further names, such as a token, which the index has and the fact does not say. */
export interface NamedFact extends Fact {
  keys?: readonly string[];
}

export function fact(part: Pick<Fact, 'kind' | 'id'> & Partial<NamedFact>): NamedFact {
  const isEvent = part.kind === 'event';
  return {
    at: '2026-03-10T09:30:00Z',
    seenAt: '2026-03-11T00:00:00.000Z',
    ...OWNER,
    ...(isEvent && { account: null, host: null }),
    environment: 'sandbox',
    outcome: null,
    amount: null,
    currency: null,
    reference: null,
    who: null,
    email: null,
    lastFour: null,
    message: null,
    label: null,
    purchase: part.kind === 'purchase' ? part.id : null,
    customer: part.kind === 'customer' ? part.id : null,
    subscription: part.kind === 'subscription' ? (part.reference ?? part.id) : null,
    plan: part.kind === 'plan' ? part.id : null,
    operator: null,
    ...part,
  };
}

/**
 * @param entries what the requests among them are in the journal, by id
 * @param records of customers and subscriptions, by id
 */
export function knownOf(
  facts: readonly NamedFact[],
  entries: Readonly<Record<string, Partial<LedgerEntry>>> = {},
  records: Readonly<Record<string, JsonObject>> = {},
): Known {
  const namesOf = (one: NamedFact) => {
    const links = [one.purchase, one.customer, one.subscription, one.plan];
    const own = [one.id, one.reference, one.email, one.kind === 'request' ? null : one.who];
    return [...own, ...links, ...(one.keys ?? [])].flatMap((name) => (name ? [fold(name)] : []));
  };
  const tied: Known['facts']['tied'] = async (names, { kinds = [], limit }) => {
    const wanted = new Set(names.map(fold));
    return facts
      .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
      .filter((one) => namesOf(one).some((name) => wanted.has(name)))
      .slice(0, limit);
  };
  return {
    facts: { tied } as Known['facts'],
    find: async (id) => (entries[id] ? [entries[id] as LedgerEntry] : []),
    remembered: async ({ id = '' }) =>
      records[id] ? [{ ...OWNER, record: records[id] } as RememberedRecord] : [],
  };
}
