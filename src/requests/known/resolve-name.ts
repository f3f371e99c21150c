/**
 * Finds what a text names on this machine: an id, a token, a reference, an email, a full name, an entry of the journal.
 * Only the strictest match counts: a record with this id comes before one with this reference.
 */
import { kindOfId, plainId, type RecordKind } from '../../contract/record.ts';
import { fold, isSameName } from '../../things/normalise.ts';
import { isOwnedBy, type Owner, ownersOf } from '../../things/owner.ts';
import { tokensOf } from '../../things/sources.ts';
import type { Thing } from '../../things/thing.ts';
import { keyOfEvent } from '../../things/words.ts';
import type { NamedThings } from './lazy-ledger.ts';

/** The strictest first. */
const WAYS = [
  'id',
  'token',
  'reference',
  'email',
  'name',
  'other',
  'customer',
  'event',
  'near',
] as const;
type Way = (typeof WAYS)[number];

export interface NameMatch {
  kind: RecordKind | 'request';
  /** The id. A subscription has its reference, by which it is looked up; a request has the id of its entry. */
  id: string;
  /** How the text names it. */
  by: Way;
  /** The thing of the record, or a thing that names it. */
  thing: Thing;
  /** Whether it is an email that the customer has no longer, and that a charge of then has. */
  isFormer?: boolean;
}

/** How a command reads a name. */
export interface NameRule {
  /** The kinds that may be meant; undefined for all. */
  kinds?: readonly NameMatch['kind'][] | undefined;
  /** true if a customer's name also means the subscription that is the only one known of them. */
  isForSubscription?: boolean;
  /** Whether a thing that only hearsay names so counts like all others, or only if no other has the name. */
  hearsay: 'counts' | 'last';
  /** Whether the name of a person is enough: others may have the same. */
  person: 'enough' | 'refused';
  /** Several records are refused, or they are one story if they are attempts to pay the same. */
  several: 'refused' | 'story';
}

/** For a request that changes a record. */
export const TO_CHANGE = { hearsay: 'counts', person: 'refused', several: 'refused' } as const;
/** For an answer that says how gw found it. */
export const TO_LOOK_UP = { hearsay: 'last', person: 'enough', several: 'refused' } as const;
/** For a timeline. */
export const TO_TELL = { hearsay: 'last', person: 'enough', several: 'story' } as const;

/** The most records of one name that gw reads; with more, their ids could not tell them apart either. */
const MAX_CALLED = 1_000;

/**
 * @param owner the owner of the records
 * @returns the matches, several if gw cannot tell which is meant; latest first. `meantBy` judges them by the same rule.
 */
export async function resolveName(
  known: NamedThings,
  text: string,
  owner: Owner,
  rule: Pick<NameRule, 'kinds' | 'isForSubscription' | 'hearsay'>,
): Promise<NameMatch[]> {
  const { kinds, isForSubscription = false, hearsay } = rule;
  const named = await namedBy(known, text, owner, hearsay);
  const isAsked = isForSubscription && !named.some(({ kind }) => kind === 'subscription');
  const billed = isAsked ? await subscriptionsOf(known, named, owner) : [];
  const all = [...named, ...(hearsay === 'last' ? sureOf(billed) : billed)];
  return kinds ? all.filter(({ kind }) => kinds.includes(kind)) : all;
}

async function namedBy(
  known: NamedThings,
  text: string,
  owner: Owner,
  hearsay: NameRule['hearsay'],
): Promise<NameMatch[]> {
  if (text.startsWith('#')) return aboutEvent(known, text, owner);
  const things = await known.things.tied([text], { limit: MAX_CALLED });
  const name = fold(text);
  const candidates = things
    .filter((one) => isOwnedBy(one, owner, 'named'))
    .flatMap((thing) => candidateOf(thing, { name, text }) ?? []);
  const ranked = hearsay === 'last' ? sureOf(candidates) : candidates;
  return Promise.all(strictest(ranked).map((one) => withFormer(known, one, owner)));
}

/** @returns the match, and whether the email in it is another one than the customer has now */
async function withFormer(known: NamedThings, one: NameMatch, owner: Owner): Promise<NameMatch> {
  const { kind, id, by, thing } = one;
  if (by !== 'email' || kind !== 'customer' || thing.kind === kind) return one;
  const own = await known.things.tied([id], { kinds: [kind], limit: MAX_CALLED });
  const present = own.find((it) => it.id === id && isOwnedBy(it, owner, 'named'))?.email ?? null;
  return present === null ? one : { ...one, isFormer: fold(present) !== fold(thing.email ?? '') };
}

/** @returns those of which more than hearsay tells; all, if there are none */
function sureOf(matches: readonly NameMatch[]): readonly NameMatch[] {
  const sure = matches.filter(({ thing }) => thing.told !== 'heard');
  return sure.length > 0 ? sure : matches;
}

/**
 * Finds the subject of the event `#12`: its charge, otherwise its subscription, otherwise its customer. A number without
 * the sign is rather an amount, or the last digits of a card.
 */
async function aboutEvent(known: NamedThings, text: string, owner: Owner): Promise<NameMatch[]> {
  const number = /^#([1-9]\d{0,14})$/.exec(text)?.[1];
  if (number === undefined) return [];
  const things = await known.things.tied([keyOfEvent(Number(number))], { limit: MAX_CALLED });
  for (const kind of ['purchase', 'subscription', 'customer'] as const) {
    const about = things.filter((one) => one.kind === kind && isOwnedBy(one, owner, 'named'));
    if (about.length > 0) return about.map((thing) => matchOf(kind, thing, 'event'));
  }
  return [];
}

/** @returns the match of the thing itself */
export function matchOf(kind: NameMatch['kind'], thing: Thing, by: Way): NameMatch {
  const reference = kind === 'subscription' ? thing.subscription : null;
  return { kind, id: reference ?? thing.id, by, thing };
}

/** @returns whether it is an attempt to pay or to give back: all those with one reference are one story */
export function isTry(kind: NameMatch['kind']): boolean {
  return kind === 'purchase' || kind === 'request' || kind === 'refund';
}

/** Kinds whose records have references of their own. A charge has that of its subscription. */
const CALLED_BY_REFERENCE: readonly NameMatch['kind'][] = ['plan', 'customer', 'subscription'];

/** @returns the names by which things belong to the record */
export function matchNamesOf({ kind, id, thing }: NameMatch): string[] {
  const isOwn = thing.kind === kind && CALLED_BY_REFERENCE.includes(kind);
  return isOwn ? [id, thing.id, thing.reference ?? []].flat() : [id];
}

/**
 * @param named the matches of a text
 * @returns the known subscriptions of the only customer among these; empty if there are several customers, or too many
 *   things to read
 */
async function subscriptionsOf(
  known: NamedThings,
  named: readonly NameMatch[],
  owner: Owner,
): Promise<NameMatch[]> {
  const [customer, ...others] = named.filter(({ kind }) => kind === 'customer');
  if (!customer || others.length > 0 || customer.by === 'name') return [];
  const names = matchNamesOf(customer);
  const wanted = { kinds: ['subscription'] as const, limit: MAX_CALLED };
  const things = await known.things.tied(names, wanted);
  if (things.length === MAX_CALLED) return [];
  return things
    .filter((one) => isOwnedBy(one, owner, 'named') && names.includes(one.customer ?? ''))
    .map((thing) => matchOf('subscription', thing, 'customer'));
}

/** @returns the approved payments of a payer, of a customer's subscriptions too, newest first */
export async function paymentsOf(
  known: NamedThings,
  payer: NameMatch,
  owner: Owner,
): Promise<NameMatch[]> {
  const own = [...matchNamesOf(payer), ...(await ownTokensOf(known, payer.thing, owner))];
  const billed = (await subscriptionsOf(known, [payer], owner)).flatMap(matchNamesOf);
  const names = [...own, ...billed];
  const wanted = { kinds: ['purchase'], outcome: 'approved', limit: MAX_CALLED } as const;
  const payments = await known.things.tied(names, wanted);
  return payments
    .filter((one) => isOwnedBy(one, owner, 'named') && isBy(one, names))
    .map((thing) => matchOf('purchase', thing, 'customer'));
}

/** @returns the tokens of the cards that a customer has or had, without those that another one has or had too */
async function ownTokensOf(known: NamedThings, customer: Thing, owner: Owner): Promise<string[]> {
  const tokens = tokensOf(customer);
  if (tokens.length === 0) return [];
  const wanted = { kinds: ['customer'] as const, limit: MAX_CALLED };
  const holders = (await known.things.tied(tokens, wanted)).filter(
    (one) => one.id !== customer.id && isOwnedBy(one, owner, 'named'),
  );
  return tokens.filter((token) => !holders.some((one) => tokensOf(one).includes(token)));
}

function isBy({ customer, subscription, token }: Thing, names: readonly string[]): boolean {
  return [customer, subscription, token].some((name) => name !== null && names.includes(name));
}

/** @returns what belongs to a customer or a subscription: the payments or subscriptions; empty for other kinds */
export async function belongingsOf(
  known: NamedThings,
  of: NameMatch,
  kind: RecordKind,
  owner: Owner,
): Promise<NameMatch[]> {
  if (of.kind !== 'customer' && of.kind !== 'subscription') return [];
  if (kind === 'purchase') return paymentsOf(known, of, owner);
  return kind === 'subscription' ? subscriptionsOf(known, [of], owner) : [];
}

/** @returns the owners of records with this name, whatever their kind */
export async function ownersNamed(known: NamedThings, text: string): Promise<Owner[]> {
  return ownersOf(await known.things.tied([text], { limit: MAX_CALLED }));
}

function candidateOf(
  thing: Thing,
  { name, text }: { name: string; text: string },
): NameMatch | undefined {
  const { kind, id, customer, token } = thing;
  if (kind === 'event') return undefined;
  if (kind === 'request') return inRequest(thing, { name, text });
  const is = (one: string | null) => one !== null && fold(one) === name;
  const own = (by: Way) => matchOf(kind, thing, by);
  if (is(id)) return own(kind === 'card' ? 'token' : 'id');
  if (is(thing.reference)) return own('reference');
  const linked = inLinks(thing, is);
  if (linked) return linked;
  if (Object.keys(thing.sources.requests).some(is)) return own('id');
  const way = wayOfPerson(thing, { name, text });
  // A charge and a subscription show the name and email of their customer.
  if (way && customer !== null) return { kind: 'customer', id: customer, by: way, thing };
  if (way) return own(way);
  // The remaining names are a token, the alias of a card, and what sources call the customer.
  if (is(token) || tokensOf(thing).some(is) || kind === 'card' || customer === null)
    return own('token');
  return { kind: 'customer', id: customer, by: 'other', thing };
}

/** @returns the record that the thing is linked to by that name */
function inLinks(thing: Thing, is: (name: string | null) => boolean): NameMatch | undefined {
  const { kind, plan } = thing;
  for (const link of ['purchase', 'customer', 'plan'] as const) {
    const linked = thing[link];
    if (linked !== null && link !== kind && is(linked))
      return { kind: link, id: linked, by: 'id', thing };
  }
  if (plan === null || kind === 'plan') return undefined;
  return plansOf(thing).some(is) ? { kind: 'plan', id: plan, by: 'reference', thing } : undefined;
}

/** @returns what the thing and its sources call its plan: the id, the reference */
export function plansOf({ plan, sources }: Thing): string[] {
  const { record, event, heard, requests } = sources;
  const tolds = [record, event, heard, ...Object.values(requests)];
  return [plan, ...tolds.map((told) => told?.plan)].flatMap((name) => name ?? []);
}

function wayOfPerson(
  { email, who }: Thing,
  { name, text }: { name: string; text: string },
): Way | undefined {
  if (email !== null && fold(email) === name) return 'email';
  return who !== null && isSameName(who, text) ? 'name' : undefined;
}

function inRequest(
  thing: Thing,
  { name, text }: { name: string; text: string },
): NameMatch | undefined {
  const { id, purchase, reference, outcome, customer, token } = thing;
  const request = (by: Way): NameMatch => ({ kind: 'request', id, by, thing });
  if (fold(id) === name) return request('id');
  if (purchase !== null && fold(purchase) === name) {
    // A rejected refund may have named anything, so its text must look like an id.
    if (outcome === 'rejected' && kindOfId(plainId(purchase)) === undefined) return undefined;
    return { kind: 'purchase', id: purchase, by: 'id', thing };
  }
  if (reference !== null && fold(reference) === name) return request('reference');
  const way = wayOfPerson(thing, { name, text });
  // The reference of its customer is one of its other names.
  const isOfCard = token === null || fold(token) === name;
  if (customer !== null && (way || !isOfCard))
    return { kind: 'customer', id: customer, by: way ?? 'other', thing };
  // A request may have named anything as its card, such as the reference of a customer, which then counts first.
  return request(outcome === 'rejected' ? 'other' : 'token');
}

function strictest(candidates: readonly NameMatch[]): NameMatch[] {
  const way = WAYS.find((one) => candidates.some(({ by }) => by === one));
  const same = inForce(unique(candidates.filter(({ by }) => by === way)));
  const of = (kind: NameMatch['kind']) => same.filter((one) => one.kind === kind);
  const [customers, cards, subscriptions] = [of('customer'), of('card'), of('subscription')];
  const latest = cards
    .map(({ thing }) => thing.seenAt)
    .sort()
    .at(-1);
  // An alias moves to the card that is given it.
  const holders =
    customers.length > 0 ? customers : cards.filter(({ thing }) => thing.seenAt === latest);
  if (way !== 'id' && way !== 'reference' && holders.length > 0) return holders;
  const isCharge = ({ kind, thing }: NameMatch) =>
    kind === 'purchase' && subscriptions.length > 0 && thing.label === 'Recurring';
  const purchases = new Set(of('purchase').map(({ id }) => id));
  const isItsRefund = ({ kind, thing }: NameMatch) =>
    kind === 'refund' && thing.purchase !== null && purchases.has(thing.purchase);
  const isRecord = same.some(({ kind }) => kind !== 'request');
  return same.filter(
    (one) => !isCharge(one) && !isItsRefund(one) && !(isRecord && one.kind === 'request'),
  );
}

/** A deleted record and a rejected request give their name up to others, if there are any. */
function inForce(candidates: readonly NameMatch[]): readonly NameMatch[] {
  const there = candidates.filter(
    ({ kind, thing: { outcome } }) =>
      outcome !== 'deleted' && !(kind === 'request' && outcome === 'rejected'),
  );
  return there.length > 0 ? there : candidates;
}

/** Each record once, however its id was written. Its own thing is preferred, if there is one. */
function unique(candidates: readonly NameMatch[]): NameMatch[] {
  const all = new Map<string, NameMatch>();
  for (const one of candidates) {
    const key = `${one.kind} ${plainId(one.id)}`;
    const known = all.get(key);
    if (!known || (known.thing.kind !== known.kind && one.thing.kind === one.kind))
      all.set(key, one);
  }
  return [...all.values()];
}
