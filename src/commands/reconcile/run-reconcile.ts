/**
 * `gw reconcile`: checks the whole file, and looks each row up as a batch sends its lines (several in flight, no faster
 * than the gateway accepts). Then it asks the ledger which records the file lacks. It changes nothing, so an interrupt
 * ends the look-ups at once.
 *
 *   book.ts             the file: its rows (book-row.ts), and their faults
 *   ask-line.ts         the result of a row in the run of a batch (src/requests/batch/engine/batch-run.ts)
 *   ask.ts              the look-up of one row
 *   read-table.ts       reads the file of a bank or a shop too, and asks what is open
 *   compare.ts          compares one row with its record
 *   reconciliation.ts   outcomes, totals, repeated rows and missing records; without effects
 *
 * Bounds: rows in flight. All rows and their results are in memory (src/requests/batch/engine/rows.ts).
 */

import { commandText } from '../../base/shell.ts';
import { counted } from '../../base/text.ts';
import type { FlagValues } from '../../cli/flags/flag.ts';
import type { GatewayConnection } from '../../client/connection/call.ts';
import { chosenAccount } from '../../client/connection/wire.ts';
import { Failure, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { tellSameCommand } from '../../requests/asking.ts';
import { refuseProblems } from '../../requests/batch/batch-report.ts';
import type { Line, LineResult, StopReason } from '../../requests/batch/engine/batch.ts';
import { BatchRun } from '../../requests/batch/engine/batch-run.ts';
import { planBatch } from '../../requests/batch/engine/preflight.ts';
import { Progress } from '../../requests/batch/engine/progress.ts';
import { checkCount, readInputText } from '../../requests/batch/engine/rows.ts';
import { type FailedRow, FailedRows } from '../../requests/batch/failed-rows.ts';
import { openLedger } from '../../requests/known/open-ledger.ts';
import { openConnection } from '../../requests/open-connection.ts';
import { Questions } from '../../requests/questions.ts';
import { openPrinter } from '../../view/print-records.ts';
import type { Printer } from '../../view/printer.ts';
import {
  RECONCILED_VIEW,
  type Reconciled,
  type ReconciledOutcome,
} from '../../view/records/reconciled-row.ts';
import { RowSender } from './ask-line.ts';
import type { Book } from './book.ts';
import type { GivenFlag, OpenQuestion } from './column-roles.ts';
import type { FoundRecord } from './compare.ts';
import { type Covered, coveredBy, knownIn } from './covered.ts';
import { statementIn } from './file-format.ts';
import { type ReadTable, readTable, withFlag } from './read-table.ts';
import { readingText } from './reading-report.ts';
import type { ReconcileOptions } from './reconcile-options.ts';
import { coverageText, reconciledText, tallyWords, uncountedText } from './reconcile-report.ts';
import { type Answer, Reconciliation } from './reconciliation.ts';

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
  printer: Printer;
}

/** @throws Failure unless all of the file matches */
export async function runReconcile(
  context: Context,
  { source, options }: ReconcileRequest,
): Promise<void> {
  const { host } = context;
  const printer = openPrinter(host, options.batch.output, { kind: RECONCILED_VIEW });
  const run = await openRun(context, await optionsWithSaved(context, options));
  try {
    await reconcile({ ...(await check(run, source)), printer });
  } finally {
    await run.gateway.close();
  }
}

/** @throws Failure usage if --as or --save cannot be followed */
async function optionsWithSaved({ host }: Context, options: ReconcileOptions) {
  const { as, save } = options;
  if (as === undefined && save === undefined) return options;
  const { savedName, withSaved } = await import('./saved-forms.ts');
  const known = as === undefined ? options : await withSaved(host.files, options, as);
  return { ...known, save: save === undefined ? undefined : savedName(save) };
}

/** @throws Failure if no profile can be used */
async function openRun(context: Context, options: ReconcileOptions): Promise<ReconcileRun> {
  const { host } = context;
  const { request, concurrency } = options.batch;
  const account = await chosenAccount(host, request.profile);
  const reconciliation = new Reconciliation(account.profile.currency);
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
async function check(run: ReconcileRun, source: string): Promise<Omit<Checked, 'printer'>> {
  // Without credentials, gw could look up no row.
  await run.gateway.wire.username();
  const { host } = run.context;
  const { failed } = run.options;
  const table = await readFile(run, source);
  const { book, rows } = table;
  checkCount(rows);
  const plan = await planBatch(book, rows, host.interrupted);
  await refuseProblems(host, source, plan);
  await host.stderr.write(readingText(source, table));
  await save(run, table);
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

/** Keeps how the file was read, if the user asked for that. */
async function save({ context: { host }, options }: ReconcileRun, { settings }: ReadTable) {
  if (options.save === undefined) return;
  const { saveForm } = await import('./saved-forms.ts');
  await saveForm(host.files, options.save, { ...settings, debitIs: options.debitIs });
  const next = commandText(['reconcile', 'FILE'], [['as', options.save]]);
  await host.stderr.write(`Kept: \`${next}\` reads the next file like this one.\n`);
}

/** Asks how to read the file, as long as it can be read in two ways. @throws Failure usage if nobody can be asked */
async function readFile(run: ReconcileRun, source: string): Promise<ReadTable> {
  const { host } = run.context;
  const { batch, file } = run.options;
  const { currency } = run.gateway.profile;
  const text = await readInputText(host, source);
  const today = host.clock.now().toISOString().slice(0, 10);
  const statement = await statementIn(text, source === '-' ? 'stdin' : source);
  const questions = new Questions(host.prompts);
  let settings = file;
  for (;;) {
    const read = readTable(text, { settings, currency, today, statement });
    if (!('question' in read)) {
      questions.end();
      const words = ['reconcile', source];
      await tellSameCommand(host.stderr, questions, { words, typed: batch.typed });
      return read;
    }
    const { question } = read;
    if (!batch.request.mayAsk) throw await unclear(run, source, question);
    const choices = question.choices.map(({ label }, place) => ({
      name: label,
      value: String(place),
    }));
    const answer = await questions.select(`${question.what}:`, choices);
    const [flag, value] = question.choices[Number(answer)]?.flag ?? ['', ''];
    questions.answer(flag, value);
    settings = withFlag(settings, [flag, value]);
  }
}

/** @returns the flags that were typed, with one more */
function flagsWith(typed: FlagValues, [flag, value]: GivenFlag): [string, unknown][] {
  const map = flag === 'map' ? [...((typed.map as string[] | undefined) ?? []), value] : typed.map;
  const others = flag === 'map' ? {} : { [flag]: value };
  return Object.entries({ ...typed, map, ...others });
}

/** Prints a complete command for each way to read the file. @returns what to throw */
async function unclear(
  { context: { host }, options: { batch } }: ReconcileRun,
  source: string,
  { what, choices }: OpenQuestion,
): Promise<Failure> {
  const commands = choices.flatMap(({ flag }) => {
    const command = commandText(['reconcile', source], flagsWith(batch.typed, flag));
    return command === undefined ? [] : `  ${command}\n`;
  });
  const name = source === '-' ? 'stdin' : source;
  const run =
    source === '-' ? 'Pipe the file into the one that is right' : 'Run the one that is right';
  await host.stderr.write(`${what}. ${run}:\n${commands.join('')}`);
  return usage(
    'columns-unknown',
    `gw can read ${name} in more than one way.`,
    'Run one of the commands above, or say with --map and --ignore-columns what the columns are.',
  );
}

async function reconcile(checked: Checked): Promise<void> {
  const { context, printer, reconciliation, failed } = checked;
  const { host } = context;
  let covered: Covered | undefined;
  let stoppedBy: StopReason | undefined;
  try {
    stoppedBy = await askAll(checked);
    if (!host.interrupted.aborted) covered = await findMissing(checked);
  } finally {
    await printer.end();
  }
  const { tally, totals } = reconciliation;
  const isWhole = !host.interrupted.aborted;
  await host.stderr.write(
    [
      `reconcile: ${tallyWords(tally)}.\n`,
      reconciledText(totals),
      uncountedText(reconciliation),
      isWhole ? coverageText(reconciliation, covered, checked.options.zone) : '',
    ].join(''),
  );
  conclude({ tally, stoppedBy, failed }, !isWhole);
}

/** @returns why rows were not looked up, if any were not. @throws Failure if results cannot be printed or stored */
async function askAll(checked: Checked): Promise<StopReason | undefined> {
  const { context, options, book, gateway, lines, progress } = checked;
  const { host } = context;
  const sender = new RowSender(book, gateway, context);
  const run = new BatchRun(lines, sender, { ...options.batch, clock: host.clock, progress });
  const interrupted = () => run.stop({ why: 'it was interrupted' });
  if (host.interrupted.aborted) interrupted();
  host.interrupted.addEventListener('abort', interrupted, { once: true });
  try {
    for await (const results of run.results()) await take(checked, results, run.stoppedBy);
  } finally {
    await progress.clear();
    host.interrupted.removeEventListener('abort', interrupted);
  }
  return run.stoppedBy;
}

async function take(
  checked: Checked,
  results: readonly LineResult<FoundRecord | undefined>[],
  stoppedBy: StopReason | undefined,
): Promise<void> {
  const { book, reconciliation, failed } = checked;
  const rows: FailedRow[] = [];
  for (const result of results) {
    const { number, row } = result.line;
    const answer = answerOf(result, stoppedBy);
    const reconciled = reconciliation.take(number, book.written(row), answer);
    const { outcome } = reconciled;
    if (outcome !== 'matches') rows.push({ row, outcome, reason: '' });
    await print(checked, reconciled);
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
async function findMissing(checked: Checked): Promise<Covered | undefined> {
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

async function print({ options, printer }: Checked, reconciled: Reconciled): Promise<void> {
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
