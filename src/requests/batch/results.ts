/**
 * Prints the results of a batch in the order of its lines. The output depends on where it goes:
 *
 *   a terminal, and no format was asked for    the lines that did not succeed, as they happen, in words; of a dry run,
 *                                              also the first that would be sent
 *   a pipe, and no format was asked for        a line of JSON for each line of input
 *   a format                                   a record for each line of input
 */
import type { Json, JsonObject } from '../../base/json.ts';
import { shellWord } from '../../base/shell.ts';
import { count } from '../../base/text.ts';
import { targetOf } from '../../client/exchange/said-money.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Output } from '../../host/host.ts';
import { redactJson, redactText } from '../../host/redaction/redact.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { RecordView } from '../../view/columns.ts';
import {
  type OutputOptions,
  openPrinter,
  type PrintHost,
  showsWholeRecords,
} from '../../view/print-records.ts';
import type { Printer } from '../../view/printer.ts';
import { reasonIn } from '../../view/reason.ts';
import { painter } from '../../view/text/color.ts';
import { loadMeasure, type Measure } from '../../view/text/width.ts';
import { wrap } from '../../view/text/wrap.ts';
import { BATCH_LINE_VIEW } from './batch-line.ts';
import { lineMoneyText, saidOf, WORDS } from './batch-report.ts';
import type { LineClass, LineResult } from './engine/batch.ts';
import { writtenReference } from './engine/columns.ts';
import type { Progress } from './engine/progress.ts';
import { addTotal, type Totals } from './engine/totals.ts';
import type { FailedRow, FailedRows } from './failed-rows.ts';

export interface Results {
  /** @throws Failure if they cannot be printed */
  print(results: readonly LineResult[]): Promise<void>;
  /** Ends the output, which is complete only after this. */
  end(): Promise<void>;
}

interface ResultsOptions {
  output: OutputOptions;
  operation: Operation;
  /** Whether the lines that were not started are those that would be sent. */
  isDryRun: boolean;
}

/** The most lines shown that would be sent. */
const MOST_TO_SEND = 20;

/** The number of pending characters that causes a write. */
const MOST_PENDING = 32_768;

const REASON_INDENT = '  ';

/** @throws Failure usage if the options contradict each other */
export function openResults(host: PrintHost, progress: Progress, options: ResultsOptions): Results {
  const { format, fields, jq, hasHeader, hasNoFormulas } = options.output;
  const isAsked = hasNoFormulas || [format, fields, jq, hasHeader].some((one) => one !== undefined);
  return host.stdout.isTerminal && !isAsked
    ? new ScreenResults(host.stdout, progress, options)
    : new RecordResults(host, progress, options);
}

class ScreenResults implements Results {
  readonly #output: Output;
  readonly #progress: Progress;
  readonly #mostToSend: number;
  #toSend = 0;

  constructor(output: Output, progress: Progress, { isDryRun }: ResultsOptions) {
    this.#output = output;
    this.#progress = progress;
    this.#mostToSend = isDryRun ? MOST_TO_SEND : 0;
  }

  async print(results: readonly LineResult[]): Promise<void> {
    // Lines that were not started are counted at the end, since there may be thousands.
    const shown = results.filter(({ outcome }) =>
      outcome === 'not-started' ? ++this.#toSend <= this.#mostToSend : outcome !== 'done',
    );
    if (shown.length === 0) return;
    const measure = await loadMeasure();
    const text = shown.map((result) => this.#lines(result, measure)).join('');
    await this.#progress.above(() => this.#output.write(text));
  }

  async end(): Promise<void> {
    const more = this.#toSend - this.#mostToSend;
    if (this.#mostToSend > 0 && more > 0)
      await this.#progress.above(() => this.#output.write(`and ${count(more)} more to send\n`));
  }

  /** @returns one line about the result; a reason that does not fit follows on lines of its own */
  #lines(result: LineResult, measure: Measure): string {
    const { line, outcome } = result;
    const { columns } = this.#output;
    const paint = painter(this.#output);
    const isToSend = outcome === 'not-started';
    const { reference, transaction_id } = line.body;
    const said = saidOf(line);
    const purchase = isToSend ? (said.purchase_reference ?? transaction_id) : undefined;
    const customer = isToSend && typeof said.customer === 'string' ? said.customer : '';
    const word = isToSend ? 'to send' : WORDS[outcome];
    const role = outcome === 'declined' || outcome === 'rejected' ? 'declined' : 'unclear';
    const rest = [
      ...[purchase, reference].map((name) =>
        typeof name === 'string' ? shellWord(neutralise(redactText(name))) : '',
      ),
      neutralise(customer),
      lineMoneyText(line) ?? '',
    ].filter((part) => part !== '');
    const known = [`Line ${line.number}`, word, ...rest].join('  ');
    const shown = [paint('heading', `Line ${line.number}`), paint(role, word), ...rest].join('  ');
    const reason = neutralise(isToSend ? String(said.note ?? '') : reasonOf(result));
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

  constructor(host: PrintHost, progress: Progress, options: ResultsOptions) {
    const { output } = options;
    // jq gets one record at a time, so no line of thousands waits for the last.
    const isLines = output.jq !== undefined || !host.stdout.isTerminal;
    const format = output.format ?? (isLines ? 'jsonl' : 'table');
    // Whoever chooses fields may mean those of the help or those of the record.
    const isChosen = output.fields !== undefined || output.jq !== undefined;
    this.#shape = isChosen ? 'both' : showsWholeRecords(format) ? 'nested' : 'flat';
    this.#output = host.stdout;
    this.#progress = progress;
    this.#options = options;
    // Results come many at a time, so they are written together.
    const stdout: Output = {
      ...outputOf(host.stdout),
      write: async (text) => {
        this.#pending += text;
        // A --jq expression may yield endless results.
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

/** @returns the view of lines, including every field that their records may have */
function viewOf({ response }: Operation): RecordView {
  const fields = Object.keys(response).map((name) => `record.${name}`);
  const ofErrors = ['kind', 'message', 'next', 'status', 'errors'].map((name) => `error.${name}`);
  // A table has no such fields; JSON and --fields may.
  return { ...BATCH_LINE_VIEW, mayHave: [...fields, ...ofErrors], omitsEmpty: true };
}

/** All members but `write`. Its properties may be getters, which a spread does not copy. */
function outputOf({ isTerminal, columns, color, blocks, isPlain }: Output): Omit<Output, 'write'> {
  return { isTerminal, columns, color, blocks, isPlain };
}

/** Lines of these classes have certainly not been done, so they may be sent again. */
// biome-ignore format: names that belong together stand in one line
const MAY_BE_SENT: ReadonlySet<LineClass> = new Set([
  'declined', 'rejected', 'refused', 'conflict', 'not-sent', 'not-started',
]);

/**
 * Takes the results of a batch in the order of its lines: prints them, adds them up, and keeps those that did not
 * succeed.
 */
export class Outcomes {
  /** The totals of the lines that are done. */
  readonly done: Totals = new Map();
  /** Those of the lines that this run did. */
  readonly now: Totals = new Map();
  /** The lines without a reference that another batch or a command did. */
  doneByOthers = 0;
  readonly #results: Results;
  readonly #failed: FailedRows | undefined;

  constructor(results: Results, failed: FailedRows | undefined) {
    this.#results = results;
    this.#failed = failed;
  }

  /** @throws Failure if they cannot be printed or kept */
  async take(results: readonly LineResult[]): Promise<void> {
    for (const { line, outcome, isByOthers, isEarlier, currency } of results) {
      const totals = outcome !== 'done' ? [] : isEarlier ? [this.done] : [this.done, this.now];
      for (const total of totals) addTotal(total, line.body, currency ?? line.currency);
      if (isByOthers) this.doneByOthers++;
    }
    // The file comes first: if the output is gone, nothing prints these rows again.
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
 * The reason why a line ended as it did.
 * @returns for a declined card what the issuer said; '' if nothing is known. Secrets are hidden, control characters are
 *   not
 */
function reasonOf({ outcome, record, error }: LineResult): string {
  const ofRecord = typeof record?.message === 'string' ? record.message : undefined;
  const said = outcome === 'declined' ? (ofRecord ?? error?.message) : (error?.message ?? ofRecord);
  return typeof said === 'string' ? redactText(reasonIn(said)) : '';
}

/** @returns the result as JSON: the gateway's whole record, without keys that have no value */
function nestedRecord({ line, outcome, isEarlier, entry, record, error }: LineResult): JsonObject {
  const shown: JsonObject = { line: line.number, outcome };
  for (const [name, value] of Object.entries(saidOf(line))) if (value !== null) shown[name] = value;
  if (isEarlier) shown.earlier = true;
  if (entry !== undefined) shown.entry = entry;
  if (record !== undefined) shown.record = record;
  if (error !== undefined) shown.error = error as Json;
  return shown;
}

/** @returns the result as a table row with the same fields for each line; null for a field without a value */
function flatRecord(result: LineResult, operation: Operation): JsonObject {
  const { line, outcome, isEarlier, entry, record = {}, error } = result;
  const { number, body } = line;
  const currency = result.currency ?? line.currency ?? null;
  const asked = redactJson(body) as JsonObject;
  return {
    line: number,
    outcome,
    earlier: isEarlier,
    id: record.id ?? record.token ?? null,
    reference: asked.reference ?? null,
    amount: asked.amount ?? null,
    currency: asked.amount === undefined ? (asked.currency ?? null) : currency,
    target: targetOf(operation, { body: asked }),
    ...saidOf(line),
    message: reasonOf(result) || null,
    next: error?.next ?? null,
    entry: entry ?? null,
    gw_reference:
      typeof asked.reference === 'string' ? writtenReference(asked.reference) || null : null,
  };
}
