/** Searches as they were typed, and what only an entry of the journal knows of the results. */

import { readSearchFilter, type SearchOptions } from '../../cli/flags/search-flags.ts';
import type { Whose } from '../../cli/flags/whose.ts';
import { authorOf } from '../../client/ledger/place.ts';
import { LOCAL_PROFILE } from '../../client/profiles/profile.ts';
import { usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Ledger } from '../../journal/ledger.ts';
import type { Thing, ThingKind } from '../../things/thing.ts';
import type { SearchFilter, SearchQuery } from '../../things/thing-index.ts';

/** Kinds of which a webhook about a card tells. It names the customer, and need not name the card (section 6). */
const TOLD_OF_CARDS: readonly ThingKind[] = ['card', 'customer'];
const CARD_NOTICES: readonly unknown[] = ['expiring', 'expired'];

/**
 * Takes and returns the same as `SearchIndex.search`. A card that expires is found by its customer. The table may show
 * an abandoned request as `sending`; only its entry knows better.
 */
export async function searchIndex(ledger: Ledger, asked: SearchQuery): Promise<Thing[]> {
  const outcomes = [asked.outcome ?? []].flat();
  const isOfEntry = outcomes.includes('unknown') || outcomes.includes('sending');
  const outcome = isOfEntry ? [...new Set([...outcomes, 'unknown', 'sending'])] : asked.outcome;
  const isOfCards =
    asked.kinds?.includes('card') && outcomes.some((one) => CARD_NOTICES.includes(one));
  const kinds = isOfCards ? [...new Set([...(asked.kinds ?? []), ...TOLD_OF_CARDS])] : asked.kinds;
  const found = await ledger.things.search({ ...asked, kinds, outcome });
  const things = await Promise.all(found.map((thing) => asItsEntry(ledger, thing)));
  return isOfEntry ? things.filter(({ outcome }) => outcomes.includes(outcome ?? '')) : things;
}

async function asItsEntry(ledger: Ledger, thing: Thing): Promise<Thing> {
  if (thing.kind !== 'request' || thing.outcome !== 'sending') return thing;
  const [entry] = await ledger.find(thing.id);
  return entry ? { ...thing, outcome: entry.state } : thing;
}

/** Longer than anything that is said on a phone. */
const MAX_CHARACTERS = 1_000;

/**
 * @param words as they were typed
 * @returns them as one text; undefined where there is none
 * @throws Failure usage for a text that is too long
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

/** @returns what to do where there is more than was asked for */
export function moreThan(limit: number): string {
  return `There are more results. Add a word or a filter, or --limit ${limit * 5}.\n`;
}

/** Stands for whoever asks, as the ledger names them. */
const ONESELF = 'me';

/** @param us whose things are searched @throws Failure usage when one of the options cannot be read */
export async function searchFilterOf(
  context: Context,
  options: SearchOptions,
  us: Whose,
): Promise<SearchFilter> {
  const operator = operatorNamed(context, options.operator);
  return readSearchFilter({ ...options, operator }, await findNow(context, options, us));
}

/**
 * @param named value of --operator
 * @returns the name as entries have it; undefined for everybody
 */
export function operatorNamed({ host }: Context, named: string | undefined): string | undefined {
  return named === ONESELF ? authorOf(host).operator : named;
}

/**
 * By whose clock times of a search are meant.
 * @param of the profile whose things are searched
 * @returns the test gateway's time where that is its profile, else this machine's; the former only
 *   where a time is asked for, since it is in a file of the gateway's
 */
export async function findNow(
  context: Context,
  { since, until }: Pick<SearchOptions, 'since' | 'until'>,
  { of }: Pick<Whose, 'of'>,
): Promise<Date> {
  const { clock } = context.host;
  const isTimeAsked = since !== undefined || until !== undefined;
  if (!isTimeAsked || of?.name !== LOCAL_PROFILE.name) return clock.now();
  const { gatewayTime } = await import('../../client/connection/wire.ts');
  return gatewayTime(context, LOCAL_PROFILE);
}
