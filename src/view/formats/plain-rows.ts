/**
 * Several records for a screen reader: a line for each column, which begins with its name, and an empty line between
 * records. A table read aloud line by line loses what each value is; so does one that is laid out in spaces.
 */
import type { JsonObject } from '../../base/json.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { Column, RecordView } from '../columns.ts';

/** @returns the records, each under its number: `purchase 1 of 3` */
export function plainRows(
  records: readonly JsonObject[],
  columns: readonly Column[],
  view: RecordView,
): string {
  return records
    .map((record, index) => {
      const lines = columns.flatMap((column) => {
        const text = column.text(record);
        if (text === undefined || text === '') return [];
        return [`${column.header === '' ? '' : `${column.header}: `}${text}`];
      });
      return [`${view.name} ${index + 1} of ${records.length}`, ...lines];
    })
    .map((lines) => lines.map((line) => `${neutralise(line)}\n`).join(''))
    .join('\n');
}
