/** What is known, in memory: documents with the names that the index would have them by. */
import type { AccountScope } from '../../../src/base/account.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import type { Document } from '../../../src/index/document.ts';
import { fold } from '../../../src/index/normalise.ts';
import type { LedgerEntry, RememberedRecord } from '../../../src/journal/ledger.ts';
import type { LedgerReader } from '../../../src/requests/known/lazy-ledger.ts';

export const OWNER: AccountScope = { account: 'a1', profile: 'sandbox', host: 'gateway.example' };

/** A document with further names, such as a token, which the index has and the document does not say. */
export interface NamedDocument extends Document {
  keys?: readonly string[];
}

export function document(
  part: Pick<Document, 'kind' | 'id'> & Partial<NamedDocument>,
): NamedDocument {
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
  documents: readonly NamedDocument[],
  entries: Readonly<Record<string, Partial<LedgerEntry>>> = {},
  records: Readonly<Record<string, JsonObject>> = {},
): LedgerReader {
  const namesOf = (one: NamedDocument) => {
    const links = [one.purchase, one.customer, one.subscription, one.plan];
    const own = [one.id, one.reference, one.email, one.kind === 'request' ? null : one.who];
    return [...own, ...links, ...(one.keys ?? [])].flatMap((name) => (name ? [fold(name)] : []));
  };
  const tied: LedgerReader['documents']['tied'] = async (names, { kinds = [], limit }) => {
    const wanted = new Set(names.map(fold));
    return documents
      .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
      .filter((one) => namesOf(one).some((name) => wanted.has(name)))
      .slice(0, limit);
  };
  return {
    documents: { tied } as LedgerReader['documents'],
    find: async (id) => (entries[id] ? [entries[id] as LedgerEntry] : []),
    remembered: async ({ id = '' }) =>
      records[id] ? [{ ...OWNER, record: records[id] } as RememberedRecord] : [],
  };
}
