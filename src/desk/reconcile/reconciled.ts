/** What a reconciliation says of one row, or of one record that the file lacks. */
import type { JsonObject } from '../../base/json.ts';
import type { Difference } from './compare.ts';

/**
 * `matches`: all that the row says is what the gateway has. `differs`: some of it is not. `repeats`: the
 * record is that of an earlier row. `not-found`: the gateway has no such record. `not-asked`: it could not
 * be asked, or no answer can be believed. `missing-in-file`: this ledger knows it, and no row is about it.
 */
export const RECONCILED_OUTCOMES = [
  'matches',
  'differs',
  'repeats',
  'not-found',
  'not-asked',
  'missing-in-file',
] as const;

export type ReconciledOutcome = (typeof RECONCILED_OUTCOMES)[number];

export interface Reconciled {
  /** Of the row, from 1, the header included; null for what is missing. */
  line: number | null;
  outcome: ReconciledOutcome;
  kind: string | null;
  id: string | null;
  reference: string | null;
  /** The gateway's, in minor units; the file's where the gateway gave none. */
  amount: number | null;
  currency: string | null;
  /** As the record has it. */
  date: string | null;
  /** What the gateway says of the outcome. */
  message: string | null;
  differences: readonly Difference[];
  unchecked: readonly string[];
  /** Line of the first row about the same record. */
  repeats: number | null;
  /** Why it could not be asked. */
  error: JsonObject | null;
}
