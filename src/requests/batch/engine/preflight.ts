/**
 * Checks all rows before anything is sent. It finds every problem (up to a limit, then it counts), repeated lines, the
 * total of the amounts, and the identity of the batch. The lines that it returns are the lines that are sent.
 */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../base/json.ts';
import { quotedText } from '../../../base/shell.ts';
import { isSameInSpreadsheet, spreadsheetKeys } from '../../../base/spreadsheet-text.ts';
import type { MoneyRequest } from '../../../journal/ledger.ts';
import { type Line, lineAmount } from './batch.ts';
import type { FieldColumns } from './columns.ts';
import type { InputRow } from './rows.ts';
import { addTotal, type Totals } from './totals.ts';

/** The most problems that are named; the rest are counted. */
export const MAX_PROBLEMS = 100;

/** Rows that are read at once. */
const PAGE_ROWS = 256;

/** The request that a row asks for. */
export interface RowRequest {
  body: JsonObject;
  problems: readonly string[];
  /** ISO 4217 code of the amount, if it is known. */
  currency?: string | undefined;
  /** Why it is sent; it does not tell one request from another. */
  note?: string | undefined;
}

/** The identity of a request. */
export interface LineIdentity {
  /** A digest: two requests with the same key are duplicates. */
  key: string;
  /** A text that is the same for requests that differ only in the amount. */
  subject: string;
  /** The request as the ledger keeps it; undefined if lines send none. */
  kept?: MoneyRequest;
}

export interface BatchSource {
  /** Turns each row into a request, or says what is wrong with it. Looks up what it needs for all of them at once. */
  read(rows: readonly InputRow[]): Promise<readonly RowRequest[]>;
  columns: FieldColumns;
  /** @param currency ISO 4217 code of the amount, if it is known */
  identify(body: JsonObject, currency: string | undefined): LineIdentity;
  /** Sends lines that repeat another one too. */
  allowsDuplicates: boolean;
  /** No spreadsheet changed the input. */
  isAsWritten?: boolean;
  /** @returns what all rows lack because no column has it, as the rest of a sentence about the first row */
  lacking?(): string | undefined;
  /** @returns the problem of a row that repeats the row on line `first` */
  repeats(first: number): string;
}

interface Problem {
  /** Undefined for a problem of the text as a whole. */
  line: number | undefined;
  problem: string;
  /** The further lines that have it, if any. */
  also?: number[];
}

export interface Plan {
  /** All lines, if there is no problem. */
  lines: readonly Line[];
  /** The sum of the amounts, by currency. */
  totals: Readonly<Totals>;
  /** The digest of the requests in their order, whatever form they were written in. */
  digest: string;
  problems: readonly Problem[];
  /** All problems, each once, including those that are not named. */
  problemCount: number;
}

/** @param interrupted ends the check by throwing its reason */
export async function planBatch(
  source: BatchSource,
  rows: readonly InputRow[],
  interrupted: AbortSignal,
): Promise<Plan> {
  const preflight = new Preflight(source);
  const isWrong = preflight.checkHeader();
  // If no column is known, every row is wrong in the same way.
  for (let begin = 0; begin < rows.length && !isWrong; begin += PAGE_ROWS) {
    interrupted.throwIfAborted();
    await preflight.add(rows.slice(begin, begin + PAGE_ROWS));
  }
  return preflight.plan();
}

class Preflight {
  readonly #source: BatchSource;
  readonly #lines: Line[] = [];
  readonly #problems = new Map<string, Problem>();
  #problemCount = 0;
  /** Whether rows are checked for further problems alone, because all lack the same. */
  #isLacking = false;
  /** For each key, the line of the first request with it and the number of lines that have it. */
  readonly #keys = new Map<string, { first: number; count: number }>();
  /** The first line with each subject. */
  readonly #firstLines = new Map<string, Line>();
  /** The lines by target, amount and first of the `spreadsheetKeys` of their reference, each reference once. */
  readonly #alike = new Map<string, Line[]>();
  readonly #totals: Totals = new Map();
  readonly #digest = createHash('sha256');

  constructor(source: BatchSource) {
    this.#source = source;
  }

  /** Notes the problems of a table's first row. @returns whether no row can be read for them; other inputs have no first row */
  checkHeader(): boolean {
    const { columns } = this.#source;
    const problems = columns.header ? columns.problems() : [];
    const lacking = columns.header && this.#source.lacking?.();
    this.#isLacking = lacking !== undefined;
    for (const problem of [...problems, ...(lacking ? [lacking] : [])])
      this.#note(columns.header?.line, problem);
    return problems.length > 0 && !columns.isReadable;
  }

  async add(rows: readonly InputRow[]): Promise<void> {
    const readable = rows.filter(({ problem }) => problem === undefined);
    const requests = (await this.#source.read(readable)).values();
    for (const row of rows) {
      if (row.problem !== undefined) this.#note(row.line, row.problem);
      else this.#take(row, requests.next().value as RowRequest);
    }
  }

  #take(row: InputRow, { body, problems, currency, note }: RowRequest): void {
    for (const problem of problems) this.#note(row.line, problem);
    if (problems.length > 0 || this.#isLacking) return;
    const { key, subject, kept } = this.#source.identify(body, currency);
    if (kept && note !== undefined) kept.note = note;
    const { first, count } = this.#countOf(key, row.line);
    const { allowsDuplicates } = this.#source;
    if (count > 1 && !allowsDuplicates) this.#note(row.line, this.#source.repeats(first));
    const occurrence = allowsDuplicates ? count : 1;
    const line = { number: row.line, key, occurrence, body, kept, row, currency };
    const alike = this.#source.isAsWritten || count > 1 ? undefined : this.#findAlike(line);
    if (alike) this.#note(row.line, alike);
    this.#addSibling(line, subject);
    this.#lines.push(line);
    this.#digest.update(key);
    addTotal(this.#totals, body, currency);
  }

  /** @returns the problem of a line that a spreadsheet may have made of an earlier one, or the other way round */
  #findAlike(line: Line): string | undefined {
    const { target, amount, reference = null } = line.kept ?? {};
    if (reference === null) return undefined;
    const keys = spreadsheetKeys(reference).map((key) => JSON.stringify([target, amount, key]));
    const known = keys.flatMap((key) => this.#alike.get(key) ?? []);
    const [own = ''] = keys;
    this.#alike.set(own, [...(this.#alike.get(own) ?? []), line]);
    const same = known.find(
      ({ kept, row }) =>
        !(row.isAsWritten && line.row.isAsWritten) &&
        isSameInSpreadsheet(kept?.reference ?? '', reference),
    );
    if (!same) return undefined;
    const of = `${quotedText(same.kept?.reference ?? '')} of line ${same.number}`;
    return `asks for the same as line ${same.number}, and a spreadsheet may make its reference ${quotedText(reference)} of ${of}, or the other way round: remove one line, or send both with --as-written`;
  }

  /** Adds a line to those that ask for the same or differ only in the amount. All of them share one list. */
  #addSibling(line: Line, subject: string): void {
    const first = this.#firstLines.get(subject);
    if (!first) {
      this.#firstLines.set(subject, line);
      return;
    }
    first.siblings ??= [{ amount: lineAmount(first), lines: 1 }];
    line.siblings = first.siblings;
    const alike = line.siblings.find(({ amount }) => amount === lineAmount(line));
    if (alike) alike.lines += 1;
    else line.siblings.push({ amount: lineAmount(line), lines: 1 });
  }

  #countOf(key: string, line: number): { first: number; count: number } {
    const known = this.#keys.get(key) ?? { first: line, count: 0 };
    known.count++;
    this.#keys.set(key, known);
    return known;
  }

  plan(): Plan {
    if (this.#lines.length === 0 && this.#problemCount === 0)
      this.#note(undefined, 'it has no rows');
    return {
      lines: this.#lines,
      totals: this.#totals,
      digest: this.#digest.digest('hex'),
      problems: [...this.#problems.values()],
      problemCount: this.#problemCount,
    };
  }

  #note(line: number | undefined, problem: string): void {
    const known = this.#problems.get(problem);
    if (known && line !== undefined) {
      known.also ??= [];
      known.also.push(line);
    }
    if (known) return;
    this.#problemCount++;
    if (this.#problems.size < MAX_PROBLEMS) this.#problems.set(problem, { line, problem });
  }
}
