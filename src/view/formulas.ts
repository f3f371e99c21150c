/**
 * Finds cells that a spreadsheet would run as a formula: CSV injection. A customer may be called `=HYPERLINK(…)`, and a
 * user who opens an export would run it.
 */

/**
 * Includes full-width signs, which spreadsheets in some languages read in the same way. A text that has apostrophes of
 * its own there gets one more, so that taking one away gives every text back.
 */
const FORMULA = /^'*\s*(?:[=@+＝＠＋]|[-－](?![\d.,\s]*$))/;

/** @returns a text that no spreadsheet runs: a cell that starts like a formula gets a `'` before it */
export function withoutFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** @returns the text of a cell that `withoutFormula` may have written */
export function cellAsItWas(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
