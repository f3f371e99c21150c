/** Many rows as the parameters of one statement. */
import type { SqlValue } from '../../postgres/server.ts';

type Columns = Readonly<Record<string, string>>;

/** @returns rows as the arrays of an `unnest`, with its text */
export function unnested<Row extends object>(
  columns: Columns,
  rows: readonly Row[],
): { given: string; values: SqlValue[] } {
  const names = Object.keys(columns);
  const types = names.map((name, i) => `$${i + 1}::${columns[name]}[]`);
  return {
    given: `unnest(${types}) WITH ORDINALITY AS given (${names}, nth)`,
    values: names.map((name) =>
      rows.map((row) => (row as Record<string, string | number | boolean | null>)[name] ?? null),
    ),
  };
}
