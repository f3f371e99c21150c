/**
 * Texts in cells of CSV that spreadsheets leave as they are.
 *
 * A cell may run as a formula: CSV injection. A customer may be called `=HYPERLINK(…)`, and a user who opens an export
 * would run it. And a reference may be read as something else: `0077` as 77, `2026-03` as a day, sixteen digits as
 * fifteen. Quotes in the file make no difference to either.
 */
import { mayBeRead } from '../base/spreadsheet-text.ts';

/**
 * Includes full-width signs, which spreadsheets in some languages read in the same way. A text that has apostrophes of
 * its own there gets one more, so that taking one away gives every text back.
 */
const FORMULA = /^'*\s*(?:[=@+＝＠＋]|[-－](?![\d.,\s]*$))/;

/** @returns a text that no spreadsheet runs: a cell that starts like a formula gets a `'` before it */
export function withoutFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** A number with a sign before it, which is no formula. */
const SIGNED = /^[+＋][\d.,\s]+$/;

/**
 * Writes `="0077"`: of all forms, Excel, LibreOffice and gnumeric have exactly the text in the cell only for this one. A
 * tab or a space after the text is taken off by gnumeric; a mark that nobody sees stays in the cell. The value of the
 * formula is a constant, so nothing runs.
 * @returns a text that no spreadsheet runs, and that none reads as a number, a date or anything else
 */
export function textCell(text: string): string {
  if (FORMULA.test(text) && !SIGNED.test(text)) return withoutFormula(text);
  // gnumeric does not read quotes within the quotes of a formula.
  return mayBeRead(text) && !text.includes('"') ? `="${text}"` : text;
}

/** @returns the text of a cell that `withoutFormula` or `textCell` may have written */
export function cellAsItWas(cell: string): string {
  const [, text] = /^="([^"]+)"$/.exec(cell) ?? [];
  if (text !== undefined) return text;
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
