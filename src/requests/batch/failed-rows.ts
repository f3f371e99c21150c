/**
 * `--failed FILE`: the rows that did not succeed, in their original form, to be corrected and sent.
 *
 * With reasons, a row has columns of gw's own (`gw_line`, `gw_outcome`, `gw_reason`): its line, and why it is here. In a
 * table, `gw_reference` keeps a reference that a spreadsheet may change: when the file is sent, gw takes it in place of
 * what became of it. They mark the file as gw's: only such a file is replaced. Card numbers are
 * masked, and CVVs are left out because gw never writes them.
 */
import type { JsonObject } from '../../base/json.ts';
import { shellWord } from '../../base/shell.ts';
import { maskCardNumbers } from '../../contract/cards/find-card-numbers.ts';
import { Failure, usage } from '../../failure.ts';
import type { Files } from '../../host/host.ts';
import { HIDDEN, kindOfName, redactJson } from '../../host/redaction/redact.ts';
import { withoutHidden } from '../../host/redaction/redactor.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { cellAsItWas, withoutFormula } from '../../view/formulas.ts';
import { flatten } from '../../view/values.ts';
import {
  type FieldColumns,
  type HeaderRow,
  WRITTEN_REFERENCE,
  writtenReference,
} from './engine/columns.ts';
import type { InputRow } from './engine/rows.ts';

const OWN_COLUMNS = ['gw_line', 'gw_outcome', 'gw_reason', WRITTEN_REFERENCE] as const;
/** The largest earlier file that gw reads before it replaces it. */
const MAX_EARLIER_BYTES = 256 * 1024 * 1024;

export interface FailedRow {
  row: InputRow;
  outcome: string;
  /** A sentence. */
  reason: string;
}

export interface FailedRowsOptions {
  /** The input; `-` for stdin. */
  source: string;
  columns: FieldColumns;
  /** false replaces any existing file and writes the rows without the columns of gw's own. */
  hasReasons: boolean;
  /** No spreadsheet changed the input, as the user said. */
  isAsWritten?: boolean;
}

export class FailedRows {
  readonly #files: Pick<Files, 'append' | 'remove'>;
  readonly path: string;
  readonly #options: FailedRowsOptions;
  #rows = 0;
  #lacksCards = false;

  /**
   * Creates the file, empty.
   * @throws Failure usage if it cannot be written, is stdout or the input, or is a file that gw did not write
   */
  constructor(
    files: Pick<Files, 'append' | 'isSame' | 'read' | 'remove' | 'size' | 'writePrivate'>,
    path: string,
    options: FailedRowsOptions,
  ) {
    const { source, hasReasons } = options;
    if (path === '-') {
      throw usage(
        'output-is-stdout',
        '--failed takes the name of a file, and - is none.',
        'Name a file: stdout has the results.',
      );
    }
    if (source !== '-' && files.isSame(source, path)) {
      throw usage(
        'output-is-input',
        `--failed ${shellWord(path)} is the input itself.`,
        'Name another file: the rows that did not succeed would overwrite this one.',
      );
    }
    if (hasReasons) refuseOthers(files, path);
    writing(path, () => files.writePrivate(path, ''));
    this.#files = files;
    this.path = path;
    this.#options = options;
  }

  /** Whether rows had card details, which are not in the file as they were. */
  get lacksCards(): boolean {
    return this.#lacksCards;
  }

  get count(): number {
    return this.#rows;
  }

  async add(rows: readonly FailedRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { columns, hasReasons, isAsWritten } = this.#options;
    this.#lacksCards ||= rows.some(({ row }) => hasCard(row.fields));
    const isFirst = this.#rows === 0;
    const lines = hasReasons
      ? await writtenWithReasons(rows, columns, { isFirst, isAsWritten })
      : await written(rows, columns, isFirst);
    writing(this.path, () => this.#files.append(this.path, lines));
    this.#rows += rows.length;
  }

  /** Removes the file if it has no row. */
  end(): void {
    if (this.#rows === 0 && this.#options.hasReasons)
      writing(this.path, () => this.#files.remove(this.path));
  }
}

const hasCard = (fields: JsonObject) =>
  flatten(fields).some(
    ([name, value]) => /^(?:card\.)?(?:card_number|cvv)$/.test(name) && value !== null,
  );

/** @throws Failure usage unless the file is missing, empty, or was written by gw */
function refuseOthers(files: Pick<Files, 'read' | 'size'>, path: string): void {
  if (files.size(path) === 0) return;
  const [first = ''] = (files.read(path, MAX_EARLIER_BYTES) ?? '').split('\n', 1);
  if (first.includes(OWN_COLUMNS[0])) return;
  throw usage(
    'file-exists',
    `${path} already exists, and is not a file of failed rows from gw.`,
    'Name another file with --failed.',
    { sent: false },
  );
}

/** @returns the rows as they were read, with card numbers masked */
async function written(
  rows: readonly FailedRow[],
  { header }: FieldColumns,
  isFirst: boolean,
): Promise<string> {
  if (!header)
    return rows.map(({ row }) => `${maskCardNumbers(JSON.stringify(row.object))}\n`).join('');
  const { stringify } = await import('csv-stringify/sync');
  const table = rows.map(({ row }) => row.cells ?? []);
  const { delimiter } = header;
  const shown = isFirst ? [header.cells, ...table] : table;
  return stringify(
    shown.map((cells) => cells.map((cell) => maskCardNumbers(cell))),
    { delimiter },
  );
}

async function writtenWithReasons(
  rows: readonly FailedRow[],
  { header, names }: FieldColumns,
  { isFirst, isAsWritten }: { isFirst: boolean; isAsWritten: boolean | undefined },
): Promise<string> {
  if (!header) return rows.map((failed) => `${JSON.stringify(ofJson(failed))}\n`).join('');
  const { stringify } = await import('csv-stringify/sync');
  const places = placesOf(header);
  const table = rows.map(({ row, outcome, reason }) => [
    ...places.map((i) => safeCell(names[i] ?? header.cells[i] ?? '', row.cells?.[i] ?? '')),
    String(row.line),
    outcome,
    withoutFormula(neutralise(reason)),
    writtenReference(
      safeCell('reference', cellAsItWas(row.cells?.[names.indexOf('reference')] ?? '')),
      isAsWritten || row.isAsWritten,
    ),
  ]);
  const first = isFirst ? [[...places.map((i) => header.cells[i] ?? ''), ...OWN_COLUMNS]] : [];
  return stringify([...first, ...table], { delimiter: header.delimiter });
}

/** The places of the user's own columns. The columns of an earlier file of failed rows are written anew. */
function placesOf({ cells }: HeaderRow): number[] {
  return [...cells.keys()].filter((i) => cells[i] !== '' && !isOwn(cells[i] ?? ''));
}

function safeCell(name: string, cell: string): string {
  const safe = redactJson({ [name.split('.').at(-1) ?? name]: cell }, 'kept');
  const [value] = Object.values(safe as JsonObject);
  return value === HIDDEN && kindOfName(name) !== 'card number' ? '' : String(value);
}

function ofJson({ row, outcome, reason }: FailedRow): JsonObject {
  const entries = Object.entries(row.object ?? {}).filter(([name]) => !isOwn(name));
  const kept = withoutHidden(redactJson(Object.fromEntries(entries), 'kept')) as JsonObject;
  return { ...kept, gw_line: row.line, gw_outcome: outcome, gw_reason: neutralise(reason) };
}

function isOwn(name: string): boolean {
  return (OWN_COLUMNS as readonly string[]).includes(name);
}

/** The advice differs between a file that the user named and a file of gw's own. */
function writing(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw error.with({ next: `Choose a file other than ${shellWord(path)} for --failed.` });
  }
}
