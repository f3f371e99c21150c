/** What many requests in flight tell the pace at which they start. */
import type { Trace } from '../client/exchange.ts';
import { retryAfterMs } from '../client/retry.ts';
import type { Context } from '../session/context.ts';
import { createTrace } from '../session/trace.ts';
import type { BatchOptions } from './batch-options.ts';
import type { Pace } from './engine/pace.ts';

/** Lets the pace hear how the gateway copes, and whoever debugs see everything. */
export function slowingTrace(
  { host, redactor }: Context,
  { request }: Pick<BatchOptions, 'request'>,
  pace: Pace,
): Trace {
  const shown = request.isDebugging ? createTrace(host.stderr, redactor) : undefined;
  return {
    request: (sent, attempt) => shown?.request(sent, attempt),
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
