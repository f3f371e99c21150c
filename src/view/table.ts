/**
 * Several records as a table without lines, fitted to the terminal.
 *
 * Ids, amounts and dates are never cut. When a table is too wide, first the columns go that may go
 * early, the last one first; then free text is cut, the widest column first and none below MIN_CELLS;
 * when that is not enough, the columns go that may go late. When even that is not enough there is no
 * table, and the caller shows the records whole.
 */
import type { JsonObject } from '../base/json.ts';
import type { Outcome } from '../contract/normal.ts';
import { neutralise } from '../redaction/safe.ts';
import { paint } from './color.ts';
import type { Column } from './columns.ts';
import { fitInto, type Measure } from './width.ts';

/** Enough for `DECLINED…`. */
const MIN_CELLS = 9;
const GAP = '  ';

/** The time that the library takes grows with the square of the rows. */
const ROWS_AT_ONCE = 200;

export interface TableStyle {
  /** Cells of a line. */
  columns: number;
  color: boolean;
  measure: Measure;
  outcome?: ((record: JsonObject) => Outcome) | undefined;
}

interface SizedColumn {
  column: Column;
  /** The cells of the column, its header first. */
  cells: string[];
  width: number;
  /** The least width that the column can be cut to. */
  least: number;
}

/** @returns the table, or undefined when the line is too narrow for it. */
export async function renderTable(
  records: readonly JsonObject[],
  columns: readonly Column[],
  style: TableStyle,
): Promise<string | undefined> {
  const sized = fit(
    columns.map((column) => size(column, records, style.measure)),
    style.columns,
  );
  if (!sized) return undefined;

  const { default: Table } = await import('cli-table3');
  const rows = [undefined, ...records].map((record, row) => {
    const outcome = record && style.outcome?.(record);
    return sized.map(({ column, cells, width }) => {
      const text = fitInto(cells[row] ?? '', width, style.measure);
      if (!style.color) return text;
      if (record === undefined) return paint('heading', text);
      return column.tinted && outcome ? paint(outcome, text) : text;
    });
  });
  let text = '';
  for (let row = 0; row < rows.length; row += ROWS_AT_ONCE) {
    const table = new Table({
      chars: { ...NO_LINES, middle: GAP },
      style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
      colWidths: sized.map(({ width }) => width),
      colAligns: sized.map(({ column }) => column.align ?? 'left'),
    });
    table.push(...rows.slice(row, row + ROWS_AT_ONCE));
    text += `${table.toString().replace(/ +$/gm, '')}\n`;
  }
  return text;
}

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid']
    .flatMap((side) => [side, `${side}-left`, `${side}-mid`, `${side}-right`])
    .map((name) => [name, '']),
);

function size(column: Column, records: readonly JsonObject[], measure: Measure): SizedColumn {
  const cells = [
    neutralise(column.header.toUpperCase()),
    ...records.map((record) => {
      const text = column.text(record);
      if (text === undefined) return '-';
      return neutralise(column.shorten?.(text) ?? text);
    }),
  ];
  const width = cells.reduce((widest, cell) => Math.max(widest, measure(cell)), 0);
  return { column, cells, width, least: column.cuttable ? Math.min(width, MIN_CELLS) : width };
}

/** @returns the columns that fit into a line, with the widths that make them fit. */
function fit(columns: readonly SizedColumn[], available: number): SizedColumn[] | undefined {
  const kept = [...columns];
  const room = () => available - GAP.length * (kept.length - 1);
  const dropLast = (when: Column['drop']) => {
    const last = kept.findLastIndex(({ column }) => column.drop === when);
    if (last >= 0) kept.splice(last, 1);
    return last >= 0;
  };
  while (sum(kept.map(({ width }) => width)) > room()) {
    if (!dropLast('early')) break;
  }
  while (sum(kept.map(({ least }) => least)) > room()) {
    if (!dropLast('late')) return undefined;
  }
  const widths = kept.map(({ width, least }) => Math.max(least, Math.min(width, room())));
  while (sum(widths) > room()) {
    const cuttable = kept.map(({ least }, i) => ((widths[i] ?? 0) > least ? (widths[i] ?? 0) : 0));
    const widest = cuttable.indexOf(Math.max(...cuttable));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return kept.map((column, i) => ({ ...column, width: widths[i] ?? 0 }));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
