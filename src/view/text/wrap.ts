/** Sentences in lines of a width. */
import type { Measure } from './width.ts';

/** What is copied as it stands: a command between backticks, or a word. */
const WORD = /(?:`[^`]*`|\S)+/g;

/**
 * Breaks between words; one that is longer than a line has a line of its own and is never cut, since
 * it may be a path or, between backticks, a command to be copied.
 * @param text neutralised text
 * @param cells of a line
 * @returns at least one line
 */
export function wrap(text: string, cells: number, measure: Measure): string[] {
  const words = text.match(WORD) ?? [''];
  return fill(
    words.map((word) => [' ', word]),
    cells,
    measure,
  );
}

/** What is not parted, and what stands before it where something is on the same line. */
export type Piece = readonly [gap: string, text: string];

/** @returns the pieces in lines, as many in each as it has room for; one that is too long has its own */
export function fill(pieces: Iterable<Piece>, cells: number, measure: Measure): string[] {
  const lines: string[] = [];
  for (const [gap, text] of pieces) {
    const longer = `${lines.at(-1)}${gap}${text}`;
    if (lines.length === 0 || measure(longer) > cells) lines.push(text);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
