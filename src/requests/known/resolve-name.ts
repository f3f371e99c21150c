/**
 * Finds what a text names on this machine: an id, a token, a reference, an email, a full name, an entry of the journal.
 * Only the strictest match counts: a record with this id comes before one with this reference.
 */
import { type AccountScope, isOf } from '../../base/account.ts';
import { operationNamed } from '../../contract/operations.ts';
import { kindOfId, plainId, type RecordKind } from '../../contract/record-id.ts';
import type { Document } from '../../index/document.ts';
import { fold, isSameName } from '../../index/normalise.ts';
import { ownersOf } from '../../journal/account-scope.ts';
import type { LedgerReader } from './lazy-ledger.ts';

/** The strictest first. */
const WAYS = ['id', 'token', 'reference', 'other', 'email', 'name', 'customer'] as const;
type Way = (typeof WAYS)[number];

export interface NameMatch {
  kind: RecordKind | 'request';
  /** The id. A subscription has its reference, by which it is looked up; a request has the id of its entry. */
  id: string;
  /** How the text names it. */
  by: Way;
  /** The document of the record, or a document that names it. */
  document: Document;
}

/** The most records of one name that gw reads; with more, their ids could not tell them apart either. */
const MAX_CALLED = 1_000;

/**
 * @param owner the account scope of the records
 * @returns the matches, several if gw cannot tell which is meant; latest first
 */
export async function resolveName(
  known: Pick<LedgerReader, 'documents' | 'find'>,
  text: string,
  owner: AccountScope,
): Promise<NameMatch[]> {
  const documents = await known.documents.tied([text], { limit: MAX_CALLED });
  const name = fold(text);
  const candidates: NameMatch[] = [];
  for (const document of documents.filter((one) => isOf(one, owner))) {
    const found = await candidateOf(known, document, { name, text });
    if (found) candidates.push(found);
  }
  return meant(candidates);
}

/**
 * @param named the matches of a text
 * @returns the known subscriptions of the only customer among these; empty if there are several customers, or too many
 *   documents to read
 */
export async function subscriptionsOf(
  known: Pick<LedgerReader, 'documents'>,
  named: readonly NameMatch[],
  owner: AccountScope,
): Promise<NameMatch[]> {
  const [customer, ...others] = named.filter(({ kind }) => kind === 'customer');
  if (!customer || others.length > 0 || customer.by === 'name') return [];
  const { kind, reference } = customer.document;
  const names = [customer.id, ...(kind === 'customer' && reference !== null ? [reference] : [])];
  const found = new Map<string, NameMatch>();
  for (const one of ['subscription', 'event'] as const) {
    const documents = await known.documents.tied(names, { kinds: [one], limit: MAX_CALLED });
    if (documents.length === MAX_CALLED) return [];
    for (const document of documents.filter((each) => isOf(each, owner))) {
      const { subscription: id, customer: payer } = document;
      const isTheirs = payer !== null && names.some((name) => fold(name) === fold(payer));
      if (id !== null && isTheirs && !found.has(id))
        found.set(id, { kind: 'subscription', id, by: 'customer', document });
    }
  }
  return [...found.values()];
}

/** @returns the owners of records with this name, whatever their kind */
export async function ownersNamed(
  known: Pick<LedgerReader, 'documents'>,
  text: string,
): Promise<AccountScope[]> {
  return ownersOf(await known.documents.tied([text], { limit: MAX_CALLED }));
}

async function candidateOf(
  known: Pick<LedgerReader, 'find'>,
  document: Document,
  { name, text }: { name: string; text: string },
): Promise<NameMatch | undefined> {
  if (document.kind === 'event') return inEvent(document, { name, text });
  if (document.kind === 'request') return inRequest(known, document, name);
  const is = (one: string | null) => one !== null && fold(one) === name;
  const { kind, id } = document;
  const own = (by: Way): NameMatch => ({
    kind,
    id: kind === 'subscription' ? (document.subscription ?? id) : id,
    by,
    document,
  });
  if (is(id)) return own(kind === 'card' ? 'token' : 'id');
  if (is(document.reference)) return own('reference');
  for (const link of ['purchase', 'customer', 'plan'] as const) {
    const linked = document[link];
    if (linked !== null && link !== kind && is(linked))
      return { kind: link, id: linked, by: 'id', document };
  }
  if (is(document.email)) return own('email');
  if (document.who !== null && isSameName(document.who, text)) return own('name');
  // The remaining names of a record are a token and an alias.
  return own('token');
}

function inEvent(
  document: Document,
  { name, text }: { name: string; text: string },
): NameMatch | undefined {
  const is = (one: string | null) => one !== null && fold(one) === name;
  const { purchase, subscription, customer } = document;
  const of = (kind: RecordKind, id: string, by: Way): NameMatch => ({ kind, id, by, document });
  if (purchase !== null && is(purchase)) return of('purchase', purchase, 'id');
  if (subscription !== null && is(subscription))
    return of('subscription', subscription, 'reference');
  if (customer !== null && is(customer)) return of('customer', customer, 'id');
  if (is(document.reference) && purchase !== null) return of('purchase', purchase, 'reference');
  if (subscription !== null && kindOfId(name.toUpperCase()) === 'subscription')
    return of('subscription', subscription, 'id');
  if (customer === null) return undefined;
  if (is(document.email)) return of('customer', customer, 'email');
  if (document.who !== null && isSameName(document.who, text))
    return of('customer', customer, 'name');
  // The text is the customer's reference or card token; the index does not tell them apart.
  return of('customer', customer, 'other');
}

async function inRequest(
  known: Pick<LedgerReader, 'find'>,
  document: Document,
  name: string,
): Promise<NameMatch | undefined> {
  const [entry] = await known.find(document.id);
  const recordId = entry?.recordId ?? null;
  const kind = kindMade(document, entry?.refundOf ?? null);
  const id = (kind === 'subscription' ? document.reference : null) ?? recordId;
  const made = (by: Way): NameMatch =>
    kind === undefined || id === null
      ? { kind: 'request', id: document.id, by, document }
      : { kind, id, by: kind === 'card' && by === 'id' ? 'token' : by, document };
  if (fold(document.id) === name || fold(recordId ?? '') === name) return made('id');
  if (document.purchase !== null && fold(document.purchase) === name) {
    // A rejected refund may have named anything, so its text must look like an id.
    if (document.outcome === 'rejected' && kindOfId(plainId(document.purchase)) === undefined)
      return undefined;
    return { kind: 'purchase', id: document.purchase, by: 'id', document };
  }
  return made(
    document.reference !== null && fold(document.reference) === name ? 'reference' : 'token',
  );
}

function meant(candidates: readonly NameMatch[]): NameMatch[] {
  const way = WAYS.find((one) => candidates.some(({ by }) => by === one));
  const isMeant = ({ by }: NameMatch) => by === way || (way === 'token' && by === 'other');
  const same = withoutDeleted(unique(candidates.filter(isMeant)));
  const of = (kind: NameMatch['kind']) => same.filter((one) => one.kind === kind);
  const [customers, cards, subscriptions] = [of('customer'), of('card'), of('subscription')];
  const holders = customers.length > 0 ? customers : cards;
  if (way !== 'id' && way !== 'reference' && holders.length > 0) return holders;
  const isCharge = ({ kind, document }: NameMatch) =>
    kind === 'purchase' && subscriptions.length > 0 && document.label === 'Recurring';
  const purchases = new Set(of('purchase').map(({ id }) => id));
  const isItsRefund = ({ kind, document }: NameMatch) =>
    kind === 'refund' && document.purchase !== null && purchases.has(document.purchase);
  const isRecord = same.some(({ kind }) => kind !== 'request');
  return same.filter(
    (one) => !isCharge(one) && !isItsRefund(one) && !(isRecord && one.kind === 'request'),
  );
}

/** A deleted record gives its name up to others, if there are any. */
function withoutDeleted(candidates: readonly NameMatch[]): readonly NameMatch[] {
  const there = candidates.filter(({ document }) => document.outcome !== 'deleted');
  return there.length > 0 ? there : candidates;
}

/** Each record once, however its id was written. Its own document is preferred, if there is one. */
function unique(candidates: readonly NameMatch[]): NameMatch[] {
  const all = new Map<string, NameMatch>();
  for (const one of candidates) {
    const key = `${one.kind} ${plainId(one.id)}`;
    const known = all.get(key);
    if (!known || (known.document.kind !== known.kind && one.document.kind === one.kind))
      all.set(key, one);
  }
  return [...all.values()];
}

/**
 * @param request its label is the operation
 * @param refundOf the purchase that it was to refund, if any
 * @returns undefined for a request of the user's own: its record may be older than the request
 */
export function kindMade(
  { label }: Pick<Document, 'label'>,
  refundOf: string | null,
): RecordKind | undefined {
  return operationNamed(label)?.kind ?? (refundOf === null ? undefined : 'refund');
}
