/** `gw listen`: a listener for a profile, from flags to its end. */

import { join } from 'node:path';
import { isLoopback } from '../../base/loopback.ts';
import { shellWord } from '../../base/shell-word.ts';
import { basicCredentials } from '../../cli/flags/delivery-flags.ts';
import { type RequestFlags, requestOptions } from '../../cli/flags/request-options.ts';
import { GatewayConnection } from '../../client/connection/call.ts';
import { type Account, chosenAccount } from '../../client/connection/wire.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import { LOCAL_CREDENTIALS } from '../../contract/local-account.ts';
import { lookUpOf } from '../../contract/operations.ts';
import { EVENT_NAMES } from '../../contract/webhooks/names.ts';
import { matcher } from '../../contract/webhooks/patterns.ts';
import { Failure, invariant, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { emulatorPath, ledgerPath } from '../../store/paths.ts';
import { loadMeasure } from '../../view/text/width.ts';
import type { TextForm } from '../event.ts';
import type { DeliveryContent } from '../read/read-delivery.ts';
import { verifyEvent } from '../receive/verify.ts';
import { eventText } from '../show/event-text.ts';
import { ThreadedEventStore } from '../store/threaded-event-store.ts';
import { type ListenFlags, listenOptionsOf } from './listen-options.ts';
import {
  type HookRegistrar,
  type ListenParts,
  type ListenResult,
  type ListenSettings,
  listen,
} from './listener.ts';

const MAX_LOOK_UPS_AT_ONCE = 8;

export interface RunListenFlags extends ListenFlags, Pick<RequestFlags, 'no-input' | 'debug'> {
  profile?: string | undefined;
  'basic-auth'?: string | undefined;
  verify?: boolean | undefined;
  output?: 'jsonl' | undefined;
  verbose?: boolean | undefined;
}

/**
 * Everything that flags may have wrong is found before anything is opened.
 * @throws Failure incomplete when the time was over before the goal was reached, interrupted when the
 *   program was, and as `listenOptionsOf`, `ThreadedEventStore` and `listen`
 */
export async function runListen(context: Context, flags: RunListenFlags): Promise<void> {
  const { host } = context;
  const options = listenOptionsOf(flags);
  await host.stderr.write(noteOfUnknown([...options.events, options.goal?.until]));
  const account = await accountOf(context, flags.profile);
  const profile = account?.profile;
  if (flags.verify && !account) throw nobodyToAsk();
  const settings: ListenSettings = {
    ...options,
    credentials: await basicCredentials(context, flags['basic-auth'], flags),
    profile: profile?.name ?? null,
    isRemembering: profile?.remember !== false,
    mode: profile && (profile.environment === 'live' ? 'Live' : 'Sandbox'),
  };
  const gateway = flags.verify && account ? gatewayToAsk(context, flags, account) : undefined;
  const trust = settings.credentials ? 'password' : flags.verify ? 'verified' : 'none';
  const thread = join(context.root, 'dist/events-worker.cjs');
  const hasRows = host.stdout.isTerminal && flags.output !== 'jsonl';
  const path = ledgerPath(host.files);
  const store = new ThreadedEventStore(path, thread);
  try {
    const result = await listen(settings, {
      ...{ store, clock: host.clock, stdout: host.stdout, interrupted: host.interrupted },
      turn: host.endOfTurn,
      random: Math.random,
      verify: gateway && ((content) => verify(gateway, content)),
      registrar: hookRegistrarFor(host, profile, options.events),
      ...(await texts(context, flags)),
      notice: (text) => void host.stderr.write(`${neutralise(text)}\n`),
      // After the ^C that a terminal shows.
      onEnd: (lines) => {
        const gap = host.interrupted.aborted && host.stderr.isTerminal ? '\n' : '';
        void host.stderr.write(`${gap}${lines.join('\n')}\n`);
      },
      onListening: (url) => void host.stderr.write(startMessage(url, path, trust, hasRows)),
    });
    throwUnlessReached(result, settings, host.interrupted);
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

/** Not with all of the flags: here `--timeout` is the listener's, and not that of a request. */
function gatewayToAsk(context: Context, flags: RunListenFlags, account: Account) {
  const { 'no-input': noInput, debug } = flags;
  const options = requestOptions(context.host, { 'no-input': noInput, debug });
  return new GatewayConnection(context, account, options, { inFlight: MAX_LOOK_UPS_AT_ONCE });
}

function verify(gateway: GatewayConnection, content: DeliveryContent) {
  return verifyEvent(content, async (kind, id) => {
    const lookUp = lookUpOf(kind);
    invariant(lookUp, `a ${kind} cannot be looked up`);
    const { records } = await gateway.call(lookUp, { id });
    return records[0];
  });
}

async function texts(
  { host: { stdout } }: Context,
  { output, verbose = false }: RunListenFlags,
): Promise<Pick<ListenParts, 'form' | 'render'>> {
  const { color, isPlain, isTerminal } = stdout;
  const form: TextForm = output === 'jsonl' ? { kind: 'record' } : { kind: 'line', color, verbose };
  const hasRows = isTerminal && form.kind === 'line';
  const measure = hasRows ? await loadMeasure() : undefined;
  return {
    form: hasRows ? undefined : form,
    render(shown, expectedMode) {
      // A window may be made wider meanwhile.
      const screen = measure && { columns: stdout.columns, color, isPlain, measure };
      return eventText(shown, form, { expectedMode, screen });
    },
  };
}

function throwUnlessReached(
  { end, counted }: ListenResult,
  { goal, timeoutMs = 0 }: ListenSettings,
  interrupted: AbortSignal,
): void {
  if (end === 'reached' || !goal) return;
  if (end === 'interrupted') throw interrupted.reason;
  throw new Failure(
    'incomplete',
    `${counted} of ${goal.count} events came within ${timeoutMs / 1_000} seconds.`,
    {
      code: 'goal-not-reached',
      next: 'Run `gw events list` to see what was received, or give it more time with --timeout.',
    },
  );
}

function nobodyToAsk(): Failure {
  return usage(
    'profile-missing',
    '--verify needs a gateway to ask, but there is no profile.',
    'Add --profile, for example --profile sandbox.',
  );
}

/**
 * The interface has no way to register an address (section 6), so only the embedded gateway is asked.
 * @param patterns of the events to deliver; none for all
 * @returns undefined where the address has to be given to the gateway by hand
 */
function hookRegistrarFor(
  host: Host,
  profile: Profile | undefined,
  patterns: readonly string[],
): HookRegistrar | undefined {
  if (profile?.environment !== 'local') return undefined;
  return {
    async register(url) {
      const [{ openState }, { registerHook, removeHook }] = await Promise.all([
        import('../../emulator/state.ts'),
        import('../../emulator/deliveries/hooks.ts'),
      ]);
      const state = () => openState({ path: emulatorPath(host.files), clock: host.clock });
      const events = patterns.length > 0 ? patterns.join(',') : undefined;
      const merchant = LOCAL_CREDENTIALS.username;
      const id = using(state(), (store) =>
        registerHook(store, { merchant, url: url.href, events, temporary: true }),
      );
      return async () => {
        using(state(), (store) => removeHook(store, id));
      };
    },
  };
}

/** The store is not kept open: the listener may run for days. */
function using<Store extends { close(): void }, Result>(
  store: Store,
  work: (store: Store) => Result,
): Result {
  try {
    return work(store);
  } finally {
    store.close();
  }
}

/**
 * @param patterns of events that are shown or waited for
 * @returns a line; empty where each fits an event of section 6. Deployments send others too, so it is no error
 */
export function noteOfUnknown(patterns: readonly (string | undefined)[]): string {
  const unknown = patterns
    .filter((pattern) => pattern !== undefined)
    .filter((pattern) => !EVENT_NAMES.some(matcher([pattern])));
  if (unknown.length === 0) return '';
  const shown = [...new Set(unknown)].map(shellWord).join(', ');
  return `Note: none of the gateway's events matches ${shown}. They are ${EVENT_NAMES.join(', ')}.\n`;
}

/**
 * What a listener says when it starts: the address to give the gateway, and the way in from outside.
 * @param path of the file that events are kept in
 * @param hasRows true where events are shown as rows of a terminal
 * @param trust what tells true events from others: a password, the gateway's word, or nothing
 */
function startMessage(
  url: URL,
  path: string,
  trust: 'password' | 'verified' | 'none',
  hasRows: boolean,
): string {
  const reach = isLoopback(url.hostname)
    ? `Only this machine can reach it. For a gateway elsewhere, run your own tunnel to port ${url.port} (ssh -R, ` +
      `cloudflared, ngrok or the like) and give the gateway the tunnel's https address${url.pathname === '/' ? '' : `, followed by ${url.pathname}`}.`
    : `OTHER MACHINES CAN REACH IT: ${url.hostname} is not a loopback address. Add --basic-auth and a secret --path, ` +
      'and put https in front of it.';
  const lines = [
    `Listening. Give the gateway this address: ${url.href}`,
    reach,
    ...(trust === 'none' ? [UNAUTHENTICATED] : []),
    ...(hasRows ? [TIMES] : []),
    `Every delivery is kept in ${path}: run \`gw events list\` to see them. Press Ctrl-C to stop.`,
  ];
  return `${lines.join('\n')}\n`;
}

const TIMES =
  'Times are those of the payments; a time in parentheses is when an event without one was received.';

const UNAUTHENTICATED =
  'Events are unauthenticated: anyone who can reach this address can send one. `--verify` asks the gateway about each, ' +
  'and `--basic-auth` asks senders for a password.';
