/**
 * A batch command from its flags to its exit code: opens the input and the ledger, checks all of
 * the input, asks for confirmation on a live profile, and runs the engine (src/batch/) on a gateway
 * whose requests are claimed in the ledger line by line.
 *
 * The first interrupt starts no more lines, and what is in flight is seen through. The second ends
 * the program at once (src/host/signals.ts); the ledger then finds intents whose process is gone,
 * and calls their outcome unknown.
 */

import type { CallInput, Trace } from '../client/client.ts';
import { retryAfterMs } from '../client/retry.ts';
import type { Operation } from '../contract/operations.ts';
import { EXIT_CLOSED_PIPE, Failure, usage } from '../failure.ts';
import { neutralise } from '../redaction/safe.ts';
import type { Context } from '../session/context.ts';
import { chosenAccount, Gateway, type GatewayFlags } from '../session/gateway-connection.ts';
import { checkLimits, confirmBatch } from '../session/guard.ts';
import { createTrace } from '../session/trace.ts';
import { count, Progress, resultLine, tallyText } from './batch-report.ts';
import { batchSource } from './batch-source.ts';
import { emptyTally, type Line, type LineResult, type Tally } from './engine/batch.ts';
import { Pace } from './engine/pace.ts';
import { linesOf, MAX_PROBLEMS, type Plan, planBatch } from './engine/preflight.ts';
import { type NumberedResult, type RunReport, runBatch } from './engine/run.ts';
import { BatchGateway } from './line-result.ts';

const DEFAULT_CONCURRENCY = 16;
const MAX_CONCURRENCY = 256;
const MAX_RATE = 10_000;
const MAX_NAME_LENGTH = 128;

export interface BatchFlags extends GatewayFlags {
  concurrency?: string | undefined;
  rate?: string | undefined;
  'max-count'?: string | undefined;
  'max-total'?: string | undefined;
  'stop-after-failures'?: string | undefined;
  batch?: string | undefined;
  'retry-unknown'?: boolean | undefined;
  'ignore-columns'?: string | undefined;
  'dry-run'?: boolean | undefined;
}

export interface BatchRequest {
  operation: Operation;
  /** A path, or `-` for stdin. */
  source: string;
  flags: BatchFlags;
}

/** @throws Failure for everything but a batch all of whose lines are done */
export async function runBatchCommand(
  context: Context,
  { operation: row, source: name, flags }: BatchRequest,
): Promise<void> {
  const { host } = context;
  const { body: request } = row;
  if (!request) throw new Error(`${row.name} has no body`);
  // A line that creates anything is to be sent once, so it is recorded and judged like money.
  const operation: Operation = { ...row, effect: 'money' };
  const limits = readLimits(flags);
  const account = await chosenAccount(context, flags.profile);
  checkLimits(account.profile, operation, {});

  const stop = new AbortController();
  const pace = new Pace({ clock: host.clock, stopped: stop.signal, ...limits });
  const lines = new BatchGateway();
  const gateway = new Gateway(context, flags, account, limits.concurrency, {
    interrupted: new AbortController().signal,
    isConfirmed: true,
    endOfTurn: host.endOfTurn,
    lineOf: (input) => lines.claimOf(input),
    onSettling: (input, entry) => lines.answered(input, entry),
    watch: slowingTrace(context, flags, pace),
  });
  const replay = await host.replay(name);
  try {
    const source = batchSource({
      operation,
      request,
      profile: gateway.profile,
      destination: gateway.destination,
      replay,
      ignoredColumns: (flags['ignore-columns'] ?? '').split(',').map((column) => column.trim()),
      allowsDuplicates: flags['allow-duplicate'] ?? false,
    });
    const plan = await planBatch(source, host.interrupted);
    await refuseProblems(context, name, plan);
    refuseAboveLimits(plan, limits);

    const { profile, host: at } = gateway.destination;
    const id = `${operation.name} ${profile}@${at} ${flags.batch ?? plan.digest.slice(0, 32)}`;
    const claim = { batch: id, retryUnknown: flags['retry-unknown'] ?? false };
    const ledger = await gateway.ledger();
    const lookUp = (line: Line) => lines.lookUp(ledger, claim, line);
    if (flags['dry-run']) return await dryRun(context, linesOf(source), lookUp);

    await confirmBatch(
      { host, profile: gateway.profile, username: () => gateway.username(), flags },
      operation,
      plan,
    );
    const stopSoon = () => stop.abort();
    let isUnread = false;
    host.whenUnread(() => {
      isUnread = true;
      stopSoon();
    });
    const onInterrupt = () => {
      stopSoon();
      void host.stderr.write(
        '\nNo more lines are started; what is in flight is waited for. Interrupt again to leave at once.\n',
      );
    };
    if (host.interrupted.aborted) onInterrupt();
    host.interrupted.addEventListener('abort', onInterrupt, { once: true });

    const progress = new Progress(host.stderr, host.clock, plan.lines);
    let tally = emptyTally();
    let report: RunReport;
    try {
      report = await runBatch({
        lines: linesOf(source),
        lookUp,
        send: (line, answered) =>
          lines.send((input: CallInput) => gateway.call(operation, input), claim, line, answered),
        emit: async (results) => void (await host.stdout.write(results.map(resultLine).join(''))),
        onResult(current) {
          tally = current;
          progress.show(current);
        },
        pace,
        stop,
        stopAfterFailures: limits.stopAfterFailures,
      });
    } finally {
      await progress.clear();
      const rest =
        openLines(tally) > 0 ? 'The same command again takes up what is left; the' : 'The';
      await host.stderr.write(
        `${operation.kind} batch: ${tallyText(tally)}.\n${rest} ledger keeps the batch as ${neutralise(id)}.\n`,
      );
    }
    if (isUnread) await host.exit(EXIT_CLOSED_PIPE);
    conclude(report, host.interrupted.aborted);
  } finally {
    replay.close();
    await gateway.close();
  }
}

/** Lets the pace hear how the gateway copes, and whoever debugs see everything. */
function slowingTrace({ host, redactor }: Context, flags: BatchFlags, pace: Pace): Trace {
  const shown = flags.debug ? createTrace(host.stderr, redactor) : undefined;
  return {
    request: (request, attempt) => shown?.request(request, attempt),
    reply(reply, durationMs) {
      shown?.reply(reply, durationMs);
      if (reply.status === 429 || reply.status === 503)
        pace.slowDown(retryAfterMs(reply, host.clock.now()));
    },
    lost(error, durationMs) {
      shown?.lost(error, durationMs);
      if (!error.sent) pace.slowDown(undefined);
    },
  };
}

/** @throws Failure unless every line is done */
function conclude({ tally, stoppedBy }: RunReport, isInterrupted: boolean): void {
  const open = openLines(tally);
  if (isInterrupted) {
    throw new Failure('interrupted', 'Interrupted; what was in flight has been seen through.', {
      next: 'Run the same command again: what is done is not sent again.',
    });
  }
  if (open === 0) return;
  const reason = stoppedBy === undefined ? '' : ` No more were started: ${stoppedBy}.`;
  const unknown =
    tally.unknown > 0
      ? ' `gw journal list --unresolved` keeps those whose outcome is unknown; they are not sent again.'
      : '';
  throw new Failure(
    'incomplete',
    `${count(open)} ${open === 1 ? 'line is' : 'lines are'} not done.${reason}`,
    {
      next: `Run the same command again: it sends what certainly did not happen, and nothing twice.${unknown}`,
    },
  );
}

function openLines(tally: Tally): number {
  const { doneEarlier: _, done: __, ...open } = tally;
  return Object.values(open).reduce((sum, n) => sum + n, 0);
}

async function dryRun(
  { host }: Context,
  lines: AsyncIterable<Line>,
  lookUp: (line: Line) => Promise<LineResult | undefined>,
): Promise<void> {
  const tally = emptyTally();
  let wouldSend = 0;
  for await (const line of lines) {
    host.interrupted.throwIfAborted();
    const known = await lookUp(line);
    if (known) {
      tally[known.outcome]++;
      if (known.outcome === 'done') tally.doneEarlier++;
    } else wouldSend++;
    const result: NumberedResult = {
      line: line.number,
      ...(known ?? { outcome: 'not-started', isEarlier: false, record: line.body }),
    };
    await host.stdout.write(resultLine(result));
  }
  await host.stderr.write(
    `Nothing was sent. ${count(wouldSend)} would be sent; already known: ${tallyText(tally)}.\n`,
  );
}

/** @throws Failure usage when the input has problems, which are all on stderr then */
async function refuseProblems({ host }: Context, name: string, plan: Plan): Promise<void> {
  const { problems, problemCount } = plan;
  if (problemCount === 0) return;
  const source = name === '-' ? 'stdin' : name;
  const lines = problems.map(({ line, problem }) =>
    line === undefined ? `${source}: ${problem}` : `${source}:${line}: ${problem}`,
  );
  if (problemCount > MAX_PROBLEMS) lines.push(`… and ${count(problemCount - MAX_PROBLEMS)} more`);
  await host.stderr.write(lines.map((text) => `${neutralise(text)}\n`).join(''));
  throw usage(
    `${count(problemCount)} ${problemCount === 1 ? 'problem was' : 'problems were'} found in ${source}.`,
    'Nothing was sent. Correct them and run the command again.',
  );
}

interface Limits {
  concurrency: number;
  perSecond: number | undefined;
  maxCount: number | undefined;
  maxTotal: number | undefined;
  stopAfterFailures: number | undefined;
}

/** @throws Failure usage when a number is not one */
function readLimits(flags: BatchFlags): Limits {
  const whole = (flag: keyof BatchFlags, max = Number.MAX_SAFE_INTEGER) => {
    const text = flags[flag];
    if (typeof text !== 'string') return undefined;
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= 1 && value <= max) return value;
    throw usage(
      `--${flag} takes a whole number from 1 to ${max}, not ${JSON.stringify(text)}.`,
      'Nothing was sent. Correct it and run the command again.',
    );
  };
  const perSecond = flags.rate === undefined ? undefined : Number(flags.rate);
  if (perSecond !== undefined && !(perSecond > 0 && perSecond <= MAX_RATE)) {
    throw usage(
      `--rate takes a number above 0 and at most ${MAX_RATE}, not ${JSON.stringify(flags.rate)}.`,
      'For example --rate 5, or --rate 0.5 for one in two seconds.',
    );
  }
  const { batch } = flags;
  if (batch !== undefined && (batch.trim() === '' || batch.length > MAX_NAME_LENGTH)) {
    throw usage(
      `The name of a batch has 1 to ${MAX_NAME_LENGTH} characters.`,
      'For example --batch returns-2026-03.',
    );
  }
  return {
    concurrency: whole('concurrency', MAX_CONCURRENCY) ?? DEFAULT_CONCURRENCY,
    perSecond,
    maxCount: whole('max-count'),
    maxTotal: whole('max-total'),
    stopAfterFailures: whole('stop-after-failures'),
  };
}

/** @throws Failure guard */
function refuseAboveLimits({ lines, totals }: Plan, { maxCount, maxTotal }: Limits): void {
  if (maxCount !== undefined && lines > maxCount) {
    throw new Failure(
      'guard',
      `There are ${count(lines)} lines, more than --max-count ${maxCount}.`,
      {
        next: 'Nothing was sent. Check that it is the input you meant, or raise the limit.',
      },
    );
  }
  for (const [currency, total] of totals) {
    if (maxTotal === undefined || total <= BigInt(maxTotal)) continue;
    const unit = currency === '' ? 'minor units' : `minor units of ${currency}`;
    throw new Failure(
      'guard',
      `The amounts come to ${count(total)} ${unit}, more than --max-total ${maxTotal}.`,
      { next: 'Nothing was sent. Check that it is the input you meant, or raise the limit.' },
    );
  }
}
