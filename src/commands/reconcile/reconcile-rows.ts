/**
 * The run over the rows of a file: the results of the first are held back until they show which file this is; then each
 * is printed as it comes.
 *
 * Tests: test/unit/commands/reconcile/run-reconcile.test.ts, test/scripts/commands/reconcile.script
 */
import { commandText } from '../../base/shell.ts';
import type { GatewayConnection } from '../../client/connection/call.ts';
import type { Context } from '../../host/context.ts';
import type { StopReason } from '../../requests/batch/engine/batch.ts';
import { BatchRun } from '../../requests/batch/engine/batch-run.ts';
import type { SomeLines } from '../../requests/batch/engine/lines.ts';
import type { Progress } from '../../requests/batch/engine/progress.ts';
import type { FailedRow, FailedRows } from '../../requests/batch/failed-rows.ts';
import type { PageText } from '../../view/print-records.ts';
import type { Printer } from '../../view/printer.ts';
import { textOf } from '../../view/values.ts';
import type { RowSender } from './ask-line.ts';
import type { Book } from './book.ts';
import { unknownText } from './book-facts.ts';
import { type BookRow, nameOf } from './book-row.ts';
import { type Covered, coveredBy, knownIn } from './covered.ts';
import type { FirstRows, RowResult } from './first-rows.ts';
import type { KnownAccount } from './known-account.ts';
import type { OtherPayments } from './other-payments.ts';
import type { OtherUnits } from './other-units.ts';
import type { ReconcileOptions } from './reconcile-options.ts';
import {
  comparedText,
  coverageText,
  hiddenText,
  reconciledText,
  tallyWords,
  uncountedText,
} from './reconcile-report.ts';
import { NO_FAULTS, type Reconciled } from './reconciled-row.ts';
import type { Answer, Reconciliation } from './reconciliation.ts';
import { debitText, isOtherSide, signedBy } from './side.ts';

/** The parts of one run. */
export interface ReconcileRun {
  context: Context;
  options: ReconcileOptions;
  gateway: GatewayConnection;
  reconciliation: Reconciliation;
  progress: Progress;
}

export interface RowsRun extends ReconcileRun {
  book: Book;
  lines: SomeLines;
  failed: FailedRows | undefined;
  printer: Printer;
  /** The text of the page, if the results go to one. */
  said: PageText;
  sender: RowSender;
  first: FirstRows;
  others: OtherPayments;
  units: OtherUnits;
  account: KnownAccount;
  /** The path of the file, or `-`. */
  source: string;
  /** The same command, with deposits compared by the day; undefined if the rows are none. */
  byDay: string | undefined;
  /** The same, if sales may be below zero. */
  asDebit: string | undefined;
}

/**
 * Looks the rows up, prints their results and those of missing records, and then the summary.
 * @returns why rows were not looked up, if any were not
 * @throws Failure if results cannot be printed or stored
 */
export async function reconcileRows(run: RowsRun): Promise<StopReason | undefined> {
  const { printer } = run;
  const { host } = run.context;
  let covered: Covered | undefined;
  let stoppedBy: StopReason | undefined;
  try {
    stoppedBy = await askAll(run);
    if (!host.interrupted.aborted) covered = await findMissing(run);
    run.said.notes = summaryOf(run, covered).trimEnd().split('\n');
  } finally {
    await printer.end();
  }
  await host.stderr.write(summaryOf(run, covered));
  return stoppedBy;
}

function summaryOf(run: RowsRun, covered: Covered | undefined): string {
  const { context, reconciliation } = run;
  const { tally, sums } = reconciliation;
  const isWhole = !context.host.interrupted.aborted;
  return [
    `reconcile: ${tallyWords(tally)}.\n`,
    hiddenText(tally, run.options),
    run.units.text(run.source, run.book, run.options),
    comparedText(reconciliation),
    reconciledText(sums),
    uncountedText(reconciliation),
    isWhole ? coverageText(reconciliation, covered, run) : '',
  ].join('');
}

/** @returns why rows were not looked up, if any were not. @throws Failure if results cannot be printed or stored */
async function askAll(run: RowsRun): Promise<StopReason | undefined> {
  const { context, options, book, lines, progress, sender, first } = run;
  const { host } = context;
  const batch = new BatchRun(lines, sender, { ...options.batch, clock: host.clock, progress });
  const interrupted = () => batch.stop({ why: 'it was interrupted' });
  if (host.interrupted.aborted) interrupted();
  host.interrupted.addEventListener('abort', interrupted, { once: true });
  let isOpen = true;
  try {
    for await (const results of batch.results()) {
      if (!isOpen) {
        await take(run, results, batch.stoppedBy);
        continue;
      }
      for (const result of results) first.add(result, book.written(result.line.row));
      if (!first.isEnough) continue;
      await begin(run, batch.stoppedBy);
      isOpen = false;
    }
    if (isOpen) await begin(run, batch.stoppedBy);
  } finally {
    await progress.clear();
    host.interrupted.removeEventListener('abort', interrupted);
  }
  return batch.stoppedBy;
}

/** Says which file this is, and takes the results that were held back. */
async function begin(run: RowsRun, stoppedBy: StopReason | undefined): Promise<void> {
  const { context, reconciliation, first, sender, progress, options, book } = run;
  const { results, debit } = first;
  await progress.clear();
  if (first.areAllUnknown) await context.host.stderr.write(unknownText(results.length, run));
  if (options.debitIs === undefined) {
    const isSaid = first.needsDebit && (book.facts.debits > 0 || !debit);
    await context.host.stderr.write(isSaid ? debitText(debit) : '');
    sender.debitIs = debit?.is;
    reconciliation.debitIs = debit?.is;
  }
  await take(run, results, stoppedBy);
}

async function take(
  run: RowsRun,
  results: readonly RowResult[],
  stoppedBy: StopReason | undefined,
): Promise<void> {
  const { book, reconciliation, failed, sender, others, units } = run;
  const rows: FailedRow[] = [];
  for (const first of results) {
    const { line } = first;
    const said = book.written(line.row);
    // Merchants give a refund the reference of its purchase. Only the side of the row tells which is meant.
    const isOther =
      first.answer && isOtherSide(signedBy(said, reconciliation.debitIs), first.answer);
    const result = isOther ? await sender.send(line) : first;
    const answer = answerOf(result, stoppedBy);
    const isForeign =
      'found' in answer && !answer.found && others.has(said, reconciliation.debitIs);
    const known = isForeign ? { found: undefined, isForeign } : await withKnown(run, said, answer);
    const reconciled = reconciliation.take(line.number, said, known);
    units.add(reconciled);
    const { outcome } = reconciled;
    if (!NO_FAULTS.includes(outcome)) rows.push({ row: line.row, outcome, reason: '' });
    await print(run, reconciled);
  }
  await failed?.add(rows);
}

/** @returns the answer with what this ledger knows besides: the refunds of a purchase, or the decline of a name */
async function withKnown(
  { account, options }: RowsRun,
  row: BookRow,
  answer: Answer,
): Promise<Answer> {
  if (!('found' in answer)) return answer;
  const { found } = answer;
  if (found?.kind === 'purchase') {
    const made = await account.refundsOf(textOf(found.record.id) ?? '');
    const refunded = made.reduce((sum, { amount }) => sum + Math.abs(amount ?? 0), 0);
    const refunds = made.map(({ id }) => id);
    return refunded > 0 ? { found: { ...found, refunded, refunds } } : answer;
  }
  const name = nameOf(row);
  const decline = found || name === '' ? undefined : await account.declined(name);
  if (!decline) return answer;
  const { profile } = options.batch.typed;
  const command = commandText(['find', name], [['profile', profile]]);
  const why = decline.message === null ? '' : `: ${decline.message}`;
  const shown = command === undefined ? '' : `; \`${command}\` shows it`;
  return { found, declined: `declined, as this ledger knows${why}${shown}` };
}

function answerOf(
  { outcome, error, answer }: RowResult,
  stoppedBy: StopReason | undefined,
): Answer {
  if (outcome === 'done') return { found: answer };
  if (outcome !== 'not-started') return { error: error ?? {} };
  const why = stoppedBy?.why ?? 'the run stopped';
  return { error: { message: `Not checked: ${why}.` } };
}

/** Prints the known records of the period that the file lacks. @returns the period, if there is one */
async function findMissing(checked: RowsRun): Promise<Covered | undefined> {
  const { context, options, gateway, reconciliation } = checked;
  const covered = coveredBy(options, reconciliation.span, options.zone);
  if (!covered) return undefined;
  const { things } = await gateway.ledger.open();
  for await (const thing of knownIn(things, covered, await gateway.ledger.destination())) {
    if (context.host.interrupted.aborted) break;
    const missing = reconciliation.takeThing(thing);
    if (missing) await print(checked, missing);
  }
  return covered;
}

async function print({ options, printer }: RowsRun, reconciled: Reconciled): Promise<void> {
  const { shown } = options;
  if (!shown || shown.includes(reconciled.outcome))
    await printer.add(options.view.record(reconciled));
}
