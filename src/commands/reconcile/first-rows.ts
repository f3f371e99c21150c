/**
 * Holds back the results of the first rows until they show which file this is: one of this account, of which some row
 * has a record, and what a debit is. A file of a million rows is not printed before gw says that it is a wrong one.
 */
import type { LineResult } from '../../requests/batch/engine/batch.ts';
import type { BookRow } from './book-row.ts';
import type { DebitIs, FoundRecord } from './compare.ts';
import { type DebitEvidence, debitBy } from './side.ts';

/** The most results that are held back. */
export const MAX_FIRST_ROWS = 1_000;

export type RowResult = LineResult<FoundRecord | undefined>;

export class FirstRows {
  readonly needsDebit: boolean;
  readonly #shown: DebitEvidence[] = [];
  readonly #held: RowResult[] = [];
  #areFound = false;

  /** @param needsDebit whether records have to show what a debit is */
  constructor(needsDebit: boolean) {
    this.needsDebit = needsDebit;
  }

  /** @param row the row as it is written, without a sign on its side */
  add(result: RowResult, row: BookRow): void {
    this.#held.push(result);
    const { outcome, answer } = result;
    if (outcome !== 'done' || answer) this.#areFound = true;
    const shown = answer && debitBy(row, answer);
    if (shown) this.#shown.push(shown);
  }

  /** In the order of the rows. */
  get results(): readonly RowResult[] {
    return this.#held;
  }

  /** Whether gw knows what the rows have to show, or no row tells any more. */
  get isEnough(): boolean {
    return this.#held.length >= MAX_FIRST_ROWS || (this.#areFound && !this.needsDebit);
  }

  /** Whether gw asked for every row, and the gateway has a record of none. */
  get areAllUnknown(): boolean {
    return this.#held.length > 0 && !this.#areFound;
  }

  /**
   * The direction of a debit by most of the records with the amount of their row, or by most of all if no row has it; undefined if
   * no record shows it, or as many show the one as the other.
   */
  get debit(): { is: DebitIs; by: number; of: number } | undefined {
    const same = this.#shown.filter(({ isSame }) => isSame);
    const shown = same.length > 0 ? same : this.#shown;
    const ins = shown.filter(({ is }) => is === 'in').length;
    const outs = shown.length - ins;
    if (ins === outs) return undefined;
    return { is: ins > outs ? 'in' : 'out', by: Math.max(ins, outs), of: shown.length };
  }
}
