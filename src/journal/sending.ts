/**
 * How long an intent on a server may be sent: the entry says until when (`sends_until`, by the server's clock), and
 * the machine that sends asks its own clocks. Its bytes leave before that, or not at all.
 */
import type { Clock } from '../host/host.ts';

/** How long what is written now may be sent. */
export const LEASE_MS = 30_000;

/** The margin: the server's clock may be ahead of the machine's, and bytes need time to leave. */
const MARGIN_MS = 5_000;

/** When a lease began, by both clocks of this machine, in ms. */
export interface Lease {
  wallMs: number;
  uptimeMs: number;
}

/** @returns a lease that begins at this moment */
export function beginLease(clock: Pick<Clock, 'now' | 'uptimeMs'>): Lease {
  return { wallMs: clock.now().getTime(), uptimeMs: clock.uptimeMs() };
}

/**
 * One of the clocks may be put back, and the other may stand while the machine is paused: a lease is over as soon as
 * either says so.
 * @returns whether what was written under the lease may still be sent
 */
export function isRunning(
  { wallMs, uptimeMs }: Lease,
  clock: Pick<Clock, 'now' | 'uptimeMs'>,
): boolean {
  const ageMs = Math.max(clock.now().getTime() - wallMs, clock.uptimeMs() - uptimeMs);
  return ageMs < LEASE_MS - MARGIN_MS;
}
