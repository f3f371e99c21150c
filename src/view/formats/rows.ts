/** Collected records as a table, as a card each, or line by line for a screen reader. */

import type { JsonObject } from '../../base/json.ts';
import { capitalised } from '../../base/text.ts';
import type { Output } from '../../host/host.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { renderCard } from '../cards/card.ts';
import {
  type CardContent,
  type Column,
  fieldColumn,
  outcomeText,
  pickedColumns,
  type RecordView,
} from '../columns.ts';
import { loadMeasure, type Measure } from '../text/width.ts';
import { fieldAt, flatten, textOf } from '../values.ts';
import { type RenderedTable, renderTable } from './table.ts';

export interface DisplayRow {
  record: JsonObject;
  view: RecordView;
}

export interface RowsOptions {
  fields?: readonly string[] | undefined;
  single?: boolean | undefined;
  /** false leaves out the names of the columns. */
  hasHeader?: boolean | undefined;
  output: Output;
  /** This machine's time, which tells whether a card expires soon; undefined leaves that out. */
  now?: Date | undefined;
}

/**
 * A single record is shown whole. So are records of several kinds, which share no columns, and records that do not fit
 * the terminal as a table.
 */
export async function renderRows(
  rows: readonly DisplayRow[],
  options: RowsOptions,
): Promise<RenderedTable> {
  const { fields, single, output } = options;
  const measure = await loadMeasure();
  const records = rows.map(({ record }) => record);
  const view = rows[0]?.view;
  if (!single && view && rows.every((row) => row.view === view)) {
    const columns = fields ? pickedColumns(fields) : view.columns;
    const shown = columns.length > 0 ? columns : plainColumns(records);
    if (output.isPlain) return { text: plainRows(records, shown, view), notes: [] };
    const table = await renderTable(records, shown, {
      columns: output.columns,
      color: output.color,
      measure,
      outcome: view.outcome,
      isPicked: fields !== undefined,
      hasHeader: options.hasHeader,
    });
    if (table !== undefined) return table;
  }
  const { columns, color, blocks, isPlain } = output;
  const style = { columns, color, blocks, isPlain, measure };
  const whole = await Promise.all(
    rows.map(async ({ record, view: own }) => {
      if (fields) return renderDetails(record, fields, style);
      return renderCard(record, await contentOf(record, own, options.now), style);
    }),
  );
  return { text: whole.join('\n'), notes: [] };
}

function contentOf(record: JsonObject, view: RecordView, now = new Date(0)) {
  return view.card?.(record, now) ?? fieldsCard(record, view);
}

/** @returns a card with all fields of a record */
function fieldsCard(record: JsonObject, view: RecordView): CardContent {
  const outcome = view.outcome?.(record);
  const words = outcome && outcomeText(outcome, record);
  const id = view.id(record);
  const name = capitalised(view.name);
  const title = id === undefined ? name : `${name} ${id}`;
  return words === undefined
    ? { head: title, rows: [], shown: ['id'] }
    : { outcome, head: words, title, rows: [], shown: ['id', 'message'] };
}

/** A column for every field that at least one record has. */
function plainColumns(records: readonly JsonObject[]): Column[] {
  const names = new Set(records.flatMap((record) => flatten(record).map(([name]) => name)));
  return [...names].map((name) => fieldColumn(name, { cuttable: true }));
}

/** The longest name that still moves the values of the other fields to the right. */
const MAX_NAME_CELLS = 30;

export interface DetailsStyle {
  isPlain: boolean;
  measure: Measure;
}

/**
 * The picked fields of one record, with the interface's values uncut.
 * @param fields dotted names
 * @returns lines of field and value, with `-` for null and missing values
 */
function renderDetails(
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

/**
 * For a screen reader: a line for each column, starting with its name. A table read aloud line by line does not say
 * what each value is.
 * @returns the records, each under its number: `purchase 1 of 3`
 */
function plainRows(
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
