/** `gw listen`: a listener for a profile, from flags to its end. */
import { join } from 'node:path';
import { basicCredentials } from '../../cli/flags/delivery-flags.ts';
import { type RequestFlags, requestOptions } from '../../cli/flags/request-options.ts';
import { GatewayConnection } from '../../client/connection/call.ts';
import { type Account, chosenAccount } from '../../client/connection/wire.ts';
import { lookUpOf } from '../../contract/operations.ts';
import { Failure, invariant, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { loadMeasure } from '../../view/text/width.ts';
import type { TextForm } from '../event.ts';
import type { DeliveryContent } from '../read/read-delivery.ts';
import { verifyEvent } from '../receive/verify.ts';
import { eventText } from '../show/event-text.ts';
import { openListenerEvents } from '../store/open.ts';
import { hookRegistrarFor } from './hook-registrar.ts';
import { type ListenFlags, listenOptionsOf } from './listen-options.ts';
import { type ListenParts, type ListenResult, type ListenSettings, listen } from './listener.ts';
import { startMessage } from './start-message.ts';
import { noteOfUnknown } from './unknown-patterns.ts';

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
 *   program was, and as `listenOptionsOf`, `openListenerEvents` and `listen`
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
  const { store, ledger } = await openListenerEvents(host, { profile }, thread);
  try {
    const result = await listen(settings, {
      ...{ store, clock: host.clock, stdout: host.stdout, interrupted: host.interrupted },
      turn: host.endOfTurn,
      random: Math.random,
      verify: gateway && ((content) => verify(gateway, content)),
      registrar: hookRegistrarFor(host, profile, options.events),
      ...(await texts(context, flags)),
      notice: (text) => void host.stderr.write(`${text}\n`),
      // After the ^C that a terminal shows.
      onEnd: (lines) => {
        const gap = host.interrupted.aborted && host.stderr.isTerminal ? '\n' : '';
        void host.stderr.write(`${gap}${lines.join('\n')}\n`);
      },
      onListening: (url) => void host.stderr.write(startMessage(url, ledger, trust, hasRows)),
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
