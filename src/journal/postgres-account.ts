/** As same-account.ts, of rows of two tables, or of one and what is asked about. */

/**
 * @param one name of a table
 * @param other that of the other, or of what is asked
 * @returns a condition of SQL: they are of the same account
 */
export function sameAccount(one: string, other: string): string {
  return `(${one}.account = ${other}.account
    OR (${one}.account IS NULL OR ${other}.account IS NULL)
       AND ${one}.profile = ${other}.profile AND ${one}.host = ${other}.host)`;
}
