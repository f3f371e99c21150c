/**
 * Cells that a spreadsheet would take for a formula and run: CSV injection. A customer may be called
 * `=HYPERLINK(…)`, and whoever opens an export runs what was typed into a form.
 */

/** Also as they are written in full width, which spreadsheets in some languages take for the same. */
const FORMULA = /^\s*(?:[=@+＝＠＋]|[-－](?![\d.,\s]*$))/;

/** @returns the cell as a text that no spreadsheet runs: one that begins like a formula has a `'` before it */
export function withoutFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}
