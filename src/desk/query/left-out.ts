/**
 * Says what the parts of a search find that find nothing together: a record that the rest leaves out, each word alone, the
 * words without the filters and the filters without the words, and what is nearest to a time in which there is nothing.
 *
 * Tests: test/scripts/commands/find-apart.script
 */
import { quantity } from '../../base/text.ts';
import { holdsCardNumber } from '../../contract/cards/find-card-numbers.ts';
import { timeZoneOf } from '../../host/machine-zone.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { plansCalled } from '../../requests/known/plan-names.ts';
import { fold } from '../../things/normalise.ts';
import { isCalled } from '../../things/search.ts';
import type { ThingKind } from '../../things/thing.ts';
import type { FoundThing } from '../../view/records/search-result.ts';
import { type AskedSearch, isOfEnds, type SearchDesk, searchThings } from './search.ts';
import { wordsNear } from './words-near.ts';

/** The most records that a sentence says are there, the most that are counted, and the most words that are tried alone. */
const [MOST_THERE, MOST_COUNTED, MOST_WORDS] = [3, 100, 6];

const quoted = (text: string) => JSON.stringify(neutralise(text));

/** @returns sentences on the records that words of the text name, which the rest of the search leaves out; else empty */
export async function leftOut(desk: SearchDesk, query: AskedSearch): Promise<string> {
  const { text = '', scope, kinds = [] } = query;
  // The words of a card number, each alone, would not be masked.
  const all = holdsCardNumber(text) ? [] : text.split(' ');
  const words = [...new Set([text, ...all])];
  const names = await desk.ledger.things.known(words.map(fold));
  const said: string[] = [];
  for (const word of words.filter((one) => names.includes(fold(one)))) {
    const found = await searchThings(desk, { text: word, scope, limit: MOST_THERE });
    const own = found.filter((one) => isCalled(one, fold(word)));
    const there = own.length > 0 ? own : found;
    if (there.length === 0) continue;
    const others = word === text ? [] : all.filter((one) => one !== word);
    const why = whyLeftOut(there, kinds, others.join(' '));
    said.push(`There is ${there.map((one) => sayThere(one, word)).join('; ')}, but ${why}.\n`);
  }
  return said.join('');
}

/** @param others the other words of the search, if there are any */
function whyLeftOut(there: readonly FoundThing[], kinds: readonly ThingKind[], others: string) {
  if (kinds.length > 0 && !there.some(({ kind }) => kinds.includes(kind)))
    return `only ${kinds.map((kind) => `${kind}s`).join(' and ')} were asked for`;
  const them = there.length > 1 ? 'them' : 'it';
  return others === '' ? `the filters leave ${them} out` : `${quoted(others)} leaves ${them} out`;
}

/** @returns for example `a plan Family (071-PL-A1)`, `a subscription SUB-1 (071-S-A1, Ada Byron, stopped)` */
function sayThere({ kind, id, who, outcome }: FoundThing, word: string): string {
  const facts = [id, who, outcome].filter((one) => one !== null && fold(one) !== fold(word));
  const name = [id, who].find((one) => one !== null && fold(one) === fold(word)) ?? word;
  return `${kind === 'event' ? 'an' : 'a'} ${kind} ${neutralise(name)} (${facts.map((one) => neutralise(one ?? '')).join(', ')})`;
}

/**
 * @param timeZone in which a day is said; this machine's if undefined
 * @returns a sentence on what parts of a search find alone; empty if none does
 */
export async function foundApart(
  desk: SearchDesk,
  query: AskedSearch,
  timeZone: string | undefined,
): Promise<string> {
  const { text, kinds, scope, limit: _, ...filters } = query;
  const { plan } = filters;
  if (plan !== undefined && (await plansCalled(desk.ledger.things, plan, scope)).length === 0)
    return `No plan ${quoted(plan)} is known here. \`gw plan list\` asks the gateway.\n`;
  const isFiltered = Object.values(filters).some((one) => one !== undefined);
  if (text !== undefined && holdsCardNumber(text)) return '';
  if (text === undefined)
    return (
      (isFiltered && (await ofOtherKinds(desk, query))) || nearestInTime(desk, query, timeZone)
    );
  if (!isFiltered && kinds === undefined) return wordsAlone(desk, query);
  const count = async (asked: Partial<AskedSearch>) =>
    (await searchThings(desk, { kinds, ...asked, scope, limit: MOST_COUNTED + 1 })).length;
  const unfiltered = isFiltered ? await count({ text }) : 0;
  const [ofAny, wordless] = [await count({ text, kinds: undefined }), await count(filters)];
  if (unfiltered + ofAny === 0) return wordsAlone(desk, query);
  const without = [
    ...(unfiltered > 0 ? [`Without the filters: ${said(unfiltered)}.`] : []),
    ...(unfiltered === 0 && kinds ? [`Of other kinds: ${said(ofAny)}.`] : []),
    `Without ${quoted(text)}: ${said(wordless)}.`,
  ];
  return `Nothing has all of it. ${without.join(' ')}\n`;
}

/** @returns which other kinds have what the filters ask for, as subscriptions have the outcome `stopped`; empty if none has */
async function ofOtherKinds(desk: SearchDesk, { kinds, ...query }: AskedSearch): Promise<string> {
  if (kinds === undefined) return '';
  const found = await searchThings(desk, { ...query, limit: MOST_COUNTED + 1 });
  const there = [...new Set(found.map(({ kind }) => kind))].join(',');
  const asked = kinds.map((kind) => `${kind}s`).join(' and no ');
  return there === ''
    ? ''
    : `The filters find no ${asked}: --kind ${there} finds ${said(found.length)}.\n`;
}

const said = (count: number) =>
  count > MOST_COUNTED ? `more than ${MOST_COUNTED}` : String(count);

/** @returns what each of several words finds alone; empty if none finds anything, or there is one */
async function wordsAlone(
  desk: SearchDesk,
  { text = '', scope, kinds }: AskedSearch,
): Promise<string> {
  const words = [...new Set(text.split(' '))];
  if (words.length < 2 || words.length > MOST_WORDS) return '';
  const all: string[] = [];
  let isAny = false;
  for (const word of words) {
    const find = (text: string) =>
      searchThings(desk, { text, scope, kinds, limit: MOST_COUNTED + 1 });
    let found = await find(word);
    const [near] = found.length > 0 ? [] : await wordsNear(desk.ledger.things, fold(word));
    if (near !== undefined) found = await find(near);
    isAny ||= found.length > 0;
    const read = near === undefined ? '' : `, read as ${neutralise(near)},`;
    all.push(`${quoted(word)}${all.length === 0 ? ' alone' : ''}${read} finds ${whatIs(found)}`);
  }
  return isAny ? `Nothing has all words: ${all.join('; ')}.\n` : '';
}

/** @returns for example `1 customer, Ada Byron`, `3 customers`, `12 results` */
function whatIs(found: readonly FoundThing[]): string {
  const customers = found.filter(({ kind }) => kind === 'customer');
  const [only, ...others] = customers.length > 0 ? customers : found;
  if (!only) return 'nothing';
  if (others.length === 0)
    return `1 ${only.kind}, ${neutralise(only.who ?? only.reference ?? only.id)}`;
  if (customers.length > 0) return `${said(customers.length)} customers`;
  return found.length > MOST_COUNTED
    ? `${said(found.length)} results`
    : quantity(found.length, 'result', 'results');
}

/** @returns the days of what is nearest before and after the time of a search; empty if it has none, or there is nothing */
async function nearestInTime(
  desk: SearchDesk,
  { limit: _, ...query }: AskedSearch,
  timeZone: string | undefined,
): Promise<string> {
  const { since, until, expires, plan } = query;
  if ((since ?? until) === undefined || expires !== undefined || isOfEnds(query)) return '';
  const zone = timeZoneOf(desk.host, timeZone);
  const dayOf = ({ at }: FoundThing) => zone.dayOf(Date.parse(at));
  const before = { ...query, since: undefined, until: since, limit: 1 };
  const [last] = since === undefined ? [] : await searchThings(desk, before);
  let next: FoundThing | undefined;
  // The index reads forward without the name of a plan.
  if (until !== undefined && plan === undefined)
    for await (const one of desk.ledger.things.each({ ...query, since: until, until: undefined })) {
      next = one;
      break;
    }
  const days = [
    ...(last ? [`the one before is of ${dayOf(last)}`] : []),
    ...(next ? [`the next one ${last ? '' : 'is '}of ${dayOf(next)}`] : []),
  ];
  return days.length === 0 ? '' : `Nothing is of that time: ${days.join(', ')}.\n`;
}
