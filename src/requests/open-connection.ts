/** Opens a connection to the gateway for a user at this terminal. */
import { GatewayConnection } from '../client/connection/call.ts';
import type { RequestOptions } from '../client/connection/request-options.ts';
import type {
  ChosenAccount,
  ConnectionContext,
  ConnectionParts,
} from '../client/connection/wire.ts';
import type { Trace } from '../client/exchange/exchange.ts';
import type { Host } from '../host/host.ts';
import type { Redactor } from '../host/redaction/redactor.ts';
import { renderRequest, renderResponse } from '../view/text/debug.ts';

/** The parts of the context that a connection touches when a person may have to confirm a request. */
export interface AskingContext extends ConnectionContext {
  host: ConnectionContext['host'] & Pick<Host, 'prompts'>;
}

/**
 * The user confirms live requests, sees requests and answers with `--debug`, and hears of long pauses.
 * @param parts replace the usual ones
 * @throws Failure guard if others could read or answer what is sent to a live gateway
 */
export function openConnection(
  context: AskingContext,
  account: ChosenAccount,
  options: RequestOptions,
  parts: Partial<ConnectionParts> = {},
): GatewayConnection {
  const { host } = context;
  return new GatewayConnection(context, account, options, {
    confirm: async (question) => {
      const { confirmLive } = await import('./confirm-live.ts');
      await confirmLive(host, question);
    },
    onPause: pauseTeller(host),
    ...(options.isDebugging && { trace: traceOf(host, context.redactor) }),
    ...parts,
  });
}

/** Loaded only when gw has to wait. */
function pauseTeller({ clock, stderr }: Pick<Host, 'clock' | 'stderr'>): (ms: number) => void {
  let saying: Promise<(ms: number) => void> | undefined;
  return async (ms) => {
    saying ??= import('./say-waiting.ts').then(({ sayWaiting }) =>
      sayWaiting(clock, (text) => stderr.write(text)),
    );
    (await saying)(ms);
  };
}

/** Shows every request and its answer on stderr, without secrets. */
function traceOf({ stderr }: Pick<Host, 'stderr'>, redactor: Redactor): Trace {
  const show = (text: string) => void stderr.write(text);
  return {
    request({ method, url, headers, body }, attempt) {
      if (attempt > 0) show(`> again, ${attempt} of 3 repeats\n`);
      show(renderRequest({ method, url: url.href, headers, body }, redactor));
    },
    reply: (reply, durationMs) => show(renderResponse({ ...reply, durationMs }, redactor)),
    lost: (error, durationMs) =>
      show(
        `< no answer: ${error.message}, ${error.sent ? 'after' : 'before'} it was sent, in ${durationMs} ms\n`,
      ),
  };
}
