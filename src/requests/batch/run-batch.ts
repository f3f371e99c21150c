/**
 * A batch command from its flags to its exit code: opens the input and the ledger, checks all of
 * the input, asks for confirmation on a live profile, and runs the engine (engine/) on a gateway
 * whose requests are claimed in the ledger line by line.
 *
 * The first interrupt starts no more lines, and what is in flight is seen through. The second ends
 * the program at once (src/host/signals.ts); the ledger then finds intents whose process is gone,
 * and calls their outcome unknown.
 */
import { commandText } from '../../base/command-text.ts';
import { plural } from '../../base/plural.ts';
import { shellWord } from '../../base/shell-word.ts';
import { GatewayConnection } from '../../client/connection/call.ts';
import { chosenAccount } from '../../client/connection/wire.ts';
import { openOwnLedger } from '../../client/ledger/open.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import { moneyText } from '../../contract/money.ts';
import type { Operation } from '../../contract/operation.ts';
import { likeMoney } from '../../contract/operations.ts';
import { Failure, invariant } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { PrintFlags } from '../../view/print-records.ts';
import { namedOtherwise } from '../known/named-record.ts';
import { type BatchFlags, type BatchOptions, readBatchOptions } from './batch-options.ts';
import { count, moneyOf, refuseProblems, standingOf, summaryText } from './batch-report.ts';
import { OperationSource } from './batch-source.ts';
import { conclude } from './conclude.ts';
import { lookAhead } from './engine/ahead.ts';
import { emptyTally, type Line, type Tally } from './engine/batch.ts';
import { Pace } from './engine/pace.ts';
import { type Plan, planBatch } from './engine/preflight.ts';
import { readInputRows } from './engine/rows.ts';
import { type NumberedResult, type RunReport, runBatch } from './engine/run.ts';
import { Stop } from './engine/stop.ts';
import { FailedRows } from './failed-rows.ts';
import { Progress } from './progress.ts';
import { rehearse } from './rehearse.ts';
import { Outcomes, openResults } from './results.ts';
import { type Batch, lookUpToSend, type Prepared, send } from './send-line.ts';
import { heed, slowingTrace } from './slowing-trace.ts';

/** @param operation its name. @returns the command of its batches, as it is typed after `gw`: `refund batch` */
function batchCommand(operation: string): string {
  return `${operation.replace(/ create$/, '')} batch`;
}

export interface BatchRequest {
  operation: Operation;
  /** A path, or `-` for stdin. */
  source: string;
  flags: BatchFlags & PrintFlags;
}

/** @throws Failure for everything but a batch all of whose lines are done */
export async function runBatchCommand(context: Context, request: BatchRequest): Promise<void> {
  const options = readBatchOptions(context.host, request.flags);
  const batch = await openBatch(context, request.operation, options);
  try {
    await batch.gateway.admit(batch.operation);
    await runOpened(batch, request);
  } finally {
    await batch.gateway.close();
  }
}

async function runOpened(
  batch: Batch,
  { operation, source: name, flags }: BatchRequest,
): Promise<void> {
  const { host } = batch.context;
  const prepared = await prepare(batch, name);
  const progress = new Progress(host.stderr, host.clock, prepared.plan.lines.length);
  const results = openResults(host, progress, { flags, operation });
  if (batch.options.request.isDryRun) {
    const failure = await rehearse(prepared, results);
    await confirm(prepared);
    if (failure) throw failure;
    return;
  }
  await confirm(prepared);
  const failed = openFailed(prepared, name);
  const report = await run(prepared, new Outcomes(results, failed), progress);
  conclude(report, host.interrupted.aborted, {
    command: commandToRepeat(operation, name, flags),
    failed,
    isRecorded: batch.options.request.recordsMoney,
  });
}

/**
 * @param source a path, or `-` for stdin
 * @param flags as they were given; none of them is a secret
 * @returns undefined where the input cannot be read again
 */
function commandToRepeat({ name }: Operation, source: string, flags: object): string | undefined {
  if (source === '-') return undefined;
  return commandText([...batchCommand(name).split(' '), source], Object.entries(flags));
}

/** @throws Failure when no profile can be used, or the one that is does not permit the operation */
async function openBatch(context: Context, row: Operation, options: BatchOptions): Promise<Batch> {
  const { host } = context;
  // A line that creates anything is to be sent once.
  const operation = likeMoney(row);
  const account = await chosenAccount(context, options.request.profile);
  const stop = new Stop();
  const pace = new Pace({ clock: host.clock, stopped: stop.signal, ...options });
  const gateway = new GatewayConnection(context, account, options.request, {
    inFlight: options.concurrency,
    // What is in flight is seen through.
    interrupted: new AbortController().signal,
    openLedger: () =>
      openOwnLedger(host, {
        profile: account.profile,
        endOfTurn: host.endOfTurn,
        patience: host.interrupted,
      }),
    trace: slowingTrace(context, options, pace),
  });
  return { context, operation, options, gateway, pace, stop };
}

/**
 * Checks all of the input.
 * @param name of the input, for messages
 * @throws Failure usage when something is wrong with it, guard when it is above a limit
 */
async function prepare(batch: Batch, name: string): Promise<Prepared> {
  const { context, operation, options, gateway } = batch;
  const { body: request } = operation;
  invariant(request, `a batch of ${operation.name}, which has no body`);
  const destination = await gateway.ledger.destination();
  const source = new OperationSource({
    operation,
    request,
    profile: gateway.profile,
    destination,
    currenciesOf: (purchases) => gateway.ledger.currenciesOf(purchases),
    namedOtherwise: (kind, texts) => namedOtherwise(context, gateway, kind, texts),
    checkCharges: (row, input) => gateway.confirmation.checkCharges(row, input),
    columns: options.columns,
    allowsDuplicates: !options.request.refusesDuplicates,
  });
  const rows = await readInputRows(context.host, name, source.columns);
  const plan = await planBatch(source, rows, context.host.interrupted);
  await refuseProblems(context.host, name, plan);
  refuseAboveLimits(plan, options);
  await sayAssumed(context, source, gateway.profile);
  const id = options.name ?? plan.digest.slice(0, 32);
  return {
    ...batch,
    source,
    plan,
    id,
    unknownBefore: undefined,
    isUnrecordedSaid: false,
    made: new Set(),
  };
}

/** Digits of a batch's digest that tell it from any other. */
const SHOWN_DIGEST = 8;

/** Of those whose outcome is unknown, the newest are sent again; the others in the next run. */
const MAX_RETRIED = 100_000;

/** @throws Failure guard */
function refuseAboveLimits(
  { lines: { length: lines }, totals }: Plan,
  { maxCount, maxTotal }: BatchOptions,
): void {
  const next = 'Check that this is the input you meant, or raise the limit.';
  if (maxCount !== undefined && lines > maxCount) {
    const message = `There are ${count(lines)} lines, more than --max-count ${maxCount}.`;
    throw new Failure('guard', message, { code: 'too-many-lines', next, sent: false });
  }
  for (const [currency, total] of totals) {
    if (maxTotal === undefined || total <= BigInt(maxTotal)) continue;
    const [sum, most] = [total, maxTotal].map((minor) => moneyText(minor, currency));
    const message = `The amounts come to ${sum}, more than the ${most} of --max-total ${maxTotal}.`;
    throw new Failure('guard', message, { code: 'total-too-large', next, sent: false });
  }
}

/** Says once of all lines in which currency decimals are read for want of a better one. */
async function sayAssumed(
  { host }: Context,
  { assumed: n }: OperationSource,
  { currency }: Profile,
): Promise<void> {
  if (n === 0) return;
  const paid = `${plural(n, 'its purchase was', 'their purchases were')} paid in`;
  await host.stderr.write(
    `${count(n)} ${plural(n, 'line', 'lines')}: gw does not know which currency ${paid}, so decimal_amount is read as ${currency}, the currency of the profile. A column currency names another.\n`,
  );
}

/** @throws Failure guard unless a live profile is confirmed, once for all lines */
async function confirm({ operation, gateway, plan }: Prepared): Promise<void> {
  const total = plan.totals.size === 0 ? undefined : moneyOf(plan.totals);
  const lines = `${count(plan.lines.length)} ${plural(plan.lines.length, 'line', 'lines')}`;
  await gateway.confirmation.ofLive(
    operation,
    [['Total', total]],
    `${batchCommand(operation.name)}, ${lines}`,
  );
}

/** @returns what keeps the rows that do not succeed, where they are wanted. @throws Failure usage when it cannot */
function openFailed({ context, options, source }: Prepared, name: string): FailedRows | undefined {
  const { failed } = options;
  if (failed === undefined) return undefined;
  const { columns } = source;
  return new FailedRows(context.host.files, failed, { source: name, columns, hasReasons: true });
}

/** Sends the lines, and says at the end what became of them. */
async function run(prepared: Prepared, outcomes: Outcomes, progress: Progress): Promise<RunReport> {
  const batch = await begin(prepared);
  const { context, options, pace, stop } = batch;
  const { host } = context;
  stopWhenInterrupted(context, stop, progress);
  heed(pace, stop, host, (text) => progress.above(() => host.stderr.write(text)));
  let tally = emptyTally();
  let report: RunReport;
  try {
    report = await runBatch({
      ...linesToSend(batch),
      send: (line, answered) => send(batch, line, answered),
      emit: (results) => emit(batch, outcomes, results),
      onResult(current) {
        tally = current;
        progress.show(() => standingOf(current));
      },
      pace,
      stop,
      stopAfterFailures: options.stopAfterFailures,
    });
  } finally {
    await progress.clear();
    await end(batch, outcomes, tally);
  }
  return { ...report, stoppedBy: stop.reason };
}

/** Ends what is printed, and says what became of the lines. */
async function end(batch: Prepared, outcomes: Outcomes, tally: Tally): Promise<void> {
  const { context, operation, options, plan } = batch;
  try {
    await outcomes.end();
  } finally {
    const summary = summaryText(operation.kind, tally, outcomes.done);
    const id = shellWord(options.name ?? plan.digest.slice(0, SHOWN_DIGEST));
    // Without the flag it would be looked for among the batches of another profile.
    const { profile } = options.request;
    const again = `gw batch show ${id}${profile === undefined ? '' : ` --profile ${profile}`}`;
    await context.host.stderr.write(
      `${summary}\n${noteOf(outcomes)}\`${again}\` shows it again.\n`,
    );
  }
}

/** Lines, and what answers what is known of each. */
function linesToSend(batch: Prepared) {
  const { lines } = batch.plan;
  const lookUp = (line: Line) => lookUpToSend(batch, line);
  // A file answers at once.
  return batch.gateway.ledger.isShared ? lookAhead(lines, lookUp) : { lines, lookUp };
}

/** @throws Failure guard when the ledger cannot be used: nothing has been sent */
async function begin(batch: Prepared): Promise<Prepared> {
  if (!batch.options.request.recordsMoney) return batch;
  const ledger = await batch.gateway.ledger.open();
  if (!batch.options.retriesUnknown) return batch;
  const unresolved = await ledger.list({ unresolved: true, limit: MAX_RETRIED });
  const unknown = unresolved.filter(({ state }) => state === 'unknown');
  return { ...batch, unknownBefore: new Set(unknown.map(({ id }) => id)) };
}

/** What only the user can tell: whether a line that says no more is the same as one that is done. */
function noteOf({ doneByOthers: n }: Outcomes): string {
  if (n === 0) return '';
  const done = `${count(n)} ${plural(n, 'line', 'lines')} without a reference ${plural(n, 'was', 'were')} done by another batch`;
  return `${done}, and not sent again. If you mean new ones, such as next month's, give this batch a name with --batch.\n`;
}

/** @throws Failure when results cannot be printed; then no more lines are started */
async function emit(
  { stop, options }: Batch,
  outcomes: Outcomes,
  results: readonly NumberedResult[],
): Promise<void> {
  try {
    await outcomes.take(results);
  } catch (error) {
    stop.because({ why: 'the results could not be printed' });
    if (!(error instanceof Failure) || !options.request.recordsMoney) throw error;
    const next =
      'Run the same command again and write its output somewhere else: lines that are done are not sent again, but their results are printed.';
    throw error.with({ next, sent: undefined });
  }
}

/** Starts no more lines once the user interrupts. */
function stopWhenInterrupted({ host }: Context, stop: Stop, progress: Progress): void {
  const onInterrupt = () => {
    stop.because({ why: 'it was interrupted' });
    void progress.above(() =>
      host.stderr.write(
        '\nStarting no more lines; waiting for those in flight. Press Ctrl-C again to leave at once.\n',
      ),
    );
  };
  if (host.interrupted.aborted) onInterrupt();
  host.interrupted.addEventListener('abort', onInterrupt, { once: true });
}
