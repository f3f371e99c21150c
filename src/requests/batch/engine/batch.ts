/**
 * A file of lines, each of which is one request: what a line is, and the result of a line. gw checks the whole file
 * (preflight.ts) before a run over its lines begins (batch-run.ts).
 *
 * Tests: test/unit/requests/batch/run-batch.test.ts, test/unit/requests/batch/engine/batch-run.test.ts
 */

import type { JsonObject } from '../../../base/json.ts';
import type { Busy } from '../../../client/exchange/retry.ts';
import type { FailureCode } from '../../../failure-codes.ts';
import type { LinesOfAmount, MoneyRequest } from '../../../journal/ledger.ts';
import type { InputRow } from './rows.ts';

/** A line that may be sent. */
export interface Line {
  /** The line's number in the text, from 1. The header of a CSV counts. */
  number: number;
  /** The key of the line's content, the same in every run. */
  key: string;
  /** The line's position among the lines with the same key, from 1. */
  occurrence: number;
  body: JsonObject;
  /** The request as the ledger keeps it; undefined if lines send none. */
  kept?: MoneyRequest | undefined;
  /** ISO 4217 code of the line's amount, if it is known. */
  currency?: string | undefined;
  /**
   * All lines that ask for the same or differ only in the amount, including this one; undefined if there are no others.
   */
  siblings?: LinesOfAmount[] | undefined;
  /** The row as it was read. */
  row: InputRow;
}

/** @returns the amount of a line, in minor units; null if it names none */
export function lineAmount({ body }: Pick<Line, 'body'>): number | null {
  return typeof body.amount === 'number' ? body.amount : null;
}

/** The outcomes of a line; the `docs` of the batch commands say what a user does about each. */
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

/** The result of a line: of the last attempt to send it, or of looking it up. */
export interface LineResult<Answer = unknown> {
  line: Line;
  outcome: LineClass;
  /** true if an earlier run or another process sent it, and this run did not. */
  isEarlier: boolean;
  /** true if the line has no reference, and another batch or a command did it. The user may mean a new request. */
  isByOthers?: boolean;
  /** true if it was declined and can never pass. */
  isFinal?: boolean;
  /** The id of the request in the journal. */
  entry?: string | undefined;
  record?: JsonObject | undefined;
  /** ISO 4217 code in which it was done, if the gateway said. */
  currency?: string | null;
  error?: JsonObject | undefined;
  /** Set if the request certainly did not happen but may succeed soon: the reason why the run ends if it does not. */
  mayRepeat?: StopReason | undefined;
  /** Set if the gateway is busy, or was not reached. */
  busy?: Busy | undefined;
  /** The reason why no other line may be tried. */
  endsAll?: StopReason | undefined;
  /** Set if the line did not succeed. Lines that fail alike have the same value. */
  failedFor?: string | undefined;
  /** The sender's own data, which it needs again to settle the line. */
  answer?: Answer | undefined;
}

/**
 * The reason why a run ends before its last line. No more lines are started, and the requests in flight are completed.
 */
export interface StopReason {
  /** A clause: `the gateway is not reached`. */
  why: string;
  /** Set if the batch has failed even when every line is done: the code of the failure. */
  code?: FailureCode;
  /** Set if gw refuses to go on, as opposed to lines that are incomplete. */
  kind?: 'guard';
  /** One sentence: what the user does before running the batch again. */
  next?: string;
}

export type Tally = Record<LineClass, number> & {
  /** The lines done by an earlier run; `done` includes them. */
  doneEarlier: number;
  /** The rejected lines that the gateway only could not take at that moment; `rejected` includes them. */
  notNow: number;
  /** The declined lines that can never pass; `declined` includes them. */
  never: number;
};

export function emptyTally(): Tally {
  const counts = Object.fromEntries(LINE_CLASSES.map((name) => [name, 0]));
  return { ...counts, doneEarlier: 0, notNow: 0, never: 0 } as Tally;
}

export function countIn(
  tally: Tally,
  { outcome, isEarlier, mayRepeat, isFinal }: LineResult,
): void {
  tally[outcome]++;
  if (outcome === 'done' && isEarlier) tally.doneEarlier++;
  if (outcome === 'rejected' && mayRepeat) tally.notNow++;
  if (isFinal) tally.never++;
}

/** @returns the number of lines whose result is in one of these classes */
export function linesIn(tally: Tally, classes: readonly LineClass[] = LINE_CLASSES): number {
  return classes.reduce((sum, name) => sum + tally[name], 0);
}
