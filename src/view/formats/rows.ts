/**
 * Collected records as a table, as a panel each, or line by line for a screen reader.
 *
 * Tests: test/unit/view/formats/table.test.ts, test/unit/view/records/search-result.test.ts
 */

import type { JsonObject } from '../../base/json.ts';
import { capitalised } from '../../base/text.ts';
import type { TimeZone } from '../../base/time-zone.ts';
import type { Host, Output } from '../../host/host.ts';
import { timeZoneOf } from '../../host/machine-zone.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import {
  type Column,
  fieldColumn,
  NO_VALUE,
  type PanelContent,
  pickedColumns,
  type RecordView,
} from '../columns.ts';
import { renderPanel } from '../panels/panel.ts';
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
  /** The zone of times in a table; this machine's if left out. */
  timeZone?: string | undefined;
  /** Tells this machine's zone, which is UTC if left out. */
  host?: Pick<Host, 'env' | 'stderr'> | undefined;
  /** This machine's time, which tells whether a card expires soon; undefined leaves that out. */
  now?: (() => Promise<Date>) | undefined;
}

/**
 * A single record is shown whole. So are records of several kinds, which share no columns. If the terminal is too
 * narrow for a table, each record is a panel of the table's columns.
 */
export async function renderRows(
  rows: readonly DisplayRow[],
  options: RowsOptions,
): Promise<RenderedTable> {
  const { fields, single, output } = options;
  const measure = await loadMeasure();
  const zone = timeZoneOf(
    options.host ?? { env: { TZ: 'UTC' }, stderr: options.output },
    options.timeZone,
  );
  const { columns, color, blocks, isPlain } = output;
  const style = { columns, color, blocks, isPlain, measure };
  const records = rows.map(({ record }) => record);
  const view = rows[0]?.view;
  if (!single && view && rows.every((row) => row.view === view)) {
    const listed = fields ? pickedColumns(fields) : view.columns;
    const shown = listed.length > 0 ? listed : plainColumns(records);
    if (isPlain) return { text: plainRows(records, shown, view), notes: [] };
    const table = await renderTable(records, shown, {
      columns,
      color,
      measure,
      zone,
      outcome: view.outcome,
      isPicked: fields !== undefined,
      hasHeader: options.hasHeader,
    });
    if (table !== undefined) return table;
    if (!fields) {
      const panels = records.map((record) =>
        renderPanel(record, rowPanel(record, shown, { view, zone }), style),
      );
      return { text: panels.join('\n'), notes: [] };
    }
  }
  const whole = await Promise.all(
    rows.map(async ({ record, view: own }) => {
      if (fields) return renderDetails(record, fields, style);
      const now = (await options.now?.()) ?? new Date(0);
      return renderPanel(record, await contentOf(record, own, now), style);
    }),
  );
  return { text: whole.join('\n'), notes: [] };
}

function contentOf(record: JsonObject, view: RecordView, now: Date) {
  return view.panel?.(record, now) ?? fieldsPanel(record, view);
}

/** @returns a panel with the content of the record's row in a table */
function rowPanel(
  record: JsonObject,
  columns: readonly Column[],
  { view, zone }: { view: RecordView; zone: TimeZone },
): PanelContent {
  const outcome = view.outcome?.(record);
  const id = view.id(record) ?? '';
  // The column says it in the words of its kind: an unknown outcome is no decline.
  const words = columns.find(({ tinted }) => tinted)?.text(record);
  const title = `${capitalised(view.name)} ${id}`.trimEnd();
  const isInHead = (text: string) => text === '' || text === id || text === words;
  const rows = columns.flatMap(({ header, text, shorten }) => {
    const said = text(record) ?? '';
    return isInHead(said) ? [] : [{ label: header, text: shorten?.(said, zone) ?? said }];
  });
  const shown = Object.keys(record);
  return words === undefined
    ? { head: title, rows, shown }
    : { outcome, head: words, title, rows, shown };
}

/** @returns a panel with all fields of a record */
function fieldsPanel(record: JsonObject, view: RecordView): PanelContent {
  const id = view.id(record);
  const name = capitalised(view.name);
  return { head: id === undefined ? name : `${name} ${id}`, rows: [], shown: ['id'] };
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
      const value = neutralise(textOf(fieldAt(record, field)) ?? NO_VALUE);
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
