/** What is asked for, as conditions of SQL on `documents`. */
import { currencyExponents, USUAL_EXPONENT } from '../contract/currency.ts';
import { parseDecimal } from '../contract/money.ts';
import type { SqlValue } from '../store/sql.ts';
import { DOCS_A_SECOND } from './document.ts';
import { beginningOf } from './name-beginnings.ts';
import { documentIsOurs, namedValues, SCOPE } from './scope.ts';
import type { SearchFilter } from './search-index.ts';
import { secondOf } from './words.ts';

/** A filter, and what else a search asks. */
export interface WantedDocuments extends SearchFilter {
  /** Last four digits of a card. */
  lastFour?: string | undefined;
  /** Of this environment, or of any for null, and of an account that is known. */
  environment?: string | null | undefined;
}

/** A condition, and the values that it names. */
export interface Chosen {
  where: string;
  values: Record<string, SqlValue>;
}

/** Characters of a trigram: a shorter word is looked for at the beginnings of names. */
const TRIGRAM = 3;
/** `25.00`, `$1,250.00`. */
const MONEY = /^[$€£¥]?(?:\d{1,12}|\d{1,3}(?:,\d{3}){1,3})\.\d{2,4}$/;
/** No amount of a record. */
const NO_AMOUNT = -1;

/**
 * What a filter lets through.
 * @param doc the column that a period is a range of
 */
export function conditionsOf(wanted: WantedDocuments, doc = 'documents.doc'): Chosen {
  const { kinds = [], since, until, scope, profile, reference, operator } = wanted;
  const { outcome, amount, money, lastFour, environment } = wanted;
  const values: Chosen['values'] = {};
  const where: string[] = [];
  const add = (clause: string, name: string, value: SqlValue) => {
    where.push(clause);
    values[name] = value;
  };
  const any = (column: string, name: string, [one, ...others]: readonly string[]) => {
    if (one === undefined) return;
    // An index has the order of what has one value, and not of what has one of several.
    if (others.length === 0) add(`${column} = :${name}`, name, one);
    else add(`${column} = ANY (:${name})`, name, [one, ...others]);
  };
  any('kind', 'kinds', kinds);
  if (since !== undefined) add(`${doc} >= :since`, 'since', secondOf(since) * DOCS_A_SECOND);
  if (until !== undefined) add(`${doc} < :until`, 'until', secondOf(until) * DOCS_A_SECOND);
  if (scope !== undefined) {
    where.push(documentIsOurs(SCOPE));
    Object.assign(values, namedValues(scope));
  }
  if (profile !== undefined) add('profile = :called', 'called', profile);
  if (reference !== undefined) add('reference = :reference', 'reference', reference);
  if (operator !== undefined) add('operator = :operator', 'operator', operator);
  if (lastFour !== undefined) add('last_four = :lastFour', 'lastFour', lastFour);
  any('outcome', 'outcomes', [outcome ?? []].flat());
  if (amount !== undefined) add('abs(amount) = :amount', 'amount', Math.abs(amount));
  if (money !== undefined) addMoney({ where, values }, money);
  if (environment !== undefined) where.push('account IS NOT NULL');
  if (typeof environment === 'string') add('environment = :in', 'in', environment);
  return { where: where.join(' AND ') || 'true', values };
}

/** Also as a list of amounts, which an index can look for. */
function addMoney({ where, values }: { where: string[] } & Pick<Chosen, 'values'>, money: string) {
  const { usual, others } = minorUnitsOf(money);
  const units = [...new Set([usual, ...others.values()])];
  const cases = units.map((unit, n) => {
    values[`unit${n}`] = unit;
    values[`codes${n}`] = [...others.keys()].filter((code) => others.get(code) === unit);
    return `WHEN currency = ANY (:codes${n}) THEN :unit${n}::bigint`;
  });
  where.push(
    `abs(amount) IN (${units.map((_, n) => `:unit${n}::bigint`)})`,
    `abs(amount) = CASE ${cases.join(' ')} ELSE :unit0::bigint END`,
  );
}

/** @returns an amount as people say it, such as `25.00`, as minor units of most currencies, and of others by code */
function minorUnitsOf(money: string): { usual: number; others: ReadonlyMap<string, number> } {
  const of = (exponent: number) => parseDecimal(money, exponent) ?? NO_AMOUNT;
  const others = [...currencyExponents()]
    .filter(([, exponent]) => exponent !== USUAL_EXPONENT)
    .map(([code, exponent]) => [code, of(exponent)] as const);
  return { usual: of(USUAL_EXPONENT), others: new Map(others) };
}

/** @param text folded @returns what the text of each document has in it that is asked for */
export function phrasesOf(text: string): string[] {
  if (text === '') return [];
  return text.split(' ').map((word) => {
    if ([...word].length < TRIGRAM) return beginningOf(word);
    // An amount with its decimals is one, and no part of a larger one.
    return MONEY.test(word) ? `\n${word.replace(/[$€£¥,]/g, '')}` : word;
  });
}

/** As PostgreSQL looks for phrases; its index of trigrams finds them. */
export function likeAll(phrases: readonly string[]): Chosen {
  const like = phrases.map((part) => `%${part.replace(/[\\%_]/g, '\\$&')}%`);
  return {
    where: ['true', ...phrases.map((_, n) => `text LIKE :phrase${n}`)].join(' AND '),
    values: Object.fromEntries(like.map((pattern, n) => [`phrase${n}`, pattern])),
  };
}

/** As SQLite's full-text index looks for phrases, whatever is in them. */
export function matchAll(phrases: readonly string[]): string {
  return phrases.map((phrase) => `"${phrase.replaceAll('"', '""')}"`).join(' AND ');
}
