/**
 * What a text names, by what this machine knows: an id, a token, a reference, an email, a full name, an
 * entry of the journal. Of all ways in which it may name something only the strictest counts: what has
 * the text as its id is meant before what has it as its reference.
 */
import { isOf, type Owner } from '../../base/account.ts';
import { operationNamed } from '../../contract/operations.ts';
import { kindOfId, plainId, type RecordKind } from '../../contract/record-id.ts';
import type { Fact } from '../../index/document.ts';
import { fold } from '../../index/normalise.ts';
import { ownersOf } from '../../journal/account-scope.ts';
import type { Known } from './sources.ts';

/** From the strictest on. */
const WAYS = ['id', 'token', 'reference', 'other', 'email', 'name'] as const;
type Way = (typeof WAYS)[number];

export interface Candidate {
  kind: RecordKind | 'request';
  /** Of a subscription its reference, by which it is looked up; of a request that of its entry. */
  id: string;
  /** How the text names it. */
  by: Way;
  /** What is known of it, or what names it. */
  fact: Fact;
}

/** More of one name are not told apart by their ids, either. */
const MAX_CALLED = 1_000;

/**
 * @param owner whose it is
 * @returns what the text names, several where it cannot be told which is meant; latest first
 */
export async function named(
  known: Pick<Known, 'facts' | 'find'>,
  text: string,
  owner: Owner,
): Promise<Candidate[]> {
  const facts = await known.facts.tied([text], { limit: MAX_CALLED });
  const name = fold(text);
  const candidates: Candidate[] = [];
  for (const fact of facts.filter((one) => isOf(one, owner))) {
    const found = await candidateOf(known, fact, name);
    if (found) candidates.push(found);
  }
  return meant(candidates);
}

/** @returns whose those are that have the name, whatever kind they are of */
export async function ownersNamed(known: Pick<Known, 'facts'>, text: string): Promise<Owner[]> {
  return ownersOf(await known.facts.tied([text], { limit: MAX_CALLED }));
}

async function candidateOf(
  known: Pick<Known, 'find'>,
  fact: Fact,
  name: string,
): Promise<Candidate | undefined> {
  if (fact.kind === 'event') return inEvent(fact, name);
  if (fact.kind === 'request') return inRequest(known, fact, name);
  const is = (text: string | null) => text !== null && fold(text) === name;
  const { kind, id } = fact;
  const own = (by: Way): Candidate => ({
    kind,
    id: kind === 'subscription' ? (fact.subscription ?? id) : id,
    by,
    fact,
  });
  if (is(id)) return own(kind === 'card' ? 'token' : 'id');
  if (is(fact.reference)) return own('reference');
  for (const link of ['purchase', 'customer', 'plan'] as const) {
    const linked = fact[link];
    if (linked !== null && link !== kind && is(linked))
      return { kind: link, id: linked, by: 'id', fact };
  }
  if (is(fact.email)) return own('email');
  if (is(fact.who)) return own('name');
  // What is left of the names of a record: a token, an alias.
  return own('token');
}

function inEvent(fact: Fact, name: string): Candidate | undefined {
  const is = (text: string | null) => text !== null && fold(text) === name;
  const { purchase, subscription, customer } = fact;
  const of = (kind: RecordKind, id: string, by: Way): Candidate => ({ kind, id, by, fact });
  if (purchase !== null && is(purchase)) return of('purchase', purchase, 'id');
  if (subscription !== null && is(subscription))
    return of('subscription', subscription, 'reference');
  if (customer !== null && is(customer)) return of('customer', customer, 'id');
  if (is(fact.reference) && purchase !== null) return of('purchase', purchase, 'reference');
  if (subscription !== null && kindOfId(name.toUpperCase()) === 'subscription')
    return of('subscription', subscription, 'id');
  if (customer === null) return undefined;
  if (is(fact.email)) return of('customer', customer, 'email');
  if (is(fact.who)) return of('customer', customer, 'name');
  // Its reference or the token of its card, which the index does not tell apart.
  return of('customer', customer, 'other');
}

async function inRequest(
  known: Pick<Known, 'find'>,
  fact: Fact,
  name: string,
): Promise<Candidate | undefined> {
  const [entry] = await known.find(fact.id);
  const recordId = entry?.recordId ?? null;
  const kind = kindMade(fact, entry?.refundOf ?? null);
  const id = (kind === 'subscription' ? fact.reference : null) ?? recordId;
  const made = (by: Way): Candidate =>
    kind === undefined || id === null
      ? { kind: 'request', id: fact.id, by, fact }
      : { kind, id, by: kind === 'card' && by === 'id' ? 'token' : by, fact };
  if (fold(fact.id) === name || fold(recordId ?? '') === name) return made('id');
  if (fact.purchase !== null && fold(fact.purchase) === name) {
    // A refund that was rejected may have named anything: a reference is none of an id.
    if (fact.outcome === 'rejected' && kindOfId(plainId(fact.purchase)) === undefined)
      return undefined;
    return { kind: 'purchase', id: fact.purchase, by: 'id', fact };
  }
  return made(fact.reference !== null && fold(fact.reference) === name ? 'reference' : 'token');
}

function meant(candidates: readonly Candidate[]): Candidate[] {
  const way = WAYS.find((one) => candidates.some(({ by }) => by === one));
  const isMeant = ({ by }: Candidate) => by === way || (way === 'token' && by === 'other');
  const same = unique(candidates.filter(isMeant));
  const of = (kind: Candidate['kind']) => same.filter((one) => one.kind === kind);
  const [customers, cards, subscriptions] = [of('customer'), of('card'), of('subscription')];
  const holders = customers.length > 0 ? customers : cards;
  if (way !== 'id' && way !== 'reference' && holders.length > 0) return holders;
  const isCharge = ({ kind, fact }: Candidate) =>
    kind === 'purchase' && subscriptions.length > 0 && fact.label === 'Recurring';
  const purchases = new Set(of('purchase').map(({ id }) => id));
  const isItsRefund = ({ kind, fact }: Candidate) =>
    kind === 'refund' && fact.purchase !== null && purchases.has(fact.purchase);
  const isRecord = same.some(({ kind }) => kind !== 'request');
  return same.filter(
    (one) => !isCharge(one) && !isItsRefund(one) && !(isRecord && one.kind === 'request'),
  );
}

/** Each once, however its id was written; as its own record tells of it where that was seen. */
function unique(candidates: readonly Candidate[]): Candidate[] {
  const all = new Map<string, Candidate>();
  for (const one of candidates) {
    const key = `${one.kind} ${plainId(one.id)}`;
    const known = all.get(key);
    if (!known || (known.fact.kind !== known.kind && one.fact.kind === one.kind)) all.set(key, one);
  }
  return [...all.values()];
}

/**
 * @param request its label is the operation. @param refundOf the purchase that it was to refund, if any
 * @returns undefined for a request of the user's own: the record of its answer may have been there before
 */
export function kindMade(
  { label }: Pick<Fact, 'label'>,
  refundOf: string | null,
): RecordKind | undefined {
  return operationNamed(label)?.kind ?? (refundOf === null ? undefined : 'refund');
}
