/** Opens the ledger for a list, reads typed searches, and adds to the results what only journal entries know. */
import { readSearchFilter, type SearchOptions } from '../../cli/flags/search-flags.ts';
import { type ProfileScope, scopeOf } from '../../cli/flags/whose.ts';
import { gatewayTime } from '../../client/gateway-time.ts';
import { authorOf, type DataSource, dataSourceOf } from '../../client/ledger/place.ts';
import { LOCAL_PROFILE } from '../../client/profiles/profile.ts';
import { usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import type { Ledger } from '../../journal/ledger.ts';
import { type KnownHost, openLedger } from '../../requests/known/open-ledger.ts';
import type { Owner } from '../../things/owner.ts';
import { type Days, outcomeOn } from '../../things/subscription-state.ts';
import type { Thing, ThingKind } from '../../things/thing.ts';
import type { SearchFilter, SearchQuery } from '../../things/thing-index.ts';

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

/** Kinds that a webhook about a card concerns. It names the customer, and need not name the card (section 6). */
const TOLD_OF_CARDS: readonly ThingKind[] = ['card', 'customer'];
const CARD_NOTICES: readonly unknown[] = ['expiring', 'expired'];

/** Outcomes of a subscription that depend on the day. */
const OF_DAY = /\b(?:active|ended)\b/i;

/**
 * Takes and returns the same as `SearchIndex.search`, for everything that a person asks. A card that expires is found by
 * its customer, a request in the state of its entry, and a subscription in that of the day.
 */
export async function searchThings(
  { host, ledger }: Omit<SearchDesk, 'us'>,
  query: SearchQuery,
): Promise<Thing[]> {
  const isOfDay = OF_DAY.test([query.outcome, query.text].flat().join(' '));
  const days = isOfDay ? await daysOf(host) : undefined;
  return asOfDay(host, await searchStates(ledger, withHolders({ ...query, days })), days);
}

/** @returns the things, with subscriptions that have ended by the day of their gateway as such */
export async function asOfDay<Kind extends Parameters<typeof outcomeOn>[0]>(
  host: Pick<Host, 'clock' | 'files'>,
  things: readonly Kind[],
  known?: Days,
): Promise<Kind[]> {
  const mayHaveEnded = things.some(({ outcome, endsOn }) => outcome === 'active' && endsOn);
  if (!mayHaveEnded) return [...things];
  // The test gateway's time is in its file.
  const days = known ?? (await daysOf(host));
  return things.map((thing) => ({ ...thing, outcome: outcomeOn(thing, days) }));
}

async function daysOf(host: Pick<Host, 'clock' | 'files'>): Promise<Days> {
  const dayOf = (now: Date) => now.toISOString().slice(0, 'YYYY-MM-DD'.length);
  return {
    local: dayOf(await gatewayTime(host, LOCAL_PROFILE)),
    others: dayOf(host.clock.now()),
  };
}

/** Adds the customers to a search for cards that a webhook calls expiring or expired. */
function withHolders(query: SearchQuery): SearchQuery {
  const { kinds, outcome } = query;
  const isOfNotices = [outcome ?? []].flat().some((one) => CARD_NOTICES.includes(one));
  if (!kinds?.includes('card') || !isOfNotices) return query;
  return { ...query, kinds: [...new Set([...kinds, ...TOLD_OF_CARDS])] };
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
  for (let limit = query.limit; ; limit *= 4) {
    const rows = await ledger.things.search({ ...query, outcome, limit });
    const things = await Promise.all(rows.map((thing) => asItsEntry(ledger, thing)));
    const matches = things.filter((thing) => outcomes.includes(thing.outcome ?? ''));
    if (matches.length >= query.limit || rows.length < limit) return matches.slice(0, query.limit);
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

/** @returns a note for more results than were asked for */
export function moreThan(limit: number): string {
  return `There are more results. Add a word or a filter, or --limit ${limit * 5}.\n`;
}

/** The value of --operator for the present user. */
const ONESELF = 'me';

/** @param us the owner of the things @throws Failure usage if an option cannot be read */
export async function searchFilterOf(
  host: Pick<Host, 'clock' | 'env' | 'files' | 'stderr' | 'user'>,
  options: SearchOptions,
  us: ProfileScope,
): Promise<SearchFilter> {
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
  { since, until }: Pick<SearchOptions, 'since' | 'until'>,
  { of }: Pick<ProfileScope, 'of'>,
): Promise<Date> {
  const isTimeAsked = since !== undefined || until !== undefined;
  if (!isTimeAsked || of?.name !== LOCAL_PROFILE.name) return clock.now();
  return gatewayTime({ clock, files }, LOCAL_PROFILE);
}
