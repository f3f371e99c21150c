/**
 * Finds what a text names on this machine: an id, a token, a reference, an email, a full name, an entry of the journal.
 * Only the strictest match counts: a record with this id comes before one with this reference.
 */
import { type AccountScope, isOf } from '../../base/account.ts';
import { kindOfId, plainId, type RecordKind } from '../../contract/record-id.ts';
import type { Document } from '../../index/document.ts';
import { fold, isSameName } from '../../index/normalise.ts';
import { keyOfEvent } from '../../index/row-of.ts';
import { ownersOf } from '../../journal/account-scope.ts';
import type { LedgerReader } from './lazy-ledger.ts';

/** The strictest first. */
const WAYS = ['id', 'token', 'reference', 'email', 'name', 'customer', 'event'] as const;
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
  known: Pick<LedgerReader, 'documents'>,
  text: string,
  owner: AccountScope,
): Promise<NameMatch[]> {
  if (text.startsWith('#')) return aboutEvent(known, text, owner);
  const documents = await known.documents.tied([text], { limit: MAX_CALLED });
  const name = fold(text);
  const candidates = documents
    .filter((one) => isOf(one, owner))
    .flatMap((document) => candidateOf(document, { name, text }) ?? []);
  return candidates.length > 0 ? meant(candidates) : aboutEvent(known, text, owner);
}

/** What an event with this number is about: the charge, or else the subscription, or else the customer. */
async function aboutEvent(
  known: Pick<LedgerReader, 'documents'>,
  text: string,
  owner: AccountScope,
): Promise<NameMatch[]> {
  const number = /^#?([1-9]\d{0,14})$/.exec(text)?.[1];
  if (number === undefined) return [];
  const documents = await known.documents.tied([keyOfEvent(Number(number))], { limit: MAX_CALLED });
  for (const kind of ['purchase', 'subscription', 'customer'] as const) {
    const about = documents.filter((one) => one.kind === kind && isOf(one, owner));
    if (about.length > 0)
      return about.map((document) => ({
        kind,
        id: kind === 'subscription' ? (document.subscription ?? document.id) : document.id,
        by: 'event',
        document,
      }));
  }
  return [];
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
  const wanted = { kinds: ['subscription'] as const, limit: MAX_CALLED };
  const documents = await known.documents.tied(names, wanted);
  if (documents.length === MAX_CALLED) return [];
  return documents
    .filter((one) => isOf(one, owner) && names.includes(one.customer ?? ''))
    .map((document) => ({
      kind: 'subscription',
      id: document.subscription ?? document.id,
      by: 'customer',
      document,
    }));
}

/** @returns the owners of records with this name, whatever their kind */
export async function ownersNamed(
  known: Pick<LedgerReader, 'documents'>,
  text: string,
): Promise<AccountScope[]> {
  return ownersOf(await known.documents.tied([text], { limit: MAX_CALLED }));
}

function candidateOf(
  document: Document,
  { name, text }: { name: string; text: string },
): NameMatch | undefined {
  const { kind, id, customer } = document;
  if (kind === 'event') return undefined;
  if (kind === 'request') return inRequest(document, name);
  const is = (one: string | null) => one !== null && fold(one) === name;
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
  if (Object.keys(document.sources.requests).some(is)) return own('id');
  const way = wayOfPerson(document, { name, text });
  // A charge and a subscription show the name and email of their customer.
  if (way && customer !== null) return { kind: 'customer', id: customer, by: way, document };
  // The remaining names of a record are a token and an alias.
  return own(way ?? 'token');
}

function wayOfPerson(
  { email, who }: Document,
  { name, text }: { name: string; text: string },
): Way | undefined {
  if (email !== null && fold(email) === name) return 'email';
  return who !== null && isSameName(who, text) ? 'name' : undefined;
}

function inRequest(document: Document, name: string): NameMatch | undefined {
  const { id, purchase, reference, outcome } = document;
  const request = (by: Way): NameMatch => ({ kind: 'request', id, by, document });
  if (fold(id) === name) return request('id');
  if (purchase !== null && fold(purchase) === name) {
    // A rejected refund may have named anything, so its text must look like an id.
    if (outcome === 'rejected' && kindOfId(plainId(purchase)) === undefined) return undefined;
    return { kind: 'purchase', id: purchase, by: 'id', document };
  }
  return request(reference !== null && fold(reference) === name ? 'reference' : 'token');
}

function meant(candidates: readonly NameMatch[]): NameMatch[] {
  const way = WAYS.find((one) => candidates.some(({ by }) => by === one));
  const same = withoutDeleted(unique(candidates.filter(({ by }) => by === way)));
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
