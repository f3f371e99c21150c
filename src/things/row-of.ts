/**
 * Makes the row of a thing from its sources and from the things that it belongs to. These sources come first:
 *
 *   money (purchase, refund)   the record, then the event, then the request that made it
 *   customer, subscription     the record or the event, whichever was learnt later; the date of the first event, or of
 *                              the subscription's first day
 *   links and operator         the first source that states them
 *
 * Hearsay tells of a thing only if nothing else does. To a thing that is known otherwise it gives no name, link, amount or
 * state, and no search finds that thing by it.
 *
 * Tests: test/unit/things/hard-cases.test.ts, test/unit/things/one-row.test.ts
 */
import { saysVoid } from '../contract/normal.ts';
import { findOperation } from '../contract/operations.ts';
import type { Owner } from './owner.ts';
import {
  askedSources,
  cardNotice,
  joinedSources,
  newestEvent,
  noticeOf,
  tokensOf,
} from './sources.ts';
import { datesOf, outcomeWithStop, stopOf } from './subscription-state.ts';
import {
  type CustomerStop,
  type IndexedThing,
  LASTING,
  type Sources,
  type SourceValues,
  type Thing,
  type ThingField,
  type ThingKind,
} from './thing.ts';

/** The identity of a thing. If its account is unknown, the profile and its environment identify the owner. */
export interface ThingIdentity extends Omit<Owner, 'host'> {
  kind: ThingKind;
  id: string;
}

/** The rows of the things that a thing belongs to, as far as they are known. */
export interface KnownTies {
  /** Only refunds, and requests about a purchase, have it. */
  purchase?: Thing | undefined;
  /** Only charges have it. */
  subscription?: Thing | undefined;
  /**
   * For a subscription, its customer. For a payment by token, or a request for one, the customer who has this card, or had it. For a
   * refund, the customer of its purchase.
   */
  customer?: Thing | undefined;
  plan?: Thing | undefined;
}

type Field = keyof SourceValues & ThingField;

/** Sources by how far they are believed, of which each kind of thing has its own order. */
function told(kind: ThingKind, sources: Sources) {
  const { record, event, heard, requests: byEntry } = sources;
  const notice = noticeOf(sources);
  const requests = Object.entries(byEntry)
    .toSorted(
      ([id, one], [otherId, other]) => compare(other.seenAt, one.seenAt) || compare(id, otherId),
    )
    .map(([, one]) => one);
  const news = [record, event].filter((one) => one !== undefined);
  if (LASTING.includes(kind)) news.sort((one, other) => compare(other.seenAt, one.seenAt));
  const believed: SourceValues[] = [...news, ...requests];
  if (heard && believed.length === 0) believed.push(heard);
  // A notice about a card says its outcome in a way of its own.
  if (notice) believed.push({ ...notice, outcome: null });
  return { news, requests, believed };
}

/** @returns what the first of the sources says that states the field */
function first<Name extends Field>(believed: readonly SourceValues[], name: Name) {
  for (const told of believed) {
    const value = told[name] ?? null;
    if (value !== null) return value;
  }
  return null;
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** The kinds of things that a thing may belong to, by its kind. */
const LINKS: Partial<Record<ThingKind, readonly (keyof KnownTies)[]>> = {
  refund: ['purchase'],
  request: ['purchase'],
  purchase: ['subscription'],
  subscription: ['customer', 'plan'],
};

/** Kinds that belong to the customer who has the card, or had it, since a payment by token names nobody. */
const PAID_BY_TOKEN: readonly ThingKind[] = ['purchase', 'request'];

/** Names a thing that another belongs to, by its id or reference. */
export interface Link {
  kind: keyof KnownTies;
  name: string;
  /** Set if the name is the token of a customer's card; one that several customers have, or had, names none of them. */
  isToken?: true;
}

export function linksOf(kind: ThingKind, sources: Sources): Link[] {
  const links = LINKS[kind];
  if (!links) return [];
  const { believed } = told(kind, sources);
  const named = links.flatMap((link): Link[] => {
    const name = first(believed, link);
    return name ? [{ kind: link, name }] : [];
  });
  const isNameless = PAID_BY_TOKEN.includes(kind) && first(believed, 'customer') === null;
  const token = isNameless ? first(believed, 'token') : null;
  return token ? [...named, { kind: 'customer', name: token, isToken: true }] : named;
}

/** Columns that a row takes from the first of its sources that knows them. */
const SAID = [
  ...(['profile', 'environment', 'host', 'outcome', 'amount', 'currency', 'reference'] as const),
  ...(['who', 'email', 'lastFour', 'label', 'purchase', 'customer', 'subscription'] as const),
  ...(['plan', 'token', 'operator', 'note'] as const),
];

/** Outcomes of money that a void replaces, whatever its flags say. Other things have none of them. */
const MAY_BE_VOID: readonly Thing['outcome'][] = ['approved', 'authorised', 'declined', 'unclear'];

/** @returns the row; undefined if no source tells of the thing */
export function thingRow(
  { kind, id, account }: ThingIdentity,
  sources: Sources,
  ties: KnownTies = {},
): IndexedThing | undefined {
  const { record, since } = sources;
  const event = newestEvent(sources);
  const { news, requests, believed } = told(kind, sources);
  const seenAt = believed
    .map((one) => one.seenAt)
    .sort()
    .at(-1);
  if (seenAt === undefined) return undefined;
  // A record without a date of its own has the time at which it was first seen here. A subscription has its first day.
  const [start] = believed.flatMap(({ dates }) => dates?.start ?? []);
  const firstDate = LASTING.includes(kind) ? earlier(record?.at, since) : (record?.at ?? event?.at);
  const base = {
    ...{ kind, id, account, seenAt, sources, endsOn: null },
    at: start ?? firstDate ?? requests.at(-1)?.at ?? seenAt,
    message: first(news.length > 0 ? news : believed, 'message'),
    told: bestOf(sources),
  } as Thing;
  const said: Partial<Record<Field, unknown>> = base;
  for (const name of SAID) said[name] = first(believed, name);
  if (MAY_BE_VOID.includes(base.outcome) && saysVoid(base.message)) base.outcome = 'voided';
  const thing = Object.assign(base, fieldsOf(base, ties));
  const formerTokens = tokensOf(thing).filter((token) => token !== thing.token);
  return Object.assign(thing, { formerTokens }, furtherTexts(thing, believed, ties));
}

function bestOf({ record, ...sources }: Sources): Thing['told'] {
  const asked = askedSources(sources);
  if (record || !asked) return record ? 'record' : 'heard';
  return asked.events.length > 0 ? 'event' : 'request';
}

/**
 * @returns the row as it is without hearsay and without what the thing belongs to; undefined if nothing else tells of it
 */
export function askedRow(thing: Thing): IndexedThing | undefined {
  const sources = askedSources(thing.sources);
  return sources && thingRow(thing, sources);
}

function earlier(one: string | null | undefined, other: string | undefined): string | undefined {
  if (!one || !other) return one ?? other;
  return Date.parse(one) <= Date.parse(other) ? one : other;
}

/**
 * @param one the row of a thing, whose id and account count
 * @param other a row of the same thing in another ledger
 * @returns a row with the sources of both
 */
export function foldedRow(one: Thing, other: Thing): IndexedThing {
  // Each row also shows what it belongs to. What was only heard of that does not count for what is known otherwise.
  const isSaid = other.told !== 'heard' || one.told === 'heard';
  const others = isSaid ? other.sources : withStop(other.sources, undefined);
  const row = thingRow(one, joinedSources([others, one.sources]));
  const shown = { ...(isSaid && stated({ ...other })), ...stated({ ...one }) };
  const outcome = row && { outcome: row.outcome };
  return { ...one, ...shown, ...stated({ ...row }), ...outcome } as IndexedThing;
}

function stated(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
}

/** A refund has these of its payment, so that both are in the same group of any report. */
const OF_PAYMENT = ['email', 'lastFour', 'currency', 'subscription', 'plan'] as const;

/** @returns the fields for which a kind has a rule of its own */
function fieldsOf(base: Thing, ties: KnownTies): Partial<Thing> {
  switch (base.kind) {
    case 'purchase':
      return chargeOf(base, ties);
    // A refund's record names neither its purchase nor a currency (section 2.4).
    case 'refund': {
      const amount = givenBack(base);
      const ofPurchase = [...OF_PAYMENT, 'customer'] as const;
      const who = ties.purchase?.who ?? base.who;
      return { amount, who, ...orTied(base, ties.purchase, ofPurchase) };
    }
    case 'request':
      return {
        ...(findOperation(base.label)?.countsAs === 'refunds' && { amount: givenBack(base) }),
        ...orTied(base, ties.purchase ?? ties.customer, ['who', ...OF_PAYMENT]),
        customer: base.customer ?? ties.purchase?.customer ?? ties.customer?.id ?? null,
      };
    case 'subscription':
      return subscriptionOf(base, ties);
    case 'card':
      return { outcome: noticeOf(base.sources)?.outcome ?? base.outcome };
    case 'customer': {
      const outcome = base.outcome ?? cardNotice(base.sources)?.outcome ?? null;
      return { outcome, sources: withStop(base.sources, stopOf(base.sources)) };
    }
    default:
      return {};
  }
}

function givenBack({ amount }: Thing): number | null {
  return amount === null ? null : -Math.abs(amount);
}

/** @returns the fields of a thing, or else of the one that it belongs to */
function orTied(
  base: Thing,
  tied: Thing | undefined,
  names: readonly (typeof SAID)[number][],
): Partial<Thing> {
  return Object.fromEntries(names.map((name) => [name, base[name] ?? tied?.[name] ?? null]));
}

function chargeOf(base: Thing, { subscription, customer: payer }: KnownTies): Partial<Thing> {
  const { outcome, sources, who, customer } = base;
  const event = newestEvent(sources);
  const isGivenUp = outcome === 'declined' && event?.outcome === 'abandoned';
  return {
    ...orTied(base, subscription, ['plan']),
    email: base.email ?? subscription?.email ?? payer?.email ?? null,
    outcome: isGivenUp ? 'abandoned' : outcome,
    // A purchase names the holder of the card; the customer is who people ask for.
    who: event?.who ?? subscription?.who ?? payer?.who ?? who,
    customer: subscription?.customer ?? customer ?? payer?.id ?? null,
    subscription: subscription?.subscription ?? base.subscription,
  };
}

function subscriptionOf(
  { sources: own, ...base }: Thing,
  { customer, plan }: KnownTies,
): Partial<Thing> {
  const sources = customer ? withStop(own, customer.sources.stop) : own;
  return {
    sources,
    outcome: outcomeWithStop(base.outcome, sources),
    who: customer?.who ?? base.who,
    email: customer?.email ?? base.email,
    lastFour: base.lastFour ?? customer?.lastFour ?? null,
    // A record may name them by their references.
    customer: customer?.id ?? base.customer,
    plan: plan?.id ?? base.plan,
    endsOn: datesOf(sources).end ?? null,
    amount: plan?.amount ?? null,
    currency: plan?.currency ?? null,
  };
}

/** @returns a subscription as a customer leaves it whom another ledger may know better */
export function withCustomer(subscription: Thing, customer: Thing): Thing {
  if (customer.told === 'heard' && subscription.told !== 'heard') return subscription;
  const sources = withStop(subscription.sources, customer.sources.stop);
  return { ...subscription, sources, outcome: thingRow(subscription, sources)?.outcome ?? null };
}

/** @returns the sources, with what the customer does to its subscriptions by now */
function withStop({ stop: _, ...sources }: Sources, stop: CustomerStop | undefined): Sources {
  return stop ? { ...sources, stop } : sources;
}

/** Kinds that show the name of their time, where a customer has another one now. */
const OF_TIME: readonly ThingKind[] = ['purchase', 'refund'];

/**
 * @returns the texts that find a thing and that its row does not show: those of all sources that are believed, and the
 *   reference of the customer to whom it belongs; of a payment or refund also the customer's present name and email
 */
function furtherTexts(
  { kind, id, reference, email, token, who, ...links }: Thing,
  tolds: readonly SourceValues[],
  ties: KnownTies,
): Pick<IndexedThing, 'keys' | 'words' | 'names'> {
  const { purchase, customer, subscription, plan } = links;
  const shown = [id, reference, email, token, purchase, customer, subscription, plan];
  // If nobody had the name, the payment itself would be what is called so.
  const isOfCustomer = OF_TIME.includes(kind) && customer !== null;
  const payers = isOfCustomer ? [ties.subscription, ties.customer] : [];
  const emails = payers.map((payer) => payer?.email);
  return {
    keys: texts([...tolds.flatMap(keysIn), ties.customer?.reference, ...emails], shown),
    words: texts([...tolds.flatMap((told) => told.words ?? []), ...emails], [email]),
    names:
      kind === 'plan'
        ? []
        : texts(
            [...tolds, ...payers].map((told) => told?.who),
            [who],
          ),
  };
}

function keysIn({ reference, customer, plan, email, token, keys = [] }: SourceValues) {
  return [reference, customer, plan, email, token, ...keys];
}

/** @returns the texts once each, without those that are shown */
function texts(
  texts: readonly (string | null | undefined)[],
  shown: readonly (string | null)[],
): string[] {
  const further: string[] = [];
  for (const text of texts)
    if (text && !shown.includes(text) && !further.includes(text)) further.push(text);
  return further;
}
