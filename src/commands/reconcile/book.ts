/** The file of the books: its rows, read by the engine of batches, and their faults. */
import { quotedText, shellWord } from '../../base/shell.ts';
import { maskCardNumbers } from '../../contract/cards/find-card-numbers.ts';
import type { ColumnFlags } from '../../requests/batch/batch-source.ts';
import { FieldColumns } from '../../requests/batch/engine/columns.ts';
import type {
  BatchSource,
  LineIdentity,
  RowRequest,
} from '../../requests/batch/engine/preflight.ts';
import type { InputRow } from '../../requests/batch/engine/rows.ts';
import { addRow, emptyFacts } from './book-facts.ts';
import { BOOK_COLUMNS, type BookRow, type ColumnForms, readBookRow } from './book-row.ts';

export interface BookOptions {
  /** The currency of decimal amounts if a row names none. */
  currency: string | undefined;
  columns: ColumnFlags;
  /** Undefined for JSON. */
  forms?: ColumnForms | undefined;
}

/** The most cells that are named, of those that look like card numbers. */
const MAX_CARD_LIKE = 10;

export class Book implements BatchSource {
  // A record that is named twice is a result, and not a problem of the file.
  readonly allowsDuplicates = true;
  readonly #options: BookOptions;
  readonly columns: FieldColumns;
  /** The file's facts, as far as its rows were read. */
  readonly facts = emptyFacts();
  /** The cells that look like card numbers, each as `line 7, reference: 400000XXXXXX0002`; no more than a few. */
  readonly cardLike: string[] = [];

  constructor(options: BookOptions) {
    this.#options = options;
    this.columns = new FieldColumns({
      ...options.columns,
      fields: BOOK_COLUMNS,
      isNot: { one: 'cannot be compared', many: 'cannot be compared' },
    });
  }

  get areRefunds(): boolean {
    return this.#options.forms?.areRefunds === true;
  }

  async read(rows: readonly InputRow[]): Promise<RowRequest[]> {
    return rows.map((row) => {
      const { row: said, problems, cardLike } = this.#read(row);
      addRow(this.facts, said);
      for (const field of cardLike) this.#noteCardLike(row, field);
      return { body: {}, problems };
    });
  }

  repeats(first: number): string {
    return `repeats line ${first}`;
  }

  identify(): LineIdentity {
    return NO_KEY;
  }

  /** @param row of a file without problems */
  written(row: InputRow): BookRow {
    return this.#read(row).row;
  }

  #read(row: InputRow) {
    const { currency, forms } = this.#options;
    const read = readBookRow(row, currency, forms);
    const unknown = row.isText
      ? []
      : Object.keys(row.fields).filter((name) => !BOOK_COLUMNS.includes(name));
    return { ...read, problems: [...unknown.map(strange), ...read.problems] };
  }

  #noteCardLike({ line, fields }: InputRow, field: string): void {
    if (this.cardLike.length === MAX_CARD_LIKE) return;
    const { header, names } = this.columns;
    const column = header?.cells[names.indexOf(field)] ?? field;
    const masked = maskCardNumbers(String(fields[field]));
    this.cardLike.push(`line ${line}, ${column}: ${masked}`);
  }
}

/** Rows are identified by their records, once these are found. */
const NO_KEY: LineIdentity = { key: '0'.repeat(32), subject: '' };

function strange(name: string): string {
  const columns = BOOK_COLUMNS.join(', ');
  return `has a field ${quotedText(name)}, which cannot be compared (the fields are ${columns}); --ignore-columns ${shellWord(name)} leaves it out`;
}
