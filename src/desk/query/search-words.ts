/** The words that are searched for. */
import { usage } from '../../failure.ts';

/** Longer than anything that is said on a phone. */
const MAX_CHARACTERS = 1_000;

/**
 * @param words as they were typed
 * @returns them as one text; undefined where there is none
 * @throws Failure usage for a text that is too long
 */
export function findText(words: readonly string[]): string | undefined {
  const text = words.join(' ').trim();
  if (text.length > MAX_CHARACTERS) {
    throw usage(
      'text-too-long',
      `The search text has ${text.length} characters; the limit is ${MAX_CHARACTERS}.`,
      'Use a few words, or part of one.',
    );
  }
  return text === '' ? undefined : text;
}

/** @returns what to do where there is more than was asked for */
export function moreThan(limit: number): string {
  return `There are more results. Add a word or a filter, or --limit ${limit * 5}.\n`;
}
