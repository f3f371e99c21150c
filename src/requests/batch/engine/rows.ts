/**
 * Lines of text into rows of named fields: a table with a first row of names, or an object of JSON a line;
 * the first line that is not blank tells which. The cells of a table are divided by commas, semicolons,
 * tabs or bars, by whichever makes most of its first row names that are known. A row that cannot be read
 * is one with a problem, and reading goes on.
 *
 * Bounds: MAX_ROW_BYTES for a line, and for a row that goes over several; one row in memory.
 */

import { CsvError, parse } from 'csv-parse/sync';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { readJson } from '../../../base/json-text.ts';
import { plural } from '../../../base/plural.ts';
import { Exactness } from '../../../cli/body/exactness.ts';
import type { Columns, Header } from './columns.ts';

/** Of one line, and of one row that goes over several. */
export const MAX_ROW_BYTES = 1024 * 1024;

export interface InputRow {
  /** From 1, the header included. */
  line: number;
  /** Every value of a table is text; blank ones are left out. */
  fields: JsonObject;
  isText: boolean;
  /** The row as it came, over as many lines as it had. */
  text: string;
  /** Of a table: as they came, without spaces around them. */
  cells?: readonly string[];
  /** Why the row could not be read; `fields` is empty then. */
  problem?: string;
}

/** @param columns told of the first row of a table before any other is read */
export async function* readRows(
  lines: AsyncIterable<string>,
  columns: Columns,
): AsyncGenerator<InputRow> {
  const iterator = lines[Symbol.asyncIterator]();
  const skipped: string[] = [];
  for (;;) {
    const { value, done } = await iterator.next();
    if (done) return;
    skipped.push(value);
    if (value.trim() === '') continue;
    const all = prefixed(skipped, iterator);
    yield* value.trimStart().startsWith('{')
      ? readJsonLines(all, columns)
      : readTable(all, columns);
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

async function* readJsonLines(
  lines: AsyncIterable<string>,
  columns: Columns,
): AsyncGenerator<InputRow> {
  let line = 0;
  for await (const text of lines) {
    line++;
    if (text.trim() === '') continue;
    const { fields: written, problem: unread } = readObject(text, columns);
    const { fields, problem = unread } = columns.ofObject(written);
    const row = { line, isText: false, text, fields };
    yield problem === undefined ? row : { ...row, problem };
  }
}

function readObject(text: string, columns: Columns): Pick<InputRow, 'fields' | 'problem'> {
  const exactness = new Exactness((name) => columns.fieldOf(name) === 'amount');
  const { value, fault } = readJson(text, exactness);
  if (fault) return { fields: {}, problem: `${fault.problem} at column ${fault.offset + 1}` };
  if (!isObject(value)) return { fields: {}, problem: 'is JSON, but not an object' };
  return exactness.fault ? { fields: {}, problem: exactness.fault.problem } : { fields: value };
}

/**
 * A record is a line, or several while a quoted cell is open (an odd number of quotes so far). Most
 * lines have no quotes and are only split; the parser is for the others, one record at a time, so
 * that one broken record is one problem and not the end of the text. As a stream over all of the text
 * csv-parse takes eight times as long (11.7 s for 500,000 rows), and a batch reads its rows twice.
 */
async function* readTable(
  lines: AsyncIterable<string>,
  columns: Columns,
): AsyncGenerator<InputRow> {
  const table = new InputTable(columns);
  let number = 0;
  let open: TextRecord | undefined;
  for await (const text of lines) {
    number++;
    if (!open && text.trim() === '') continue;
    const record: TextRecord = open ? continued(open, text) : { line: number, text };
    if (isOpen(record.text)) {
      if (record.text.length > MAX_ROW_BYTES) break;
      open = record;
      continue;
    }
    open = undefined;
    const row = table.read(record);
    if (row) yield row;
  }
  if (open) yield unreadable(open, 'opens a quote that is never closed; what follows was not read');
}

/** A line, or several while a quoted cell is open. */
interface TextRecord {
  /** Its first one. */
  line: number;
  text: string;
}

function continued({ line, text }: TextRecord, next: string): TextRecord {
  return { line, text: `${text}\n${next}` };
}

function unreadable({ line, text }: TextRecord, problem: string): InputRow {
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
function cellsOf(record: string, delimiter: string): string[] | undefined {
  if (!record.includes('"')) return record.split(delimiter).map((cell) => cell.trim());
  try {
    // A tab that divides cells is no space around them.
    const trim = delimiter !== '\t';
    const [cells] = parse(record, { delimiter, relax_column_count: true, trim }) as string[][];
    // Within the quotes as well: whether a program writes them or not, the cell is the same.
    return cells?.map((cell) => cell.trim());
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** What Excel writes above a table. */
const SEPARATOR_LINE = /^"?sep=(.)"?$/i;

/** Reads records by the columns that the first of them names. */
class InputTable {
  readonly #columns: Columns;
  #delimiter: string | undefined;

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  /** @returns undefined for what is no row: the names of the columns, and cells all of which are empty */
  read(record: TextRecord): InputRow | undefined {
    if (this.#delimiter === undefined) return this.#readHeader(record);
    const cells = cellsOf(record.text, this.#delimiter);
    if (!cells) return unreadable(record, 'is not valid CSV: check its quotes');
    return cells.every((cell) => cell === '') ? undefined : rowOf(this.#columns, cells, record);
  }

  #readHeader(record: TextRecord): InputRow | undefined {
    if (SEPARATOR_LINE.test(record.text)) return undefined;
    const header = this.#headerOf(record);
    if (!header) return unreadable(record, 'is not valid CSV: check its quotes');
    this.#delimiter = header.delimiter;
    this.#columns.begin(header);
    return undefined;
  }

  #headerOf({ line, text }: TextRecord): Header | undefined {
    const headers = DELIMITERS.flatMap((delimiter): Header[] => {
      const cells = cellsOf(text, delimiter);
      return cells ? [{ line, cells, delimiter, text }] : [];
    });
    const known = ({ cells }: Header) => cells.filter((cell) => this.#columns.knows(cell)).length;
    // What divides it as well, but into fewer names, is a part of one.
    const [best] = headers.sort((a, b) => known(b) - known(a) || b.cells.length - a.cells.length);
    return best;
  }
}

function rowOf(columns: Columns, cells: readonly string[], record: TextRecord): InputRow {
  const { names, width } = columns;
  if (cells.length < width) {
    const has = `has ${cells.length} ${plural(cells.length, 'cell', 'cells')}`;
    return unreadable(record, `${has} where the first row has ${width}`);
  }
  const fields: JsonObject = {};
  for (const [place, cell] of cells.entries()) {
    if (cell === '') continue;
    if (!columns.isNamed(place))
      return unreadable(
        record,
        `has a value in column ${place + 1}, which has no name in the first row`,
      );
    const name = names[place];
    if (name !== undefined) fields[name] = cell;
  }
  return { ...record, fields, isText: true, cells };
}
