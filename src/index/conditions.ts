/** What is asked for, as conditions of SQL on `documents`. */
import { currencyExponents, MOST_DECIMALS, USUAL_EXPONENT } from '../contract/currency.ts';
import { parseDecimal } from '../contract/money.ts';
import type { SqlValue } from '../store/sql.ts';
import { DOCS_A_SECOND } from './document.ts';
import { beginningOf } from './name-beginnings.ts';
import { foldedForms } from './normalise.ts';
import { documentIsOurs, namedValues, SCOPE } from './scope.ts';
import type { Money, SearchFilter } from './search-index.ts';
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
  const { outcome, amount, min, max, lastFour, environment } = wanted;
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
  if (amount !== undefined) addAmount({ where, values }, '=', amount);
  if (min !== undefined) addAmount({ where, values }, '>=', min);
  if (max !== undefined) addAmount({ where, values }, '<=', max);
  if (environment !== undefined) where.push('account IS NOT NULL');
  if (typeof environment === 'string') add('environment = :in', 'in', environment);
  return { where: where.join(' AND ') || 'true', values };
}

type Comparison = keyof typeof BOUNDS;

/** A decimal that is no whole number of minor units is equal to none, and its bound is the next whole one within. */
const BOUNDS = {
  '=': (units: number) => (Number.isInteger(units) ? units : NO_AMOUNT),
  '>=': Math.ceil,
  '<=': Math.floor,
} as const satisfies Record<string, (units: number) => number>;

/** An exact amount is asked for as a list too, which an index can look for. */
function addAmount(
  { where, values }: { where: string[] } & Pick<Chosen, 'values'>,
  comparison: Comparison,
  money: Money,
) {
  const name = { '=': 'amount', '>=': 'min', '<=': 'max' }[comparison];
  if (typeof money === 'number') {
    where.push(`abs(amount) ${comparison} :${name}`);
    values[name] = Math.abs(money);
    return;
  }
  const { usual, others } = minorUnitsOf(money, comparison);
  const units = [...new Set([usual, ...others.values()])];
  const cases = units.map((unit, n) => {
    values[`${name}${n}`] = unit;
    values[`${name}Codes${n}`] = [...others.keys()].filter((code) => others.get(code) === unit);
    return `WHEN currency = ANY (:${name}Codes${n}) THEN :${name}${n}::bigint`;
  });
  if (comparison === '=')
    where.push(`abs(amount) IN (${units.map((_, n) => `:${name}${n}::bigint`)})`);
  where.push(`abs(amount) ${comparison} CASE ${cases.join(' ')} ELSE :${name}0::bigint END`);
}

/** @returns an amount as people say it, such as `25.00`, as minor units of most currencies, and of others by code */
function minorUnitsOf(
  money: string,
  comparison: Comparison,
): { usual: number; others: ReadonlyMap<string, number> } {
  // Tens of thousandths are whole, and so is what a power of ten divides.
  const most = parseDecimal(money, MOST_DECIMALS) ?? NO_AMOUNT;
  const of = (exponent: number) =>
    parseDecimal(money, exponent) ?? BOUNDS[comparison](most / 10 ** (MOST_DECIMALS - exponent));
  const others = [...currencyExponents()]
    .filter(([, exponent]) => exponent !== USUAL_EXPONENT)
    .map(([code, exponent]) => [code, of(exponent)] as const);
  return { usual: of(USUAL_EXPONENT), others: new Map(others) };
}

/** What one word is looked for as: a document has one of these in its text. */
export type Phrases = readonly string[];

/** @param asked as it was typed @returns what the text of each document has in it, for each word of it */
export function phrasesOf(asked: string): Phrases[] {
  const [plain = [], ...others] = foldedForms(asked).map((form) => form.split(' '));
  if (plain.join('') === '') return [];
  return plain.map((word, n) => {
    const words = [word, ...others.map((form) => form[n] ?? word)];
    return [...new Set(words)].map(phraseOf);
  });
}

function phraseOf(word: string): string {
  if ([...word].length < TRIGRAM) return beginningOf(word);
  // An amount with its decimals is one, and no part of a larger one.
  return MONEY.test(word) ? `\n${word.replace(/[$€£¥,]/g, '')}` : word;
}

/** As PostgreSQL looks for phrases; its index of trigrams finds them. */
export function likeAll(phrases: readonly Phrases[]): Chosen {
  const values: Chosen['values'] = {};
  const where = phrases.map((forms, n) => {
    const likes = forms.map((part, form) => {
      const name = `phrase${n}_${form}`;
      values[name] = `%${part.replace(/[\\%_]/g, '\\$&')}%`;
      return `text LIKE :${name}`;
    });
    return likes.length === 1 ? likes[0] : `(${likes.join(' OR ')})`;
  });
  return { where: ['true', ...where].join(' AND '), values };
}

/** As SQLite's full-text index looks for phrases, whatever is in them. */
export function matchAll(phrases: readonly Phrases[]): string {
  const quoted = (phrase: string) => `"${phrase.replaceAll('"', '""')}"`;
  return phrases
    .map((forms) => forms.map(quoted).join(' OR '))
    .map((any) => `(${any})`)
    .join(' AND ');
}
