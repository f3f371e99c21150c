/**
 * CSV as in RFC 4180, with a line feed at the end of each line.
 *
 * The header must be written before later records are known, so the first record fixes it. It has all fields that the
 * interface names for the kind, in its order, then the record's other fields. A field that only a later record has gets
 * no column; the writer remembers its name, and the printer reports it on stderr. Lists are written as JSON. null and
 * missing values are empty, an empty text is `""`.
 *
 * Someone will show a file on a terminal, so control characters and line ends are written as escapes. JSON has every
 * character.
 */
import type { JsonObject } from '../../base/json.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { namedFields, type RecordView } from '../columns.ts';
import { withoutFormula } from '../formulas.ts';
import { fieldAt, flatten, textOf } from '../values.ts';

export interface CsvWriter {
  /** @returns the record as a row; the first one has the header before it */
  write(record: JsonObject, view: RecordView): string;
  /** @returns for a list without records, the header with the column names that are known */
  empty(view: RecordView): string;
  /** Fields of later records that have no column. */
  readonly lost: ReadonlySet<string>;
}

/**
 * @param fields columns instead of the first record's
 * @param style hasNoFormulas keeps a spreadsheet from reading a cell as a formula
 */
export async function createCsvWriter(
  fields: readonly string[] | undefined,
  { hasNoFormulas, hasHeader }: { hasNoFormulas: boolean; hasHeader: boolean },
): Promise<CsvWriter> {
  const { stringify } = await import('csv-stringify/sync');
  const clean = (cell: string) =>
    hasNoFormulas ? withoutFormula(neutralise(cell)) : neutralise(cell);
  const row = (cells: readonly (string | undefined)[]) =>
    stringify([cells.map((cell) => cell && clean(cell))], { quoted_match: /^$/ });

  const lost = new Set<string>();
  let header: ReadonlySet<string> | undefined;
  return {
    lost,
    empty(view) {
      const names = fields ?? namedFields(view);
      return header === undefined && hasHeader && names.length > 0 ? row(names) : '';
    },
    write(record, view) {
      const first = header === undefined;
      header ??= new Set(fields ?? [...view.fields, ...fieldsBeyond(view.fields, record)]);
      const names = [...header];
      if (!fields && !first) {
        for (const name of fieldsBeyond(names, record)) lost.add(name);
      }
      const values = row(names.map((name) => textOf(fieldAt(record, name))));
      return first && hasHeader ? row(names) + values : values;
    },
  };
}

/** @returns the record's fields that are not among the names; a missing nested record is no field */
function fieldsBeyond(names: readonly string[], record: JsonObject): string[] {
  return flatten(record)
    .filter(([name]) => !names.includes(name))
    .filter(
      ([name, value]) => value !== null || !names.some((known) => known.startsWith(`${name}.`)),
    )
    .map(([name]) => name);
}
