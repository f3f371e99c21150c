/**
 * Lines of text into rows of named fields: CSV with a header, or JSON lines; the first line that is
 * not blank tells which. A row that cannot be read is one with a problem, and reading goes on.
 *
 * Bounds: MAX_ROW_BYTES for a row; one chunk of lines in memory.
 */
import { Readable } from 'node:stream';
import { type CsvError, type Info, parse } from 'csv-parse';
import { isObject, type JsonObject } from '../contract/envelope.ts';
import { findJsonFault } from '../contract/json.ts';

/** Of one line, and of one row that goes over several. */
export const MAX_ROW_BYTES = 1024 * 1024;
const CHUNK_CHARACTERS = 64 * 1024;

export interface Row {
  /** From 1, the header included. */
  line: number;
  /** Every value of a CSV is text; blank ones are left out. */
  fields: JsonObject;
  isText: boolean;
  /** Why the row could not be read; `fields` is empty then. */
  problem?: string;
}

export interface Header {
  /** Names of the columns of a CSV. */
  columns: readonly string[];
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
    yield { line, isText: false, ...readObject(text) };
  }
}

function readObject(text: string): Pick<Row, 'fields' | 'problem'> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { fields: value };
    return { fields: {}, problem: 'is JSON, but not an object' };
  } catch {
    const fault = findJsonFault(text);
    const where = fault ? `: ${fault.reason} at column ${fault.offset + 1}` : '';
    return { fields: {}, problem: `is not valid JSON${where}` };
  }
}

async function* readCsv(
  lines: AsyncIterable<string>,
  onHeader: (header: Header) => void,
): AsyncGenerator<Row> {
  const broken: Row[] = [];
  const parser = parse({
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MAX_ROW_BYTES,
    trim: true,
    on_skip: (error?: CsvError) => {
      const line = Number(error && 'lines' in error ? error.lines : 0);
      broken.push({
        line,
        fields: {},
        isText: true,
        problem: 'is not valid CSV: check its quotes',
      });
      return undefined;
    },
  });
  const input = Readable.from(inChunks(lines));
  input.on('error', (error) => parser.destroy(error));
  input.pipe(parser);

  let columns: string[] | undefined;
  for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
    yield* broken.splice(0);
    if (columns) {
      yield rowOf(columns, record, info.lines);
    } else {
      columns = record.map((name) => name.toLowerCase());
      onHeader({ columns });
    }
  }
  yield* broken.splice(0);
}

function rowOf(columns: readonly string[], cells: readonly string[], endLine: number): Row {
  // The parser tells where a row ends; line ends inside its cells lead back to where it begins.
  const inner = cells.reduce((sum, cell) => sum + (cell.match(/\n/g)?.length ?? 0), 0);
  const line = endLine - inner;
  if (cells.length !== columns.length) {
    const problem = `has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'} where the header has ${columns.length}`;
    return { line, fields: {}, isText: true, problem };
  }
  const fields: JsonObject = {};
  for (const [i, name] of columns.entries()) {
    const cell = cells[i];
    if (cell !== undefined && cell !== '') fields[name] = cell;
  }
  return { line, fields, isText: true };
}

/** A stream takes a few large texts much faster than many small ones. */
async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
