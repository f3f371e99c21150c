/**
 * Checks all rows before anything is sent. It finds every problem (up to a limit, then it counts), repeated lines, the
 * total of the amounts, and the identity of the batch. The lines that it returns are the lines that are sent.
 */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../base/json.ts';
import { pagesOf } from '../../../base/pages.ts';
import { quotedText } from '../../../base/shell.ts';
import { isSameInSpreadsheet, spreadsheetKeys } from '../../../base/spreadsheet-text.ts';
import type { LinesOfAmount, MoneyRequest } from '../../../journal/ledger.ts';
import { type Line, lineAmount } from './batch.ts';
import type { FieldColumns } from './columns.ts';
import { Distinct } from './distinct.ts';
import { Lines } from './lines.ts';
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
  /** A digest: two requests with the same key, which have the same subject and amount, are duplicates. */
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

/** Lines that ask for the same. */
interface Sibling extends LinesOfAmount {
  /** The number of the first one. */
  first: number;
}

interface SharedReferences {
  lines: number;
  /** The first of them, and the line whose reference it has. */
  first?: { line: number; of: number; reference: string };
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
  lines: Lines;
  /** Whether a line has no note of its own. */
  lacksNote: boolean;
  /** The lines that have the reference of an earlier line. */
  shared: SharedReferences;
  /** The sum of the amounts, by currency. */
  totals: Readonly<Totals>;
  /** The digest of the requests in their order, whatever form they were written in. */
  digest: string;
  problems: readonly Problem[];
  /** All problems, each once, including those that are not named. */
  problemCount: number;
}

function siblingOf(line: Line): Sibling {
  return { amount: lineAmount(line), lines: 1, first: line.number };
}

/** @param interrupted ends the check by throwing its reason */
export async function planBatch(
  source: BatchSource,
  rows: Iterable<InputRow>,
  interrupted: AbortSignal,
): Promise<Plan> {
  const preflight = new Preflight(source);
  const isWrong = preflight.checkHeader();
  // If no column is known, every row is wrong in the same way.
  for await (const page of isWrong ? [] : pagesOf(rows, PAGE_ROWS)) {
    interrupted.throwIfAborted();
    await preflight.add(page);
  }
  return preflight.plan();
}

class Preflight {
  readonly #source: BatchSource;
  readonly #lines: Lines;
  #lacksNote = false;
  readonly #problems = new Map<string, Problem>();
  /** All problems, also those that are not named. */
  readonly #different = new Distinct();
  /** Whether rows are checked for further problems alone, because all lack the same. */
  #isLacking = false;
  /** The subjects of the lines, each with the place of the first line that has it. */
  readonly #subjects = new Distinct();
  /** The lines of each subject that several lines have, by the place of the first. */
  readonly #siblings = new Map<number, Sibling[]>();
  /** Each with the place of its first line. */
  readonly #references = new Distinct();
  readonly #shared: SharedReferences = { lines: 0 };
  /** Target, amount and first of the `spreadsheetKeys` of a reference, each with the place of its first line. */
  readonly #alike = new Distinct();
  /** The places of further lines by that of the first, each reference once. */
  readonly #moreAlike = new Map<number, number[]>();
  readonly #totals: Totals = new Map();
  readonly #digest = createHash('sha256');

  constructor(source: BatchSource) {
    this.#source = source;
    this.#lines = new Lines(this.#siblings);
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
    if (kept?.note === null) this.#lacksNote = true;
    const place = this.#subjects.add(subject, this.#lines.length);
    const line = { number: row.line, key, occurrence: 1, body, kept, row, currency };
    const { first, lines: count } = this.#countOf(place, line);
    const { allowsDuplicates } = this.#source;
    if (count > 1 && !allowsDuplicates) this.#note(row.line, this.#source.repeats(first));
    if (allowsDuplicates) line.occurrence = count;
    const alike = this.#source.isAsWritten || count > 1 ? undefined : this.#findAlike(line);
    if (alike) this.#note(row.line, alike);
    this.#noteShared(line);
    this.#lines.push(line, place);
    this.#digest.update(key);
    addTotal(this.#totals, body, currency);
  }

  /** @returns the problem of a line that a spreadsheet may have made of an earlier one, or the other way round */
  #findAlike(line: Line): string | undefined {
    const { target, amount, reference = null } = line.kept ?? {};
    if (reference === null) return undefined;
    const keys = spreadsheetKeys(reference).map((key) => JSON.stringify([target, amount, key]));
    const known = keys.flatMap((key) => this.#placesOf(this.#alike.find(key)));
    const [own = ''] = keys;
    const place = this.#lines.length;
    const first = this.#alike.add(own, place);
    if (first !== place) this.#moreAlike.set(first, [...this.#placesOf(first).slice(1), place]);
    const same = known
      .flatMap((one) => this.#lines.slice(one, one + 1))
      .find(
        ({ kept, row }) =>
          !(row.isAsWritten && line.row.isAsWritten) &&
          isSameInSpreadsheet(kept?.reference ?? '', reference),
      );
    if (!same) return undefined;
    const of = `${quotedText(same.kept?.reference ?? '')} of line ${same.number}`;
    return `asks for the same as line ${same.number}, and a spreadsheet may make its reference ${quotedText(reference)} of ${of}, or the other way round: remove one line, or send both with --as-written`;
  }

  /** @returns the places of the lines that are alike by one key. @param first that of the first, if there is one */
  #placesOf(first: number | undefined): number[] {
    return first === undefined ? [] : [first, ...(this.#moreAlike.get(first) ?? [])];
  }

  /**
   * Counts a line among those that ask for the same or differ only in the amount.
   * @param place that of the first of them
   * @returns those that ask for the same
   */
  #countOf(place: number, line: Line): Sibling {
    const own = siblingOf(line);
    if (place === this.#lines.length) return own;
    const siblings =
      this.#siblings.get(place) ?? this.#lines.slice(place, place + 1).map(siblingOf);
    this.#siblings.set(place, siblings);
    const same = siblings.find(({ amount }) => amount === own.amount);
    if (same) same.lines++;
    else siblings.push(own);
    return same ?? own;
  }

  #noteShared({ number, kept }: Line): void {
    const { reference = null } = kept ?? {};
    if (reference === null || reference === '') return;
    const place = this.#references.add(reference, this.#lines.length);
    if (place === this.#lines.length) return;
    this.#shared.lines++;
    const [first = { number }] = this.#shared.first ? [] : this.#lines.slice(place, place + 1);
    this.#shared.first ??= { line: number, of: first.number, reference };
  }

  plan(): Plan {
    if (this.#lines.length === 0 && this.#different.size === 0)
      this.#note(undefined, 'it has no rows');
    return {
      lines: this.#lines,
      lacksNote: this.#lacksNote,
      shared: this.#shared,
      totals: this.#totals,
      digest: this.#digest.digest('hex'),
      problems: [...this.#problems.values()],
      problemCount: this.#different.size,
    };
  }

  #note(line: number | undefined, problem: string): void {
    const known = this.#problems.get(problem);
    if (known && line !== undefined) {
      known.also ??= [];
      known.also.push(line);
    }
    if (known) return;
    this.#different.add(problem, 0);
    if (this.#problems.size < MAX_PROBLEMS) this.#problems.set(problem, { line, problem });
  }
}
