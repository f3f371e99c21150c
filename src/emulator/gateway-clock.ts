/**
 * The time of the test gateway: the outer clock, moved by the stored state.
 *
 * The stored state is either an instant at which time stands still (a seed with `start`), or an offset from the outer
 * clock. A negative offset means that the gateway is behind. Days are days of UTC.
 */

/** The outer clock, like that of `Host`. */
export interface GatewayClock {
  now(): Date;
  /** Resolves after `ms`; rejects with the signal's reason if it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface ClockState {
  /** The ISO 8601 instant at which time stands still; null if it runs. */
  frozen_at: string | null;
  /** The offset from the outer clock while time runs. */
  offset_ms: number;
}

/** @returns the gateway's own time */
export function virtualNow(outer: Pick<GatewayClock, 'now'>, state: ClockState): Date {
  return state.frozen_at === null
    ? new Date(outer.now().getTime() + state.offset_ms)
    : new Date(state.frozen_at);
}

/** @returns the day of an instant, `YYYY-MM-DD` */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** @returns an ISO 8601 date-time with offset and whole seconds, the form of sections 2.3 and 2.4 */
export function dateTime(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}+00:00`;
}
