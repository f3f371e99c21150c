/** The words that are searched for. */
import { holdsCardNumber } from '../contract/find-card-numbers.ts';
import { usage } from '../failure.ts';

/** Longer than anything that is said on a phone. */
const MAX_CHARACTERS = 1_000;

/**
 * @param words as they were typed
 * @returns them as one text; undefined where there is none
 * @throws Failure usage for a card number, also one that is spread over several words
 */
export function findText(words: readonly string[]): string | undefined {
  const text = words.join(' ').trim();
  const digits = words.filter((word) => /^[\d\W]*\d[\d\W]*$/.test(word)).join(' ');
  if ([text, digits].some(holdsCardNumber)) {
    throw usage(
      'card-number-not-searched',
      'A card number is kept nowhere, so it cannot be searched for.',
      'Search for its last four digits, with a name, an amount or --since beside them.',
    );
  }
  if (text.length > MAX_CHARACTERS) {
    throw usage(
      'text-too-long',
      `${text.length} characters are more than the ${MAX_CHARACTERS} that can be searched for.`,
      'Give a few words, or a part of one.',
    );
  }
  return text === '' ? undefined : text;
}

/** @returns what to do where there is more than was asked for */
export function moreThan(limit: number): string {
  return `There is more. Add a word or a filter, or --limit ${limit * 5}.\n`;
}
