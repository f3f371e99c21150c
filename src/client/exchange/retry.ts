/** Decides when to repeat a read, and how long to wait before. */
import { backoffMs } from '../../base/backoff.ts';
import { httpDate } from '../../base/text.ts';
import type { Failure } from '../../failure.ts';
import type { Clock } from '../../host/host.ts';
import { TransportError, type WireReply } from '../senders/sender.ts';

const MAX_REPEATS = 3;
const FIRST_PAUSE_MS = 250;
/** gw does not wait longer than this. It reports the gateway's wish instead. */
const MAX_PAUSE_MS = 30_000;

/** @returns whether the same request may succeed in a moment */
export function isTransientAnswer(outcome: WireReply | TransportError): boolean {
  if (outcome instanceof TransportError) return !outcome.sent;
  return outcome.status === 429 || (outcome.status >= 502 && outcome.status <= 504);
}

/**
 * @param attempt number of tries so far, minus one
 * @returns milliseconds to wait; undefined if the request must not be tried again
 */
export function pauseMs(
  attempt: number,
  outcome: WireReply | TransportError,
  { clock, random }: { clock: Clock; random: () => number },
): number | undefined {
  if (attempt >= MAX_REPEATS) return undefined;
  const header = outcome instanceof TransportError ? undefined : outcome.headers['retry-after'];
  const asked = retryAfterMs(header, clock.now());
  if (asked !== undefined) return asked <= MAX_PAUSE_MS ? asked : undefined;
  return backoffMs(attempt, { firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS }, random);
}

/** A reason for a caller with many requests to slow down. */
export interface Busy {
  /** The Retry-After header, if any. */
  retryAfter: string | undefined;
}

/** @returns a value if the gateway is busy or was not reached, else undefined */
export function busyOf({ status, retryAfter, code }: Failure): Busy | undefined {
  if (status === 429 || status === 503) return { retryAfter };
  return code === 'not-reached' || code === 'lease-over' ? { retryAfter: undefined } : undefined;
}

/** @returns the milliseconds of a Retry-After header (RFC 9110: seconds or a date) */
export function retryAfterMs(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = httpDate(value);
  return date === undefined ? undefined : Math.max(0, date - now.getTime());
}
