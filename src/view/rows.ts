/** Whether collected records are shown as a table or each one whole. */
import type { JsonObject } from '../base/json.ts';
import type { Output } from '../host/host.ts';
import { type Column, fieldColumn, pickedColumns, type RecordView } from './columns.ts';
import { renderDetails } from './details.ts';
import { type RenderedTable, renderTable } from './table.ts';
import { flatten } from './values.ts';
import { loadMeasure } from './width.ts';

export interface Row {
  record: JsonObject;
  view: RecordView;
}

export interface RowsOptions {
  fields?: readonly string[] | undefined;
  single?: boolean | undefined;
  output: Output;
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
    const table = await renderTable(records, columns.length > 0 ? columns : plainColumns(records), {
      columns: output.columns,
      color: output.color,
      measure,
      outcome: view.outcome,
      isPicked: fields !== undefined,
    });
    if (table !== undefined) return table;
  }
  const whole = rows.map((row) =>
    renderDetails(row.record, row.view, { color: output.color, measure, fields }),
  );
  return { text: whole.join('\n'), notes: [] };
}

/** A column for every field that any of the records has. */
function plainColumns(records: readonly JsonObject[]): Column[] {
  const names = new Set(records.flatMap((record) => flatten(record).map(([name]) => name)));
  return [...names].map((name) => fieldColumn(name, { cuttable: true }));
}
