/**
 * Renders several records as a table without lines. If it does not fit,
 *
 * 1. extra columns are dropped, the last one first, while text would have less than READABLE_CELLS;
 * 2. the widest text is cut, and ends with …, down to LEAST_CELLS.
 *
 * Ids, amounts and dates stay whole. A column without any value is left out.
 */
import type { JsonObject } from '../../base/json.ts';
import type { TimeZone } from '../../base/time-zone.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { type Column, NO_VALUE, type RecordView } from '../columns.ts';
import { painter } from '../text/color.ts';
import { type Canvas, fitInto, type Measure, widest } from '../text/width.ts';
import { wrap } from '../text/wrap.ts';

export interface TableStyle extends Pick<Canvas, 'columns' | 'color' | 'measure'> {
  outcome?: RecordView['outcome'];
  /** The zone of times. */
  zone: TimeZone;
  /** true if the user asked for every column, so none is left out. */
  isPicked?: boolean | undefined;
  /** false leaves out the names of the columns. */
  hasHeader?: boolean | undefined;
}

export interface RenderedTable {
  text: string;
  /** Sentences to print below the table. */
  notes: string[];
}

/** The narrowest line that can have a table. */
const LEAST_LINE_CELLS = 60;
const READABLE_CELLS = 16;
/** Text that wraps loses nothing, so it makes room for other text. */
const READABLE_WRAPPED_CELLS = 12;
/** Enough for every outcome word: `UNCLEAR: …`. */
const LEAST_CELLS = 10;
const GAP = '  ';

/** @returns the table; undefined if the line is too narrow for it */
export async function renderTable(
  records: readonly JsonObject[],
  columns: readonly Column[],
  style: TableStyle,
): Promise<RenderedTable | undefined> {
  if (style.columns < LEAST_LINE_CELLS) return undefined;
  const sized = columns.map((column) => size(column, records, style));
  const said = sized.filter(({ rows }) => rows.some((cell) => cell !== NO_VALUE && cell !== ''));
  const fitted = fit(style.isPicked || said.length === 0 ? sized : said, style);
  if (!fitted) return undefined;
  const paint = painter(style);
  const looks = records.map((record) => style.outcome?.(record));
  const drawn = fitted.map(({ column, header, rows }) => [
    ...(style.hasHeader === false ? [] : [paint('heading', header)]),
    ...rows.map((cell, row) => {
      const look = column.tinted ? looks[row] : undefined;
      return look ? paint(look, cell) : cell;
    }),
  ]);
  const notes = fitted.flatMap(({ column, rows }) => column.explain?.(rows) ?? []);
  return { text: await draw(drawn, fitted), notes: [...new Set(notes)] };
}

interface SizedColumn {
  column: Column;
  header: string;
  /** A cell for each record. */
  rows: readonly string[];
  width: number;
}

function size(
  column: Column,
  records: readonly JsonObject[],
  { measure, zone }: TableStyle,
): SizedColumn {
  const header = neutralise(column.header.toUpperCase());
  const rows = records.map((record) => {
    const text = column.text(record);
    return text === undefined ? NO_VALUE : neutralise(column.shorten?.(text, zone) ?? text);
  });
  return { column, header, rows, width: widest([header, ...rows], measure) };
}

function fit(columns: readonly SizedColumn[], style: TableStyle): SizedColumn[] | undefined {
  let kept = columns;
  const widthIn = (most: number, mostWrapped = most) =>
    kept
      .map(({ column, width }) => {
        if (!column.cuttable) return width;
        return Math.min(width, column.wraps ? mostWrapped : most);
      })
      .reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  while (!style.isPicked) {
    const last = kept.findLastIndex(({ column }) => column.isExtra);
    const isText = kept[last]?.column.cuttable;
    const wrapped = isText ? READABLE_WRAPPED_CELLS : READABLE_CELLS;
    if (last < 0 || widthIn(READABLE_CELLS, wrapped) <= style.columns) break;
    kept = kept.toSpliced(last, 1);
  }
  if (widthIn(LEAST_CELLS) > style.columns) return undefined;
  let most = style.columns;
  while (widthIn(most) > style.columns) most--;
  return kept.map((sized) => (sized.column.cuttable ? cut(sized, most, style.measure) : sized));
}

function cut(sized: SizedColumn, cells: number, measure: Measure): SizedColumn {
  if (sized.width <= cells) return sized;
  const shortened = (text: string) => fitInto(text, cells, measure);
  const header = shortened(sized.header);
  const rows = sized.rows.map((text) => {
    const lines = sized.column.wraps ? wrap(text, cells, measure) : [text];
    return lines.map(shortened).join('\n');
  });
  const lines = rows.flatMap((row) => row.split('\n'));
  return { ...sized, header, rows, width: widest([header, ...lines], measure) };
}

/** The library needs time in the square of a table's rows, so tables are drawn in parts of this size. */
const ROWS_AT_ONCE = 50;
const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  middle: GAP,
  right: '',
  'right-mid': '',
};

/** @param cells by column */
async function draw(
  cells: readonly (readonly string[])[],
  columns: readonly SizedColumn[],
): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const rows = (cells[0] ?? []).map((_, row) => cells.map((column) => column[row] ?? ''));
  let text = '';
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const table = new Table({
      chars: NO_LINES,
      style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
      colWidths: columns.map(({ width }) => width),
      colAligns: columns.map(({ column }) => column.align ?? 'left'),
    });
    table.push(...rows.slice(at, at + ROWS_AT_ONCE));
    text += `${table.toString()}\n`;
  }
  return text.replace(/(?<! ) +$/gm, '');
}
