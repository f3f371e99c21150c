/**
 * Reads a text as rows of named fields: a table with a first row of names, or a JSON object on each line. The first
 * line that is not blank decides which. The separator of a table is the comma, semicolon, tab or bar that splits the
 * first row into the most known names. A row that cannot be read gets a problem, and reading goes on.
 *
 * Bounds: MAX_INPUT_BYTES for the text, MAX_ROWS for its rows. The text is held in memory, and its rows are not: whoever
 * needs them again reads them again.
 */
import Papa from 'papaparse';
import { trimText } from '../../../base/clean-text.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { readJson } from '../../../base/json-text.ts';
import { count, quantity } from '../../../base/text.ts';
import { usage } from '../../../failure.ts';
import type { Host } from '../../../host/host.ts';
import { isPacked, textOfBytes } from '../../../host/utf8.ts';
import { cellAsItWas } from '../../../view/formulas.ts';
import { inexactFault } from '../../body/exactness.ts';
import { nameOfInput, readBytes } from '../../body/read-input.ts';
import type { FieldColumns, HeaderRow, TableRow } from './columns.ts';

export const MAX_INPUT_BYTES = 128 * 1024 * 1024;
const MAX_ROWS = 1_000_000;

/** With what a table row has, unless it is JSON. */
export interface InputRow extends Partial<TableRow> {
  /** The line on which the row begins, from 1. The header counts. */
  line: number;
  /** The values by field. Every value of a table is text, and blank ones are left out. */
  fields: JsonObject;
  /** Whether the row comes from a table. */
  isText: boolean;
  /** Fields whose cells had an apostrophe that keeps a spreadsheet from running and so changing them. */
  safe?: readonly string[];
  /** The object as it was written; undefined for a table. */
  object?: JsonObject;
  /** The reason why the row could not be read; `fields` is then empty. */
  problem?: string;
}

/**
 * @param source a path, or `-` for stdin
 * @returns its text; of a workbook, that of its sheet as CSV
 * @throws Failure usage if it cannot be read or is too large
 */
export async function readInputText(
  host: Pick<Host, 'stdin' | 'readNamed'>,
  source: string,
): Promise<string> {
  const bytes = await readBytes(host, source, undefined, MAX_INPUT_BYTES);
  const name = nameOfInput(source);
  if (!isPacked(bytes)) return textOfBytes(bytes, name);
  const { workbookText } = await import('../workbook/workbook.ts');
  return workbookText(bytes, name);
}

/** @throws Failure usage if there are too many rows */
export function checkCount(rows: number): void {
  if (rows <= MAX_ROWS) return;
  throw usage(
    'input-too-large',
    `There are more than ${count(MAX_ROWS)} rows.`,
    'Split the input, and run the command for each part.',
    { sent: false },
  );
}

/**
 * @param text with any line ends
 * @param columns gets the first row of a table
 * @throws Failure usage for a JSON array
 */
export function readRows(text: string, columns: FieldColumns): InputRows {
  const first = text.trimStart()[0];
  if (first === '[')
    throw usage(
      'json-array',
      'The input is a JSON array, and gw reads a JSON object on each line.',
      "Convert it, for example with `jq -c '.[]' FILE`.",
    );
  const header = first === '{' ? undefined : namesOf(text, columns);
  if (header) columns.begin(header);
  return new InputRows(text, columns);
}

/** The rows of a text. They are read each time, by what is known of the columns then. */
class InputRows implements Iterable<InputRow> {
  readonly #text: string;
  readonly #columns: FieldColumns;

  constructor(text: string, columns: FieldColumns) {
    this.#text = text;
    this.#columns = columns;
  }

  /** @throws Failure usage if there are too many rows */
  *[Symbol.iterator](): Generator<InputRow> {
    let rows = 0;
    for (const row of this.#all()) {
      checkCount(++rows);
      yield row;
    }
  }

  #all(): Iterable<InputRow> {
    const { header } = this.#columns;
    if (header) return tableRows(this.#text, header, this.#columns);
    return this.#text.trimStart() === '' ? [] : jsonRows(this.#text, this.#columns);
  }
}

function* jsonRows(text: string, columns: FieldColumns): Generator<InputRow> {
  let number = 0;
  for (const [, line = ''] of text.matchAll(/([^\r\n]*)(?:\r\n?|\n|$)/g)) {
    number++;
    if (line.trim() === '') continue;
    yield { line: number, isText: false, ...readLine(line, columns) };
  }
}

function readLine(
  text: string,
  columns: FieldColumns,
): Pick<InputRow, 'fields' | 'object' | 'problem'> {
  const { object, problem } = readObject(text, columns);
  return object ? { ...columns.ofObject(object), object } : { fields: {}, problem };
}

function readObject(
  text: string,
  columns: FieldColumns,
): { object: JsonObject; problem?: undefined } | { object?: undefined; problem: string } {
  let inexact: string | undefined;
  const { value, fault } = readJson(text, (name, digits) => {
    const isAmount = name !== undefined && columns.fieldOf(name) === 'amount';
    inexact ??= inexactFault(name, digits, isAmount)?.problem;
  });
  if (fault) return { problem: `${fault.problem} at column ${fault.offset + 1}` };
  if (!isObject(value)) return { problem: 'is JSON, but not an object' };
  return inexact === undefined ? { object: value } : { problem: inexact };
}

export const SEPARATORS = [',', ';', '\t', '|'] as const;
/** The line that Excel writes above a table. */
const SEPARATOR_LINE = /^"?sep=."?$/i;
const BAD_QUOTES = 'is not valid CSV: check its quotes';

type LineEnd = '\n' | '\r';

/** The carriage return of a CR LF counts as a space around the last cell. In a quoted cell it is part of the cell. */
function lineEndOf(text: string): LineEnd {
  return text.includes('\n') ? '\n' : '\r';
}

function* tableRows(text: string, header: HeaderRow, columns: FieldColumns): Generator<InputRow> {
  for (const line of tableLines(text, header.delimiter))
    if (line.line > header.line || (line.line === header.line && line.fault !== undefined))
      yield rowOf(columns, line);
}

/** A row of a table as it is written. */
export interface TableLine {
  /** The line on which it begins, from 1. */
  line: number;
  /** Without spaces around them. */
  cells: readonly string[];
  /** The reason why it cannot be read. */
  fault?: string | undefined;
}

/** @returns every row of a table that is not blank, also those above its names */
export function* tableLines(text: string, delimiter: string): Generator<TableLine> {
  const newline = lineEndOf(text);
  let line = 1;
  for (const { cells, code } of parsed(text, delimiter, newline)) {
    const fault = code === undefined ? spacedQuote(cells) : problemOf(code);
    const trimmed = cells.map(trimText);
    if (fault !== undefined) yield { line, cells: trimmed, fault };
    else if (trimmed.some((cell) => cell !== '')) yield { line, cells: trimmed };
    line += 1 + cells.reduce((sum, cell) => sum + countOf(newline, cell), 0);
  }
}

/** Characters of a table that are parsed at once, unless a row is longer. */
const WINDOW = 8192;

interface ParsedRow {
  cells: string[];
  /** Why the row cannot be read, as Papa Parse says it. */
  code?: string | undefined;
}

function* parsed(text: string, delimiter: string, newline: LineEnd): Generator<ParsedRow> {
  const parser = new Papa.Parser({ delimiter, newline });
  let size = WINDOW;
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at < text.length; ) {
    const isLast = at + size >= text.length;
    // The last row of a window may go on behind it, so it is read with the next one.
    const read: Papa.ParseResult<string[]> = parser.parse(text.slice(at, at + size), 0, !isLast);
    const codes = new Map(read.errors.map(({ row, code }) => [row, code]));
    for (const [place, cells] of read.data.entries()) yield { cells, code: codes.get(place) };
    if (isLast) return;
    at += read.meta.cursor;
    size = read.data.length > 0 ? WINDOW : 2 * size;
  }
}

function problemOf(code: string): string {
  return code === 'MissingQuotes'
    ? 'opens a quote that is never closed; what follows was not read'
    : BAD_QUOTES;
}

function countOf(newline: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(newline); at >= 0; at = text.indexOf(newline, at + 1)) count++;
  return count;
}

/** A quote after spaces opens no quoted cell; it would become part of the value. */
function spacedQuote(cells: readonly string[]): string | undefined {
  return cells.some((cell) => /^\s+"/.test(cell)) ? BAD_QUOTES : undefined;
}

/** @returns the position where the row of names begins, after blank lines and Excel's separator line */
function headerOffset(text: string, newline: string): number {
  let begin = 0;
  while (begin < text.length) {
    const at = text.indexOf(newline, begin);
    const end = at < 0 ? text.length : at;
    const line = text.slice(begin, end).trim();
    if (line !== '' && !SEPARATOR_LINE.test(line)) return begin;
    begin = end + 1;
  }
  return begin;
}

/** @returns the first row, split by the separator that yields the most known names; undefined if there is none */
export function headerOf(text: string, columns: FieldColumns): HeaderRow | undefined {
  const newline = lineEndOf(text);
  const begin = headerOffset(text, newline);
  if (begin >= text.length) return undefined;
  const line = 1 + countOf(newline, text.slice(0, begin));
  const rest = text.slice(begin);
  const headers = SEPARATORS.map((delimiter): HeaderRow => {
    const [first] = parsed(rest, delimiter, newline);
    return { line, cells: (first?.cells ?? []).map(trimText), delimiter };
  });
  const known = ({ cells }: HeaderRow) => cells.filter((cell) => columns.knows(cell)).length;
  // If two separators yield as many known names, the one with fewer cells is part of a name.
  const [best] = headers.sort((a, b) => known(b) - known(a) || b.cells.length - a.cells.length);
  return best;
}

/** The lines among which names below a title have to be. */
const MAX_ABOVE = 60;

/**
 * People write a title, a period or a sum above the names of a sheet. A line above that is as full as the names may be a
 * row, which sorting has put there: then the first row is taken, and refused.
 * @returns the row of names; undefined if there is none
 */
function namesOf(text: string, columns: FieldColumns): HeaderRow | undefined {
  const first = headerOf(text, columns);
  const meant = ({ cells }: Pick<TableLine, 'cells'>) =>
    cells.filter((cell) => columns.means(cell)).length;
  if (!first || meant(first) > 0) return first;
  const filled = ({ cells }: TableLine) => cells.filter((cell) => cell !== '').length;
  const begin = text.split(lineEndOf(text), MAX_ABOVE).join('\n');
  const headers = SEPARATORS.flatMap((delimiter) => {
    const lines = [...tableLines(begin, delimiter)];
    const place = lines.findIndex((line) => meant(line) > 1);
    const [names, above] = [lines[place], lines.slice(0, Math.max(0, place))];
    if (!names || above.some((line) => filled(line) >= filled(names))) return [];
    return [{ ...names, delimiter, above: above.map(({ line }) => line) }];
  });
  const [best] = headers.sort((a, b) => meant(b) - meant(a));
  return best ?? first;
}

/**
 * @param columns begun with the names of the table
 * @returns the row with its values by field, or with the problem that it has
 */
export function rowOf(columns: FieldColumns, { line, cells: saved, fault }: TableLine): InputRow {
  if (fault !== undefined) return { line, fields: {}, isText: true, cells: saved, problem: fault };
  const { cells, ...restored } = columns.restored(saved);
  const { names, width } = columns;
  const problem = (text: string) => ({ line, fields: {}, isText: true, cells, problem: text });
  if (cells.length < width) {
    const has = `has ${quantity(cells.length, 'cell', 'cells')}`;
    return problem(`${has} where the first row has ${width}`);
  }
  if (columns.header?.cells.every((name, place) => name === (cells[place] ?? '')))
    return problem('repeats the names of the columns: remove it');
  const fields: JsonObject = {};
  const safe: string[] = [];
  for (const [place, cell] of cells.entries()) {
    if (cell === '') continue;
    if (!columns.isNamed(place))
      return problem(`has a value in column ${place + 1}, which has no name in the first row`);
    const name = names[place];
    if (name === undefined) continue;
    const text = trimText(cellAsItWas(cell));
    if (text !== cell) safe.push(name);
    fields[name] = text;
  }
  return { line, fields, isText: true, cells, ...restored, ...(safe.length > 0 && { safe }) };
}
