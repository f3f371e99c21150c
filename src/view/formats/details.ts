/** The fields that were picked of one record: a line each, as the interface has them, nothing cut off. */
import type { JsonObject } from '../../base/json.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { Measure } from '../text/width.ts';
import { fieldAt, textOf } from '../values.ts';

/** A longer name than this does not push the values of the other fields to the right. */
const MAX_NAME_CELLS = 30;

export interface DetailsStyle {
  isPlain: boolean;
  measure: Measure;
}

/**
 * @param fields dotted names
 * @returns lines of field and value, null and missing values as `-`
 */
export function renderDetails(
  record: JsonObject,
  fields: readonly string[],
  { isPlain, measure }: DetailsStyle,
): string {
  const names = fields.map(neutralise);
  const widths = names.map(measure);
  const column = Math.min(Math.max(0, ...widths), MAX_NAME_CELLS);
  return fields
    .map((field, row) => {
      const padding = ' '.repeat(Math.max(0, column - (widths[row] ?? 0)) + 2);
      const value = neutralise(textOf(fieldAt(record, field)) ?? '-');
      return `${names[row]}${isPlain ? ': ' : padding}${value}`.trimEnd();
    })
    .map((line) => `${line}\n`)
    .join('');
}
