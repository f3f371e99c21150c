/** Several records as a table without lines, fitted to the terminal (table-fit.ts). */
import type { JsonObject } from '../base/json.ts';
import type { Outcome } from '../contract/normal.ts';
import { neutralise } from '../redaction/safe.ts';
import { paint } from './color.ts';
import type { Column } from './columns.ts';
import {
  type Fitted,
  fitColumns,
  GAP,
  linesOf,
  NOT_SAID,
  type SizedColumn,
  widest,
} from './table-fit.ts';
import type { Measure } from './width.ts';

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
    return fitted.columns.map(({ column, cells, width }): Cell => {
      const lines = linesOf(cells[row] ?? '', column, width, style.measure);
      const look = record === undefined ? 'heading' : column.tinted ? outcome : undefined;
      return { lines, look };
    });
  });
  const shown = style.hasHeader === false ? rows.slice(1) : rows;
  return { text: await layOut(shown, fitted, style), notes: notesOf(fitted) };
}

interface Cell {
  lines: readonly string[];
  look: Outcome | 'heading' | undefined;
}

/** Stands for a cell of a text that the library measures wrongly. */
const STAND_IN = '\ue000';

async function layOut(
  rows: readonly (readonly Cell[])[],
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
    const some = rows.slice(row, row + ROWS_AT_ONCE);
    const isMisread = (line: string) =>
      measure(line) > 0 && (theirs.strlen(line) !== measure(line) || line.includes(STAND_IN));
    const shownLine = (line: string, look: Cell['look']) => {
      const shown = isMisread(line) ? STAND_IN.repeat(measure(line)) : line;
      return color && look && shown !== '' ? paint(look, shown) : shown;
    };
    table.push(
      ...some.map((cells) =>
        cells.map(({ lines, look }) => lines.map((line) => shownLine(line, look)).join('\n')),
      ),
    );
    const aside = some.flatMap(printed).filter(isMisread);
    const laidOut = table.toString().replace(/ +$/gm, '');
    text += `${laidOut.replace(/\ue000+/g, () => aside.shift() ?? '')}\n`;
  }
  return text;
}

/** @returns the lines of a row's cells in the order in which they are printed */
function printed(cells: readonly Cell[]): string[] {
  const height = Math.max(...cells.map(({ lines }) => lines.length));
  return Array.from({ length: height }, (_, line) => line).flatMap((line) =>
    cells.flatMap(({ lines }) => lines[line] ?? []),
  );
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
