/**
 * A file of lines, each of which is one request: what a line is, and what became of it. The file is checked whole
 * (preflight.ts) before a run over its lines begins (batch-run.ts).
 *
 * Nothing in this folder knows a kind of record, a flag or the ledger.
 */
import type { JsonObject } from '../../../base/json.ts';
import type { Busy } from '../../../client/exchange/retry.ts';
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
  /** The lines that ask for the same or differ only in the amount, this one among them; undefined where it is alone. */
  siblings?: LinesOfAmount[] | undefined;
  /** As it came. */
  row: InputRow;
}

/** @returns the amount of a line, in minor units; null where it names none */
export function lineAmount({ body }: Pick<Line, 'body'>): number | null {
  return typeof body.amount === 'number' ? body.amount : null;
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

/** What became of a line: of the last attempt to send it, or of looking it up. */
export interface LineResult<Answer = unknown> {
  line: Line;
  outcome: LineClass;
  /** true when an earlier run, or another process, sent it and this one did not. */
  isEarlier: boolean;
  /** true when it has no reference, and another batch or a command did it: the same may be meant again. */
  isByOthers?: boolean;
  /** What the journal calls the request. */
  entry?: string | undefined;
  record?: JsonObject | undefined;
  error?: JsonObject | undefined;
  /** Given where it certainly did not happen and may well in a moment: why the run ends if it does not. */
  mayRepeat?: StopReason | undefined;
  /** Given where the gateway is busy, or was not reached. */
  busy?: Busy | undefined;
  /** Why no other line is to be tried. */
  endsAll?: StopReason | undefined;
  /** Given where it did not succeed: the same for lines that fail alike. */
  failedFor?: string | undefined;
  /** What whoever sent it makes of it later. */
  answer?: Answer;
}

/** Why a run ends before its last line. No more lines are started then, and what is in flight is seen through. */
export interface StopReason {
  /** A clause: `the gateway is not reached`. */
  why: string;
  /** Given where the batch has failed even if every line is done: names the failure. */
  code?: string;
  /** Given where it is not the lines that are incomplete, but gw that refuses to go on. */
  kind?: 'guard';
  /** One sentence: what the user does now, before running the batch again. */
  next?: string;
}

export type Tally = Record<LineClass, number> & {
  /** Of those that are done: by an earlier run. */
  doneEarlier: number;
  /** Of those that were rejected: the gateway only did not take them just then. */
  notNow: number;
};

export function emptyTally(): Tally {
  const counts = Object.fromEntries(LINE_CLASSES.map((name) => [name, 0]));
  return { ...counts, doneEarlier: 0, notNow: 0 } as Tally;
}

export function countIn(tally: Tally, { outcome, isEarlier, mayRepeat }: LineResult): void {
  tally[outcome]++;
  if (outcome === 'done' && isEarlier) tally.doneEarlier++;
  if (outcome === 'rejected' && mayRepeat) tally.notNow++;
}

/** @returns how many lines have a result of one of these classes */
export function linesIn(tally: Tally, classes: readonly LineClass[] = LINE_CLASSES): number {
  return classes.reduce((sum, name) => sum + tally[name], 0);
}
