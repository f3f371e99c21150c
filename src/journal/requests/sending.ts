/**
 * Who is sending an entry, and whether they still can. In a file the name of the process tells (base/process-name.ts);
 * on a server the entry says until when it may be sent (`sends_until`, by the server's clock). What has
 * neither is known by its age.
 */
import type { Clock } from '../../host/host.ts';
import type { EntrySender } from '../ledger.ts';

/** How long what is written now may be sent on a server. Its bytes leave before that, or not at all. */
export const LEASE_MS = 30_000;
/** Longer than any request may take: whoever wrote an older intent will not write its outcome. */
const MAX_SENDING_MS = 15 * 60 * 1000;

/** The margin: the server's clock may be ahead of the machine's, and bytes need time to leave. */
const MARGIN_MS = 5_000;

/**
 * A lease as the machine that sends counts it. One of its clocks may be put back, and the other may stand while
 * the machine is paused: the lease is over as soon as either says so.
 * @returns tells whether what is written from now on may still be sent
 */
export function beginLease(clock: Pick<Clock, 'now' | 'uptimeMs'>): () => boolean {
  const wall = clock.now().getTime();
  const uptime = clock.uptimeMs();
  return () => {
    const ageMs = Math.max(clock.now().getTime() - wall, clock.uptimeMs() - uptime);
    return ageMs < LEASE_MS - MARGIN_MS;
  };
}

/** What others read of an entry whose sender is gone. */
export const SENDER_GONE = {
  state: 'unknown',
  status: null,
  recordId: null,
  message: 'gw ended before the answer came',
} as const;

/** What tells that a process has ended, when it can be told. */
export interface SendingProcesses {
  /** Name of this process. */
  self: string | null;
  isGone(process: string): boolean | undefined;
}

/** An entry as it is looked at. */
export interface BeingSent {
  state: string;
  createdAt: string;
  owner: string | null;
  sendsUntil: string | null;
  /** The store's time, of one that is `sending`. */
  asOf: string | null;
}

/** @returns whether an entry is still `sending`, and nobody will send it any more */
export function isAbandoned(
  { state, createdAt, owner, sendsUntil, asOf }: BeingSent,
  processes: SendingProcesses,
): boolean {
  if (state !== 'sending' || asOf === null) return false;
  if (sendsUntil !== null) return sendsUntil < asOf;
  const isGone = owner === null ? undefined : processes.isGone(owner);
  return isGone ?? Date.parse(asOf) - Date.parse(createdAt) > MAX_SENDING_MS;
}

/**
 * A time that is further away than any lease is of a clock that was put back: nobody can tell then.
 * @returns as `Ledger.senderOf`
 */
export function senderOf(entry: BeingSent, processes: SendingProcesses): EntrySender | undefined {
  const { state, owner, sendsUntil, asOf } = entry;
  if (state !== 'sending' || isAbandoned(entry, processes)) return undefined;
  if (sendsUntil === null)
    return { process: owner, isRunning: owner !== null && processes.isGone(owner) === false };
  const leftMs = Date.parse(sendsUntil) - Date.parse(asOf ?? sendsUntil);
  return { process: null, isRunning: leftMs <= LEASE_MS };
}
