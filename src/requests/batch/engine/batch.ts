/**
 * Bulk runs: one request for each line of a file.
 *
 * A run has two passes over the same text. The first reads and checks all of it and sends nothing
 * (preflight.ts). The second sends (run.ts), several requests in flight, no faster than the gateway can
 * take (pace.ts), and hands out one result for each line in the order of the lines (ordered.ts).
 * Both hold a bounded number of lines, whatever the length of the text.
 *
 * What a line means, how it is sent and what is already known of it are functions that the caller
 * gives: nothing here knows a kind of record, a flag or the ledger.
 */
import type { JsonObject } from '../../../base/json.ts';
import type { LinesOfAmount } from '../../../journal/ledger.ts';
import type { InputRow } from './rows.ts';

/** A line that may be sent. */
export interface Line {
  /** Its number in the text, from 1, the header of a CSV included. */
  number: number;
  /** The same for the same content, in every run. */
  key: string;
  /** Which it is of the lines with its key, from 1. */
  occurrence: number;
  body: JsonObject;
  /** ISO 4217 code of its amount, where it is known. */
  currency?: string | undefined;
  /** The lines that ask for the same or differ only in the amount, this one among them. */
  siblings: readonly LinesOfAmount[];
  /** As it came. */
  row: InputRow;
}

/** What may become of a line; see `docs` of the batch commands for what a user makes of each. */
export const LINE_CLASSES = [
  'done',
  'declined',
  'rejected',
  'refused',
  'conflict',
  'not-sent',
  'unknown',
  'elsewhere',
  'not-started',
] as const;

export type LineClass = (typeof LINE_CLASSES)[number];

export interface LineResult {
  outcome: LineClass;
  /** true when an earlier run, or another process, sent it and this one did not. */
  isEarlier: boolean;
  /** true when it has no reference, and another batch or a command did it: the same may be meant again. */
  isByOthers?: boolean;
  /** What the journal calls the request. */
  entry?: string | undefined;
  record?: JsonObject | undefined;
  error?: JsonObject | undefined;
}

/** The result of one attempt to send a line. */
export interface Attempt extends LineResult {
  /** It certainly did not happen, and may well in a moment. */
  mayRepeat?: boolean;
  /** Why no other line needs to be tried: each would meet the same. */
  endsAll?: string | undefined;
  /** Given where it did not succeed: the same for lines that fail alike. */
  failedFor?: string | undefined;
}

export type Tally = Record<LineClass, number> & {
  /** Of those that are done: by an earlier run. */
  doneEarlier: number;
};

export function emptyTally(): Tally {
  const counts = Object.fromEntries(LINE_CLASSES.map((name) => [name, 0]));
  return { ...counts, doneEarlier: 0 } as Tally;
}
