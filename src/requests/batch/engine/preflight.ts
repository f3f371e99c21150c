/**
 * The first pass: the whole text is read and checked before anything is sent. It finds every
 * problem (up to a limit, and counts the rest), lines that repeat another, how many lines there are
 * and what they come to, and the identity of the batch.
 */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../base/json.ts';
import { invariant } from '../../../failure.ts';
import type { Line } from './batch.ts';
import type { Columns } from './columns.ts';
import { KeySet } from './key-set.ts';
import { type InputRow, readRows } from './rows.ts';
import { addTotal, type Totals } from './totals.ts';

/** Problems that are named; more are counted. */
export const MAX_PROBLEMS = 100;

/** Rows that are learnt of together. */
const PAGE_ROWS = 256;

/** What a row is as a request. */
export interface ReadBody {
  body: JsonObject;
  problems: readonly string[];
  /** ISO 4217 code of its amount, where it is known. */
  currency?: string | undefined;
}

export interface BatchSource {
  /** The text from its beginning, the same each time it is asked for. */
  lines(): AsyncIterable<string>;
  /** Called once for each row, in the first pass and before it is read: finds out what reading it takes. */
  learn?(rows: readonly InputRow[]): Promise<void>;
  /** Makes a row a request, or says what is wrong with it. */
  read(row: InputRow): ReadBody;
  columns: Columns;
  /** @returns at least 32 hexadecimal digits, the same for two requests that would be duplicates */
  identify(body: JsonObject): string;
  /** Lines that repeat another one are sent too. */
  allowsDuplicates: boolean;
  /** @returns what is wrong with a row that repeats the one at another line */
  repeats(first: number): string;
}

interface Problem {
  /** undefined for what is wrong with the text as a whole. */
  line: number | undefined;
  problem: string;
}

export interface Plan {
  lines: number;
  /** What the amounts come to. */
  totals: Readonly<Totals>;
  /** @returns how many lines have an identity */
  count(key: string): number;
  /** The same for the same requests in the same order, however they are written down. */
  digest: string;
  problems: readonly Problem[];
  /** Including those that are not named. */
  problemCount: number;
}

/** @param interrupted ends the pass with its reason */
export async function planBatch(source: BatchSource, interrupted: AbortSignal): Promise<Plan> {
  const preflight = new Preflight(source);
  for await (const row of readRows(source.lines(), source.columns)) {
    if (preflight.lines % 1024 === 0) interrupted.throwIfAborted();
    // A header that is wrong would make every row wrong in the same way.
    if (preflight.lines === 0 && preflight.hasWrongHeader()) break;
    await preflight.add(row);
  }
  await preflight.end();
  if (preflight.lines === 0) preflight.hasWrongHeader();
  return preflight.plan();
}

class Preflight {
  readonly #source: BatchSource;
  readonly #problems: Problem[] = [];
  #problemCount = 0;
  readonly #keys = new KeySet();
  readonly #totals: Totals = new Map();
  readonly #digest = createHash('sha256');
  #isHeaderChecked = false;
  #page: InputRow[] = [];
  lines = 0;

  constructor(source: BatchSource) {
    this.#source = source;
  }

  /** Of a table; whatever else is read has none. */
  hasWrongHeader(): boolean {
    if (this.#isHeaderChecked) return this.#problemCount > 0;
    this.#isHeaderChecked = true;
    const { columns } = this.#source;
    const problems = columns.header ? columns.problems() : [];
    for (const problem of problems) this.#note(columns.header?.line, problem);
    return problems.length > 0;
  }

  async add(row: InputRow): Promise<void> {
    this.lines++;
    this.#page.push(row);
    if (this.#page.length === PAGE_ROWS) await this.end();
  }

  /** Reads the rows that have been added and not read yet. */
  async end(): Promise<void> {
    const rows = this.#page;
    this.#page = [];
    await this.#source.learn?.(rows.filter(({ problem }) => problem === undefined));
    for (const row of rows) this.#read(row);
  }

  #read(row: InputRow): void {
    const { body, problems, currency } = bodyOf(this.#source, row);
    for (const problem of problems) this.#note(row.line, problem);
    if (problems.length > 0) return;
    const key = this.#source.identify(body);
    const { first, count } = this.#keys.add(key, row.line);
    if (count > 1 && !this.#source.allowsDuplicates)
      this.#note(row.line, this.#source.repeats(first));
    this.#digest.update(key);
    addTotal(this.#totals, body, currency);
  }

  plan(): Plan {
    if (this.lines === 0 && this.#problemCount === 0) this.#note(undefined, 'it has no rows');
    return {
      lines: this.lines,
      totals: this.#totals,
      count: (key) => this.#keys.countOf(key),
      digest: this.#digest.digest('hex'),
      // Rows that could not be read come a little after those that could.
      problems: this.#problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
      problemCount: this.#problemCount,
    };
  }

  #note(line: number | undefined, problem: string): void {
    this.#problemCount++;
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push({ line, problem });
  }
}

/** The lines of the second pass, of a text in which the first found no problem. */
export async function* linesOf(source: BatchSource): AsyncGenerator<Line> {
  const keys = source.allowsDuplicates ? new KeySet() : undefined;
  for await (const row of readRows(source.lines(), source.columns)) {
    const { body, problems, currency } = bodyOf(source, row);
    invariant(problems.length === 0, `line ${row.line} has a problem that it did not have before`);
    const key = source.identify(body);
    const { count } = keys?.add(key, row.line) ?? { count: 1 };
    yield { number: row.line, key, occurrence: count, body, row, currency };
  }
}

function bodyOf(source: BatchSource, row: InputRow): ReadBody {
  return row.problem === undefined ? source.read(row) : { body: {}, problems: [row.problem] };
}
