/**
 * Entries as a store has them, and as everybody reads them: one that is `sending` and whose sender is gone is
 * unknown. In a file the name of the process tells (host/processes.ts); on a server the entry says until when it
 * may be sent. One that has neither is known by its age.
 */
import type { JsonObject } from '../base/json.ts';
import type { EntrySender, LedgerEntry } from './ledger.ts';
import { LEASE_MS } from './sending.ts';

/** An entry as it is written, with who sends it, and its body as JSON. */
export interface EntryRow extends Omit<LedgerEntry, 'body'> {
  body: string;
  /** Name of the process that sends it; null on a server. */
  owner: string | null;
  /** Until when it may be sent (ISO 8601, UTC); null in a file. */
  sendsUntil: string | null;
}

/** What tells that a process has ended, when it can be told. */
export interface SendingProcesses {
  /** Name of this process. */
  self: string | null;
  isGone(process: string): boolean | undefined;
}

/** Longer than any request may take: whoever wrote an older intent will not write its outcome. */
const MAX_SENDING_MS = 15 * 60 * 1000;

/** What others read of an entry whose sender is gone. */
export const SENDER_GONE = {
  state: 'unknown',
  status: null,
  recordId: null,
  message: 'gw ended before the answer came',
} as const;

/** What of an entry tells whether somebody sends it. */
export type BeingSent = Pick<EntryRow, 'state' | 'createdAt' | 'owner' | 'sendsUntil'>;

/**
 * @param asOf the store's time (ISO 8601, UTC)
 * @returns an entry as everybody reads it
 */
export function entryOf(row: EntryRow, asOf: string, processes: SendingProcesses): LedgerEntry {
  const { owner: _owner, sendsUntil: _sendsUntil, body, ...entry } = row;
  const isGone = isAbandoned(row, asOf, processes);
  return { ...entry, ...(isGone && SENDER_GONE), body: JSON.parse(body) as JsonObject };
}

/**
 * @param asOf the store's time (ISO 8601, UTC)
 * @returns whether an entry is still `sending`, and nobody will send it any more
 */
export function isAbandoned(
  { state, createdAt, owner, sendsUntil }: BeingSent,
  asOf: string,
  processes: SendingProcesses,
): boolean {
  if (state !== 'sending') return false;
  if (sendsUntil !== null) return sendsUntil < asOf;
  const isGone = owner === null ? undefined : processes.isGone(owner);
  return isGone ?? Date.parse(asOf) - Date.parse(createdAt) > MAX_SENDING_MS;
}

/**
 * A time that is further away than any lease is of a clock that was put back: nobody can tell then.
 * @param asOf the store's time (ISO 8601, UTC)
 * @returns who sends an entry; undefined where nobody does any more
 */
export function senderOf(
  entry: BeingSent,
  asOf: string,
  processes: SendingProcesses,
): EntrySender | undefined {
  const { state, owner, sendsUntil } = entry;
  if (state !== 'sending' || isAbandoned(entry, asOf, processes)) return undefined;
  if (sendsUntil === null)
    return { process: owner, isRunning: owner !== null && processes.isGone(owner) === false };
  const leftMs = Date.parse(sendsUntil) - Date.parse(asOf);
  return { process: null, isRunning: leftMs <= LEASE_MS };
}

/** @returns an instant some time later (ISO 8601, UTC) */
export function laterInstant(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString();
}
