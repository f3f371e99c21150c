/** What was found, whatever the store: in which order it is shown, and what a word is taken for. */
import type { Fact } from './document.ts';
import { fold } from './normalise.ts';
import type { FactFilter } from './search-index.ts';

/** A fact with its place in the index: the later it happened the higher. */
export type FoundFact = Fact & { doc: number | bigint };

/** A filter, and the last four digits of a card. */
export type CardFilter = FactFilter & { lastFour?: string | undefined };

/** Characters of a trigram: a shorter word is looked for at the beginnings of names. */
export const TRIGRAM = 3;
export const LAST_FOUR = /^\d{4}$/;
/** `25.00`, `$1,250.00`. */
const MONEY = /^[$€£¥]?(?:\d{1,12}|\d{1,3}(?:,\d{3}){1,3})\.\d{2,4}$/;

/** @returns a word as a text has it, a line break before it where a line has to begin with it */
export function linePartOf(word: string): string {
  // An amount with its decimals is one, and no part of a larger one.
  return MONEY.test(word) ? `\n${word.replace(/[$€£¥,]/g, '')}` : word;
}

/** @returns the first of these rows, each once */
export function firstOf<Row extends FoundFact>(rows: readonly Row[], limit: number): Row[] {
  return [...new Map(rows.map((row) => [row.doc, row])).values()].slice(0, limit);
}

/** @returns what is called so and what has the card, each once, newest first */
export function calledOrPaid<Row extends FoundFact>(
  called: readonly Row[],
  ofCard: readonly Row[],
  limit: number,
): Row[] {
  return firstOf([...called, ...ofCard], limit).toSorted((one, other) =>
    one.doc < other.doc ? 1 : -1,
  );
}

/**
 * A customer has more charges than a page has lines, and is what a name asks for: so customers come
 * before all that happened to them, at most half as many as are asked for. Li is before Ling.
 * @param text folded
 */
export function peopleFirst<Row extends FoundFact>(
  people: readonly Row[],
  text: string,
  limit: number,
): Row[] {
  const words = text.split(' ');
  const isWhole = ({ who }: Row) => {
    const names = fold(who ?? '').split(' ');
    return words.every((word) => names.includes(word));
  };
  const sorted = [...people.filter(isWhole), ...people.filter((one) => !isWhole(one))];
  return sorted.slice(0, Math.ceil(limit / 2));
}

export function factOf<Row extends { doc: unknown }>({ doc: _, ...fact }: Row): Omit<Row, 'doc'> {
  return fact;
}
