/**
 * How a store keeps entries and how everybody reads them. An entry that is `sending` reads as unknown once its sender
 * is gone. In a file, the name of the process tells whether it is gone (host/processes.ts). On a server, the entry says
 * until when it may be sent. If an entry has neither, its age decides.
 */
import { objectOfText } from '../store/ledger/object-text.ts';
import type { Deed } from '../things/deed.ts';
import type { EntrySender, LedgerEntry, RememberedRecord } from './ledger.ts';
import { LEASE_MS } from './sending.ts';

/** An entry as stored: with its sender, and with the text of its body (store/ledger/object-text.ts). */
export interface EntryRow extends Omit<LedgerEntry, 'body'> {
  body: string;
  /** Name of the sending process; null on a server. */
  owner: string | null;
  /** The entry may be sent until this time (ISO 8601, UTC); null in a file. */
  sendsUntil: string | null;
  /** The store's time when the entry was read (ISO 8601, UTC). */
  readAt: string;
}

/** Tells whether a process has ended, if that is known. */
export interface SendingProcesses {
  self: string | null;
  isGone(process: string): boolean | undefined;
}

/** Longer than any request may take. The sender of an older intent will not write its outcome. */
const MAX_SENDING_MS = 15 * 60 * 1000;

/** Others read these values in an entry whose sender is gone. */
export const SENDER_GONE = {
  state: 'unknown',
  status: null,
  recordId: null,
  message: 'gw ended before the answer came',
} as const;

/** The columns that tell whether somebody is still sending the entry. */
export type BeingSent = Pick<EntryRow, 'state' | 'createdAt' | 'owner' | 'sendsUntil' | 'readAt'>;

/** Turns a stored entry into the one that everybody reads. */
export function entryOf(row: EntryRow, processes: SendingProcesses): LedgerEntry {
  const { owner: _owner, sendsUntil: _sendsUntil, readAt: _readAt, body, ...entry } = row;
  const isGone = isAbandoned(row, processes);
  return { ...entry, ...(isGone && SENDER_GONE), body: objectOfText(body, row) };
}

/** @returns whether the entry is still `sending` although its sender is gone */
export function isAbandoned(
  { state, createdAt, owner, sendsUntil, readAt }: BeingSent,
  processes: SendingProcesses,
): boolean {
  if (state !== 'sending') return false;
  if (sendsUntil !== null) return sendsUntil < readAt;
  const isGone = owner === null ? undefined : processes.isGone(owner);
  return isGone ?? Date.parse(readAt) - Date.parse(createdAt) > MAX_SENDING_MS;
}

/**
 * If the entry may be sent for longer than a whole lease, a clock was set back. Then gw cannot tell whether the sender
 * runs.
 * @returns the sender of the entry; undefined if nobody sends it
 */
export function senderOf(entry: BeingSent, processes: SendingProcesses): EntrySender | undefined {
  const { state, owner, sendsUntil, readAt } = entry;
  if (state !== 'sending' || isAbandoned(entry, processes)) return undefined;
  if (sendsUntil === null)
    return { process: owner, isRunning: owner !== null && processes.isGone(owner) === false };
  const leftMs = Date.parse(sendsUntil) - Date.parse(readAt);
  return { process: null, isRunning: leftMs <= LEASE_MS };
}

/** @returns the instant `ms` milliseconds after `time` (ISO 8601, UTC) */
export function laterInstant(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString();
}

/** A record as stored: with its text (store/ledger/object-text.ts), and with its deeds as JSON. */
export type RememberedRow = Omit<RememberedRecord, 'record' | 'deeds'> &
  Record<'record' | 'deeds', string>;

/** The columns of a `RememberedRow`. */
export const RECORD_COLUMNS = `
  account, profile, environment, host, kind, id, reference, name, last_four AS "lastFour", amount, currency,
  seen_by AS "seenBy", record, deeds, first_seen_at AS "firstSeenAt", last_seen_at AS "lastSeenAt"`;

export function recordOfRow({ record, deeds, ...row }: RememberedRow): RememberedRecord {
  const inOrder = (JSON.parse(deeds) as Deed[]).sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return { ...row, record: objectOfText(record, row), deeds: inOrder };
}
