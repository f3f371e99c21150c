/** `gw listen`: runs a listener for a profile, from its options to its end. */

import { randomUUID } from 'node:crypto';
import { isLoopback } from '../../base/loopback.ts';
import { shellWord } from '../../base/shell.ts';
import { plural } from '../../base/text.ts';
import { basicCredentials } from '../../cli/flags/delivery-flags.ts';
import type { GatewayConnection } from '../../client/connection/call.ts';
import type { RequestOptions } from '../../client/connection/request-options.ts';
import { type ChosenAccount, chosenAccount } from '../../client/connection/wire.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import { LOCAL_CREDENTIALS } from '../../contract/local-account.ts';
import { lookUpOf } from '../../contract/operations.ts';
import { EVENT_NAMES } from '../../contract/webhooks/names.ts';
import { matcher } from '../../contract/webhooks/patterns.ts';
import type { DeliveryContent } from '../../events/read/read-delivery.ts';
import { verifyEvent } from '../../events/receive/verify.ts';
import { openEvents } from '../../events/store/event-file.ts';
import { Failure, invariant, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import type { AskingContext } from '../../requests/open-connection.ts';
import { openConnection } from '../../requests/open-connection.ts';
import { ledgerPath } from '../../store/paths.ts';
import type { listenOptionsOf } from './listen-options.ts';
import { type HookRegistrar, Listener, type ListenOptions, type ListenResult } from './listener.ts';

const MAX_LOOK_UPS_AT_ONCE = 8;

export interface RunListenOptions {
  /** The options that need neither a profile nor a password. */
  listener: ReturnType<typeof listenOptionsOf>;
  /** The options of look-ups, with the profile that the user named. */
  request: RequestOptions;
  /** The username with which deliveries authenticate. */
  username: string | undefined;
  /** The username for the application that events are passed on to. */
  forwardUsername: string | undefined;
  /** Whether to ask the gateway about each event. */
  isVerifying: boolean;
}

/**
 * @throws Failure incomplete if the time was over before the goal was reached; interrupted if the user ended it; as
 *   `openEvents` and `Listener.open`
 */
export async function runListen(
  context: Context,
  { listener: typed, request, username, forwardUsername, isVerifying }: RunListenOptions,
): Promise<void> {
  const { host } = context;
  await host.stderr.write(noteOfUnknown([...typed.events, typed.goal?.until]));
  const account = await accountOf(host, request.profile);
  const profile = account?.profile;
  if (isVerifying && !account) throw nobodyToAsk();
  const options: ListenOptions = {
    ...typed,
    credentials: await basicCredentials(context, username, request),
    forwardCredentials: await basicCredentials(
      context,
      forwardUsername,
      request,
      'forward-basic-auth',
    ),
    profile: profile?.name ?? null,
    isRemembering: profile?.remember !== false,
    mode: profile && (profile.environment === 'live' ? 'Live' : 'Sandbox'),
  };
  const gateway = isVerifying && account ? gatewayToAsk(context, request, account) : undefined;
  const unproven = profile?.environment === 'local' ? 'local' : 'none';
  const trust = options.credentials ? 'password' : isVerifying ? 'verified' : unproven;
  const hasRows = host.stdout.isTerminal && options.output === 'line';
  const store = openEvents(host, host.endOfTurn);
  const ledger = ledgerPath(host.files);
  const listener = new Listener(options, {
    host,
    store,
    random: Math.random,
    verify: gateway && ((content) => verify(gateway, content)),
    registrar: hookRegistrarFor(host, profile, typed.events),
  });
  try {
    const result = await listenTo(listener, host, {
      ledger,
      trust,
      hasRows,
      forwardTo: options.forwardTo?.href,
    });
    throwUnlessReached(result, options, host.interrupted);
  } finally {
    await gateway?.close();
    await store.close();
  }
}
/** Runs the listener from the message at its start to the summary at its end. */
async function listenTo(
  listener: Listener,
  { stderr, interrupted }: Pick<Host, 'interrupted' | 'stderr'>,
  told: Told,
): Promise<ListenResult> {
  try {
    const url = await listener.open();
    void stderr.write(startMessage(url, told));
    return await listener.untilEnd();
  } finally {
    await listener.close().finally(() => {
      const lines = listener.summary();
      // The summary starts below the ^C that a terminal shows.
      const gap = interrupted.aborted && stderr.isTerminal ? '\n' : '';
      if (lines.length > 0) void stderr.write(`${gap}${lines.join('\n')}\n`);
    });
  }
}

/** A listener works without a profile: it then has no mode to compare, and no gateway to ask. */
async function accountOf(
  host: Parameters<typeof chosenAccount>[0],
  flag: string | undefined,
): Promise<ChosenAccount | undefined> {
  try {
    return await chosenAccount(host, flag);
  } catch (error) {
    if (flag === undefined && error instanceof Failure && error.kind === 'auth') return undefined;
    throw error;
  }
}

function gatewayToAsk(context: AskingContext, request: RequestOptions, account: ChosenAccount) {
  return openConnection(context, account, request, { inFlight: MAX_LOOK_UPS_AT_ONCE });
}

function verify(gateway: GatewayConnection, content: DeliveryContent) {
  return verifyEvent(content, async (kind, id) => {
    const lookUp = lookUpOf(kind);
    invariant(lookUp, `a ${kind} cannot be looked up`);
    const { records } = await gateway.call(lookUp, { id });
    return records[0];
  });
}

function throwUnlessReached(
  { end, counted }: ListenResult,
  { goal, timeoutMs = 0 }: ListenOptions,
  interrupted: AbortSignal,
): void {
  if (end === 'reached' || !goal) return;
  if (end === 'interrupted') throw interrupted.reason;
  const seconds = timeoutMs / 1_000;
  throw new Failure(
    'goal-not-reached',
    `${counted} of ${goal.count} ${plural(goal.count, 'event', 'events')} came within ${seconds} ${plural(seconds, 'second', 'seconds')}.`,
    'Run `gw events list` to see what was received, or give it more time with --timeout. Webhooks tell of subscriptions alone: a purchase sends none.',
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
 * The interface cannot register an address (section 6), so only the test gateway is asked. It delivers with a password,
 * so its events are no hearsay. A listener that was killed left its hook, and goes on with its queue and its password.
 * @param patterns of the events to deliver; empty for all
 * @returns undefined if the user must give the address to the gateway
 */
function hookRegistrarFor(
  host: Pick<Host, 'clock' | 'files'>,
  profile: Profile | undefined,
  patterns: readonly string[],
): HookRegistrar | undefined {
  if (profile?.environment !== 'local') return undefined;
  return {
    async register(url) {
      const [{ withState }, { listHooks, registerHook, removeHook, urlToShow }] = await Promise.all(
        [import('../../emulator/state.ts'), import('../../emulator/deliveries/hooks.ts')],
      );
      const events = patterns.length > 0 ? patterns.join(',') : undefined;
      const merchant = LOCAL_CREDENTIALS.username;
      // A listener at every address of this machine is reached at its own one.
      const address = new URL(
        url.href.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]'),
      );
      Object.assign(address, { username: 'gw-listen', password: randomUUID() });
      const shown = urlToShow(address.href);
      // Opened only for each use, since the listener may run for days.
      return withState(host, undefined, async (store) => {
        const left = listHooks(store).find((one) => one.temporary && urlToShow(one.url) === shown);
        const known = left?.events === (events ?? '*') ? new URL(left.url) : address;
        const id = registerHook(store, { merchant, url: known.href, events, temporary: true });
        return {
          credentials: { username: known.username, password: known.password },
          remove: () => withState(host, undefined, async (state) => void removeHook(state, id)),
        };
      });
    },
  };
}

/**
 * @param patterns of events that are shown or waited for
 * @returns a note on patterns that fit no event of section 6; empty if all do. Deployments send other events too, so it
 *   is no error
 */
export function noteOfUnknown(patterns: readonly (string | undefined)[]): string {
  const unknown = patterns
    .filter((pattern) => pattern !== undefined)
    .filter((pattern) => !EVENT_NAMES.some(matcher([pattern])));
  if (unknown.length === 0) return '';
  const shown = [...new Set(unknown)].map(shellWord).join(', ');
  return `Note: none of the gateway's events matches ${shown}. They are ${EVENT_NAMES.join(', ')}.\n`;
}

interface Told {
  /** The place where events are kept, as people name it. */
  ledger: string;
  /** The proof that an event is true: a password, the gateway's answer, the test gateway's own password, or none. */
  trust: 'password' | 'verified' | 'local' | 'none';
  /** Whether events are shown as rows of a terminal. */
  hasRows: boolean;
  /** The address that events are passed on to. */
  forwardTo: string | undefined;
}

/** The message at the start of a listener: the address to give the gateway, and how to reach it from outside. */
function startMessage(url: URL, { ledger, trust, hasRows, forwardTo }: Told): string {
  const reach = isLoopback(url.hostname)
    ? `Only this machine can reach it. For a gateway elsewhere, run a tunnel to port ${url.port} (ssh -R, ` +
      `cloudflared, ngrok). Give the gateway the tunnel's https address${url.pathname === '/' ? '' : `, followed by ${url.pathname}`}.`
    : `OTHER MACHINES CAN REACH IT: ${url.hostname} is not a loopback address. Add --basic-auth and a secret --path, ` +
      'and put https in front of it.';
  const lines = [
    `Listening. Give the gateway this address: ${url.href}`,
    reach,
    ...(forwardTo === undefined ? [] : [`Events are passed on to ${forwardTo}.`]),
    ...(trust === 'none' ? [WITHOUT_PASSWORD] : trust === 'local' ? [LOCAL] : []),
    ...(hasRows ? [TIMES] : []),
    `Every delivery is kept in ${ledger}: run \`gw events list\` to see them. Press Ctrl-C to stop.`,
  ];
  return `${lines.join('\n')}\n`;
}

const TIMES =
  'Times are those of the payments; a time in parentheses is when an event without one was received.';

const WITHOUT_PASSWORD =
  'Events come without a password: anyone who can reach this address can send one. gw counts none of them, and asks the ' +
  'gateway before a request rests on one. `--verify` asks about each, and `--basic-auth` asks senders for a password.';

const LOCAL =
  'The test gateway sends its events with a password. Events of others are shown as unverified, and count in no report.\n' +
  'It sends events of subscriptions alone: `gw emulator advance 1d` bills a day, and `gw trigger charge:successful` sends a sample.';
