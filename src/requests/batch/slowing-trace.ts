/** What many requests in flight tell the pace at which they start. */

import { sayWaiting, timeText } from '../../client/connection/say-waiting.ts';
import { createTrace } from '../../client/connection/wire.ts';
import type { Trace } from '../../client/exchange/exchange.ts';
import { retryAfterMs } from '../../client/exchange/retry.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import type { BatchOptions } from './batch-options.ts';
import { MAX_ASKED_PAUSE_MS, type Pace } from './engine/pace.ts';
import type { Stop } from './engine/stop.ts';

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

/**
 * Says what a pace waits for, and stops the run where that is too long.
 * @param write takes a line to stderr
 */
export function heed(
  pace: Pace,
  stop: Stop,
  { clock }: Pick<Host, 'clock'>,
  write: (text: string) => unknown,
): void {
  pace.onPause = sayWaiting(clock, write);
  pace.onTooLong = (ms) => {
    const when = timeText(clock.now().getTime() + ms);
    const longest = `gw waits for ${MAX_ASKED_PAUSE_MS / 60_000} minutes at the most`;
    stop.because({
      why: `the gateway asks for a pause until ${when ?? 'the end of time'}, and ${longest}`,
      next: when
        ? `The gateway takes requests again on ${when}.`
        : 'Ask whoever runs the gateway when it takes requests again.',
    });
  };
}
