/**
 * `gw reconcile`: checks the whole file, and looks each row up as a batch sends its lines (several in flight, no faster
 * than the gateway accepts). Then it asks the ledger which records the file lacks. It changes nothing, so an interrupt
 * ends the look-ups at once.
 *
 *   read-table.ts       reads the file of a bank or a shop too, and asks what is open
 *   proven-reading.ts   lets known records answer which column has the amounts
 *   book.ts             the file: its rows (book-row.ts), and their faults
 *   known-account.ts    what this ledger knows before: names that stand in texts (known-names.ts), days, currencies
 *   reconcile-rows.ts   looks the rows up and prints their results
 *   ask-line.ts         the result of a row in the run of a batch (src/requests/batch/engine/batch-run.ts)
 *   ask.ts              the look-up of one row, also where its name is that of several records (one-of-several.ts)
 *   first-rows.ts       holds back the first results until they show which file this is, and what a debit is (side.ts)
 *   other-payments.ts   tells rent from payments that the gateway lacks
 *   other-units.ts      notices minor units that were read as money, or the other way
 *   compare.ts          compares one row with its record
 *   reconciliation.ts   outcomes, totals, repeated rows and missing records; without effects
 *   run-by-day.ts       compares deposits with days instead (day-reconciliation.ts, deposits.ts, fee.ts, settled-days.ts)
 *
 * Bounds: rows in flight. All rows and their results are in memory (src/requests/batch/engine/rows.ts).
 */

import { commandText } from '../../base/shell.ts';
import { quantity } from '../../base/text.ts';
import type { FlagValues } from '../../cli/flags/flag.ts';
import { chosenAccount } from '../../client/connection/wire.ts';
import { Failure, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { tellSameCommand } from '../../requests/asking.ts';
import { refuseProblems } from '../../requests/batch/batch-report.ts';
import type { StopReason } from '../../requests/batch/engine/batch.ts';
import type { SomeLines } from '../../requests/batch/engine/lines.ts';
import { planBatch } from '../../requests/batch/engine/preflight.ts';
import { Progress } from '../../requests/batch/engine/progress.ts';
import { checkCount } from '../../requests/batch/engine/rows.ts';
import { FailedRows } from '../../requests/batch/failed-rows.ts';
import { openLedger } from '../../requests/known/open-ledger.ts';
import { openConnection } from '../../requests/open-connection.ts';
import { Questions } from '../../requests/questions.ts';
import { openPage, openRows, type PageText } from '../../view/print-records.ts';
import { RowSender } from './ask-line.ts';
import type { Book } from './book.ts';
import { strangenessText } from './book-facts.ts';
import type { BookRow } from './book-row.ts';
import type { ColumnProfile } from './column-profile.ts';
import type { GivenFlag, OpenQuestion } from './column-roles.ts';
import { readBooks, statementIn } from './file-format.ts';
import { FirstRows } from './first-rows.ts';
import { KnownAccount } from './known-account.ts';
import { OtherPayments } from './other-payments.ts';
import { OtherUnits } from './other-units.ts';
import { provenReading, provenText } from './proven-reading.ts';
import {
  type AskedReading,
  type FileSettings,
  guessedReference,
  type ReadTable,
  readTable,
  withFlag,
} from './read-table.ts';
import { readingText } from './reading-report.ts';
import type { ReconcileOptions } from './reconcile-options.ts';
import { tallyWords } from './reconcile-report.ts';
import { type ReconcileRun, reconcileRows } from './reconcile-rows.ts';
import { NO_FAULTS, RECONCILED_OUTCOMES, type ReconciledOutcome } from './reconciled-row.ts';
import { Reconciliation } from './reconciliation.ts';
import { runByDay } from './run-by-day.ts';

/** A file that was checked as a whole. */
interface Checked {
  book: Book;
  lines: SomeLines;
  failed: FailedRows | undefined;
  /** The command that lets the records tell what an amount below zero is, if all are. */
  asDebit: string | undefined;
}

/** @param source a path, or `-` for stdin. @throws Failure unless all of the file matches */
export async function runReconcile(
  context: Context,
  { source, options: given }: { source: string; options: ReconcileOptions },
): Promise<void> {
  const { host } = context;
  const { view, batch } = given;
  const title = `Reconciliation of ${source === '-' ? 'stdin' : source}`;
  const said: PageText = { title, merchant: null, notes: [] };
  const printer = openPage(host, batch.output, view, said) ?? openRows(host, batch.output, view);
  const run = await openRun(context, await optionsWithSaved(context, given));
  const { gateway, options } = run;
  try {
    const checked = await check(run, source);
    const { book, lines, failed } = checked;
    const { facts } = book;
    const account = new KnownAccount(host, gateway, facts);
    await host.stderr.write(strangenessText(facts, await account.extent(options.zone), options));
    const byDay = facts.dated === 0 ? undefined : byDayCommand(source, options);
    const isNameless =
      !options.byDay &&
      facts.named === 0 &&
      byDay !== undefined &&
      !(await isAnyNamed(checked, account));
    if (isNameless)
      await host.stderr.write(
        'Note: no row names a record that this ledger knows, so each is compared as the deposit of a day (--by settlement-day). If a column has references, name it with --map.\n',
      );
    if (options.byDay || isNameless) {
      const rows = [...lines].map(({ number: line, row: input }) => ({
        ...{ line, input },
        row: book.written(input),
      }));
      const byDay = { host, gateway, options, printer, said, failed, source, book };
      const tally = await runByDay(byDay, rows);
      conclude({ tally, stoppedBy: undefined, failed }, false);
      return;
    }
    run.reconciliation.areRefunds = book.areRefunds;
    const isOnSides = facts.sided > 0 && options.debitIs === undefined;
    const stoppedBy = await reconcileRows({
      ...{ ...run, ...checked, printer, said, byDay },
      sender: new RowSender(book, gateway, account, options),
      first: new FirstRows(isOnSides),
      others: new OtherPayments(rowsOf(checked)),
      units: new OtherUnits(),
      account,
      source,
    });
    const { tally } = run.reconciliation;
    conclude({ tally, stoppedBy, failed }, host.interrupted.aborted);
  } finally {
    await gateway.close();
  }
}

function* rowsOf({ book, lines }: Pick<Checked, 'book' | 'lines'>): Generator<BookRow> {
  for (const { row } of lines) yield book.written(row);
}

function byDayCommand(source: string, { batch }: ReconcileOptions): string | undefined {
  const flags = { ...batch.typed, by: 'settlement-day' };
  return commandText(['reconcile', source], Object.entries(flags));
}

async function isAnyNamed(checked: Checked, account: KnownAccount): Promise<boolean> {
  for (const { texts = [] } of rowsOf(checked))
    if (texts.length > 0 && (await account.named(texts)).length > 0) return true;
  return false;
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
  const { failed } = run.options;
  const table = await readFile(run, source);
  const { book, rows } = table;
  checkCount(rows.length);
  const plan = await planBatch(book, rows, host.interrupted);
  await refuseProblems(host, source, plan);
  await host.stderr.write(readingText(source, table));
  await save(run, table);
  const amount = table.roles?.fields.get('decimal_amount');
  const flags = flagsWith(run.options.batch.typed, ['map', `debit=${amount?.name}`]);
  return {
    asDebit: amount?.numbers.isBelow ? commandText(['reconcile', source], flags) : undefined,
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
  const { batch, file, zone } = run.options;
  const { currency } = run.gateway.profile;
  const text = await readBooks(host, source);
  const today = host.clock.now().toISOString().slice(0, 10);
  const statement = await statementIn(text, source === '-' ? 'stdin' : source);
  const questions = new Questions(host.prompts);
  const unknown: string[] = [];
  let settings = file;
  for (;;) {
    const of = { settings, currency, today, zone: zone.name, statement, unknown };
    const read = readTable(text, of);
    if (!('question' in read)) {
      const strange = await strangeReference(run, read, settings);
      if (strange !== undefined) {
        unknown.push(strange);
        continue;
      }
      questions.end();
      const words = ['reconcile', source];
      await tellSameCommand(host.stderr, questions, { words, typed: batch.typed });
      return read;
    }
    const { question } = read;
    const proven = await provenBy(run, read);
    if (proven) {
      await host.stderr.write(provenText(proven));
      settings = withFlag(settings, proven.flag);
      continue;
    }
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

function provenBy({ context: { host }, gateway }: ReconcileRun, read: AskedReading) {
  const account = new KnownAccount(host, gateway, read.days);
  return provenReading((texts) => account.named(texts), read.question, read.table);
}

/**
 * A shop has numbers of its own beside the ids of the gateway, which are no references of it.
 * @returns the name of the column that is taken for references, if this ledger knows its ids and none of its references
 */
async function strangeReference(
  { context: { host }, gateway }: ReconcileRun,
  read: ReadTable,
  settings: FileSettings,
): Promise<string | undefined> {
  const guess = guessedReference(read, settings);
  if (!guess) return undefined;
  const account = new KnownAccount(host, gateway, read.book.facts);
  const cellsOf = ({ place }: ColumnProfile) =>
    read.rows.flatMap(({ cells = [] }) => cells[place] || []);
  const isStrange =
    (await account.isAnyCalled(cellsOf(guess.id))) &&
    !(await account.isAnyCalled(cellsOf(guess.reference)));
  return isStrange ? guess.reference.name : undefined;
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
    `${quantity(failed.count, 'row that needs attention is', 'rows that need attention are')} in ${failed.path}.`;
  if (isInterrupted) {
    const next = ['Nothing was changed. Run the same command again.', handed];
    throw new Failure(
      'interrupted',
      'Interrupted. The results so far are printed.',
      next.filter(Boolean).join(' '),
    );
  }
  const open = RECONCILED_OUTCOMES.filter((outcome) => !NO_FAULTS.includes(outcome)).reduce(
    (sum, outcome) => sum + tally[outcome],
    0,
  );
  if (open === 0) return;
  const message = `The file and the gateway differ: ${quantity(open, 'record needs', 'records need')} attention.`;
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
