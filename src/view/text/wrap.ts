/** Sentences in lines of a width. */
import type { Measure } from './width.ts';

/** A piece that must stay whole: a command between backticks, or a word. */
const WORD = /(?:`[^`]*`|\S)+/g;

/**
 * Breaks a text between words. A word that is longer than a line gets its own line and is never cut. It may be a path
 * or, between backticks, a command to copy.
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

/** A text that is never split, and the gap before it if it follows another on its line. */
export type Piece = readonly [gap: string, text: string];

/** @returns lines that each hold as many pieces as fit; a piece that is too long has its own */
export function fill(pieces: Iterable<Piece>, cells: number, measure: Measure): string[] {
  const lines: string[] = [];
  for (const [gap, text] of pieces) {
    const longer = `${lines.at(-1)}${gap}${text}`;
    if (lines.length === 0 || measure(longer) > cells) lines.push(text);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
