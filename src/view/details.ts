/** One record, whole: a line per field, every field the record has, nothing cut off. */
import type { JsonObject } from '../base/json.ts';
import { neutralise } from '../redaction/safe.ts';
import { paint } from './color.ts';
import { outcomeText, type RecordView } from './columns.ts';
import { amountText, fieldAt, flatten, textOf } from './values.ts';
import type { Measure } from './width.ts';

/** A longer name than this does not push the values of the other fields to the right. */
const MAX_NAME_CELLS = 30;

export interface DetailsStyle {
  color: boolean;
  measure: Measure;
  /** Only these, in this order, as the interface has them. */
  fields?: readonly string[] | undefined;
}

/** @returns lines of field and value, the outcome first, null and missing values as `-`. */
export function renderDetails(record: JsonObject, view: RecordView, style: DetailsStyle): string {
  const lines: [name: string, value: string][] = style.fields
    ? style.fields.map((field) => [field, textOf(fieldAt(record, field)) ?? '-'])
    : allFields(record, view);
  const outcome = style.fields ? undefined : view.outcome?.(record);
  const said = outcome && outcomeText(outcome, record);
  if (said !== undefined) lines.unshift(['outcome', said]);

  const names = lines.map(([name]) => neutralise(name));
  const widths = names.map(style.measure);
  const column = Math.min(Math.max(0, ...widths), MAX_NAME_CELLS);
  return lines
    .map(([, text], row) => {
      const value = neutralise(text);
      const padding = ' '.repeat(Math.max(0, column - (widths[row] ?? 0)) + 2);
      const tinted = style.color && outcome && said !== undefined && row === 0;
      return `${names[row]}${padding}${tinted ? paint(outcome, value) : value}`.trimEnd();
    })
    .map((line) => `${line}\n`)
    .join('');
}

/** The interface's fields in its order, then the others as they came. */
function allFields(record: JsonObject, view: RecordView): [string, string][] {
  const values = new Map(flatten(record));
  const known = view.fields.filter((field) => values.has(field));
  const others = [...values.keys()].filter((field) => !known.includes(field));
  return [...known, ...others].map((field) => {
    const value = values.get(field);
    const amount = field === 'amount' && typeof value === 'number';
    return [field, (amount ? amountText(record) : textOf(value)) ?? '-'];
  });
}
