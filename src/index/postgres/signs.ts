/**
 * What the text of a fact has on a server beside the words that people search for, for the same reason
 * as in the file (index/search-terms.ts): one index then answers all that is asked at once.
 *
 * The trigram index of a server knows letters and digits alone, and no difference between capital and
 * small ones. So a sign is three capitals: whoever types one finds nothing by it, since what is typed
 * is made small and what is found is held against the text; and the index has one trigram for it.
 */
import { decimalsOf } from '../decimals.ts';
import type { Fact } from '../document.ts';
import { beginningsIn } from '../search-terms.ts';

/** FNV-1a. */
const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;
/** A hash has as many bits again to mix its last ones with. */
const HALF = 16;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
export const SIGN_LENGTH = 3;

type Signed = 'kind' | 'outcome' | 'profile' | 'operator' | 'amount' | 'money' | 'four';

/** @returns the three capitals that each fact of this value has; another value may have the same */
export function signOf(what: Signed | 'beginning' | 'period', value: string | number): string {
  let hash = hashOf(`${what} ${value}`);
  let sign = '';
  for (let n = 0; n < SIGN_LENGTH; n++) {
    sign += LETTERS[hash % LETTERS.length];
    hash = Math.floor(hash / LETTERS.length);
  }
  return sign;
}

/**
 * @param people names of the fact's people, folded
 * @param second in which it happened
 * @returns all signs of a fact; that of its outcome comes last, so that it can be changed by itself
 */
export function signsOf(fact: Fact, people: readonly string[], second: number): string {
  const { kind, profile, operator, amount, lastFour, outcome } = fact;
  const money = moneyOf(decimalsOf(amount, fact.currency));
  const values = [
    ['kind', kind],
    ['profile', profile],
    ['operator', operator],
    ['amount', amount === null ? null : Math.abs(amount)],
    ['money', money],
    ['four', lastFour],
  ] as const;
  const signs = values.flatMap(([what, value]) => (value === null ? [] : [signOf(what, value)]));
  const beginnings = beginningsIn(people).flatMap((beginning) => {
    const [first = ''] = beginning;
    return [...new Set([first, beginning])].map((one) => signOf('beginning', one));
  });
  const period = signOf('period', periodOf(second));
  // Neither first nor last: it is looked for with a space on both sides.
  return `${[...new Set([...signs, ...beginnings])].join(' ')} ${period}${endOf(outcome)}`;
}

/** @returns the end of a fact's text */
export function endOf(outcome: string | null): string {
  return ` ${signOf('outcome', outcome ?? '')}`;
}

/** @param decimals such as `25.00` @returns it as all have it that say the same: `25` */
export function moneyOf(decimals: string | null): string | null {
  if (decimals === null) return null;
  const [whole = '', part = ''] = decimals.split('.');
  const left = part.replace(/(?<!0)0+$/, '');
  return (whole.replace(/^0+(?=\d)/, '') || '0') + (left === '' ? '' : `.${left}`);
}

/** Ten days: of ten million facts in two years some hundred thousand. */
export const PERIOD_SECONDS = 10 * 86_400;

/** @returns the number of the period in which a second is */
export function periodOf(second: number): number {
  return Math.floor(second / PERIOD_SECONDS);
}

function hashOf(text: string): number {
  let hash = HASH_START;
  for (let i = 0; i < text.length; i++)
    hash = Math.imul(hash ^ text.charCodeAt(i), HASH_FACTOR) >>> 0;
  return (hash ^ (hash >>> HALF)) >>> 0;
}
