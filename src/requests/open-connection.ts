/** Opens a connection to the gateway for a user at this terminal. */
import { GatewayConnection } from '../client/connection/call.ts';
import type { RequestOptions } from '../client/connection/request-options.ts';
import type { ChosenAccount, ConnectionParts } from '../client/connection/wire.ts';
import type { Trace } from '../client/exchange/exchange.ts';
import type { Context } from '../host/context.ts';
import { renderRequest, renderResponse } from '../view/text/debug.ts';

/**
 * The user confirms live requests, sees requests and answers with `--debug`, and hears of long pauses.
 * @param parts replace the usual ones
 * @throws Failure guard if others could read or answer what is sent to a live gateway
 */
export function openConnection(
  context: Context,
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
    onPause: pauseTeller(context),
    ...(options.isDebugging && { trace: traceOf(context) }),
    ...parts,
  });
}

/** Loaded only when gw has to wait. */
function pauseTeller({ host: { clock, stderr } }: Context): (ms: number) => void {
  let saying: Promise<(ms: number) => void> | undefined;
  return async (ms) => {
    saying ??= import('./say-waiting.ts').then(({ sayWaiting }) =>
      sayWaiting(clock, (text) => stderr.write(text)),
    );
    (await saying)(ms);
  };
}

/** Shows every request and its answer on stderr, without secrets. */
function traceOf({ host: { stderr }, redactor }: Context): Trace {
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
