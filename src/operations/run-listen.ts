import { join } from 'node:path';
import { isLoopback } from '../base/loopback.ts';
import { subscriptionGet } from '../contract/subscription.ts';
import { openThreadedEventStore } from '../events/threaded-event-store.ts';
import { Failure, usage } from '../failure.ts';
import { basicCredentials, parseSeconds, parseTarget } from '../flags/delivery-flags.ts';
import { parseInteger } from '../flags/parse-integer.ts';
import { toJson } from '../redaction/safe.ts';
import type { Context } from '../session/context.ts';
import { type Account, chosenAccount, Gateway } from '../session/gateway-connection.ts';
import { ledgerPath } from '../session/paths.ts';
import { matcher } from '../webhooks/patterns.ts';
import type { EventFacts } from '../webhooks/receive/delivery-content.ts';
import { eventLine } from '../webhooks/receive/event-line.ts';
import { type ShownEvent, wholeRecord } from '../webhooks/receive/event-record.ts';
import { type Goal, type ListenResult, listen } from '../webhooks/receive/listener.ts';
import { startMessage } from '../webhooks/receive/start-message.ts';
import { verifyEvent } from '../webhooks/receive/verify.ts';
import { hookRegistrarFor } from './hook-registrar.ts';

const MAX_PORT = 65_535;
const MAX_DELAY_S = 300;
const MAX_TIMEOUT_S = 7 * 24 * 3_600;
const MAX_PATH_LENGTH = 1_000;

interface ListenFlags {
  host: string;
  port: string;
  path: string;
  respond: string;
  delay: string;
  'allow-remote'?: boolean | undefined;
  'basic-auth'?: string | undefined;
  events?: readonly string[] | undefined;
  'forward-to'?: string | undefined;
  verify?: boolean | undefined;
  until?: string | undefined;
  count?: string | undefined;
  timeout?: string | undefined;
  output?: 'jsonl' | undefined;
  verbose?: boolean | undefined;
  profile?: string | undefined;
  'no-input'?: boolean | undefined;
  debug?: boolean | undefined;
}

/** Runs a listener to its end. @throws Failure when its goal was not reached */
export async function runListen(context: Context, flags: ListenFlags): Promise<void> {
  const { clock, files, interrupted, stdout, stderr, endOfTurn } = context.host;
  // Everything that flags may have wrong is found before anything is opened.
  const account = await accountOf(context, flags.profile);
  const profile = account?.profile;
  if (flags.verify && !account) throw nobodyToAsk();
  const patterns = flags.events ?? [];
  const goal = goalOf(flags);
  const options = {
    host: hostOf(flags.host, flags['allow-remote']),
    port: portOf(flags.port),
    path: pathOf(flags.path),
    respond: statusOf(flags.respond),
    delayMs: parseSeconds('delay', flags.delay, MAX_DELAY_S),
    isShown: matcher(patterns),
    forwardTo:
      flags['forward-to'] === undefined
        ? undefined
        : parseTarget('forward-to', flags['forward-to']),
    goal,
    timeoutMs:
      flags.timeout === undefined
        ? undefined
        : parseSeconds('timeout', flags.timeout, MAX_TIMEOUT_S),
    credentials: await basicCredentials(context, flags['basic-auth'], flags),
  };
  const gateway = flags.verify && account ? new Gateway(context, flags, account, 8) : undefined;
  const path = ledgerPath(files);
  const program = join(context.root, 'dist', 'events-worker.cjs');
  const store = await openThreadedEventStore(path, program);
  try {
    const result = await listen({
      ...options,
      profile: profile?.name ?? null,
      mode: profile && (profile.environment === 'live' ? 'Live' : 'Sandbox'),
      verify: gateway && ((facts) => verify(gateway, facts)),
      registrar: hookRegistrarFor(context.host, profile, patterns),
      render: (shown, expectedMode) => render(context, flags, shown, expectedMode),
      store,
      stdout,
      notice: (text) => void stderr.write(`${text}\n`),
      onListening: (url) => void stderr.write(startMessage(url, path)),
      clock,
      turn: endOfTurn,
      random: Math.random,
      interrupted,
    });
    throwUnlessReached(result, goal, interrupted, flags.timeout);
  } finally {
    await gateway?.close();
    await store.close();
  }
}

/** A listener is of use without a profile: then there is no mode to compare, and nobody to ask. */
async function accountOf(context: Context, flag: string | undefined): Promise<Account | undefined> {
  try {
    return await chosenAccount(context, flag);
  } catch (error) {
    if (flag === undefined && error instanceof Failure && error.kind === 'auth') return undefined;
    throw error;
  }
}

function render(
  context: Context,
  flags: { output?: 'jsonl' | undefined; verbose?: boolean | undefined },
  shown: ShownEvent,
  expectedMode: string | undefined,
): string {
  // Card numbers and secrets were masked when the delivery was read.
  if (flags.output === 'jsonl') return `${toJson(wholeRecord(shown))}\n`;
  const { color, isTerminal } = context.host.stdout;
  return eventLine(shown, { color, isTerminal, verbose: flags.verbose ?? false, expectedMode });
}

function verify(gateway: Gateway, facts: EventFacts) {
  return verifyEvent(facts, async (reference) => {
    const { records } = await gateway.call(subscriptionGet, { id: reference });
    return records[0];
  });
}

function goalOf(flags: {
  until?: string | undefined;
  count?: string | undefined;
}): Goal | undefined {
  if (flags.until === undefined && flags.count === undefined) return undefined;
  return {
    isWanted: matcher(flags.until === undefined ? [] : [flags.until]),
    count: flags.count === undefined ? 1 : parseInteger('count', flags.count),
  };
}

function throwUnlessReached(
  { end, counted }: ListenResult,
  goal: Goal | undefined,
  interrupted: AbortSignal,
  timeout: string | undefined,
): void {
  if (end === 'reached' || !goal) return;
  if (end === 'interrupted') throw interrupted.reason;
  throw new Failure(
    'incomplete',
    `${counted} of ${goal.count} events came within ${timeout} seconds.`,
    { next: '`gw events list` shows what was received. Give it more time with --timeout.' },
  );
}

function hostOf(host: string, isAllowed = false): string {
  const url = URL.canParse(`http://${bracketed(host)}`)
    ? new URL(`http://${bracketed(host)}`)
    : undefined;
  if (url?.pathname !== '/' || url.port !== '') {
    throw usage('--host takes a name or an address alone.', 'For example --host 127.0.0.1.');
  }
  if (isAllowed || isLoopback(url.hostname)) return host;
  throw usage(
    `${host} is not a loopback address: anybody who reaches it could deliver events.`,
    'Leave --host out and use a tunnel, or add --allow-remote.',
  );
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= MAX_PORT) return port;
  throw usage(
    `--port takes a number from 0 to ${MAX_PORT}, not ${JSON.stringify(text)}.`,
    'For example --port 4242.',
  );
}

/** As it stands in a request: what a URL would write differently would never match. */
function pathOf(text: string): string {
  const isPath = /^\/[\w\-.~!$&'()*+,;=:@%/]*$/.test(text) && text.length <= MAX_PATH_LENGTH;
  if (isPath && new URL(text, 'http://path.invalid').pathname === text) return text;
  throw usage(
    '--path takes a path that begins with one slash, as it stands in an address.',
    'For example --path /hooks/5f0c2e.',
  );
}

function statusOf(text: string): number {
  const status = /^[2-5]\d\d$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isNaN(status)) return status;
  throw usage(
    `--respond takes a status from 200 to 599, not ${JSON.stringify(text)}.`,
    'For example --respond 503.',
  );
}

function nobodyToAsk(): Failure {
  return usage(
    'There is no profile, and --verify needs a gateway to ask.',
    'Add --profile, for example --profile sandbox.',
  );
}
