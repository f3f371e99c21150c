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
import { daysMeant, type Now, periodKind, weekOfMonth } from '../../base/periods.ts';
import { shellWord } from '../../base/shell.ts';
import { USUAL_EXPONENT } from '../../contract/currency.ts';
import { formatDecimal } from '../../contract/money.ts';
import { timeZoneOf } from '../../host/machine-zone.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { plansCalled } from '../../requests/known/plan-names.ts';
import { fold } from '../../things/normalise.ts';
import { THING_KINDS, THING_OUTCOMES, type Thing, type ThingKind } from '../../things/thing.ts';
import type { SearchIndex, SearchQuery } from '../../things/thing-index.ts';
import { formatOf, type OutputOptions } from '../../view/print-records.ts';
import type { FoundThing } from '../../view/records/search-result.ts';
import { foundApart, leftOut } from './left-out.ts';
import {
  type AskedSearch,
  findNow,
  isOfEnds,
  type SearchDesk,
  searchThings,
  undatedNote,
} from './search.ts';
import { namesNear, wordsNear } from './words-near.ts';

/** Another way to read the text of a search. */
interface Reading
  extends Pick<SearchQuery, 'text' | 'outcome' | 'since' | 'until' | 'min' | 'max'> {
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
  query: AskedSearch,
  timeZone: string | undefined,
): Promise<Found> {
  const { text } = query;
  const ofKind = asKind(query);
  const { note, ...asked } = asFilter(query);
  const ofPlan = await asPlan(desk, asked);
  for (const { note: said, ...meant } of [
    ...(ofPlan ? [{ ...ofPlan, note: note + ofPlan.note }] : []),
    ...(note === '' ? [] : [{ ...asked, note }]),
  ]) {
    const things = await searchThings(desk, meant);
    if (things.length > 0) return { things, note: said, isGuess: false };
  }
  // The word of the outcome would find subscriptions that began in that time.
  if (isOfEnds(asked)) return { things: [], note: '', isGuess: false };
  const things = await searchThings(desk, query);
  if (things.length > 0 || text === undefined) return { things, note: '', isGuess: false };
  // `refunds march` is the refunds of a month.
  const meant = ofKind && (await searchAsMeant(desk, asked, timeZone));
  if (meant && meant.things.length > 0) return { ...meant, note: note + meant.note };
  return otherwiseRead(desk, query, timeZone);
}

/** @returns the search with a text that says a kind or is an outcome as that filter, and a note about that; else as it is */
export function asFilter(query: AskedSearch): AskedSearch & { note: string } {
  return asKind(query) ?? asOutcome(query, THING_OUTCOMES);
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
  const near = await namesNear(desk.ledger.things, text, MOST_READINGS);
  const meant = near.map((one) => ({ text: one, as: neutralise(one) }));
  for (const readings of [ofAlike(text), meant, ofFamily(text)]) {
    const guess = await firstFound(desk, query, readings);
    if (guess) return guess;
  }
  return { things: [], note: await leftOut(desk, query), isGuess: false };
}

/**
 * Only lists take it: of another family name, a look-up would show a stranger.
 * @returns the reading of a name without the words that nothing has, and nothing is near: `obrien siobhan` for Siobhán Ó Briain
 */
async function withoutUnknown(desk: SearchDesk, { text = '', scope }: SearchQuery) {
  const words = text.split(' ');
  const has = async (word: string) =>
    (await searchThings(desk, { text: word, scope, limit: 1 })).length > 0;
  const known = await Promise.all(
    words.map(async (word) =>
      (await has(word)) ? [word] : (await wordsNear(desk.ledger.things, fold(word))).slice(0, 1),
    ),
  );
  const rest = known.flat().join(' ');
  const isName = /^\D{3,}$/.test(text) && rest.length >= SHORTEST_REST && rest !== text;
  const unknown = words.filter((_, n) => known[n]?.length === 0).join(' ');
  // Results of any time are no answer to a time in which there is nothing.
  const isTime = periodKind(unknown.replace(/^(?:in|on) /i, '')) !== undefined;
  return isName && !isTime
    ? [{ text: rest, as: neutralise(`${rest}, leaving out ${unknown}`) }]
    : [];
}

/** A shorter rest is that of too many names. */
const SHORTEST_REST = 4;

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
  return [ofPasted(query.text ?? ''), ...days, ...ofNumbers(query)];
}

/** A word of a mail or of a form before a value: `Ref: SUB-1`, `Order no. INV-1`, `Invoice #INV-1`, `mailto:ada@example.com`. */
const LABEL = /^\p{L}{2,12}(?: (?:no|nr|number|id)\b)?(?: ?[:#]|\.(?!\S*@)) ?(?=[^\s/])/iu;
/** The first name in an email. */
const FIRST_OF_EMAIL = /^\p{L}+\.(?=[^\s@]+@[^\s@]+$)/u;
/** The last part of the path of an address, without a query. */
const IN_ADDRESS = /^https?:\/\/[^\s?#]*\/([^\s/?#]+)\/?(?:[?#]\S*)?$/i;
/** Dashes that programs put in the place of a hyphen. */
const DASHES = /[\u2010-\u2015\u2212]/g;

/** @returns the reading of a text as it was before a mail, an address or a page was put around it */
function ofPasted(text: string): Reading[] {
  const plain = text
    .replace(DASHES, '-')
    .replace(IN_ADDRESS, '$1')
    .replace(LABEL, '')
    .replace(/^#(?=\S)/, '');
  return plain === text ? [] : [{ text: plain, as: neutralise(plain) }];
}

/** @returns the reading of an email without the first name in it; none of other texts */
function ofFamily(text: string): Reading[] {
  const rest = text.replace(FIRST_OF_EMAIL, '');
  return rest === text ? [] : [{ text: rest, as: neutralise(rest) }];
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
  const { note: _, ...asked } = asFilter(query);
  const apart = isFound || part ? '' : await foundApart(desk, asked, output.timeZone);
  const undated = await undatedNote(desk, asked, meant.things.length);
  const { things, note, isGuess } = part ?? { ...meant, note: meant.note + apart + undated };
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

/** @returns the search with a text that has a kind at one of its ends, or the plural of one, as its kind, and a note about that; undefined if it has none */
function asKind(query: SearchQuery): (SearchQuery & { note: string }) | undefined {
  if (query.kinds) return undefined;
  const words = (query.text ?? '').split(' ');
  const kinds = words.length === 1 ? THING_KINDS : SAID_BESIDE;
  for (const at of [words.length - 1, ...words.keys()]) {
    const word = words[at] ?? '';
    const said = word.toLowerCase().replace(/^(?:payment|order|sale)s$/, 'purchases');
    const isAtEnd = at === 0 || at === words.length - 1;
    const kind = kinds.find((one) => said === `${one}s` || (isAtEnd && said === one));
    if (kind === undefined) continue;
    const rest = words.toSpliced(at, 1).join(' ');
    const note = `${word} is a kind: this is --kind ${kind}.\n`;
    return { ...query, text: rest === '' ? undefined : rest, kinds: [kind], note };
  }
  return undefined;
}

/**
 * No row of a subscription or a charge has the name of its plan, which people call it by.
 * @returns a search for these kinds alone with a text that has a plan's name, as its plan, and a note about that;
 *   undefined if it has none
 */
async function asPlan({ ledger }: SearchDesk, query: AskedSearch) {
  const { text, kinds = [], scope } = query;
  const isOfPlans = kinds.every((kind) => kind === 'subscription' || kind === 'purchase');
  if (text === undefined || kinds.length === 0 || !isOfPlans || query.plan !== undefined)
    return undefined;
  const words = text.split(' ');
  for (const plan of new Set([text, ...words])) {
    if ((await plansCalled(ledger.things, plan, scope)).length === 0) continue;
    const rest = plan === text ? '' : words.filter((word) => word !== plan).join(' ');
    const note = `${neutralise(plan)} is a plan: this is --plan ${neutralise(shellWord(plan))}.\n`;
    return { ...query, text: rest === '' ? undefined : rest, plan, note };
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
  let undated = '';
  for (const { as, ...reading } of readings) {
    const things = await searchThings(desk, { ...query, ...reading });
    undated ||= await undatedNote(desk, { ...query, ...reading }, things.length);
    if (things.length > 0) named.push(as);
    for (const thing of things) {
      const key = nameOf(thing);
      if (!found.has(key)) found.set(key, { ...thing, readAs: as });
    }
  }
  if (named.length === 0)
    return undated ? { things: [], note: undated, isGuess: false } : undefined;
  const more = named.length - MOST_NAMED;
  const all = named.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const asked = JSON.stringify(neutralise(query.text ?? ''));
  return {
    things: [...found.values()].slice(0, query.limit),
    note: `Nothing has ${asked} as it was typed. It was read as ${all}.\n${undated}`,
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

/** Outcomes of a subscription that is over. */
const OVER = ['stopped', 'ended'] as const;

/** Plain numbers, among them years and amounts, are no days, but `31.03.2026` is. */
const NO_DAY = /^(?!\d{1,2}\.\d{1,2}\.\d{4}$)[\d.,\s]*\d$/;
const MOST_WORDS_OF_DAY = 5;
/** `end of march` is read as all of it. */
const PART_OF_TIME = /\b(?:the )?(?:beginning|start|middle|end) of (?=\p{L})/giu;
/** Four digits beside a day and a month are those of a card, unless they are a year of this century. */
const OF_THIS_CENTURY = /^20/;

const IN = /^(?:on|in)$/i;

/** @returns readings of each part of the text that is a day or another period, the longest first; the rest stays */
function ofDays({ text = '', since, until, outcome: asked }: SearchQuery, now: Now): Reading[][] {
  if (since !== undefined || until !== undefined) return [];
  const words = text
    .replace(PART_OF_TIME, '')
    .split(/\s+/)
    .filter((word, n, { length }) => length === 1 || n === length - 1 || !IN.test(word));
  const { zone } = now;
  const readings: Reading[][] = [];
  const instant = (day: string) => new Date(zone.startOf(day)).toISOString();
  for (let count = Math.min(MOST_WORDS_OF_DAY, words.length); count > 0; count--)
    for (let from = 0; from + count <= words.length; from++) {
      const part = words.slice(from, from + count).join(' ');
      const named: ReturnType<typeof weekOfMonth> = NO_DAY.test(part)
        ? []
        : [...weekOfMonth(part, now), ...daysMeant(part, now)];
      const meant = named.filter(({ first }) => OF_THIS_CENTURY.test(first));
      const rest = words.toSpliced(from, count).join(' ');
      // The time of a subscription that is over is the one of its end.
      const { text, outcome } = asOutcome({ text: rest || undefined, outcome: asked }, OVER);
      const read = meant.map(({ name, first, next, last = name }) => ({
        text,
        outcome,
        since: instant(first),
        until: instant(next),
        as: `${rest === '' ? '' : `${neutralise(rest)} `}--since ${name} --until ${last}`,
      }));
      if (read.length > 0) readings.push(read);
    }
  return readings;
}

/** `512345XXXXXX2346`, `…2346`, `****2346`; in groups, `XXXX-XXXX-XXXX-2346` */
const MASKED = /^(?:\d{0,6}[X*•#·]+|…|\.{2,3})(\d{4})$/iu;
/** `card ending 2346`, `ends in 2346`, `last four 2346` */
const SAID_LAST_FOUR =
  /\b(?:card )?(?:ending|ends|ended|last (?:four|4)(?: digits)?)(?: (?:in|with|on|of))? (?=\d{4}\b)/iu;
/** `45 dollars` */
const SAID_MONEY = /(?<![\d.,])(\d[\d.,]*) (?:dollars?|bucks|euros?|pounds?|quid)\b/iu;
/** `32 dollars`, which may be 32.08 */
const SAID_WHOLE = /(?<![\d.,])(\d{1,12}) (?:dollars?|bucks|euros?|pounds?|quid)\b/iu;
const MINOR_UNITS = /^\d{3,12}$/;

/** @returns readings of a number that is written as a screen shows it, or said as people say it, one after the other */
function ofNumbers(query: SearchQuery): Reading[][] {
  const { text = '' } = query;
  const limits = ofLimits(query);
  if (limits.length > 0) return [limits];
  const plain = text.replace(SAID_LAST_FOUR, '').replace(SAID_MONEY, '$$$1');
  if (plain !== text) return [[{ text: plain, as: neutralise(plain) }], ofWholeMoney(query)];
  const [, lastFour] = MASKED.exec(text.replaceAll(/[ -]/g, '')) ?? [];
  if (lastFour !== undefined) return [[{ text: lastFour, as: lastFour }]];
  if (!MINOR_UNITS.test(text)) return [];
  const money = formatDecimal(Number(text), USUAL_EXPONENT);
  return [[{ text: money, as: `minor units, ${money}` }]];
}

/** `over 100`, `less than $20` */
const SAID_LIMIT =
  /\b(?:(over|above|more than|at least)|under|below|less than|at most) \p{Sc}?(\d{1,12}(?:\.\d{1,3})?)(?= |$)/iu;

/** @returns the reading of an amount that is said to be the least or the most */
function ofLimits({ text = '', min, max, amount }: SearchQuery): Reading[] {
  const [said, isLeast, limit] = SAID_LIMIT.exec(text) ?? [];
  if (said === undefined || (min ?? max ?? amount) !== undefined) return [];
  const name = isLeast ? 'min' : 'max';
  const rest = text.replace(said, '').replace(/ +/g, ' ').trim();
  const as = neutralise(`${rest} --${name} ${limit}`.trim());
  return [{ [name]: limit, text: rest === '' ? undefined : rest, as }];
}

/** Nobody says the cents. @returns the reading of `32 dollars` with any */
function ofWholeMoney({ text = '', min, max, amount }: SearchQuery): Reading[] {
  const [said, whole] = SAID_WHOLE.exec(text) ?? [];
  if (said === undefined || (min ?? max ?? amount) !== undefined) return [];
  const range = { min: `${whole}`, max: `${whole}.99` };
  const rest = text.replace(said, '').replace(/ +/g, ' ').trim();
  const as = neutralise(`${rest} --min ${range.min} --max ${range.max}`.trim());
  return [{ ...range, text: rest === '' ? undefined : rest, as }];
}
