/**
 * Turns a search into SQL conditions on `things`.
 *
 * Tests: test/unit/things/search-cases.ts
 */

import { currencyExponents, MOST_DECIMALS, USUAL_EXPONENT } from '../contract/currency.ts';
import { parseDecimal } from '../contract/money.ts';
import type { SqlValue } from '../store/sql.ts';
import { beginningOf } from './name-beginnings.ts';
import { fold, foldedForms } from './normalise.ts';
import { ownerCondition, ownerValues } from './owner.ts';
import type { Days } from './subscription-state.ts';
import { DOCS_A_SECOND, THING_OUTCOMES } from './thing.ts';
import type { AmountFilter, MoneyCondition, SearchFilter } from './thing-index.ts';
import { searchMark, secondOf } from './words.ts';

/** A filter with the further conditions of a search. */
export interface WantedThings extends SearchFilter {
  /** The last four digits of a card. */
  lastFour?: string | undefined;
  /** Limits the search to things with a known account in this environment; null means any environment. */
  environment?: string | null | undefined;
}

/** A condition, and the values that it uses. */
export interface Chosen {
  where: string;
  values: Record<string, SqlValue>;
}

/** The characters of a trigram. A shorter word is searched for at the beginnings of names and references. */
const TRIGRAM = 3;
/** `$45`, `45,00`, `1,250.00 €` without its space: digits with separators, and the sign of a currency. */
const MONEY = /^([$€£¥]?)(\d[\d.,]*)([$€£¥]?)$/;
/** `1250`, `1,250`, `1.250`. */
const WHOLE = /^(?:\d{1,12}|\d{1,3}(?:,\d{3}){1,3}|\d{1,3}(?:\.\d{3}){1,3})$/;
const WITH_DECIMALS = /^(\d[\d.,]*)[.,](\d{1,4})$/;
const SHORT_NUMBER = /^\d{1,4}$/;
/** A sign that stands alone, as in `45 €`. */
const SIGN = /^[$€£¥]$/;
/** An amount that no record has. */
const NO_AMOUNT = -1;

/**
 * @param doc the column to which a period applies
 * @returns the conditions of a filter
 */
export function searchConditions(wanted: WantedThings, doc = 'things.doc'): Chosen {
  const {
    kinds = [],
    plans = [],
    since,
    until,
    scope,
    profile,
    reference,
    operator,
    told,
  } = wanted;
  const { amount, min, max, lastFour, environment, isSent, isOfEvents } = wanted;
  const values: Chosen['values'] = {};
  const where: string[] = [];
  const add = (clause: string, name: string, value: SqlValue) => {
    where.push(clause);
    values[name] = value;
  };
  const any = (column: string, name: string, [one, ...others]: readonly string[]) => {
    if (one === undefined) return;
    // With one value the rows keep the order of an index; with a list of values they do not.
    if (others.length === 0) add(`${column} = :${name}`, name, one);
    else add(`${column} = ANY (:${name})`, name, [one, ...others]);
  };
  any('kind', 'kinds', kinds);
  if (since !== undefined) add(`${doc} >= :since`, 'since', secondOf(since) * DOCS_A_SECOND);
  if (until !== undefined) add(`${doc} < :until`, 'until', secondOf(until) * DOCS_A_SECOND);
  if (scope !== undefined) {
    where.push(ownerCondition());
    Object.assign(values, ownerValues(scope));
  }
  if (profile !== undefined) add('profile = :called', 'called', profile);
  any('plan', 'plans', plans);
  if (reference !== undefined) add('reference = :reference', 'reference', reference);
  if (operator !== undefined) add('operator = :operator', 'operator', operator);
  if (isSent) where.push('operator IS NOT NULL');
  if (lastFour !== undefined) add('last_four = :lastFour', 'lastFour', lastFour);
  any('told', 'told', told ?? []);
  if (isOfEvents) where.push("sources::json -> 'events' IS NOT NULL");
  const outcomes = outcomesOf(wanted);
  if (outcomes.length > 0) {
    const chosen = outcomeIn(outcomes, 'outcomes', wanted.days);
    where.push(chosen.where);
    Object.assign(values, chosen.values);
  }
  addAmount({ where, values }, '=', amount);
  addAmount({ where, values }, '>=', min);
  addAmount({ where, values }, '<=', max);
  if (environment !== undefined) where.push('account IS NOT NULL');
  if (typeof environment === 'string') add('environment = :in', 'in', environment);
  return { where: where.join(' AND ') || 'true', values };
}

/** @returns the outcomes that a filter lets through: a charge that was given up after its retries was declined too */
export function outcomesOf({ outcome = [] }: SearchFilter): readonly string[] {
  const outcomes = [outcome].flat();
  return outcomes.includes('declined') ? [...new Set([...outcomes, 'abandoned'])] : outcomes;
}

/**
 * The table has no `ended`: an active subscription ends when the day after its last one comes.
 * @param name of the values
 */
function outcomeIn(outcomes: readonly string[], name: string, days?: Days): Chosen {
  const stored = storedOutcomes(outcomes);
  const [one = null] = stored;
  // With one value the rows keep the order of an index.
  const where = stored.length === 1 ? `outcome = :${name}` : `outcome = ANY (:${name})`;
  const values = { [name]: stored.length === 1 ? one : stored };
  const isEnded = outcomes.includes('ended');
  if (isEnded === outcomes.includes('active')) return { where, values };
  const day = `CASE environment WHEN 'local' THEN :${name}Local ELSE :${name}Day END`;
  const past = `coalesce(ends_on < ${day}, false)`;
  return {
    where: `${where} AND (outcome <> 'active' OR ${isEnded ? past : `NOT ${past}`})`,
    values: { ...values, [`${name}Local`]: days?.local ?? '', [`${name}Day`]: days?.others ?? '' },
  };
}

function storedOutcomes(outcomes: readonly string[]): string[] {
  return [...new Set(outcomes.map((outcome) => (outcome === 'ended' ? 'active' : outcome)))];
}

type Comparison = keyof typeof BOUNDS;

/**
 * A decimal that is not a whole number of minor units equals no amount. As a bound it becomes the next whole number
 * inside the range.
 */
const BOUNDS = {
  '=': (units: number) => (Number.isInteger(units) ? units : NO_AMOUNT),
  '>=': Math.ceil,
  '<=': Math.floor,
} as const satisfies Record<string, (units: number) => number>;

/** Passes an exact amount as a list too, so that an index can find it. */
function addAmount(
  { where, values }: { where: string[] } & Pick<Chosen, 'values'>,
  comparison: Comparison,
  money: MoneyCondition | undefined,
) {
  if (money === undefined) return;
  const name = { '=': 'amount', '>=': 'min', '<=': 'max' }[comparison];
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

/**
 * @param units an amount in minor units, with any sign
 * @returns whether a filter lets it through; `addAmount` has the same rule in SQL
 */
export function hasAmount(
  { amount, min, max }: AmountFilter,
  units: bigint,
  currency: string | null,
): boolean {
  const size = units < 0n ? -units : units;
  const bound = (comparison: Comparison, money: MoneyCondition) => {
    const { usual, others } = minorUnitsOf(money, comparison);
    return BigInt(others.get(currency ?? '') ?? usual);
  };
  return (
    (amount === undefined || size === bound('=', amount)) &&
    (min === undefined || size >= bound('>=', min)) &&
    (max === undefined || size <= bound('<=', max))
  );
}

/**
 * @returns a decimal amount such as `25.00` in the minor units of most currencies, and of the other currencies by code
 */
function minorUnitsOf(
  money: string,
  comparison: Comparison,
): { usual: number; others: ReadonlyMap<string, number> } {
  // An amount in tens of thousandths is whole, so dividing it by a power of ten is exact where it can be.
  const most = parseDecimal(money, MOST_DECIMALS) ?? NO_AMOUNT;
  const of = (exponent: number) =>
    parseDecimal(money, exponent) ?? BOUNDS[comparison](most / 10 ** (MOST_DECIMALS - exponent));
  const others = [...currencyExponents()]
    .filter(([, exponent]) => exponent !== USUAL_EXPONENT)
    .map(([code, exponent]) => [code, of(exponent)] as const);
  return { usual: of(USUAL_EXPONENT), others: new Map(others) };
}

/** The forms of one word in a search: a thing must contain one of them, or have one of the outcomes. */
export interface Phrases {
  forms: readonly string[];
  outcomes: readonly string[];
  /** true for a number of at most four digits: part of a longer one that no list shows, it would look like a stranger's card. */
  isShort: boolean;
}

/**
 * @param asked the search as it was typed @returns the phrases that the text of a thing must contain, for each word
 */
export function phrasesOf(asked: string): Phrases[] {
  const [plain = [], ...others] = foldedForms(asked).map((form) => form.split(' '));
  if (plain.join('') === '') return [];
  return plain.flatMap((word, n) => {
    if (SIGN.test(word) && plain.length > 1) return [];
    const words = [word, ...others.map((form) => form[n] ?? word)];
    const isOutcome = THING_OUTCOMES.some((outcome) => outcome === word);
    const outcomes = isOutcome ? outcomesOf({ outcome: word }) : [];
    const forms = [...words.flatMap(phrasesFor), ...besideAnother(plain, n)];
    return [{ forms: [...new Set(forms)], outcomes, isShort: SHORT_NUMBER.test(word) }];
  });
}

/** @returns a short word with a word next to it, as it stands in a message: `refer to` of `Refer to Card Issuer` */
function besideAnother(words: readonly string[], at: number): string[] {
  const isShort = /^\p{L}{1,2}$/u.test(words[at] ?? '') && words.length > 1;
  return isShort
    ? [
        words
          .slice(Math.max(0, at - 1))
          .slice(0, 2)
          .join(' '),
      ]
    : [];
}

/** An address with its domain, perhaps without its last letters. */
const EMAIL = /^[^@]+@[^@.]+\.[^@]*$/;

/** @returns the phrases for one word */
function phrasesFor(word: string): string[] {
  // The end of an address is somebody else's: `art@example.com` in `stewart@example.com`.
  if (EMAIL.test(word)) return [`\n${word}`, ` ${word}`];
  const [, before = '', number = '', after = ''] = MONEY.exec(word) ?? [];
  const sign = before + after;
  const isPlain = sign === '' && /^\d+$/.test(number);
  // The line end before it makes an amount match a whole amount, not a part of a larger one.
  const amounts = amountsIn(number).map((amount) => `\n${amount}`);
  // Yen have no decimals.
  if (sign === '¥' || isPlain) amounts.push(`\n${number}\n`);
  const isShort = [...word].length < TRIGRAM;
  if (isShort) return [beginningOf(word), ...amounts];
  // A search for 25.00 as plain text would also find a part of 125.00.
  if (amounts.length > 0 && word.includes('.')) return amounts;
  // A long whole number is a part of each of its amounts.
  return isPlain ? [word] : [word, ...amounts];
}

/** @returns what a number may mean in the decimals of most currencies; `1,250` may be 1250.00 and 1.250 */
function amountsIn(number: string): string[] {
  const [, whole = '', decimals = ''] = WITH_DECIMALS.exec(number) ?? [];
  const digits = (text: string) => text.replace(/[.,]/g, '');
  return [
    ...(WHOLE.test(number) ? [`${digits(number)}.00`] : []),
    ...(WHOLE.test(whole) ? [`${digits(whole)}.${decimals.padEnd(2, '0')}`] : []),
  ];
}

/** @returns whether a search has a word that is only found at the beginning of a name or reference */
export function hasShortWord(asked: string): boolean {
  return fold(asked)
    .split(' ')
    .some((word) => [...word].length < TRIGRAM);
}

/** @param outcome of the thing on the day @returns whether a text, or the outcome, has one phrase of each word */
export function hasPhrases(
  { text, outcome }: { text: string; outcome: string | null },
  phrases: readonly Phrases[],
): boolean {
  return phrases.every(
    ({ forms, outcomes }) =>
      forms.some((form) => text.includes(form)) || outcomes.includes(outcome ?? ''),
  );
}

/** @returns the conditions that a text on a server has the phrases, for which it has an index */
export function likeAll(phrases: readonly Phrases[], days?: Days): Chosen {
  const values: Chosen['values'] = {};
  const where = phrases.map(({ forms, outcomes }, n) => {
    const likes = forms.map((part, form) => {
      const name = `phrase${n}_${form}`;
      values[name] = `%${part.replace(/[\\%_]/g, '\\$&')}%`;
      return `things.text LIKE :${name} ESCAPE '\\'`;
    });
    if (outcomes.length > 0) {
      const chosen = outcomeIn(outcomes, `phrase${n}Outcome`, days);
      likes.push(`(${chosen.where})`);
      Object.assign(values, chosen.values);
    }
    return likes.length === 1 ? likes[0] : `(${likes.join(' OR ')})`;
  });
  return { where: ['true', ...where].join(' AND '), values };
}

/**
 * @returns a query of SQLite's full-text index, which finds the texts that have all trigrams of the phrases, and the
 *   marks of the kinds and outcomes
 */
export function matchAll(phrases: readonly Phrases[], filter: SearchFilter): string {
  const kinds = (filter.kinds ?? []).map((kind) => searchMark('kind', kind));
  const marksOf = (outcomes: readonly string[]) =>
    storedOutcomes(outcomes).map((outcome) => searchMark('outcome', outcome));
  const words = phrases.map(({ forms, outcomes }) => [...forms, ...marksOf(outcomes)]);
  return [...words, kinds, marksOf(outcomesOf(filter))]
    .filter((forms) => forms.length > 0)
    .map((forms) => `(${forms.map(trigramsOf).join(' OR ')})`)
    .join(' AND ');
}

function trigramsOf(phrase: string): string {
  const signs = [...phrase];
  const trigrams = signs.slice(TRIGRAM - 1).map((_, n) => signs.slice(n, n + TRIGRAM).join(''));
  const quoted = [...new Set(trigrams)].map((one) => `"${one.replaceAll('"', '""')}"`);
  return `(${quoted.join(' AND ')})`;
}
