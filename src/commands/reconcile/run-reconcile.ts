/**
 * `gw reconcile`: checks the whole file, and looks each row up as a batch sends its lines (several in flight, no faster
 * than the gateway accepts). Then it asks the ledger which records the file lacks. It changes nothing, so an interrupt
 * ends the look-ups at once.
 *
 *   book.ts             the file: its rows (book-row.ts), and their faults
 *   ask-line.ts         the result of a row in the run of a batch (src/requests/batch/engine/batch-run.ts)
 *   ask.ts              the look-up of one row
 *   guess-columns.ts    guesses unknown columns
 *   known-account.ts    what this ledger knows before: names that stand in texts (known-names.ts), days, currencies
 *   first-rows.ts       holds back the first results until they show which file this is, and what a debit is (side.ts)
 *   compare.ts          compares one row with its record
 *   run-by-day.ts       compares deposits with days instead (day-reconciliation.ts, deposits.ts, fee.ts, settled-days.ts)
 *   reconciliation.ts   outcomes, totals, repeated rows and missing records; without effects
 *
 * Bounds: rows in flight. All rows and their results are in memory (src/requests/batch/engine/rows.ts).
 */

import { commandText, quotedText } from '../../base/shell.ts';
import { counted } from '../../base/text.ts';
import { openConnection } from '../../cli/open-connection.ts';
import type { GatewayConnection } from '../../client/connection/call.ts';
import { chosenAccount } from '../../client/connection/wire.ts';
import { Failure, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { refuseProblems } from '../../requests/batch/batch-report.ts';
import type { Line, LineResult, StopReason } from '../../requests/batch/engine/batch.ts';
import { BatchRun } from '../../requests/batch/engine/batch-run.ts';
import { planBatch } from '../../requests/batch/engine/preflight.ts';
import { Progress } from '../../requests/batch/engine/progress.ts';
import { type InputRow, readInputRows, rowsAgain } from '../../requests/batch/engine/rows.ts';
import { type FailedRow, FailedRows } from '../../requests/batch/failed-rows.ts';
import { openLedger } from '../../requests/known/open-ledger.ts';
import { openPrinter } from '../../view/print-records.ts';
import type { Printer } from '../../view/printer.ts';
import {
  RECONCILED_VIEW,
  type Reconciled,
  type ReconciledOutcome,
} from '../../view/records/reconciled-row.ts';
import { RowSender } from './ask-line.ts';
import { Book } from './book.ts';
import { type BookFacts, factsOf, strangenessText, unknownText } from './book-facts.ts';
import type { BookRow } from './book-row.ts';
import type { FoundRecord } from './compare.ts';
import { type Covered, coveredBy, knownIn } from './covered.ts';
import { FirstRows, type RowResult } from './first-rows.ts';
import { guessColumns } from './guess-columns.ts';
import { extentKnown, keptLedger, namesKnown } from './known-account.ts';
import { KnownNames } from './known-names.ts';
import type { ReconcileOptions } from './reconcile-options.ts';
import {
  comparedText,
  coverageText,
  reconciledText,
  tallyWords,
  uncountedText,
} from './reconcile-report.ts';
import { type Answer, Reconciliation } from './reconciliation.ts';
import { runByDay } from './run-by-day.ts';
import { debitText, isOtherSide, signedBy } from './side.ts';

export interface ReconcileRequest {
  /** A path, or `-` for stdin. */
  source: string;
  options: ReconcileOptions;
}

/** The parts of one run. */
interface ReconcileRun {
  context: Context;
  options: ReconcileOptions;
  gateway: GatewayConnection;
  reconciliation: Reconciliation;
  progress: Progress;
}

/** A file that was checked as a whole. */
interface Checked extends ReconcileRun {
  book: Book;
  lines: readonly Line[];
  failed: FailedRows | undefined;
}

/** A file whose rows are looked up. */
interface Reconciling extends Checked {
  printer: Printer;
  sender: RowSender;
  first: FirstRows;
  /** The same command, with deposits compared by the day; undefined if the rows are none. */
  byDay: string | undefined;
}

/** @throws Failure unless all of the file matches */
export async function runReconcile(
  context: Context,
  { source, options }: ReconcileRequest,
): Promise<void> {
  const { host } = context;
  const printer = openPrinter(host, options.batch.output, { kind: RECONCILED_VIEW });
  const run = await openRun(context, options);
  try {
    const checked = await check(run, source);
    const facts = factsOf(rowsOf(checked));
    const { names, note } = await knownBefore(checked, facts);
    await host.stderr.write(note);
    if (options.byDay) {
      const rows = checked.lines.map(({ number: line, row: input }) => ({
        ...{ line, input },
        row: checked.book.written(input),
      }));
      const { failed, gateway } = checked;
      const tally = await runByDay({ host, gateway, options, printer, failed, facts }, rows);
      return conclude({ tally, stoppedBy: undefined, failed }, false);
    }
    const byDay = facts.dated === 0 ? undefined : byDayCommand(source, options);
    if (facts.named === 0 && byDay !== undefined) await refuseNameless(checked, names, byDay);
    const sender = new RowSender(checked.book, run.gateway, names, context);
    sender.debitIs = options.debitIs;
    const first = new FirstRows(facts.sided > 0 && options.debitIs === undefined);
    await reconcile({ ...checked, printer, sender, first, byDay });
  } finally {
    await run.gateway.close();
  }
}

/** @throws Failure if no profile can be used */
async function openRun(context: Context, options: ReconcileOptions): Promise<ReconcileRun> {
  const { host } = context;
  const { request, concurrency } = options.batch;
  const account = await chosenAccount(context, request.profile);
  const reconciliation = new Reconciliation({
    ...options,
    usualCurrency: account.profile.currency,
  });
  const words = () => tallyWords(reconciliation.tally);
  const progress = new Progress(host.stderr, host.clock, words);
  const gateway = openConnection(context, account, request, {
    inFlight: concurrency,
    openLedger: () => openLedger(host, { needs: 'learns', profile: account.profile }),
    onPause: progress.sayPause,
  });
  return { context, options, gateway, reconciliation, progress };
}

/** Checks the whole file. @throws Failure auth if there are no credentials; usage if the file has a fault */
async function check(run: ReconcileRun, source: string): Promise<Checked> {
  // Without credentials, gw could look up no row.
  await run.gateway.wire.username();
  const { host } = run.context;
  const { batch, failed } = run.options;
  const { currency } = run.gateway.profile;
  const book = new Book({ currency, columns: batch.columns });
  const rows = await readInputRows(host, source, book.columns);
  const plan = await planBatch(book, rows, host.interrupted);
  if (plan.problemCount > 0) await refuseWithGuess(run, source, { book, rows });
  await refuseProblems(host, source, plan);
  return {
    ...run,
    book,
    lines: plan.lines,
    failed:
      failed === undefined
        ? undefined
        : new FailedRows(host.files, failed, { source, columns: book.columns, hasReasons: false }),
  };
}

function* rowsOf({ book, lines }: Pick<Checked, 'book' | 'lines'>): Generator<BookRow> {
  for (const { row } of lines) yield book.written(row);
}

/** @returns names that rows may have in their texts, and a note about a file that seems to be of another account */
async function knownBefore(
  { context: { host }, gateway, options }: Checked,
  facts: BookFacts,
): Promise<{ names: KnownNames; note: string }> {
  const ledger = await keptLedger(host, gateway);
  if (!ledger) return { names: new KnownNames(), note: '' };
  const owner = await gateway.ledger.destination();
  const { zone, since, until, withinDays } = options;
  const asked = {
    first: since && zone.dayOf(Date.parse(since)),
    last: until && zone.dayOf(Date.parse(until) - 1),
  };
  const known = await extentKnown(ledger.things, owner, zone);
  const note = strangenessText(facts, { known, asked, withinDays });
  const isNamedInTexts = facts.texts > 0 && !options.byDay;
  const names = isNamedInTexts ? await namesKnown(ledger.things, owner, facts) : new KnownNames();
  return { names, note };
}

function byDayCommand(source: string, { batch }: ReconcileOptions): string | undefined {
  const flags = { ...batch.typed, by: 'settlement-day' };
  return commandText(['reconcile', source], Object.entries(flags));
}

/**
 * @param byDay the command that needs no names
 * @throws Failure usage if no row of the file names a record, after printing that command
 */
async function refuseNameless(checked: Checked, names: KnownNames, byDay: string): Promise<void> {
  for (const { texts = [] } of rowsOf(checked)) if (names.in(texts).length > 0) return;
  await checked.context.host.stderr.write(
    `If each row is the deposit of a day, run:\n  ${byDay}\n`,
  );
  throw usage(
    'rows-name-nothing',
    'No row of the file names a record that this ledger knows.',
    'Run the command above, or say with --map which column has the references.',
  );
}

/**
 * For a table with columns that gw does not know: guesses what they are, and reads the table that way.
 * @throws Failure usage, after printing the command, if the whole table can be read by the guess
 */
async function refuseWithGuess(
  run: ReconcileRun,
  source: string,
  { book: { columns }, rows }: { book: Book; rows: readonly InputRow[] },
): Promise<void> {
  const { host } = run.context;
  const { batch } = run.options;
  const { header } = columns;
  const isRead = rows.every(({ problem }) => problem === undefined);
  if (!header || !isRead || batch.columns.mapped.size > 0) return;
  const written = { names: header.cells, rows: rows.map(({ cells = [] }) => cells) };
  const mapped = guessColumns(written);
  if (!mapped) return;
  const renamed = [...mapped].filter(([field, column]) => column !== field);
  const taken = new Set(mapped.values());
  const others = header.cells.filter((name) => name !== '' && !taken.has(name));
  // A known column is compared if its cells can be.
  for (const ignored of [others.filter((name) => !columns.knows(name)), others]) {
    const guess = { mapped, ignored: [...new Set([...batch.columns.ignored, ...ignored])] };
    const book = new Book({ currency: run.gateway.profile.currency, columns: guess });
    const again = rowsAgain(rows, header, book.columns);
    if ((await planBatch(book, again, host.interrupted)).problemCount > 0) continue;
    const command = commandText(
      ['reconcile', source],
      [
        ...Object.entries({ ...batch.typed, map: undefined, 'ignore-columns': undefined }),
        ['map', renamed.map(([field, column]) => `${field}=${column}`)],
        ['ignore-columns', guess.ignored.length > 0 ? guess.ignored.join(',') : undefined],
      ],
    );
    // A comma would separate two columns.
    if (command === undefined || guess.ignored.some((name) => name.includes(','))) return;
    const found = renamed.map(([field, column]) => `${field} is ${quotedText(column)}`);
    const guessed =
      found.length > 0 ? `gw guesses that ${found.join(', ')}. If that is right` : 'To go on';
    await host.stderr.write(`${guessed}, run:\n  ${command}\n`);
    throw usage(
      'columns-unknown',
      `gw does not know every column of ${source === '-' ? 'stdin' : source}.`,
      'Run the command above, or say with --map and --ignore-columns what the columns are.',
    );
  }
}

async function reconcile(run: Reconciling): Promise<void> {
  const { context, printer, reconciliation, failed } = run;
  const { host } = context;
  let covered: Covered | undefined;
  let stoppedBy: StopReason | undefined;
  try {
    stoppedBy = await askAll(run);
    if (!host.interrupted.aborted) covered = await findMissing(run);
  } finally {
    await printer.end();
  }
  const { tally, totals } = reconciliation;
  const isWhole = !host.interrupted.aborted;
  await host.stderr.write(
    [
      `reconcile: ${tallyWords(tally)}.\n`,
      comparedText(reconciliation),
      reconciledText(totals),
      uncountedText(reconciliation),
      isWhole ? coverageText(reconciliation, covered, run.options.zone) : '',
    ].join(''),
  );
  conclude({ tally, stoppedBy, failed }, !isWhole);
}

/** @returns why rows were not looked up, if any were not. @throws Failure if results cannot be printed or stored */
async function askAll(run: Reconciling): Promise<StopReason | undefined> {
  const { context, options, lines, progress, sender, first } = run;
  const { host } = context;
  const batch = new BatchRun(lines, sender, { ...options.batch, clock: host.clock, progress });
  const interrupted = () => batch.stop({ why: 'it was interrupted' });
  if (host.interrupted.aborted) interrupted();
  host.interrupted.addEventListener('abort', interrupted, { once: true });
  let isOpen = true;
  try {
    for await (const results of batch.results()) {
      const ready = isOpen ? hold(run, results) : results;
      if (isOpen && first.isEnough) {
        await begin(run, batch.stoppedBy);
        isOpen = false;
      }
      await take(run, ready, batch.stoppedBy);
    }
    if (isOpen) await begin(run, batch.stoppedBy);
  } finally {
    await progress.clear();
    host.interrupted.removeEventListener('abort', interrupted);
  }
  return batch.stoppedBy;
}

/** Holds back results while the first rows do not show enough. @returns the rest of them */
function hold({ book, first }: Reconciling, results: readonly RowResult[]): readonly RowResult[] {
  for (const [place, result] of results.entries()) {
    if (first.isEnough) return results.slice(place);
    first.add(result, book.written(result.line.row));
  }
  return [];
}

/** Says which file this is, and takes the results that were held back. */
async function begin(run: Reconciling, stoppedBy: StopReason | undefined): Promise<void> {
  const { context, reconciliation, first, sender, progress, byDay, options } = run;
  const { results, debit } = first;
  await progress.clear();
  if (first.areAllUnknown) await context.host.stderr.write(unknownText(results.length, byDay));
  if (options.debitIs === undefined) {
    await context.host.stderr.write(first.needsDebit ? debitText(debit) : '');
    sender.debitIs = debit?.is;
    reconciliation.debitIs = debit?.is;
  }
  await take(run, results, stoppedBy);
}

async function take(
  run: Reconciling,
  results: readonly RowResult[],
  stoppedBy: StopReason | undefined,
): Promise<void> {
  const { book, reconciliation, failed, sender } = run;
  const rows: FailedRow[] = [];
  for (const first of results) {
    const { line } = first;
    const said = book.written(line.row);
    // Merchants give a refund the reference of its purchase. Only the side of the row tells which is meant.
    const isOther =
      first.answer && isOtherSide(signedBy(said, reconciliation.debitIs), first.answer);
    const result = isOther ? await sender.send(line) : first;
    const { outcome, ...reconciled } = reconciliation.take(
      line.number,
      said,
      answerOf(result, stoppedBy),
    );
    if (outcome !== 'matches') rows.push({ row: line.row, outcome, reason: '' });
    await print(run, { outcome, ...reconciled });
  }
  await failed?.add(rows);
}

function answerOf(
  { outcome, error, answer }: LineResult<FoundRecord | undefined>,
  stoppedBy: StopReason | undefined,
): Answer {
  if (outcome === 'done') return { found: answer };
  if (outcome !== 'not-started') return { error: error ?? {} };
  const why = stoppedBy?.why ?? 'the run stopped';
  return { error: { message: `Not checked: ${why}.` } };
}

/** Prints the known records of the period that the file lacks. @returns the period, if there is one */
async function findMissing(checked: Reconciling): Promise<Covered | undefined> {
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

async function print({ options, printer }: Reconciling, reconciled: Reconciled): Promise<void> {
  const { shown } = options;
  if (!shown || shown.includes(reconciled.outcome))
    await printer.add(RECONCILED_VIEW.record(reconciled));
}

interface End {
  tally: Readonly<Record<ReconciledOutcome, number>>;
  /** The reason why rows were not looked up, if the run stopped. */
  stoppedBy: StopReason | undefined;
  /** The file with the rows that need attention, and their number. */
  failed: { path: string; count: number } | undefined;
}

/** @throws Failure unless every row matches and nothing is missing */
function conclude({ tally, stoppedBy, failed }: End, isInterrupted: boolean): void {
  const handed =
    failed !== undefined &&
    failed.count > 0 &&
    `${counted(failed.count, 'row that needs attention is', 'rows that need attention are')} in ${failed.path}.`;
  if (isInterrupted) {
    const next = ['Nothing was changed. Run the same command again.', handed];
    throw new Failure(
      'interrupted',
      'Interrupted. The results so far are printed.',
      next.filter(Boolean).join(' '),
    );
  }
  const { matches: _, ...others } = tally;
  const open = Object.values(others).reduce((sum, n) => sum + n, 0);
  if (open === 0) return;
  const message = `The file and the gateway differ: ${counted(open, 'record needs', 'records need')} attention.`;
  const next = [
    stoppedBy?.next,
    handed,
    tally['not-asked'] > 0 &&
      'Run it again for the rows that were not checked: their results say why.',
    !handed && tally['not-asked'] === 0 && 'The results say what differs.',
  ];
  throw new Failure(
    stoppedBy?.code ?? 'reconcile-differs',
    stoppedBy ? `The reconciliation stopped: ${stoppedBy.why}.` : message,
    next.filter(Boolean).join(' '),
    { kind: 'incomplete' },
  );
}
