/**
 * The things that a team knows: its ledger on a server tells of records and requests, and the file of this machine of
 * the webhooks it received. A thing that both know is one.
 */
import { merged, pagesOf } from '../base/pages.ts';
import { outcomesOf } from './conditions.ts';
import { fold, isSameName } from './normalise.ts';
import { isOwnedBy, type Owner } from './owner.ts';
import { foldedRow, withCustomer } from './row-of.ts';
import { isCalled } from './search.ts';
import type { StoredThings } from './stored-things.ts';
import { outcomeOn } from './subscription-state.ts';
import type { Thing, ThingKind } from './thing.ts';
import type { IndexSources, SearchFilter, SearchIndex, SearchQuery } from './thing-index.ts';
import {
  type CardExpiry,
  type ChargedDay,
  type NewestCharge,
  type ThingTotal,
  type TotalsQuery,
  totalOf,
} from './totals.ts';
import { secondOf } from './words.ts';

type Limited = SearchFilter & { limit: number };

/** A record that the file has as well takes nothing from what a webhook told of. */
const BY_EVENTS = { isOfEvents: true } as const;
/** Things that are looked up in the other ledger at once. */
const AT_ONCE = 500;
/** The most customers of one name, of whom deleted ones gave it up to others. */
const MOST_OF_NAME = 10;

export class WithOwnEvents implements SearchIndex {
  readonly #team: StoredThings;
  readonly #own: StoredThings;

  /** @param own the table of the file, which is only asked for what webhooks told of */
  constructor(team: StoredThings, own: StoredThings) {
    this.#team = team;
    this.#own = own;
  }

  async search(search: SearchQuery): Promise<Thing[]> {
    const theirs = [
      ...(await this.#team.search(search)),
      ...(await perhapsStopped(this.#team, this.#own, search)),
    ];
    const ours = [
      ...(await this.#own.search({ ...search, ...BY_EVENTS })),
      ...(await perhapsStopped(this.#own, this.#team, { ...search, ...BY_EVENTS })),
    ];
    for (const one of await this.#ofCalled(search))
      if (!ours.some((other) => nameOf(other) === nameOf(one) && other.account === one.account))
        ours.push(one);
    const named = fold(search.text ?? '');
    const isNamed = nameTeller(search);
    // The same order as in the search of one ledger: people, then exact names, the own ones first, then the rest.
    const rankOf = (thing: Thing) => {
      if (isNamed === undefined) return 3;
      if (thing.kind === 'customer' && (search.kinds ?? []).length === 0) return 0;
      if (isCalled(thing, named)) return 1;
      return isNamed(thing) ? 2 : 3;
    };
    return (await this.#folded(theirs, ours))
      .filter(isWanted(search))
      .toSorted((one, other) => rankOf(one) - rankOf(other) || newestFirst(one, other))
      .slice(0, search.limit);
  }

  async tied(names: readonly string[], { needs: _, ...filter }: Limited): Promise<Thing[]> {
    const theirs = await this.#team.tied(names, filter);
    const ours = await this.#own.tied(names, { ...filter, ...BY_EVENTS });
    return (await this.#folded(theirs, ours))
      .filter(isWanted(filter))
      .toSorted(newestFirst)
      .slice(0, filter.limit);
  }

  /**
   * One ledger may say an outcome that the other knows to be over, so both are read with any. What both know is made
   * again from all sources.
   */
  async *each({ outcome, needs: _, ...filter }: SearchFilter): AsyncGenerator<Thing> {
    const oldestFirst = (one: Thing, other: Thing) => secondOf(one.at) - secondOf(other.at);
    const isAsked = isWanted({ outcome, days: filter.days });
    const all = merged(this.#ofTeam(filter), this.#ownAlone(filter), oldestFirst);
    for await (const thing of all) if (isAsked(thing)) yield thing;
  }

  /** @returns what the team knows, with what webhooks told of it */
  async *#ofTeam(filter: SearchFilter): AsyncGenerator<Thing> {
    for await (const some of pagesOf(this.#team.each(filter), AT_ONCE))
      yield* await this.#folded(some, []);
  }

  /** @returns what the team does not know */
  async *#ownAlone(filter: SearchFilter): AsyncGenerator<Thing> {
    for await (const some of pagesOf(this.#own.each({ ...filter, ...BY_EVENTS }), AT_ONCE)) {
      const theirs = byName(await counterparts(this.#team, some));
      yield* await this.#withCustomers(some.filter((one) => !theirs.has(nameOf(one))));
    }
  }

  async sources(): Promise<IndexSources> {
    const { kinds, oldest, ...rest } = await this.#team.sources();
    const own = await this.#own.sources();
    const most: Partial<Record<ThingKind, number>> = { ...kinds };
    for (const [kind, count] of Object.entries(own.kinds) as [ThingKind, number][])
      most[kind] = Math.max(most[kind] ?? 0, count);
    const [first = null] = [oldest, own.oldest]
      .filter((at) => at !== null)
      .sort((one, other) => Date.parse(one) - Date.parse(other));
    return { ...rest, kinds: most, oldest: first };
  }

  async totals(query: TotalsQuery): Promise<ThingTotal[]> {
    const { from: since, until, operator } = query;
    const totals = await this.#team.totals(query);
    // Nobody here sent what webhooks alone tell of.
    if (operator !== undefined) return totals;
    for await (const one of this.#ownAlone({ kinds: ['purchase', 'event'], since, until }))
      totals.push(totalOf(one, query));
    return totals;
  }

  async chargedDays(
    scope: Owner,
    time: Pick<TotalsQuery, 'from' | 'until'>,
  ): Promise<ChargedDay[]> {
    return [
      ...(await this.#team.chargedDays(scope, time)),
      ...(await this.#own.chargedDays(scope, time)),
    ];
  }

  async newestCharges(scope: Owner): Promise<NewestCharge[]> {
    const charges = [
      ...(await this.#team.newestCharges(scope)),
      ...(await this.#own.newestCharges(scope)),
    ].toSorted(newestFirst);
    // The last of the same name stays.
    return [...new Map(charges.toReversed().map((one) => [one.subscription, one])).values()];
  }

  async cardExpiries(tokens: readonly string[], scope?: Owner): Promise<CardExpiry[]> {
    const expiries = [
      ...(await this.#team.cardExpiries(tokens, scope)),
      ...(await this.#own.cardExpiries(tokens, scope)),
    ].toSorted(newestFirst);
    return [...new Map(expiries.toReversed().map((one) => [one.token, one])).values()];
  }

  async known(keys: readonly string[]): Promise<string[]> {
    const known = [...(await this.#team.known(keys)), ...(await this.#own.known(keys))];
    return keys.filter((key) => known.includes(key));
  }

  async keysFrom(beginnings: readonly string[]): Promise<string[]> {
    const keys = [await this.#team.keysFrom(beginnings), await this.#own.keysFrom(beginnings)];
    return [...new Set(keys.flat())];
  }

  due(): Promise<number> {
    return this.#team.due();
  }

  /** @returns what webhooks told of customers whom only the team knows by the name, reference or email searched for */
  async #ofCalled({ text, ...search }: SearchQuery): Promise<Thing[]> {
    const isNamed = nameTeller({ text, limit: search.limit });
    if (!isNamed) return [];
    const { scope } = search;
    const wanted = { text, kinds: ['customer'], scope, limit: MOST_OF_NAME } as const;
    const customers = (await this.#team.search(wanted)).filter(isNamed);
    const names = customers.flatMap(({ id, token }) => [id, token ?? []].flat());
    return names.length === 0 ? [] : this.#own.tied(names, { ...search, ...BY_EVENTS });
  }

  /** @returns each thing once, with what both ledgers know of it; hearsay finds nothing that the team knows */
  async #folded(theirs: readonly Thing[], ours: readonly Thing[]): Promise<Thing[]> {
    const known = byName(theirs);
    const others = await counterparts(this.#team, ours);
    const sure = byName(ours.filter(({ told }) => told !== 'heard'));
    const isMore = (name: string) => !known.has(name) && sure.has(name);
    const team = [...theirs, ...others.filter((one) => isMore(nameOf(one)))];
    const own = byName([...ours, ...(await counterparts(this.#own, theirs))]);
    const folded = team.map((one) => {
      const other = own.get(nameOf(one));
      return other ? foldedRow(one, other) : one;
    });
    const there = byName([...theirs, ...others]);
    return this.#withCustomers([...folded, ...ours.filter((one) => !there.has(nameOf(one)))]);
  }

  /** The one ledger may know the subscription, and the other that its customer was deleted. */
  async #withCustomers(things: readonly Thing[]): Promise<Thing[]> {
    const payers = things.flatMap(({ kind, customer }) =>
      kind === 'subscription' && customer !== null ? customer : [],
    );
    if (payers.length === 0) return [...things];
    const limit = payers.length * MOST_OF_NAME;
    const customers = await this.tied([...new Set(payers)], { kinds: ['customer'], limit });
    return things.map((one) => {
      if (one.kind !== 'subscription') return one;
      const isPayer = ({ id, reference }: Thing) => [id, reference].includes(one.customer);
      const customer = customers.find((other) => isPayer(other) && isOwnedBy(other, one, 'named'));
      return customer ? withCustomer(one, customer) : one;
    });
  }
}

/** @returns whether a thing has one of the outcomes that a filter asks for */
function isWanted(filter: SearchFilter): (thing: Thing) => boolean {
  const outcomes = outcomesOf(filter);
  return (thing) => outcomes.length === 0 || outcomes.includes(outcomeOn(thing, filter.days) ?? '');
}

/**
 * @param teller the other ledger, which may know of customers that stop their subscriptions
 * @returns the subscriptions in `index` that a search for stopped ones misses there
 */
async function perhapsStopped(
  index: StoredThings,
  teller: StoredThings,
  { kinds = [], ...search }: SearchQuery,
): Promise<Thing[]> {
  const isAsked = kinds.length === 0 || kinds.includes('subscription');
  const outcomes = outcomesOf(search);
  if (!isAsked || !outcomes.includes('stopped') || outcomes.includes('active')) return [];
  const active = { ...search, kinds: ['subscription'], outcome: ['active', 'ended'] } as const;
  if (search.text !== undefined) return index.search(active);
  const { scope } = search;
  const stopping = ['deleted', 'expired'];
  const customers = await teller.search({
    ...{ kinds: ['customer'], outcome: stopping, scope, limit: AT_ONCE },
  });
  const names = customers.flatMap(({ id, reference }) => [id, reference ?? []].flat());
  return names.length === 0 ? [] : index.tied(names, active);
}

/** @returns the same things in another ledger */
async function counterparts(index: StoredThings, things: readonly Thing[]): Promise<Thing[]> {
  // A request or an event of its own is in one ledger alone.
  const wanted = byName(things.filter(({ kind }) => kind !== 'request' && kind !== 'event'));
  if (wanted.size === 0) return [];
  const kinds = [...wanted.values()].map(({ kind }) => kind);
  const ids = [...wanted.values()].map(({ id }) => id);
  const found = await index.withIds([...new Set(kinds)], ids);
  return found.filter((one) => wanted.has(nameOf(one)));
}

function byName(things: readonly Thing[]): Map<string, Thing> {
  return new Map(things.map((one) => [nameOf(one), one]));
}

function nameOf({ kind, id }: Thing): string {
  return `${kind} ${id}`;
}

/** @returns a test of whether a thing has exactly the name searched for; undefined if the search has no words */
function nameTeller({ text = '' }: SearchQuery): ((thing: Thing) => boolean) | undefined {
  const asked = fold(text);
  if (asked === '') return undefined;
  return ({ id, reference, who, email, lastFour, ...links }) =>
    (who !== null && isSameName(who, text)) ||
    [id, reference, email, lastFour, links.purchase, links.customer, links.subscription].some(
      (name) => name !== null && fold(name) === asked,
    );
}

function newestFirst(one: Pick<Thing, 'at'>, other: Pick<Thing, 'at'>): number {
  return Date.parse(other.at) - Date.parse(one.at);
}
