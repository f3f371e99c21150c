/** Which choices of a list fit what somebody has typed. */
import type { Choice, ChooseOptions } from '../host.ts';

/**
 * @param typed words, of which a choice has to have all, in any case and order
 * @returns what is called so first, then what is hinted at so, what begins so, and the rest; what the text
 *   stands for by itself last
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
  const own = found.some((choice) => isCalled(choice, text)) ? undefined : other?.(typed.trim());
  return own ? [...found, own] : found;
}

function textOf({ value, name, hint = '' }: Choice): string {
  return `${value} ${name} ${hint}`.toLowerCase();
}

/** @param typed in any case. @returns whether it is all of a choice's value or name */
export function isCalled({ value, name }: Choice, typed: string): boolean {
  return [value, name].some((one) => one.toLowerCase() === typed.trim().toLowerCase());
}

function rankOf(choice: Choice, text: string): number {
  if (isCalled(choice, text)) return 0;
  const { value, name, hint = '' } = choice;
  // An email or a reference that is given whole is not part of a longer one.
  if (hint.toLowerCase().split(', ').includes(text)) return 1;
  return [value, name].some((one) => one.toLowerCase().startsWith(text)) ? 2 : 3;
}

/** @returns a text with a dot for each digit of it: it may be a card number */
export function maskDigits(text: string): string {
  return text.replace(/\d/g, '•');
}

/** @returns true, or what to type */
export function checkYesOrNo(typed: string): string | true {
  return /^(?:y|yes|n|no)?$/i.test(typed.trim()) || 'Answer y or n';
}

/** @param typed an answer that was checked. @param initial what an empty one means */
export function isYes(typed: string, initial: boolean): boolean {
  return typed.trim() === '' ? initial : /^y/i.test(typed.trim());
}
