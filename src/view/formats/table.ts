/** Several records as a table without lines, fitted to the terminal (table-fit.ts). */
import type { JsonObject } from '../../base/json.ts';
import type { Outcome } from '../../contract/normal.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { type Column, NOT_SAID } from '../columns.ts';
import { paint } from '../text/color.ts';
import { type Canvas, type Measure, widest } from '../text/width.ts';
import { type Fitted, fitColumns, GAP, linesOf, type SizedColumn } from './table-fit.ts';

export interface TableStyle extends Pick<Canvas, 'columns' | 'color' | 'measure'> {
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
export function renderTable(
  records: readonly JsonObject[],
  columns: readonly Column[],
  style: TableStyle,
): RenderedTable | undefined {
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
  return { text: layOut(shown, fitted, style), notes: notesOf(fitted) };
}

interface Cell {
  lines: readonly string[];
  look: Outcome | 'heading' | undefined;
}

/** @returns the rows, each line of a cell filled up to the width of its column but for the last one */
function layOut(
  rows: readonly (readonly Cell[])[],
  { columns }: Fitted,
  { color, measure }: TableStyle,
): string {
  const shown = (line: string, { look }: Cell) =>
    color && look && line !== '' ? paint(look, line) : line;
  const texts = rows.map((cells) => {
    const height = Math.max(...cells.map(({ lines }) => lines.length));
    return Array.from({ length: height }, (_, at) => {
      const parts = cells.map((cell, place) => {
        const { column, width = 0 } = columns[place] ?? {};
        const line = cell.lines[at] ?? '';
        const filling = ' '.repeat(Math.max(0, width - measure(line)));
        const text = shown(line, cell);
        return column?.align === 'right' ? filling + text : text + filling;
      });
      return `${parts.join(GAP).replace(/(?<! ) +$/, '')}\n`;
    }).join('');
  });
  return texts.join('');
}

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
