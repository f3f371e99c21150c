/**
 * Whether a request may be sent, by what a ledger knows; the same whatever keeps it. A store reads the facts in
 * the transaction that writes the intent, and has them judged once.
 */
import { isTooMuch, type PurchaseBalance } from './balance.ts';
import type { BatchLine, IntentConditions, LedgerEntry, MoneyRequest, Refused } from './ledger.ts';
import { isSameMoney, judgeLine } from './line-claim.ts';

/**
 * How long what succeeded without a reference is taken for the same as what asks for the same again: nothing else
 * tells that it is meant again. What is dated later than now, by a clock that is ahead, is of that time too.
 */
export const SAME_WITHIN_MS = 60 * 60 * 1000;

/** What is to be read before a request is judged. */
export interface FactsNeeded {
  /** Attempts at the same, as `Facts.attempts` says; as a line is known, or as a single request is. */
  attempts: 'of-line' | 'of-request' | undefined;
  /** The purchase whose balance is needed, by its id. */
  balanceOf: string | undefined;
}

/** What a store knows, read in one transaction. Entries that are `sending` and abandoned are unknown. */
export interface Facts {
  /**
   * Attempts of the same account and operation at the same target, with the same reference, or without one with the
   * same amount, that are done, or are sending or unknown; oldest first. For a line: those that are not superseded.
   * For a single request: of those that are done without a reference, the ones since `SAME_WITHIN_MS`.
   */
  attempts: readonly LedgerEntry[];
  /** Of the purchase that it gives back from, without the attempts at its own line. */
  balance: PurchaseBalance | undefined;
}

/** @returns the facts that `judgeIntent` takes for this request */
export function factsNeeded(
  { refundOf }: MoneyRequest,
  { line, noDuplicate, noOverRefund }: IntentConditions,
): FactsNeeded {
  const single = noDuplicate ? 'of-request' : undefined;
  return {
    attempts: line ? 'of-line' : single,
    balanceOf: noOverRefund ? (refundOf ?? undefined) : undefined,
  };
}

/** Neither of both where a request may be sent as it is. */
export interface Judgement {
  refused?: Refused;
  /** An attempt whose outcome is unknown, which it is sent in place of. */
  retried?: LedgerEntry | undefined;
}

/** @param facts what `factsNeeded` names */
export function judgeIntent(
  request: MoneyRequest,
  { line, noDuplicate, noOverRefund }: IntentConditions,
  { attempts, balance }: Facts,
): Judgement {
  const verdict = line && judgeLine(request, line, attempts);
  if (verdict && verdict.kind !== 'free') return { refused: verdict };
  const retried = verdict?.retried;
  if (noDuplicate && !line) {
    const same = duplicateOf(request, attempts);
    if (same) return { refused: { kind: 'duplicate', of: same } };
  }
  if (!noOverRefund || !balance) return { retried };
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
  if (!line) return false;
  const { batch, line: content, occurrence } = entry;
  return batch === line.batch && content === line.line && occurrence === line.occurrence;
}
