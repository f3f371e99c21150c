/**
 * Where the results of a batch go, in the order of its lines:
 *
 *   a terminal, and no format was asked for   what did not succeed, as it happens, in words
 *   a pipe, and no format was asked for        a line of JSON for each line of input
 *   a format                                   a record for each line of input
 */
import type { Json, JsonObject } from '../../base/json.ts';
import { shellWord } from '../../base/shell.ts';
import { targetOf } from '../../client/exchange/said-money.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Host, Output } from '../../host/host.ts';
import { redactJson, redactText } from '../../host/redaction/redact.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { RecordView } from '../../view/columns.ts';
import { isWholeIn, type OutputOptions, openPrinter } from '../../view/print-records.ts';
import type { Printer } from '../../view/printer.ts';
import { reasonIn } from '../../view/reason.ts';
import { BATCH_LINE_VIEW } from '../../view/records/batch-line.ts';
import { painter } from '../../view/text/color.ts';
import { loadMeasure, type Measure } from '../../view/text/width.ts';
import { wrap } from '../../view/text/wrap.ts';
import { lineMoneyText, WORDS } from './batch-report.ts';
import type { LineClass, LineResult } from './engine/batch.ts';
import type { Progress } from './engine/progress.ts';
import { addTotal, type Totals } from './engine/totals.ts';
import type { FailedRow, FailedRows } from './failed-rows.ts';

export interface Results {
  /** @throws Failure when they cannot be printed */
  print(results: readonly LineResult[]): Promise<void>;
  /** Ends the output, which is whole only then. */
  end(): Promise<void>;
}

interface ResultsOptions {
  output: OutputOptions;
  operation: Operation;
}

/** Characters that are kept to be written together. */
const MOST_PENDING = 32_768;

const REASON_INDENT = '  ';

/** @throws Failure usage when the options contradict each other */
export function openResults(host: Host, progress: Progress, options: ResultsOptions): Results {
  const { format, fields, jq, hasHeader, hasNoFormulas } = options.output;
  const isAsked = hasNoFormulas || [format, fields, jq, hasHeader].some((one) => one !== undefined);
  return host.stdout.isTerminal && !isAsked
    ? new ScreenResults(host.stdout, progress)
    : new RecordResults(host, progress, options);
}

class ScreenResults implements Results {
  readonly #output: Output;
  readonly #progress: Progress;

  constructor(output: Output, progress: Progress) {
    this.#output = output;
    this.#progress = progress;
  }

  async print(results: readonly LineResult[]): Promise<void> {
    // What was not started is counted at the end: there may be thousands of them.
    const failed = results.filter(({ outcome }) => outcome !== 'done' && outcome !== 'not-started');
    if (failed.length === 0) return;
    const measure = await loadMeasure();
    const text = failed.map((result) => this.#lines(result, measure)).join('');
    await this.#progress.above(() => this.#output.write(text));
  }

  async end(): Promise<void> {}

  /** @returns what is known of it in one line; a reason for which that has no room follows in lines of its own */
  #lines(result: LineResult, measure: Measure): string {
    const { line, outcome } = result;
    const { columns } = this.#output;
    const paint = painter(this.#output);
    const { reference } = line.body;
    const role = outcome === 'declined' || outcome === 'rejected' ? 'declined' : 'unclear';
    const rest = [
      typeof reference === 'string' ? shellWord(neutralise(redactText(reference))) : '',
      lineMoneyText(line) ?? '',
    ].filter((part) => part !== '');
    const known = [`Line ${line.number}`, WORDS[outcome], ...rest].join('  ');
    const shown = [
      paint('heading', `Line ${line.number}`),
      paint(role, WORDS[outcome]),
      ...rest,
    ].join('  ');
    const reason = neutralise(reasonOf(result));
    if (reason === '') return `${shown}\n`;
    if (measure(known) + 2 + measure(reason) <= columns) return `${shown}  ${reason}\n`;
    const lines = wrap(reason, columns - REASON_INDENT.length, measure);
    return [shown, ...lines.map((text) => REASON_INDENT + text), ''].join('\n');
  }
}

class RecordResults implements Results {
  readonly #output: Output;
  readonly #progress: Progress;
  readonly #options: ResultsOptions;
  readonly #printer: Printer;
  readonly #shape: 'nested' | 'flat' | 'both';
  #pending = '';

  constructor(host: Host, progress: Progress, options: ResultsOptions) {
    const { output } = options;
    // Of thousands of lines none waits for the last: jq is given one after the other.
    const isLines = output.jq !== undefined || !host.stdout.isTerminal;
    const format = output.format ?? (isLines ? 'jsonl' : 'table');
    this.#shape = output.fields !== undefined ? 'both' : isWholeIn(format) ? 'nested' : 'flat';
    this.#output = host.stdout;
    this.#progress = progress;
    this.#options = options;
    // Written together: results come many at a time.
    const stdout: Output = {
      ...outputOf(host.stdout),
      write: async (text) => {
        this.#pending += text;
        // An expression of --jq may have results without end.
        if (this.#pending.length > MOST_PENDING) await this.#flush();
      },
    };
    const shown = { ...output, format };
    this.#printer = openPrinter({ ...host, stdout }, shown, {
      kind: viewOf(options.operation),
      isSingle: false,
      isUnpaged: true,
      isSeenThrough: true,
    });
  }

  async print(results: readonly LineResult[]): Promise<void> {
    for (const result of results) await this.#printer.add(this.#recordOf(result));
    await this.#flush();
  }

  async end(): Promise<void> {
    await this.#printer.end();
    await this.#flush();
  }

  #recordOf(result: LineResult) {
    if (this.#shape === 'nested') return nestedRecord(result);
    const flat = flatRecord(result, this.#options.operation);
    return this.#shape === 'flat' ? flat : { ...flat, ...nestedRecord(result) };
  }

  async #flush(): Promise<void> {
    const text = this.#pending;
    this.#pending = '';
    if (text === '') return;
    if (this.#output.isTerminal) await this.#progress.above(() => this.#output.write(text));
    else await this.#output.write(text);
  }
}

/** @returns the view of lines, with what their records may have */
function viewOf({ response }: Operation): RecordView {
  const fields = Object.keys(response).map((name) => `record.${name}`);
  const ofErrors = ['kind', 'message', 'next', 'status', 'errors'].map((name) => `error.${name}`);
  return { ...BATCH_LINE_VIEW, mayHave: [...fields, ...ofErrors] };
}

/** All of it but `write`: its properties may be getters, which a spread does not copy. */
function outputOf({ isTerminal, columns, color, blocks, isPlain }: Output): Omit<Output, 'write'> {
  return { isTerminal, columns, color, blocks, isPlain };
}

/** Of lines of these classes it is certain that they have not been done, and so they may be sent. */
const MAY_BE_SENT: ReadonlySet<LineClass> = new Set([
  ...(['declined', 'rejected', 'refused', 'conflict', 'not-sent', 'not-started'] as const),
]);

/** What becomes of the lines of a batch, in their order: printed, added up, and kept where they did not succeed. */
export class Outcomes {
  /** What the lines that are done come to. */
  readonly done: Totals = new Map();
  /** Lines that are done, have no reference, and were done by another batch or by a command. */
  doneByOthers = 0;
  readonly #results: Results;
  readonly #failed: FailedRows | undefined;

  constructor(results: Results, failed: FailedRows | undefined) {
    this.#results = results;
    this.#failed = failed;
  }

  /** @throws Failure when they cannot be printed or kept */
  async take(results: readonly LineResult[]): Promise<void> {
    for (const { line, outcome, isByOthers } of results) {
      if (outcome === 'done') addTotal(this.done, line.body, line.currency);
      if (isByOthers) this.doneByOthers++;
    }
    // First, since nothing prints them again where the output is gone.
    await this.#failed?.add(results.flatMap(failedRow));
    await this.#results.print(results);
  }

  /** @throws Failure as `take` */
  async end(): Promise<void> {
    this.#failed?.end();
    await this.#results.end();
  }
}

function failedRow(result: LineResult): FailedRow[] {
  const { line, outcome } = result;
  if (!MAY_BE_SENT.has(outcome)) return [];
  return [{ row: line.row, outcome, reason: reasonOf(result) }];
}

/**
 * Why a line ended as it did, in the words of whoever knows it best.
 * @returns of a card that was declined, what its issuer said; '' where nothing is known. Secrets are hidden,
 *   control characters are not
 */
function reasonOf({ outcome, record, error }: LineResult): string {
  const ofRecord = typeof record?.message === 'string' ? record.message : undefined;
  const said = outcome === 'declined' ? (ofRecord ?? error?.message) : (error?.message ?? ofRecord);
  return typeof said === 'string' ? redactText(reasonIn(said)) : '';
}

/** @returns the result as JSON has it: the record of the gateway whole, keys left out that have no value */
function nestedRecord({ line, outcome, isEarlier, entry, record, error }: LineResult): JsonObject {
  const shown: JsonObject = { line: line.number, outcome };
  if (isEarlier) shown.earlier = true;
  if (entry !== undefined) shown.entry = entry;
  if (record !== undefined) shown.record = redactJson(record);
  if (error !== undefined) shown.error = error as Json;
  return shown;
}

/**
 * @returns the result as a row of a table, with the same fields for each line, null where there is none
 */
function flatRecord(result: LineResult, operation: Operation): JsonObject {
  const { line, outcome, isEarlier, entry, record = {}, error } = result;
  const { number, body, currency } = line;
  const asked = redactJson(body) as JsonObject;
  const made = redactJson(record) as JsonObject;
  return {
    line: number,
    outcome,
    earlier: isEarlier,
    id: made.id ?? made.token ?? null,
    reference: asked.reference ?? null,
    amount: asked.amount ?? null,
    currency: asked.currency ?? (asked.amount === undefined ? null : (currency ?? null)),
    target: targetOf(operation, { body: asked }),
    message: reasonOf(result) || null,
    next: error?.next ?? null,
    entry: entry ?? null,
  };
}
