/**
 * Searches as people mean it. A text that is the word for an outcome is the same as `--outcome`. If nothing has the text,
 * gw tries what else it may mean: a day as people say it, minor units, a masked card, an id with an O for a 0, a name with
 * one slip. A name that is there is never read as another: if the rest of the search leaves it out, gw says so. Exact results
 * come alone, and a guess says what it is a guess of. Only screens, lists and look-ups ask for guesses, and nothing that
 * changes a record does.
 *
 * Tests: test/scripts/commands/find-forgiving.script, test/unit/commands/find/run-find.test.ts
 */
import { alikeTexts } from '../../base/alike.ts';
import { oneLetterOff } from '../../base/one-letter-off.ts';
import { daysMeant, type Now } from '../../base/periods.ts';
import { USUAL_EXPONENT } from '../../contract/currency.ts';
import { formatDecimal } from '../../contract/money.ts';
import { timeZoneOf } from '../../host/machine-zone.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { fold } from '../../things/normalise.ts';
import { isCalled } from '../../things/search.ts';
import { THING_KINDS, THING_OUTCOMES, type Thing, type ThingKind } from '../../things/thing.ts';
import type { SearchIndex, SearchQuery } from '../../things/thing-index.ts';
import { keyOfWord } from '../../things/words.ts';
import { formatOf, type OutputOptions } from '../../view/print-records.ts';
import type { FoundThing } from '../../view/records/search-result.ts';
import { findNow, type SearchDesk, searchThings } from './search.ts';

/** Another way to read the text of a search. */
interface Reading extends Pick<SearchQuery, 'text' | 'since' | 'until'> {
  /** What it is read as, in a sentence. */
  as: string;
}

export interface Found {
  things: FoundThing[];
  /** For stderr: how the text was read; empty if as it was typed. */
  note: string;
  /** true if the text itself finds nothing. */
  isGuess: boolean;
}

/** The most readings that are searched for, and that a sentence names. */
const [MOST_READINGS, MOST_NAMED] = [12, 5];

/** @param timeZone in which days are read; this machine's if undefined */
export async function searchAsMeant(
  desk: SearchDesk,
  query: SearchQuery,
  timeZone: string | undefined,
): Promise<Found> {
  const { text } = query;
  const ofKind = asKind(query);
  const { note, ...asked } = ofKind ?? asOutcome(query, THING_OUTCOMES);
  if (note !== '') {
    const things = await searchThings(desk, asked);
    if (things.length > 0) return { things, note, isGuess: false };
  }
  const things = await searchThings(desk, query);
  if (things.length > 0 || text === undefined) return { things, note: '', isGuess: false };
  // `refunds march` is the refunds of a month.
  const meant = ofKind && (await searchAsMeant(desk, asked, timeZone));
  if (meant && meant.things.length > 0) return { ...meant, note: note + meant.note };
  return otherwiseRead(desk, query, timeZone);
}

/** @returns what other readings find of a text that finds nothing as it was typed */
async function otherwiseRead(
  desk: SearchDesk,
  query: SearchQuery,
  timeZone: string | undefined,
): Promise<Found> {
  const { text = '' } = query;
  const paid = await firstFound(desk, query, await ofPurchases(desk.ledger.things, query));
  if (paid) return { ...paid, isGuess: false };
  for (const readings of await otherReadings(desk, query, timeZone)) {
    const guess = await firstFound(desk, query, readings);
    if (guess) return guess;
  }
  for (const readings of [ofAlike(text), await namesNear(desk.ledger.things, text)]) {
    const guess = await firstFound(desk, query, readings);
    if (guess) return guess;
  }
  return { things: [], note: await leftOut(desk, query), isGuess: false };
}

/**
 * Only lists take it: of another family name, a look-up would show a stranger.
 * @returns the reading of a name without the words that nothing has: `obrien siobhan` for Siobhán Ó Briain
 */
async function withoutUnknown(desk: SearchDesk, { text = '', scope }: SearchQuery) {
  const words = text.split(' ');
  const has = async (word: string) =>
    (await searchThings(desk, { text: word, scope, limit: 1 })).length > 0;
  const known = await Promise.all(words.map(async (word) => ((await has(word)) ? [word] : [])));
  const rest = known.flat().join(' ');
  const isName = /^\D{3,}$/.test(text) && rest.length >= SHORTEST_REST && rest !== text;
  return isName ? [{ text: rest, as: neutralise(rest) }] : [];
}

/** A shorter rest is that of too many names. */
const SHORTEST_REST = 4;

/** The most records that a sentence says are there. */
const MOST_THERE = 3;

/** @returns sentences on the records that words of the text name, which the rest of the search leaves out; else empty */
async function leftOut(desk: SearchDesk, { text = '', scope }: SearchQuery): Promise<string> {
  const words = [...new Set([text, ...text.split(' ')])];
  const names = await desk.ledger.things.known(words.map(fold));
  const said: string[] = [];
  for (const word of words.filter((one) => names.includes(fold(one)))) {
    const found = await searchThings(desk, { text: word, scope, limit: MOST_THERE });
    const own = found.filter((one) => isCalled(one, fold(word)));
    const there = (own.length > 0 ? own : found).map(sayThere).join('; ');
    if (there !== '')
      said.push(`${neutralise(word)} is there: ${there}. The rest of the search leaves it out.\n`);
  }
  return said.join('');
}

/** @returns for example `subscription 071-S-A1, Ada Byron, stopped` */
function sayThere({ kind, id, who, outcome }: FoundThing): string {
  return [`${kind} ${id}`, who, outcome]
    .flatMap((one) => (one ? [neutralise(one)] : []))
    .join(', ');
}

/** Parts of ids: a number has no letters that look like digits. */
const MAY_BE_OF_ID = /^(?=.*[a-z])[\w-]{4,}$/;

/** @returns readings with signs that look like those of the text */
function ofAlike(text: string): Reading[] {
  const asked = fold(text);
  const all = MAY_BE_OF_ID.test(asked) ? alikeTexts(asked, MOST_READINGS) : [];
  return all.map((one) => ({ text: one, as: one }));
}

/** @returns readings of the text as a day, one part of it after the other, and last as a number */
async function otherReadings(
  { host, us }: SearchDesk,
  query: SearchQuery,
  timeZone: string | undefined,
): Promise<Reading[][]> {
  const instant = await findNow(host, { since: query.text, until: undefined }, us);
  const days = ofDays(query, { instant, zone: timeZoneOf(host, timeZone) });
  return [...days, ofNumbers(query.text ?? '')];
}

/**
 * The same for what is printed. A guess is only printed where a reader sees that it is one: what takes the ids of records
 * may pay them money.
 */
export async function searchShown(
  desk: SearchDesk,
  query: SearchQuery,
  output: OutputOptions,
): Promise<Omit<Found, 'isGuess'>> {
  const meant = await searchAsMeant(desk, query, output.timeZone);
  const isFound = meant.things.length > 0 || meant.note !== '';
  const part = isFound
    ? undefined
    : await firstFound(desk, query, await withoutUnknown(desk, query));
  const { things, note, isGuess } = part ?? meant;
  const picked = output.jq ?? output.fields;
  const isMarked = picked === undefined ? formatOf(output) !== 'id' : picked.includes('read_as');
  if (!isGuess || isMarked) return { things, note };
  return {
    things: [],
    note: `${note}A guess has no place in this output: search for what you mean.\n`,
  };
}

/** @returns the search with a text that is one of these outcomes as its outcome, and a note about that; empty if it is none */
export function asOutcome<Asked extends Pick<SearchQuery, 'text' | 'outcome'>>(
  asked: Asked,
  known: readonly string[],
): Asked & { note: string } {
  const word = asked.text?.toLowerCase();
  const outcome = asked.outcome === undefined ? known.find((one) => one === word) : undefined;
  if (outcome === undefined) return { ...asked, note: '' };
  const note = `${outcome} is an outcome: this is --outcome ${outcome}.\n`;
  return { ...asked, text: undefined, outcome: [outcome], note };
}

/** Kinds that people say beside a name: `ada byron refunds`. A name or reference may end in others, as `gift card` does. */
const SAID_BESIDE: readonly ThingKind[] = ['purchase', 'refund', 'subscription', 'customer'];

/** @returns the search with a text that has a kind at one of its ends, as its kind, and a note about that; undefined if it has none */
function asKind(query: SearchQuery): (SearchQuery & { note: string }) | undefined {
  if (query.kinds) return undefined;
  const words = (query.text ?? '').split(' ');
  const kinds = words.length === 1 ? THING_KINDS : SAID_BESIDE;
  for (const at of [words.length - 1, 0]) {
    const [word = ''] = words.slice(at);
    const kind = kinds.find((one) => [one, `${one}s`].includes(word.toLowerCase()));
    if (kind === undefined) continue;
    const rest = words.toSpliced(at, 1).join(' ');
    const note = `${word} is a kind: this is --kind ${kind}.\n`;
    return { ...query, text: rest === '' ? undefined : rest, kinds: [kind], note };
  }
  return undefined;
}

/** @returns what the readings find, each thing once; undefined if nothing */
async function firstFound(
  desk: SearchDesk,
  query: SearchQuery,
  readings: readonly Reading[],
): Promise<Found | undefined> {
  const found = new Map<string, FoundThing>();
  const named: string[] = [];
  for (const { as, ...reading } of readings) {
    const things = await searchThings(desk, { ...query, ...reading });
    if (things.length > 0) named.push(as);
    for (const thing of things) {
      const key = nameOf(thing);
      if (!found.has(key)) found.set(key, { ...thing, readAs: as });
    }
  }
  if (named.length === 0) return undefined;
  const more = named.length - MOST_NAMED;
  const all = named.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const asked = JSON.stringify(neutralise(query.text ?? ''));
  return {
    things: [...found.values()].slice(0, query.limit),
    note: `Nothing has ${asked} as it was typed. It was read as ${all}.\n`,
    isGuess: true,
  };
}

function nameOf({ kind, id, account, profile }: Thing): string {
  return JSON.stringify([kind, id, account, profile]);
}

/** A list of refunds is asked for by the order that was paid, too. @returns readings as the purchases of that name */
async function ofPurchases(
  things: Pick<SearchIndex, 'tied'>,
  { text = '', kinds = [], scope }: SearchQuery,
): Promise<Reading[]> {
  if (!kinds.every((kind) => kind === 'refund') || kinds.length === 0) return [];
  const filter = { kinds: ['purchase'], scope, limit: MOST_READINGS } as const;
  const purchases = await things.tied([text], filter);
  return purchases.map(({ id }) => ({ text: id, as: `the refunds of ${id}` }));
}

/** Plain numbers, among them years and amounts, are no days. */
const NO_DAY = /^[\d.,\s]*\d$/;
const MOST_WORDS_OF_DAY = 5;
/** `end of march` is read as all of it. */
const PART_OF_TIME = /\b(?:the )?(?:beginning|start|middle|end) of (?=\p{L})/giu;
/** Four digits beside a day and a month are those of a card, unless they are a year of this century. */
const OF_THIS_CENTURY = /^20/;

/** @returns readings of each part of the text that is a day or another period, the longest first; the rest stays */
function ofDays({ text = '', since, until }: SearchQuery, now: Now): Reading[][] {
  if (since !== undefined || until !== undefined) return [];
  const words = text
    .replace(PART_OF_TIME, '')
    .split(/\s+/)
    .filter((word, n) => n === 0 || !/^(?:on|in)$/i.test(word));
  const { zone } = now;
  const readings: Reading[][] = [];
  const instant = (day: string) => new Date(zone.startOf(day)).toISOString();
  for (let count = Math.min(MOST_WORDS_OF_DAY, words.length); count > 0; count--)
    for (let from = 0; from + count <= words.length; from++) {
      const part = words.slice(from, from + count).join(' ');
      const named = NO_DAY.test(part) ? [] : daysMeant(part, now);
      const meant = named.filter(({ first }) => OF_THIS_CENTURY.test(first));
      const rest = words.toSpliced(from, count).join(' ');
      const read = meant.map(({ name, first, next }) => ({
        text: rest === '' ? undefined : rest,
        since: instant(first),
        until: instant(next),
        as: `${rest === '' ? '' : `${neutralise(rest)} `}--since ${name} --until ${name}`,
      }));
      if (read.length > 0) readings.push(read);
    }
  return readings;
}

/** `512345XXXXXX2346`, `…2346`, `****2346` */
const MASKED = /^(?:\d{0,6}[X*•]+|…|\.{3})(\d{4})$/iu;
/** `card ending 2346`, `ends in 2346`, `last four 2346` */
const SAID_LAST_FOUR =
  /\b(?:card )?(?:ending|ends|ended|last (?:four|4)(?: digits)?)(?: (?:in|with|on|of))? (?=\d{4}\b)/iu;
/** `45 dollars` */
const SAID_MONEY = /(?<![\d.,])(\d[\d.,]*) (?:dollars?|bucks|euros?|pounds?|quid)\b/iu;
const MINOR_UNITS = /^\d{3,12}$/;

/** @returns readings of a number that is written as a screen shows it, or said as people say it */
function ofNumbers(text: string): Reading[] {
  const plain = text.replace(SAID_LAST_FOUR, '').replace(SAID_MONEY, '$$$1');
  if (plain !== text) return [{ text: plain, as: neutralise(plain) }];
  const [, lastFour] = MASKED.exec(text) ?? [];
  if (lastFour !== undefined) return [{ text: lastFour, as: lastFour }];
  if (!MINOR_UNITS.test(text)) return [];
  const money = formatDecimal(Number(text), USUAL_EXPONENT);
  return [{ text: money, as: `minor units, ${money}` }];
}

type KnownNames = Pick<SearchIndex, 'known'>;

/** Shorter words, and short numbers, are one slip away from too many others. */
const MAY_HAVE_SLIP = /^(?!\d{1,5}$)[^#].{2,}/su;

/**
 * A text that names a record is no slip: nothing else is meant by it.
 * @returns texts that name something, with at most one slip for each word of this one, the fewest slips first
 */
async function namesNear(things: KnownNames, text: string): Promise<Reading[]> {
  const asked = fold(text);
  const names = await things.known([asked, ...asked.split(' ')]);
  const slips = MAY_HAVE_SLIP.test(asked) && !names.includes(asked) ? oneLetterOff(asked) : [];
  const whole = await things.known(slips);
  let texts: { words: readonly string[]; slips: number }[] = [{ words: [], slips: 0 }];
  for (const word of asked.split(' ')) {
    const others = names.includes(word) ? [] : await wordsNear(things, word);
    texts = texts
      .flatMap(({ words, slips }) => [
        { words: [...words, word], slips },
        ...others.map((other) => ({ words: [...words, other], slips: slips + 1 })),
      ])
      .toSorted((one, other) => one.slips - other.slips)
      .slice(0, MOST_READINGS + 1);
  }
  const spelled = texts.filter(({ slips }) => slips > 0).map(({ words }) => words.join(' '));
  return [...new Set([...whole, ...spelled])]
    .slice(0, MOST_READINGS)
    .map((one) => ({ text: one, as: neutralise(one) }));
}

/** @returns the words of names, and the whole names, from which a word differs by one slip; of an email, each part */
async function wordsNear(things: KnownNames, word: string): Promise<string[]> {
  if (!MAY_HAVE_SLIP.test(word)) return [];
  const [local = '', domain, ...others] = word.split('@');
  if (domain !== undefined && others.length === 0) {
    const domains = [domain, ...(await wordsNear(things, domain))];
    const names = [local, ...(await wordsNear(things, local))];
    return things.known(names.flatMap((one) => domains.map((other) => `${one}@${other}`)));
  }
  const slips = oneLetterOff(word);
  const known = new Set(await things.known([...slips, ...slips.map(keyOfWord)]));
  return slips.filter((slip) => known.has(slip) || known.has(keyOfWord(slip)));
}
