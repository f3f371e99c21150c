/**
 * Makes the row of a thing from its sources and from the things that it belongs to. These sources come first:
 *
 *   money (purchase, refund)   the record, then the event, then the request that made it
 *   customer, subscription     the record or the event, whichever was learnt later
 *   links and operator         the first source that has them
 */
import { decimalsOf } from './decimals.ts';
import { joined } from './sources.ts';
import type { IndexedThing, Sources, Thing, ThingKind, Told } from './thing.ts';

/** The identity of a thing. */
export interface Identity {
  kind: ThingKind;
  id: string;
  /** The fingerprint of the account; null if unknown: then the profile and its environment identify the owner. */
  account: string | null;
  profile: string | null;
  environment: string | null;
}

/** The owner of a thing. */
export type Owner = Omit<Identity, 'kind' | 'id'>;

/** @returns whether both are of one account; without one, of one profile and environment */
export function isOwnedBy(one: Owner, owner: Owner): boolean {
  if (one.account !== owner.account) return false;
  return (
    one.account !== null || (one.profile === owner.profile && one.environment === owner.environment)
  );
}

/** The rows of the things that a thing belongs to, as far as they are known. */
export interface Ties {
  /** Only refunds, and requests about a purchase, have it. */
  purchase?: Thing | undefined;
  /** Only charges have it. */
  subscription?: Thing | undefined;
  /** Only subscriptions have it. */
  customer?: Thing | undefined;
  plan?: Thing | undefined;
}

type Field = Exclude<keyof Told, 'keys' | 'words' | 'deeds' | 'seenAt' | 'dates' | 'cardExpiry'>;

/** Sources in their order of preference. */
class Believed {
  readonly tolds: readonly Told[];

  constructor(tolds: readonly Told[]) {
    this.tolds = tolds;
  }

  /** @returns the value of the first source that has the field */
  first<Name extends Field>(name: Name): Told[Name] | null {
    return this.tolds.find((told) => (told[name] ?? null) !== null)?.[name] ?? null;
  }
}

/** The order of preference of sources, for each kind of thing. */
function told(kind: ThingKind, { record, event, requests: byEntry }: Sources) {
  const requests = Object.entries(byEntry)
    .toSorted(
      ([id, one], [otherId, other]) => compare(other.seenAt, one.seenAt) || compare(id, otherId),
    )
    .map(([, one]) => one);
  const news = [record, event].filter((one) => one !== undefined);
  const isLatest = kind === 'customer' || kind === 'subscription';
  if (isLatest) news.sort((one, other) => compare(other.seenAt, one.seenAt));
  return { news, requests, believed: new Believed([...news, ...requests]) };
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** The kinds of things that a thing may belong to, by its kind. */
const LINKS: Partial<Record<ThingKind, readonly (keyof Ties)[]>> = {
  refund: ['purchase'],
  request: ['purchase'],
  purchase: ['subscription'],
  subscription: ['customer', 'plan'],
};

/** @returns the names of the things that a thing belongs to */
export function linksOf(kind: ThingKind, sources: Sources): { kind: keyof Ties; name: string }[] {
  const links = LINKS[kind];
  if (!links) return [];
  const { believed } = told(kind, sources);
  return links.flatMap((link) => {
    const name = believed.first(link);
    return name ? [{ kind: link, name }] : [];
  });
}

/** @returns the row; undefined if the thing has no source */
export function rowOf(
  identity: Identity,
  sources: Sources,
  ties: Ties = {},
): IndexedThing | undefined {
  const { record, event, notice } = sources;
  const { news, requests, believed } = told(identity.kind, sources);
  const seen = [...believed.tolds.map(({ seenAt }) => seenAt), ...(notice ? [notice.seenAt] : [])];
  const seenAt = seen.toSorted().at(-1);
  if (seenAt === undefined) return undefined;
  const first = <Name extends Field>(name: Name) =>
    believed.first(name) as Thing[Name & keyof Thing] | null;
  const isKnown = identity.account !== null;
  const base: Thing = {
    kind: identity.kind,
    id: identity.id,
    at: record?.at ?? event?.at ?? requests.at(-1)?.at ?? seen.toSorted()[0] ?? seenAt,
    seenAt,
    account: identity.account,
    profile: isKnown ? (first('profile') ?? notice?.profile ?? null) : identity.profile,
    environment: isKnown
      ? (first('environment') ?? notice?.environment ?? null)
      : identity.environment,
    host: first('host'),
    outcome: first('outcome'),
    amount: first('amount'),
    currency: first('currency'),
    reference: first('reference'),
    who: first('who'),
    email: first('email'),
    lastFour: first('lastFour'),
    message:
      news.length > 0 ? (news.find(({ message }) => message)?.message ?? null) : first('message'),
    label: first('label'),
    purchase: first('purchase'),
    customer: first('customer'),
    subscription: first('subscription'),
    plan: first('plan'),
    token: first('token'),
    operator: first('operator'),
    note: first('note'),
    told: record ? 'record' : event || notice ? 'event' : 'request',
    sources,
  };
  const thing = { ...base, ...fieldsOf(base, ties) };
  return { ...thing, ...textsOf(thing, believed.tolds) };
}

/**
 * @param one the row of a thing, whose id and account count
 * @param other a row of the same thing in another ledger
 * @returns a row with the sources of both
 */
export function foldedRow(one: Thing, other: Thing): IndexedThing {
  const row = rowOf(one, joined(one.sources, other.sources));
  // Each row also shows what it belongs to.
  const shown = { ...stated({ ...other }), ...stated({ ...one }) };
  return { ...one, ...shown, ...stated({ ...row }) } as IndexedThing;
}

function stated(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** @returns the fields for which a kind has a rule of its own */
function fieldsOf(base: Thing, ties: Ties): Partial<Thing> {
  switch (base.kind) {
    case 'purchase':
      return chargeOf(base, ties);
    case 'refund':
      return refundOf(base, ties);
    case 'request': {
      const { purchase } = ties;
      return {
        who: base.who ?? purchase?.who ?? null,
        lastFour: base.lastFour ?? purchase?.lastFour ?? null,
        currency: base.currency ?? purchase?.currency ?? null,
      };
    }
    case 'subscription':
      return subscriptionOf(base, ties);
    case 'card':
      return { outcome: base.sources.notice?.outcome ?? base.outcome };
    case 'customer':
      return { outcome: base.outcome ?? cardNotice(base.sources) };
    default:
      return {};
  }
}

/**
 * A webhook about a card names the customer (section 6). If gw has changed the card since, the webhook is about the old
 * one.
 */
function cardNotice({ notice, record }: Sources): string | null {
  if (!notice) return null;
  const isChanged = record?.deeds?.some(
    ({ at, fields }) => at > notice.seenAt && fields.includes('card'),
  );
  return isChanged ? null : notice.outcome;
}

function chargeOf({ sources, outcome, ...base }: Thing, { subscription }: Ties): Partial<Thing> {
  const isGivenUp = outcome === 'declined' && sources.event?.outcome === 'abandoned';
  return {
    outcome: isGivenUp ? 'abandoned' : outcome,
    // A purchase names the holder of the card; the customer is who people ask for.
    who: sources.event?.who ?? subscription?.who ?? base.who,
    email: base.email ?? subscription?.email ?? null,
    customer: subscription?.customer ?? base.customer,
    plan: base.plan ?? subscription?.plan ?? null,
    subscription: subscription?.subscription ?? base.subscription,
  };
}

/** A refund's record names neither its purchase nor a currency (section 2.4). */
function refundOf(base: Thing, { purchase }: Ties): Partial<Thing> {
  return {
    amount: base.amount === null ? null : -Math.abs(base.amount),
    currency: base.currency ?? purchase?.currency ?? null,
    who: base.who ?? purchase?.who ?? null,
    email: base.email ?? purchase?.email ?? null,
    lastFour: base.lastFour ?? purchase?.lastFour ?? null,
    customer: base.customer ?? purchase?.customer ?? null,
  };
}

/** An expired card stops the subscription (section 3.2). The webhook about it names the customer alone. */
function subscriptionOf({ sources, ...base }: Thing, { customer, plan }: Ties): Partial<Thing> {
  const notice = customer?.sources.notice;
  const known = [sources.record?.seenAt, sources.event?.seenAt]
    .flatMap((at) => at ?? [])
    .toSorted();
  const isStopped = notice?.outcome === 'expired' && notice.seenAt >= (known.at(-1) ?? '');
  return {
    outcome: isStopped ? 'stopped' : base.outcome,
    who: customer?.who ?? base.who,
    email: customer?.email ?? base.email,
    lastFour: base.lastFour ?? customer?.lastFour ?? null,
    // A record may name them by their references.
    customer: customer?.id ?? base.customer,
    plan: plan?.id ?? base.plan,
    amount: plan?.amount ?? null,
    currency: plan?.currency ?? null,
  };
}

/** @returns the texts by which a search finds a thing: those of all its sources */
function textsOf(
  thing: Thing,
  tolds: readonly Told[],
): Pick<IndexedThing, 'keys' | 'words' | 'names'> {
  const { kind, id, reference, email, token, who, purchase, customer, subscription, plan } = thing;
  const { amount, currency, note, sources } = thing;
  const people = kind === 'plan' ? [] : texts([who, ...tolds.map((told) => told.who)]);
  const requests = kind === 'request' ? [] : Object.keys(sources.requests);
  const events = sources.events.map((number) => keyOfEvent(number));
  const links = [purchase, customer, subscription, plan];
  const said = tolds.flatMap((told) => [
    told.reference,
    told.customer,
    told.plan,
    told.email,
    told.token,
    ...(told.keys ?? []),
  ]);
  const decimals = kind === 'subscription' ? null : decimalsOf(amount, currency);
  return {
    keys: texts([
      id,
      reference,
      email,
      token,
      ...(kind === 'plan' ? [who] : people),
      ...links,
      ...said,
      ...requests,
      ...events,
      ...(sources.references ?? []).flatMap((name) => [name, keyOfReference(kind, name)]),
    ]),
    words: texts([token, decimals, note, ...tolds.flatMap((told) => told.words ?? []), ...people]),
    names: people,
  };
}

/** @returns the key by which the things that an event tells of are found */
export function keyOfEvent(number: number): string {
  return `#${number}`;
}

/** @returns the key by which the things of a kind that have a reference are found */
export function keyOfReference(kind: ThingKind, reference: string): string {
  return `${kind} ${reference}`;
}

function texts(texts: readonly (string | null | undefined)[]): string[] {
  return [...new Set(texts.flatMap((text) => (text ? [text] : [])))];
}
