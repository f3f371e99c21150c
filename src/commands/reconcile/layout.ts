/**
 * Finds the table in the file of a bank: its separator, the row of its names, and the lines around it that are no rows.
 * Banks write the account, the period and a balance above the names, repeat the names on each page, and end with a sum.
 * Some write no names: then the columns are called `column 1`, `column 2` …
 *
 * A file whose first row has names that gw knows is a table of the merchant's own: only its sums are left out.
 *
 * Tests: test/unit/commands/reconcile/read-table.test.ts
 */
import { DateColumn } from '../../base/date-column.ts';
import { NumberColumn } from '../../contract/number-column.ts';
import type { FieldColumns, HeaderRow } from '../../requests/batch/engine/columns.ts';
import {
  headerOf,
  SEPARATORS,
  type TableLine,
  tableLines,
} from '../../requests/batch/engine/rows.ts';
import { plainWords, roleOfName, totalIn } from './bank-words.ts';

/** Lines that are not read, and why. */
export interface Skipped {
  lines: readonly number[];
  /** A reason, for example `above the names`. */
  why: string;
}

export interface Layout {
  header: HeaderRow;
  rows: TableLine[];
  skipped: readonly Skipped[];
  /** Whether gw knows every name of the first row. */
  isOwn: boolean;
}

/** A table with one of these was not written for gw alone. */
const BANK_FIELDS = ['debit', 'credit', 'mark', 'type', 'amount_refunded', 'date', 'value_date'];
/** The rows among which the names have to be. */
const MAX_ABOVE = 60;
/** The rows that tell the separator and how long a row is. */
const LOOKED_AT = 200;

/** @param columns know the fields, and the names that the user gave. @returns undefined for an empty text */
export function layoutOf(text: string, columns: FieldColumns): Layout | undefined {
  const first = headerOf(text, columns);
  if (!first) return undefined;
  const isOfBooks = (cell: string) =>
    columns.knows(cell) && !BANK_FIELDS.includes(columns.fieldOf(cell) ?? '');
  const isOwn = first.cells.every((cell) => cell === '' || isOfBooks(cell));
  if (!isOwn) return foreignLayout(text, columns);
  const all = [...tableLines(text, first.delimiter)].filter(
    ({ line, fault }) => line > first.line || (line === first.line && fault !== undefined),
  );
  const { rows, skipped } = sorted(all, ({ cells }) =>
    cells.some((cell) => totalIn(cell) === 'sum') ? 'a total' : undefined,
  );
  return { header: first, rows, skipped, isOwn };
}

function foreignLayout(text: string, columns: FieldColumns): Layout {
  const begin = text.split('\n', LOOKED_AT).join('\n');
  const tables = SEPARATORS.map((delimiter) => ({
    delimiter,
    lines: [...tableLines(begin, delimiter)],
  }));
  const worth = ({ lines }: { lines: TableLine[] }) =>
    lines.reduce((sum, { cells }) => sum + cells.filter((cell) => isTold(cell, columns)).length, 0);
  const [best] = tables
    .map((table) => ({ ...table, worth: worth(table) }))
    .sort((a, b) => b.worth - a.worth);
  const delimiter = best?.delimiter ?? ',';
  const all = linesOf(text, delimiter);
  const place = placeOfNames(all.slice(0, LOOKED_AT), columns);
  const named = place === undefined ? undefined : all[place];
  const body = all.slice(place === undefined ? 0 : place + 1);
  // A row that is longer than the names has a fault: a value would stand under another name.
  const width = named ? lastNamed(named.cells) : widthOf(body);
  const isNames = (cells: readonly string[]) => cells.join('\n') === named?.cells.join('\n');
  const { rows, skipped } = sorted(body, ({ cells, fault }) =>
    fault === undefined ? whySkipped(cells, { isNames: isNames(cells), width }) : undefined,
  );
  const above = all.slice(0, place ?? 0).map(({ line }) => line);
  return {
    header: { line: named?.line ?? 0, cells: namesOf(named?.cells ?? [], width), delimiter },
    rows: padded(rows, width),
    skipped: above.length > 0 ? [{ lines: above, why: 'above the names' }, ...skipped] : skipped,
    isOwn: false,
  };
}

/** Blanks before a quote keep it from opening a cell. If that spoils a row, they are taken off. */
function linesOf(text: string, delimiter: string): TableLine[] {
  const lines = [...tableLines(text, delimiter)];
  if (lines.every(({ fault }) => fault === undefined)) return lines;
  const tight = text.replaceAll(/([,;\t|])[ \u00a0]+"/g, '$1"');
  return tight === text ? lines : [...tableLines(tight, delimiter)];
}

/** Dates of a far year are dates here too. */
const TODAY = '2026-01-01';

const isValue = (cell: string) =>
  new NumberColumn().add(cell) || new DateColumn({ today: TODAY }).add(cell);

/** @returns whether a cell tells that the separator is right: it has a number, a day or the name of a column */
function isTold(cell: string, columns: FieldColumns): boolean {
  return cell !== '' && (isName(cell, columns) || isValue(cell));
}

const isName = (cell: string, columns: FieldColumns) =>
  columns.knows(cell) || (cell.length < 60 && roleOfName(cell) !== undefined);

/** @returns the place of the row with the most names that gw knows; undefined if the file has no names */
function placeOfNames(lines: readonly TableLine[], columns: FieldColumns): number | undefined {
  const width = widthOf(lines);
  const ranked = lines.slice(0, MAX_ABOVE).map(({ cells }, place) => {
    const given = cells.filter((cell) => cell !== '');
    const known = given.filter((cell) => isName(cell, columns)).length;
    const isOne = !given.some(isValue) && (given.length > 1 || width < 2);
    const isLong = cells.length >= width || given.length >= width - 1;
    return { place, known: isOne ? known : 0, isStrange: isOne && isLong };
  });
  const [best] = [...ranked].sort((a, b) => b.known - a.known);
  if (best && best.known > 0) return best.place;
  // Names in another language stand above rows with values.
  const strange = ranked.find(({ isStrange }) => isStrange)?.place;
  const isAbove = strange !== undefined && lines[strange + 1]?.cells.some(isValue) === true;
  return isAbove && !lines.slice(0, strange).some(({ cells }) => cells.length >= width)
    ? strange
    : undefined;
}

/** @returns the cells of most rows that have several */
function widthOf(lines: readonly TableLine[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of lines.slice(0, LOOKED_AT)) {
    const width = lastNamed(cells);
    if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([a, n], [b, m]) => m - n || b - a);
  return most?.[0] ?? 1;
}

const lastNamed = (cells: readonly string[]) => cells.findLastIndex((cell) => cell !== '') + 1;

/** @returns a name for each column, each once: a second `Amount` is `Amount (2)` */
function namesOf(cells: readonly string[], width: number): string[] {
  const names: string[] = [];
  for (let place = 0; place < width; place++) {
    const name = cells[place] || `column ${place + 1}`;
    const before = names.filter((other) => plainWords(other) === plainWords(name)).length;
    names.push(before === 0 ? name : `${name} (${before + 1})`);
  }
  return names;
}

/** @returns why a line is no row of the table; undefined if it is one */
function whySkipped(
  cells: readonly string[],
  { isNames, width }: { isNames: boolean; width: number },
): string | undefined {
  if (isNames) return 'the names again';
  const given = cells.filter((cell) => cell !== '');
  const totals = given.map(totalIn);
  if (totals.includes('balance')) return 'a balance';
  const hasDay = () => given.some((cell) => new DateColumn({ today: TODAY }).add(cell));
  if (totals.includes('sum') && !hasDay()) return 'a total';
  return given.length === 1 && width > 2 ? 'no row of the table' : undefined;
}

/** @returns the rows of the table, and the other lines by the reason why they are none */
function sorted(
  lines: readonly TableLine[],
  whyNot: (row: TableLine) => string | undefined,
): Pick<Layout, 'rows' | 'skipped'> {
  const rows: TableLine[] = [];
  const others = new Map<string, number[]>();
  for (const row of lines) {
    const why = whyNot(row);
    if (why === undefined) rows.push(row);
    else
      others
        .set(why, others.get(why) ?? [])
        .get(why)
        ?.push(row.line);
  }
  return { rows, skipped: [...others].map(([why, numbers]) => ({ lines: numbers, why })) };
}

/**
 * Banks leave out blank cells at the end of rows, and write `-` in a blank one. If only the last row is short, the file
 * may have been cut: the row stays as it is, which is a fault.
 */
function padded(rows: readonly TableLine[], width: number): TableLine[] {
  const isShort = ({ cells }: TableLine) => cells.length < width;
  const isCut = rows.findIndex(isShort) === rows.length - 1;
  return rows.map((row) => {
    const missing = isCut ? 0 : Math.max(0, width - row.cells.length);
    if (missing === 0 && !row.cells.some(isDash)) return row;
    const cells = row.cells.map((cell) => (isDash(cell) ? '' : cell));
    return { ...row, cells: [...cells, ...Array.from({ length: missing }, () => '')] };
  });
}

const isDash = (cell: string) => cell.length <= 2 && /^[-–—]{1,2}$/.test(cell);
