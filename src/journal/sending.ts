/**
 * How long an intent on a server may be sent. The entry says until when (`sends_until`, by the server's clock), and the
 * sending machine checks its own clocks. The bytes leave before that time or not at all.
 */
import type { Clock } from '../host/host.ts';

/** Time from writing an intent until it may not be sent. */
export const LEASE_MS = 30_000;

/** Safety margin: the server's clock may be ahead of the machine's, and bytes need time to leave. */
const MARGIN_MS = 5_000;

/** When a lease began, by both clocks of this machine, in ms. */
export interface Lease {
  wallMs: number;
  uptimeMs: number;
}

/** @returns a lease that begins now */
export function beginLease(clock: Pick<Clock, 'now' | 'uptimeMs'>): Lease {
  return { wallMs: clock.now().getTime(), uptimeMs: clock.uptimeMs() };
}

/**
 * The wall clock may be set back, and the uptime clock may stop while the machine sleeps. The lease ends as soon as
 * either clock says so.
 * @returns whether the intent may still be sent
 */
export function isRunning(
  { wallMs, uptimeMs }: Lease,
  clock: Pick<Clock, 'now' | 'uptimeMs'>,
): boolean {
  const ageMs = Math.max(clock.now().getTime() - wallMs, clock.uptimeMs() - uptimeMs);
  return ageMs < LEASE_MS - MARGIN_MS;
}
