/** The file: its rows as the engine of batches reads them, and what is wrong with them. */
import type { BatchSource, ReadBody } from '../batch/engine/preflight.ts';
import { type Header, type Row, readRows } from '../batch/engine/rows.ts';
import type { Replay } from '../host/host.ts';
import { BOOK_COLUMNS, type BookRow, readBookRow, strangeFields } from './book-row.ts';

export interface BookOptions {
  replay: Pick<Replay, 'lines'>;
  /** Of decimal amounts whose row names no currency. */
  currency: string | undefined;
  /** Columns that are not compared, in small letters. */
  ignoredColumns: readonly string[];
}

/** A row as it is understood, and as it came. */
export interface WrittenRow {
  line: number;
  row: BookRow;
  text: string;
}

export class Book implements BatchSource {
  // A record that is named twice is a result of its own, and no problem of the file.
  readonly allowsDuplicates = true;
  readonly #options: BookOptions;
  #header: string | undefined;

  constructor(options: BookOptions) {
    this.#options = options;
  }

  /** Of a CSV, as it came, once it has been read. */
  get header(): string | undefined {
    return this.#header;
  }

  lines(): AsyncIterable<string> {
    return this.#options.replay.lines();
  }

  checkHeader({ columns, text }: Header): string[] {
    this.#header = text;
    const twice = columns.filter((name, i) => columns.indexOf(name) !== i);
    const { ignoredColumns } = this.#options;
    return [
      ...twice.map((name) => `has the column ${JSON.stringify(name)} twice`),
      ...columns
        .filter((name) => !BOOK_COLUMNS.includes(name) && !ignoredColumns.includes(name))
        .map((name) => strange('column', name)),
    ];
  }

  read(row: Row): ReadBody {
    return { body: {}, problems: this.#read(row).problems };
  }

  identify(): string {
    return NO_KEY;
  }

  /** The rows of a file in which no problem was found. */
  async *rows(): AsyncGenerator<WrittenRow> {
    for await (const row of readRows(this.lines()))
      yield { line: row.line, row: this.#read(row).row, text: row.text };
  }

  #read(row: Row) {
    const { currency, ignoredColumns } = this.#options;
    const fields = Object.entries(row.fields).filter(
      ([name]) => !ignoredColumns.includes(name.toLowerCase()),
    );
    const read = readBookRow({ ...row, fields: Object.fromEntries(fields) }, currency);
    const unknown = row.isText ? [] : strangeFields(row.fields, ignoredColumns);
    const problems = [...unknown.map((name) => strange('field', name)), ...read.problems];
    return { row: read.row, problems };
  }
}

/** Rows are known by their records, once these are found. */
const NO_KEY = '0'.repeat(32);

function strange(what: 'column' | 'field', name: string): string {
  const columns = BOOK_COLUMNS.join(', ');
  return `has a ${what} ${JSON.stringify(name)}, which cannot be compared (what can: ${columns}); --ignore-columns ${name} leaves it out`;
}
