/**
 * Lines of text into rows of named fields: CSV with a header, or JSON lines; the first line that is
 * not blank tells which. A row that cannot be read is one with a problem, and reading goes on.
 *
 * Bounds: MAX_ROW_BYTES for a line, and for a row that goes over several; one row in memory.
 */

import { CsvError, parse } from 'csv-parse/sync';
import { isObject, type JsonObject } from '../../base/json.ts';
import { readJson } from '../../base/json-text.ts';
import { plural } from '../../base/plural.ts';
import { Exactness } from '../../body/exactness.ts';

/** Of one line, and of one row that goes over several. */
export const MAX_ROW_BYTES = 1024 * 1024;

export interface Row {
  /** From 1, the header included. */
  line: number;
  /** Every value of a CSV is text; blank ones are left out. */
  fields: JsonObject;
  isText: boolean;
  /** The row as it came, over as many lines as it had. */
  text: string;
  /** Why the row could not be read; `fields` is empty then. */
  problem?: string;
}

export interface Header {
  /** Names of the columns of a CSV. */
  columns: readonly string[];
  /** The header as it came. */
  text: string;
}

/** @param onHeader told of the columns of a CSV before its first row */
export async function* readRows(
  lines: AsyncIterable<string>,
  onHeader: (header: Header) => void = () => undefined,
): AsyncGenerator<Row> {
  const iterator = lines[Symbol.asyncIterator]();
  const skipped: string[] = [];
  for (;;) {
    const { value, done } = await iterator.next();
    if (done) return;
    skipped.push(value);
    if (value.trim() === '') continue;
    const all = prefixed(skipped, iterator);
    yield* value.trimStart().startsWith('{') ? readJsonLines(all) : readCsv(all, onHeader);
    return;
  }
}

async function* prefixed(
  first: readonly string[],
  rest: AsyncIterator<string>,
): AsyncGenerator<string> {
  yield* first;
  for (;;) {
    const { value, done } = await rest.next();
    if (done) return;
    yield value;
  }
}

async function* readJsonLines(lines: AsyncIterable<string>): AsyncGenerator<Row> {
  let line = 0;
  for await (const text of lines) {
    line++;
    if (text.trim() === '') continue;
    yield { line, isText: false, text, ...readObject(text) };
  }
}

function readObject(text: string): Pick<Row, 'fields' | 'problem'> {
  const exactness = new Exactness();
  const { value, fault } = readJson(text, exactness);
  if (fault) return { fields: {}, problem: `${fault.problem} at column ${fault.offset + 1}` };
  if (!isObject(value)) return { fields: {}, problem: 'is JSON, but not an object' };
  return exactness.fault ? { fields: {}, problem: exactness.fault.problem } : { fields: value };
}

/**
 * A record is a line, or several while a quoted cell is open (an odd number of quotes so far). Most
 * lines have no quotes and are only split; the parser is for the others, one record at a time, so
 * that one broken record is one problem and not the end of the text.
 */
async function* readCsv(
  lines: AsyncIterable<string>,
  onHeader: (header: Header) => void,
): AsyncGenerator<Row> {
  const table = new Table(onHeader);
  let number = 0;
  let open: CsvRecord | undefined;
  for await (const text of lines) {
    number++;
    if (!open && text.trim() === '') continue;
    const record: CsvRecord = open ? continued(open, text) : { line: number, text };
    if (isOpen(record.text)) {
      if (record.text.length > MAX_ROW_BYTES) break;
      open = record;
      continue;
    }
    open = undefined;
    const row = table.read(record);
    if (row) yield row;
  }
  if (open)
    yield unreadable(open, 'opens a quote that nothing closes; what comes after it was not read');
}

/** A line, or several while a quoted cell is open. */
interface CsvRecord {
  /** Its first one. */
  line: number;
  text: string;
}

function continued({ line, text }: CsvRecord, next: string): CsvRecord {
  return { line, text: `${text}\n${next}` };
}

function unreadable({ line, text }: CsvRecord, problem: string): Row {
  return { line, fields: {}, isText: true, text, problem };
}

function isOpen(record: string): boolean {
  let isInside = false;
  for (let at = record.indexOf('"'); at !== -1; at = record.indexOf('"', at + 1)) {
    isInside = !isInside;
  }
  return isInside;
}

/** @returns undefined when the quotes of a record make no sense */
function cellsOf(record: string): string[] | undefined {
  if (!record.includes('"')) return record.split(',').map((cell) => cell.trim());
  try {
    return (parse(record, { relax_column_count: true, trim: true }) as string[][])[0];
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}

/** Reads records by the columns that the first of them names. */
class Table {
  readonly #onHeader: (header: Header) => void;
  #columns: string[] | undefined;

  constructor(onHeader: (header: Header) => void) {
    this.#onHeader = onHeader;
  }

  /** @returns undefined for the header */
  read(record: CsvRecord): Row | undefined {
    const cells = cellsOf(record.text);
    if (!cells) return unreadable(record, 'is not valid CSV: check its quotes');
    if (this.#columns) return rowOf(this.#columns, cells, record);
    this.#columns = cells.map((name) => name.toLowerCase());
    this.#onHeader({ columns: this.#columns, text: record.text });
    return undefined;
  }
}

function rowOf(columns: readonly string[], cells: readonly string[], record: CsvRecord): Row {
  if (cells.length !== columns.length) {
    const has = `has ${cells.length} ${plural(cells.length, 'cell', 'cells')}`;
    return unreadable(record, `${has} where the header has ${columns.length}`);
  }
  const fields: JsonObject = {};
  for (const [i, name] of columns.entries()) {
    const cell = cells[i];
    if (cell !== undefined && cell !== '') fields[name] = cell;
  }
  return { ...record, fields, isText: true };
}
