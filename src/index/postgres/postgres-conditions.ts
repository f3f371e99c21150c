/** What is asked for, as conditions of SQL on `gw.facts` (PostgreSQL). */
import type { SqlValue } from '../../store/postgres/server.ts';
import { minorUnitsOf } from '../money-of-filter.ts';
import { type CardFilter, linePartOf, TRIGRAM } from '../rank.ts';
import { type FactScope, factIsOurs, type ScopeValues } from '../scope.ts';
import { beginningOf, beginningsIn } from '../search-terms.ts';
import { secondOf } from '../words.ts';
import { NUMBER_BITS, plain } from './postgres-write-facts.ts';
import { moneyOf, PERIOD_SECONDS, periodOf, signOf } from './signs.ts';

/** The values of a statement, in the order of their `$1`. */
export class Values {
  readonly all: SqlValue[] = [];

  /** @returns what stands for the value in the statement */
  add(value: SqlValue): string {
    this.all.push(value);
    return `$${this.all.length}`;
  }
}

/** From this `doc` on, and below the other; as decimals, since they are larger than exact numbers. */
export interface DocRange {
  from: string | undefined;
  below: string | undefined;
}

/** @param second as `secondOf` @returns the first `doc` that it may have */
export function docOf(second: number): string {
  return String(BigInt(second) << BigInt(NUMBER_BITS));
}

export function rangeOf({ since, until }: CardFilter): DocRange {
  return {
    from: since === undefined ? undefined : docOf(secondOf(since)),
    below: until === undefined ? undefined : docOf(secondOf(until)),
  };
}

/** @param doc the column; with something added to it no index of it is taken @returns conditions, or none */
export function within(values: Values, { from, below }: DocRange, doc = 'doc'): string[] {
  return [
    ...(from === undefined ? [] : [`${doc} >= ${values.add(from)}::bigint`]),
    ...(below === undefined ? [] : [`${doc} < ${values.add(below)}::bigint`]),
  ];
}

/** In which order facts are looked at one by one, and the conditions of those. */
export interface Order {
  looked: string[];
  /** Of columns; `facts` is the table. */
  by: (direction: 'ASC' | 'DESC') => string;
}

/**
 * Facts of one kind are in the order of the index of kinds. As a range of it that begins and ends with
 * that kind, since a planner would else take another index that has the order, and read all kinds.
 */
export function orderOf(values: Values, { kinds = [] }: CardFilter, range: DocRange): Order {
  const [kind] = kinds;
  const period = within(values, range);
  if (kind === undefined || kinds.length > 1)
    return { looked: period, by: (direction) => `facts.doc ${direction}` };
  const only = values.add(kind);
  return {
    looked: [`kind >= ${only}`, `kind <= ${only}`, ...period],
    by: (direction) => `facts.kind ${direction}, facts.doc ${direction}`,
  };
}

/** @returns whether it lets through customers alone, who have an index of their own */
function isOfPeople({ kinds = [] }: CardFilter): boolean {
  return kinds.length === 1 && kinds[0] === 'customer';
}

/** @returns what stands for a scope in the statement */
export function scopeIn(values: Values, scope: FactScope): ScopeValues {
  const { profile, environment, account, host = null } = scope;
  const text = (value: string | null) => `${values.add(value)}::text`;
  return {
    profile: text(profile),
    environment: text(environment),
    account: text(account),
    host: text(host),
  };
}

/** @returns the conditions of a filter but for its period */
export function conditionsOf(values: Values, filter: CardFilter): string[] {
  const { kinds = [], scope, profile, reference, operator } = filter;
  const { outcome, amount, money, lastFour } = filter;
  const where: string[] = [];
  const any = (column: string, some: readonly string[]) =>
    where.push(`${column} = ANY (${values.add(some)}::text[])`);
  // In so many words, as the index of them says.
  if (isOfPeople(filter)) where.push("kind = 'customer'");
  else if (kinds.length > 0) any('kind', kinds);
  if (profile !== undefined) any('profile', [profile]);
  if (scope !== undefined) where.push(factIsOurs(scopeIn(values, scope)));
  if (reference !== undefined) any('reference', [reference]);
  if (operator !== undefined) any('operator', [operator]);
  if (outcome !== undefined) any('outcome', [outcome].flat());
  if (lastFour !== undefined) any('last_four', [lastFour]);
  if (amount !== undefined) where.push(`abs(amount) = ${values.add(Math.abs(amount))}::bigint`);
  if (money !== undefined) where.push(ofMoney(values, money));
  return where;
}

function ofMoney(values: Values, money: string): string {
  const { usual, others } = minorUnitsOf(money);
  const units = [...new Set(Object.values(others))];
  const cases = units.map((unit) => {
    const codes = Object.keys(others).filter((code) => others[code] === unit);
    return `WHEN currency = ANY (${values.add(codes)}::text[]) THEN ${values.add(unit)}::bigint`;
  });
  return `abs(amount) = CASE ${cases.join(' ')} ELSE ${values.add(usual)}::bigint END`;
}

/** What a text has to be like; both are patterns of SQL. */
export interface Patterns {
  /** Of the words. */
  words: string[];
  /** Of the signs of a filter and of short words; `|` stands between those of which one is enough. */
  signs: string[];
}

/** @param text folded @returns what the text of each fact is like that it is asked for */
export function patternsOf(text: string, filter: CardFilter): Patterns {
  const words = text === '' ? [] : plain(text).split(' ');
  const short = words.filter((word) => [...word].length < TRIGRAM);
  return {
    words: words.map(patternOf),
    signs: [...new Set([...short.flatMap(signsOfShort), ...signsOfFilter(filter)])],
  };
}

function patternOf(word: string): string {
  const isShort = [...word].length < TRIGRAM;
  return likeOf(isShort ? beginningOf(word) : linePartOf(word));
}

/** @returns the pattern of a text that has this in it, whatever is in it */
export function likeOf(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`;
}

function signsOfShort(word: string): string[] {
  const beginnings = beginningsIn([word]);
  return (beginnings.length > 0 ? beginnings : [word]).map((one) => signOf('beginning', one));
}

function signsOfFilter(filter: CardFilter): string[] {
  const { kinds = [], profile, operator, outcome, amount, money, lastFour } = filter;
  return [
    isOfPeople(filter) ? [] : anySign('kind', kinds),
    anySign('profile', [profile ?? []].flat()),
    anySign('operator', [operator ?? []].flat()),
    anySign('outcome', [outcome ?? []].flat()),
    anySign('four', [lastFour ?? []].flat()),
    amount === undefined ? [] : signOf('amount', Math.abs(amount)),
    money === undefined ? [] : signOf('money', moneyOf(money) ?? ''),
    periodSigns(filter),
  ].flat();
}

function anySign(what: Parameters<typeof signOf>[0], values: readonly string[]): string[] {
  return values.length === 0 ? [] : [values.map((value) => signOf(what, value)).join('|')];
}

/** More are most of what there is. */
const MOST_PERIODS = 4;

/** Those of a short time, so that what happened then is not looked for among all. */
function periodSigns({ since, until }: CardFilter): string[] {
  if (since === undefined || until === undefined) return [];
  const first = periodOf(secondOf(since));
  const last = periodOf(Math.max(0, secondOf(until) - 1));
  if (last < first || last - first >= MOST_PERIODS) return [];
  const numbers = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  return [numbers.map((number) => signOf('period', number)).join('|')];
}

/** @returns the range of a period, and its sign */
export function periodAt(number: number): { sign: string; from: string; below: string } {
  return {
    sign: signOf('period', number),
    from: docOf(number * PERIOD_SECONDS),
    below: docOf((number + 1) * PERIOD_SECONDS),
  };
}

/**
 * @param texts patterns that the trigram index is asked for. It is the only way to look for them: the
 *   planner of a server has no good idea of how many texts are like a pattern, and cannot see these, so
 *   that it takes them for rare. With one pattern alone it would still think of too many.
 */
export function indexedBy(values: Values, { words, signs }: Patterns): string[] {
  const clauses = [
    ...words.map((word) => `text LIKE (SELECT ${values.add(word)}::text)`),
    ...signs.map((sign) =>
      sign.includes('|')
        ? `text ~ (SELECT ${values.add(`(${sign})`)}::text)`
        : `text LIKE (SELECT ${values.add(likeOf(sign))}::text)`,
    ),
  ];
  return clauses.length === 1 ? [...clauses, ...clauses] : clauses;
}

/** @returns whether the trigram index, which knows letters and digits, has anything to look for */
export function isIndexed({ words, signs }: Patterns): boolean {
  return signs.length > 0 || words.some((word) => /[\p{L}\p{N}]{3}/u.test(word));
}
