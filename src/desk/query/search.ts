/** Opens the ledger for a list, reads typed searches, and adds to the results what only journal entries know. */

import { plural, quantity } from '../../base/text.ts';
import {
  type AskedFilter,
  type ListOptions,
  readSearchFilter,
  type SearchOptions,
} from '../../cli/flags/search-flags.ts';
import { type ProfileScope, scopeOf } from '../../cli/flags/whose.ts';
import { gatewayTime } from '../../client/gateway-time.ts';
import { authorOf, type DataSource, dataSourceOf } from '../../client/ledger/place.ts';
import { LOCAL_PROFILE } from '../../client/profiles/profile.ts';
import { endsWithin } from '../../contract/expiry.ts';
import { usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import type { Ledger } from '../../journal/ledger.ts';
import { type KnownHost, openLedger } from '../../requests/known/open-ledger.ts';
import { plansCalled } from '../../requests/known/plan-names.ts';
import { CARD_STATES } from '../../things/card-state.ts';
import type { Owner } from '../../things/owner.ts';
import { type Days, outcomeOn, overOn } from '../../things/subscription-state.ts';
import type { Thing, ThingKind } from '../../things/thing.ts';
import type { SearchFilter, SearchQuery } from '../../things/thing-index.ts';
import { formatOf } from '../../view/print-records.ts';
import type { FoundThing } from '../../view/records/search-result.ts';
import { withCards } from './card-holders.ts';

export interface SearchDesk {
  host: Pick<Host, 'clock' | 'env' | 'files' | 'stderr'>;
  us: ProfileScope;
  ledger: Pick<Ledger, 'find' | 'things'>;
}

export interface ListDesk extends SearchDesk {
  ledger: Ledger;
  /** The account whose rows are shown; undefined for all. */
  scope: Owner | undefined;
  source: DataSource;
}

/** @throws Failure guard if the ledger cannot be used */
export async function withLedger(
  host: KnownHost,
  us: ProfileScope,
  work: (desk: ListDesk) => Promise<void>,
): Promise<void> {
  const ledger = await openLedger(host, { needs: 'learns', profile: us.profile });
  try {
    const scope = await scopeOf(host, us, ledger);
    await work({ host, us, ledger, scope, source: await dataSourceOf(host, us) });
  } finally {
    await ledger.close();
  }
}

/** A search as a person asks it. */
export type AskedSearch = SearchQuery & AskedFilter;

/** Kinds that have a card whose expiry may be known. */
const WITH_CARDS: readonly ThingKind[] = ['customer', 'card'];

/** Outcomes of a subscription that is over, of which people ask when that was, and not when it began. */
const OVER = ['stopped', 'ended'];

/** @returns whether the time of a search is that of the end of subscriptions: their stop, or their last day */
export function isOfEnds({ outcome = [], since, until }: SearchFilter): boolean {
  const outcomes = [outcome].flat();
  return (
    (since ?? until) !== undefined &&
    outcomes.length > 0 &&
    outcomes.every((one) => OVER.includes(one))
  );
}

/** Outcomes of a subscription that depend on the day. */
const OF_DAY = /\b(?:active|ended)\b/i;

/**
 * Takes and returns the same as `SearchIndex.search`, for everything that a person asks. A card that expires is found by
 * its customer too, a request in the state of its entry, and a subscription and a card in that of the day.
 */
export async function searchThings(
  desk: Omit<SearchDesk, 'us'>,
  { expires, plan, ...asked }: AskedSearch,
): Promise<FoundThing[]> {
  const plans = plan === undefined ? [] : await plansCalled(desk.ledger.things, plan, asked.scope);
  const named = plan === undefined || plans.length > 0 ? plans : [plan];
  const query = named.length > 0 ? { ...asked, plans: named } : asked;
  const outcomes = [query.outcome ?? []].flat();
  const ofCards = outcomes.filter((one) => CARD_STATES.some((state) => state === one));
  if (expires !== undefined) return searchHolders(desk, { ...query, expires });
  if (ofCards.length === 0) return searchDated(desk, query);
  const holders = await searchHolders(desk, { ...query, outcome: ofCards });
  const others = outcomes.filter((one) => !ofCards.includes(one));
  const rest = others.length > 0 ? await searchDated(desk, { ...query, outcome: others }) : [];
  return [...holders, ...rest].slice(0, query.limit);
}

/** Searches subscriptions by the day on which they ended, of which the table has no order. */
function searchEnds(
  desk: Omit<SearchDesk, 'us'>,
  { since, until, ...query }: SearchQuery,
): Promise<FoundThing[]> {
  const isWithin = (day: string | null) =>
    day !== null &&
    (since === undefined || Date.parse(day) >= Date.parse(since)) &&
    (until === undefined || Date.parse(day) < Date.parse(until));
  return searchUntil(
    query,
    (wanted) => searchDated(desk, wanted),
    (thing) => isWithin(overOn(thing)),
  );
}

async function searchDated(
  desk: Omit<SearchDesk, 'us'>,
  query: SearchQuery,
): Promise<FoundThing[]> {
  if (isOfEnds(query)) return searchEnds(desk, query);
  const { host, ledger } = desk;
  const isOfDay = OF_DAY.test([query.outcome, query.text].flat().join(' '));
  const days = isOfDay ? await daysOf(host) : undefined;
  const things = await searchStates(ledger, { ...query, days });
  return asShown({ host, ledger, query }, await asOfDay(host, things, days));
}

/** Searches customers and cards by what the table cannot tell: the state and the expiry of the card. */
function searchHolders(
  { host, ledger }: Omit<SearchDesk, 'us'>,
  { expires, outcome = [], kinds = [], ...query }: AskedSearch,
): Promise<FoundThing[]> {
  const outcomes = [outcome].flat();
  const isAll = kinds.length === 0 || kinds.includes('card');
  const holders = WITH_CARDS.filter((one) => isAll || kinds.includes(one));
  if (holders.length === 0) return Promise.resolve([]);
  return searchUntil(
    { ...query, kinds: holders },
    async (wanted) => asShown({ host, ledger, query }, await ledger.things.search(wanted)),
    (thing) =>
      (expires === undefined || endsWithin(thing.cardExpiry ?? null, expires)) &&
      (outcomes.length === 0 || outcomes.includes(thing.outcome ?? '')),
  );
}

/** @returns the things, with what is known of cards on the day of their gateway */
function asShown(
  { host, ledger, query }: Omit<SearchDesk, 'us'> & { query: Pick<SearchQuery, 'scope'> },
  found: readonly Thing[],
): Promise<FoundThing[]> {
  let days: Promise<Days> | undefined;
  return withCards({ things: ledger.things, scope: query.scope }, found, async (thing) => {
    if (thing.environment !== 'local') return dayOf(host.clock.now());
    days ??= daysOf(host);
    return (await days).local;
  });
}

/** @returns the things, with subscriptions that have ended by the day of their gateway as such */
export async function asOfDay<Kind extends Parameters<typeof outcomeOn>[0]>(
  host: Pick<Host, 'clock' | 'files'>,
  things: readonly Kind[],
  known?: Days,
): Promise<Kind[]> {
  const mayHaveEnded = things.some(({ outcome, endsOn }) => outcome === 'active' && endsOn);
  if (!mayHaveEnded) return [...things];
  const days = known ?? (await daysOf(host));
  return things.map((thing) => ({ ...thing, outcome: outcomeOn(thing, days) }));
}

const dayOf = (now: Date) => now.toISOString().slice(0, 'YYYY-MM-DD'.length);

async function daysOf(host: Pick<Host, 'clock' | 'files'>): Promise<Days> {
  // The test gateway's time is in its file.
  return {
    local: dayOf(await gatewayTime(host, LOCAL_PROFILE)),
    others: dayOf(host.clock.now()),
  };
}

/**
 * The table may show an abandoned request as `sending`, where its entry is unknown. So a search for one of the two states
 * reads more than it returns.
 */
async function searchStates(ledger: SearchDesk['ledger'], query: SearchQuery): Promise<Thing[]> {
  const outcomes = [query.outcome ?? []].flat();
  const isUnknown = outcomes.includes('unknown');
  if (!isUnknown && !outcomes.includes('sending')) {
    const things = await ledger.things.search(query);
    return Promise.all(things.map((thing) => asItsEntry(ledger, thing)));
  }
  const outcome = isUnknown ? [...new Set([...outcomes, 'sending'])] : outcomes;
  return searchUntil(
    { ...query, outcome },
    async (wanted) => {
      const rows = await ledger.things.search(wanted);
      return Promise.all(rows.map((thing) => asItsEntry(ledger, thing)));
    },
    (thing) => outcomes.includes(thing.outcome ?? ''),
  );
}

/** @returns as many matches as are asked for, of what the table cannot tell: reads more and more until there are enough */
async function searchUntil<Found extends Thing>(
  query: SearchQuery,
  search: (query: SearchQuery) => Promise<Found[]>,
  isWanted: (thing: Found) => boolean,
): Promise<Found[]> {
  for (let limit = query.limit; ; limit *= 4) {
    const found = await search({ ...query, limit });
    const matches = found.filter(isWanted);
    if (matches.length >= query.limit || found.length < limit) return matches.slice(0, query.limit);
  }
}

async function asItsEntry(ledger: SearchDesk['ledger'], thing: Thing): Promise<Thing> {
  if (thing.kind !== 'request' || thing.outcome !== 'sending') return thing;
  const [entry] = await ledger.find(thing.id);
  return entry ? { ...thing, outcome: entry.state } : thing;
}

/** The longest search text; no name is longer. */
const MAX_CHARACTERS = 1_000;

/**
 * @param words as typed
 * @returns them as one text; undefined if there are none
 * @throws Failure usage if the text is too long
 */
export function findText(words: readonly string[]): string | undefined {
  const text = words.join(' ').trim();
  if (text.length > MAX_CHARACTERS) {
    throw usage(
      'text-too-long',
      `The search text has ${text.length} characters; the limit is ${MAX_CHARACTERS}.`,
      'Use a few words, or part of one.',
    );
  }
  return text === '' ? undefined : text;
}

/** The most subscriptions whose end is looked for. */
const MOST_UNDATED = 1_000;

/**
 * @param count of those that were found
 * @returns a note on the subscriptions that a search by the time of their end leaves out, as it is not known; empty for
 *   other searches
 */
export async function undatedNote(
  desk: Omit<SearchDesk, 'us'>,
  { since, until, ...query }: AskedSearch,
  count: number,
): Promise<string> {
  if (!isOfEnds({ ...query, since, until })) return '';
  const all = await searchThings(desk, { ...query, limit: MOST_UNDATED });
  const undated = all.filter((thing) => overOn(thing) === null).length;
  const none = count === 0 ? 'No subscription is known to have stopped or ended in that time.' : '';
  const further = quantity(undated, 'further subscription', 'further subscriptions');
  const left = `gw does not know on which day ${further} stopped: without a time, ${plural(undated, 'it is', 'they are')} listed too.`;
  const said = [none, undated > 0 ? left : ''].filter(Boolean).join(' ');
  return said && `${said}\n`;
}

/** @returns a note for more results than were asked for */
export function moreThan(limit: number): string {
  return `There are more results. Add a word or a filter, or --limit ${limit * 5}.\n`;
}

/**
 * @param count of the rows that are shown, with times of this machine
 * @param since a time that was asked for, or `until`: it chose by the clock of this machine, whatever is shown
 * @returns what the test gateway's clock says, if that is another day; empty for other profiles, and without times
 */
export async function clockNote(
  host: Pick<Host, 'clock' | 'files'>,
  { of }: Pick<ProfileScope, 'of'>,
  {
    output,
    count,
    since,
    until,
  }: Pick<ListOptions, 'output' | 'since' | 'until'> & { count: number },
): Promise<string> {
  const isPicked = output.jq !== undefined || output.fields !== undefined;
  const isTimeless = isPicked || formatOf(output) === 'id';
  const isPlain = count === 0 || (isTimeless && (since ?? until) === undefined);
  if (isPlain || of?.environment !== LOCAL_PROFILE.environment) return '';
  const { local, others } = await daysOf(host);
  if (local === others) return '';
  return `Times are those of this machine. The test gateway's clock says ${local}: \`gw find\` and \`gw history\` have its dates.\n`;
}

/** The value of --operator for the present user. */
const ONESELF = 'me';

/** @param us the owner of the things @throws Failure usage if an option cannot be read */
export async function searchFilterOf(
  host: Pick<Host, 'clock' | 'env' | 'files' | 'stderr' | 'user'>,
  options: SearchOptions,
  us: ProfileScope,
): Promise<SearchFilter & AskedFilter> {
  const operator = operatorNamed(host, options.operator);
  return readSearchFilter(host, { ...options, operator }, await findNow(host, options, us));
}

/**
 * @param named value of --operator
 * @returns the name as entries have it; undefined for everybody
 */
export function operatorNamed(
  host: Pick<Host, 'env' | 'user'>,
  named: string | undefined,
): string | undefined {
  return named === ONESELF ? authorOf(host).operator : named;
}

/**
 * Chooses the clock for the times of a search.
 * @param of the profile whose things are searched
 * @returns the test gateway's time for its profile, otherwise this machine's; the first only if a time is asked for,
 *   because it is in the gateway's file
 */
export async function findNow(
  { clock, files }: Pick<Host, 'clock' | 'files'>,
  { since, until, expires }: Partial<Pick<SearchOptions, 'since' | 'until' | 'expires'>>,
  { of }: Pick<ProfileScope, 'of'>,
): Promise<Date> {
  const isTimeAsked = [since, until, expires].some((one) => one !== undefined);
  if (!isTimeAsked || of?.name !== LOCAL_PROFILE.name) return clock.now();
  return gatewayTime({ clock, files }, LOCAL_PROFILE);
}
