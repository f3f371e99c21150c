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
  const lines: string[] = [];
  let line = '';
  for (const word of text.match(WORD) ?? []) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && measure(longer) > cells) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
