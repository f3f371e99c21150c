/** Whether a request may be sent, by what a ledger knows; the same whatever keeps it. */

import type {
  BatchLine,
  IntentConditions,
  LedgerEntry,
  MoneyRequest,
  PurchaseBalance,
  Refused,
} from '../ledger.ts';
import { isTooMuch } from './balance.ts';
import { isSameMoney, judgeLine } from './line-claim.ts';

/**
 * How long what succeeded without a reference is taken for the same as what asks for the same again: nothing else
 * tells that it is meant again. What is dated later than now, by a clock that is ahead, is of that time too.
 */
export const SAME_WITHIN_MS = 60 * 60 * 1000;

/** What a ledger is asked, each only where it is needed. Those that are `sending` and abandoned are unknown. */
export interface Knowledge {
  /**
   * Attempts at the same target with the same reference, or without one with the same amount, that are
   * done, or are sending or unknown and, for a line, not superseded; oldest first. For anything but a line, of
   * those that are done without a reference, the ones since `SAME_WITHIN_MS`.
   */
  attempts(): readonly LedgerEntry[];
  /** Of the purchase that it gives back from, without the attempts of its own line. */
  balance(): PurchaseBalance | undefined;
}

/** Neither of both where a request may be sent as it is. */
export interface Judgement {
  refused?: Refused;
  /** An attempt whose outcome is unknown, which it is sent in place of. */
  retried?: LedgerEntry | undefined;
}

export function judgeIntent(
  request: MoneyRequest,
  conditions: IntentConditions | undefined,
  known: Knowledge,
): Judgement {
  if (!conditions) return {};
  const { line, noDuplicate, noOverRefund } = conditions;
  const verdict = line && judgeLine(request, line, known.attempts());
  if (verdict && verdict.kind !== 'free') return { refused: verdict };
  const retried = verdict?.retried;
  if (noDuplicate && !line) {
    const same = duplicateOf(request, known.attempts());
    if (same) return { refused: { kind: 'duplicate', of: same } };
  }
  const balance = noOverRefund && request.refundOf !== null ? known.balance() : undefined;
  if (!balance) return { retried };
  const isCounted = retried !== undefined && !isOfLine(retried, line);
  const left = isCounted
    ? { ...balance, uncertain: balance.uncertain - (retried.amount ?? 0) }
    : balance;
  return isTooMuch(request.amount, left)
    ? { refused: { kind: 'over-refund', balance: left } }
    : { retried };
}

/** @returns what a request would repeat: what succeeded before what may have */
function duplicateOf(
  request: MoneyRequest,
  attempts: readonly LedgerEntry[],
): LedgerEntry | undefined {
  const { reference, amount } = request;
  const same = attempts.filter((entry) =>
    reference === null ? isSameMoney(entry, request) : entry.amount === amount,
  );
  return same.findLast(({ state }) => state === 'done') ?? same.at(-1);
}

function isOfLine(entry: LedgerEntry, line: BatchLine | undefined): boolean {
  return entry.batch === line?.batch && entry.line === line?.line;
}
