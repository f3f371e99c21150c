/** Which choices of a list fit what somebody has typed. */
import type { Choice, ChooseOptions } from './host.ts';

/**
 * @param typed words, of which a choice has to have all, in any case and order
 * @returns what is called so first, then what begins so, then the rest; what the text stands for by itself last
 */
export function fitting(
  choices: readonly Choice[],
  typed: string,
  { other }: Pick<ChooseOptions, 'other'> = {},
): Choice[] {
  const text = typed.trim().toLowerCase();
  if (text === '') return [...choices];
  const words = text.split(/\s+/);
  const found = choices
    .filter((choice) => words.every((word) => textOf(choice).includes(word)))
    .map((choice) => ({ choice, rank: rankOf(choice, text) }))
    .toSorted((one, next) => one.rank - next.rank)
    .map(({ choice }) => choice);
  const own = found.some((choice) => rankOf(choice, text) === 0)
    ? undefined
    : other?.(typed.trim());
  return own ? [...found, own] : found;
}

function textOf({ value, name, hint = '' }: Choice): string {
  return `${value} ${name} ${hint}`.toLowerCase();
}

function rankOf({ value, name }: Choice, text: string): number {
  const names = [value.toLowerCase(), name.toLowerCase()];
  if (names.includes(text)) return 0;
  return names.some((one) => one.startsWith(text)) ? 1 : 2;
}

/** @returns a text with a dot for each digit of it: it may be a card number */
export function maskDigits(text: string): string {
  return text.replace(/\d/g, '•');
}
