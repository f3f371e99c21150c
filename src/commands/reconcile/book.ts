/** The file of the books: its rows, read by the engine of batches, and their faults. */
import { quotedText, shellWord } from '../../base/shell.ts';
import type { ColumnFlags } from '../../requests/batch/batch-source.ts';
import { FieldColumns } from '../../requests/batch/engine/columns.ts';
import type {
  BatchSource,
  LineIdentity,
  RowRequest,
} from '../../requests/batch/engine/preflight.ts';
import type { InputRow } from '../../requests/batch/engine/rows.ts';
import { BOOK_COLUMNS, type BookRow, readBookRow, strangeFields } from './book-row.ts';

export interface BookOptions {
  /** The currency of decimal amounts if a row names none. */
  currency: string | undefined;
  columns: ColumnFlags;
}

export class Book implements BatchSource {
  // A record that is named twice is a result, and not a problem of the file.
  readonly allowsDuplicates = true;
  readonly #options: BookOptions;
  readonly columns: FieldColumns;

  constructor(options: BookOptions) {
    this.#options = options;
    this.columns = new FieldColumns({
      ...options.columns,
      fields: BOOK_COLUMNS,
      isNot: { one: 'cannot be compared', many: 'cannot be compared' },
    });
  }

  async read(rows: readonly InputRow[]): Promise<RowRequest[]> {
    return rows.map((row) => ({ body: {}, problems: this.#read(row).problems }));
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
    const read = readBookRow(row, this.#options.currency);
    const unknown = row.isText ? [] : strangeFields(row.fields);
    const problems = [...unknown.map(strange), ...read.problems];
    return { row: read.row, problems };
  }
}

/** Rows are identified by their records, once these are found. */
const NO_KEY: LineIdentity = { key: '0'.repeat(32), subject: '' };

function strange(name: string): string {
  const columns = BOOK_COLUMNS.join(', ');
  return `has a field ${quotedText(name)}, which cannot be compared (the fields are ${columns}); --ignore-columns ${shellWord(name)} leaves it out`;
}
