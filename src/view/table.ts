/** Several records as a table without lines, fitted to the terminal (table-fit.ts). */
import type { JsonObject } from '../base/json.ts';
import type { Outcome } from '../contract/normal.ts';
import { neutralise } from '../redaction/safe.ts';
import { paint } from './color.ts';
import type { Column } from './columns.ts';
import { type Fitted, fitColumns, GAP, NOT_SAID, type SizedColumn, widest } from './table-fit.ts';
import { fitInto, type Measure } from './width.ts';

/** The time that the library takes grows with the square of the rows. */
const ROWS_AT_ONCE = 200;

export interface TableStyle {
  /** Cells of a line. */
  columns: number;
  color: boolean;
  measure: Measure;
  outcome?: ((record: JsonObject) => Outcome) | undefined;
  /** true where every column was asked for. */
  isPicked?: boolean | undefined;
  /** false leaves the names of the columns out. */
  hasHeader?: boolean | undefined;
}

export interface RenderedTable {
  text: string;
  /** What is to be known beside it, a sentence each. */
  notes: string[];
}

/** @returns the table, or undefined when the line is too narrow for it */
export async function renderTable(
  records: readonly JsonObject[],
  columns: readonly Column[],
  style: TableStyle,
): Promise<RenderedTable | undefined> {
  const fitted = fitColumns(
    columns.map((column) => size(column, records, style.measure)),
    style,
  );
  if (!fitted) return undefined;
  const rows = [undefined, ...records].map((record, row) => {
    const outcome = record && style.outcome?.(record);
    return fitted.columns.map(({ column, cells, width }): [text: string, look?: Look] => {
      const text = fitInto(cells[row] ?? '', width, style.measure);
      return [text, record === undefined ? 'heading' : column.tinted ? outcome : undefined];
    });
  });
  const shown = style.hasHeader === false ? rows.slice(1) : rows;
  return { text: await layOut(shown, fitted, style), notes: notesOf(fitted) };
}

type Look = Outcome | 'heading' | undefined;

/** Stands for a cell of a text that the library measures wrongly. */
const STAND_IN = '\ue000';

async function layOut(
  rows: readonly (readonly [text: string, look?: Look])[][],
  { columns }: Fitted,
  { color, measure }: TableStyle,
): Promise<string> {
  const [{ default: Table }, { default: theirs }] = await Promise.all([
    import('cli-table3'),
    import('cli-table3/src/utils.js'),
  ]);
  let text = '';
  for (let row = 0; row < rows.length; row += ROWS_AT_ONCE) {
    const table = new Table({
      chars: { ...NO_LINES, middle: GAP },
      style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
      colWidths: columns.map(({ width }) => width),
      colAligns: columns.map(({ column }) => column.align ?? 'left'),
    });
    const aside: string[] = [];
    const cellOf = ([cell, look]: readonly [text: string, look?: Look]) => {
      const cells = measure(cell);
      const isMisread = theirs.strlen(cell) !== cells || cell.includes(STAND_IN);
      if (isMisread && cells > 0) aside.push(cell);
      const shown = isMisread ? STAND_IN.repeat(cells) : cell;
      return color && look && shown !== '' ? paint(look, shown) : shown;
    };
    table.push(...rows.slice(row, row + ROWS_AT_ONCE).map((cells) => cells.map(cellOf)));
    const laidOut = table.toString().replace(/ +$/gm, '');
    text += `${laidOut.replace(/\ue000+/g, () => aside.shift() ?? '')}\n`;
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
      if (text === undefined) return NOT_SAID;
      return neutralise(column.shorten?.(text) ?? text);
    }),
  ];
  return { column, cells, width: widest(cells, measure) };
}

function notesOf({ columns, same }: Fitted): string[] {
  const equal = same.map(({ cells: [header = '', cell] }) => `${header.toLowerCase()} ${cell}`);
  return [
    ...(equal.length > 0 ? [`In every row: ${equal.join(', ')}.`] : []),
    ...new Set(columns.flatMap(({ column, cells }) => column.explain?.(cells) ?? [])),
  ];
}
