/** Whether collected records are shown as a table or each one whole. */
import { capitalised } from '../../base/capitalised.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Output } from '../../host/host.ts';
import { renderCard } from '../cards/card.ts';
import {
  type CardContent,
  type Column,
  fieldColumn,
  outcomeText,
  pickedColumns,
  type RecordView,
} from '../columns.ts';
import { loadMeasure } from '../text/width.ts';
import { flatten } from '../values.ts';
import { renderDetails } from './details.ts';
import { plainRows } from './plain-rows.ts';
import { type RenderedTable, renderTable } from './table.ts';

export interface Row {
  record: JsonObject;
  view: RecordView;
}

export interface RowsOptions {
  fields?: readonly string[] | undefined;
  single?: boolean | undefined;
  /** false leaves the names of the columns out. */
  hasHeader?: boolean | undefined;
  output: Output;
  /** This machine's time, by which a card expires soon; none says nothing of that. */
  now?: Date | undefined;
}

/**
 * A single record is shown whole. So are records of several kinds, which share no columns, and those
 * for which the terminal is too narrow.
 */
export async function renderRows(
  rows: readonly Row[],
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
    const table = renderTable(records, shown, {
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

/** @returns a card of whatever a record has */
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

/** A column for every field that any of the records has. */
function plainColumns(records: readonly JsonObject[]): Column[] {
  const names = new Set(records.flatMap((record) => flatten(record).map(([name]) => name)));
  return [...names].map((name) => fieldColumn(name, { cuttable: true }));
}
