/** `--failed FILE`: the rows that need a person, in the form that they came in. */
import { Failure, usage } from '../failure.ts';
import type { Files } from '../host/host.ts';

export class FailedRows {
  readonly #files: Pick<Files, 'append'>;
  readonly path: string;
  readonly #header: string | undefined;
  #rows = 0;

  /**
   * Makes the file, empty; one that is there is replaced.
   * @param header of a CSV, before its first row
   * @throws Failure usage when it cannot be written, or is the input
   */
  constructor(
    files: Pick<Files, 'append' | 'isSame' | 'writePrivate'>,
    path: string,
    { header, source }: { header: string | undefined; source: string },
  ) {
    if (source !== '-' && files.isSame(source, path)) {
      throw usage(
        'output-is-input',
        `--failed ${path} is the file that is reconciled.`,
        'Name another one: the rows that need a person would replace it.',
      );
    }
    writing(path, () => files.writePrivate(path, ''));
    this.#files = files;
    this.path = path;
    this.#header = header;
  }

  get count(): number {
    return this.#rows;
  }

  /** @param rows as they came, each without its line end */
  add(rows: readonly string[]): void {
    if (rows.length === 0) return;
    const header = this.#rows === 0 && this.#header !== undefined ? [this.#header] : [];
    const text = [...header, ...rows].map((line) => `${line}\n`).join('');
    writing(this.path, () => this.#files.append(this.path, text));
    this.#rows += rows.length;
  }
}

/** What to do is another thing for a file that somebody named than for gw's own. */
function writing(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw error.reworded({
      next: `Name another file for the rows that need a person than ${path}.`,
    });
  }
}
