/** Searches: what is looked for, as it was typed, and what knows better than the index what it found. */

import { plural } from '../../base/text.ts';
import { readSearchFilter, type SearchOptions } from '../../cli/flags/search-flags.ts';
import type { Whose } from '../../cli/flags/whose.ts';
import { authorOf } from '../../client/ledger/place.ts';
import { LOCAL_PROFILE } from '../../client/profiles/profile.ts';
import { usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Document } from '../../index/document.ts';
import type { SearchFilter, SearchIndex, SearchQuery } from '../../index/search-index.ts';
import type { Ledger } from '../../journal/ledger.ts';

/**
 * Takes and returns the same as `SearchIndex.search`. The index may show an abandoned request as `sending`; only its entry
 * knows better. A refund gets the currency of its purchase.
 */
export async function searchIndex(ledger: Ledger, asked: SearchQuery): Promise<Document[]> {
  const outcomes = [asked.outcome ?? []].flat();
  const isOfEntry = outcomes.includes('unknown') || outcomes.includes('sending');
  const outcome = isOfEntry ? [...new Set([...outcomes, 'unknown', 'sending'])] : asked.outcome;
  const found = await ledger.documents.search({ ...asked, outcome });
  const documents = await Promise.all(
    found.map((document) =>
      document.kind === 'request' ? asItsEntry(ledger, document) : document,
    ),
  );
  return isOfEntry
    ? documents.filter(({ outcome }) => outcomes.includes(outcome ?? ''))
    : documents;
}

async function asItsEntry(ledger: Ledger, document: Document): Promise<Document> {
  const [entry] = document.outcome === 'sending' ? await ledger.find(document.id) : [];
  const outcome = entry?.state ?? document.outcome;
  const { account, purchase, currency } = document;
  if (currency !== null || !purchase || account === null) return { ...document, outcome };
  const known = await ledger.currencies({ account }, [purchase]);
  return { ...document, outcome, currency: known.get(purchase) ?? null };
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

/** Kinds that gw may know from webhooks alone. */
const TOLD_BY_EVENTS = ['purchase', 'customer', 'subscription'] as const;
/** More are not counted. */
const MOST_EVENTS = 1_000;

/**
 * @param asked for records of some kinds, and no events
 * @returns how many more of each kind only webhooks told of, as lines with their ends; empty for none
 */
export async function onlyInEvents(
  documents: Pick<SearchIndex, 'search' | 'tied'>,
  asked: Omit<SearchQuery, 'limit'>,
): Promise<string> {
  const { kinds = [], scope } = asked;
  const wanted = TOLD_BY_EVENTS.filter((kind) => kinds.includes(kind));
  if (wanted.length === 0 || kinds.includes('event')) return '';
  const events = await documents.search({ ...asked, kinds: ['event'], limit: MOST_EVENTS });
  const lines: string[] = [];
  for (const kind of wanted) {
    const told = new Set(events.filter(isTrusted).flatMap((event) => event[kind] ?? []));
    if (told.size === 0) continue;
    const seen = await documents.tied([...told], { kinds: [kind], scope, limit: MOST_EVENTS });
    for (const { id, reference, [kind]: link } of seen)
      for (const name of [id, reference, link]) told.delete(name ?? '');
    if (told.size === 0) continue;
    const count = events.length === MOST_EVENTS ? `at least ${told.size}` : told.size;
    lines.push(
      `Left out: ${count} ${plural(told.size, kind, `${kind}s`)} that only webhooks told of. \`gw find --kind event\` finds ${plural(told.size, 'it', 'them')}.\n`,
    );
  }
  return lines.join('');
}

function isTrusted({ outcome }: Document): boolean {
  return outcome !== 'contradicted' && outcome !== 'bad';
}

/** Stands for whoever asks, as the ledger names them. */
const ONESELF = 'me';

/** @param us whose documents are searched @throws Failure usage when one of the options cannot be read */
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
 * @param of the profile whose documents are searched
 * @returns the embedded gateway's time where that is its profile, else this machine's; the former only
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
