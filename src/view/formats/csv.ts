/**
 * CSV as in RFC 4180, with a line feed at each line's end.
 *
 * The header must be written before later records are known, so it is fixed by the first record:
 * all the fields that the interface names for the kind, in its order, then the fields of the first
 * record that it does not name. A field that only a later record has cannot be written any more;
 * the writer remembers its name, and the printer says so on stderr. Lists are written as JSON.
 * null and missing are empty, an empty text is `""`.
 *
 * A file is shown on a terminal sooner or later, so control characters, line ends among them, are
 * written as in text. Who needs every character takes JSON.
 */
import type { JsonObject } from '../../base/json.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { RecordView } from '../columns.ts';
import { withoutFormula } from '../formulas.ts';
import { fieldAt, flatten, textOf } from '../values.ts';

export interface CsvWriter {
  /** @returns the record as a row, for the first one with the header before it. */
  write(record: JsonObject, view: RecordView): string;
  /** @returns where no record was written, the names of the columns that one would have, as far as they are known */
  empty(view: RecordView): string;
  /** Fields of later records that found no column. */
  readonly lost: ReadonlySet<string>;
}

/**
 * @param fields columns instead of the first record's
 * @param style hasNoFormulas keeps a spreadsheet from taking a cell for a formula
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
      const names = fields ?? view.fields;
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

/** @returns the record's fields that are not among the named; an absent nested record is none. */
function fieldsBeyond(names: readonly string[], record: JsonObject): string[] {
  return flatten(record)
    .filter(([name]) => !names.includes(name))
    .filter(
      ([name, value]) => value !== null || !names.some((known) => known.startsWith(`${name}.`)),
    )
    .map(([name]) => name);
}
