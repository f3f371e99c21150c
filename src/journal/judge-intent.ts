/**
 * Decides from the facts in the ledger whether a request may be sent. File and server use the same rules. A store reads
 * the facts in the transaction that writes the intent, and calls `judgeIntent` once.
 *
 * Tests: test/unit/journal/both-ledgers.test.ts, test/unit/journal/line-claim.test.ts
 */
import type { PurchaseBalance } from './balance.ts';
import { overCap } from './caps.ts';
import type { EntryRow } from './entries.ts';
import type {
  BatchLine,
  IntentConditions,
  IntentRefusal,
  LedgerEntry,
  MoneyRequest,
} from './ledger.ts';
import { isSameMoney, judgeLine } from './line-claim.ts';
import { judgeApproval } from './proposals.ts';
import type { AppliedCap } from './rules.ts';

/**
 * For this long, gw treats an identical request without a reference as a repeat of one that succeeded. Nothing else
 * distinguishes a repeat from a new request. An entry dated in the future, by a clock that is ahead, counts too.
 */
export const SAME_WITHIN_MS = 60 * 60 * 1000;

/** Facts to read before `judgeIntent` can decide. */
export interface FactsNeeded {
  /** Which attempts to read into `Facts.attempts`: those for a batch line, or those for a single request. */
  attempts: 'of-line' | 'of-request' | undefined;
  /** Id of the purchase whose balance is needed. */
  balanceOf: string | undefined;
  /** The caps under which to read what was sent. */
  caps: readonly AppliedCap[];
}

/** Facts that a store reads in one transaction. Entries that are `sending` and abandoned read as unknown. */
export interface Facts {
  /**
   * Attempts with the same account, operation, target and reference, or one that may be the same in a spreadsheet;
   * without a reference, with the same amount. They are done, sending or unknown, oldest first. For a line, a
   * superseded attempt counts only if it is done, and so do those that were declined with a code. For a single request without a reference, a done attempt counts for
   * `SAME_WITHIN_MS`.
   */
  attempts: readonly LedgerEntry[];
  /** Balance of the purchase to refund. Attempts at the same batch line do not count. */
  balance: PurchaseBalance | undefined;
  /** The sum that was sent under each cap: requests or minor units. */
  used: readonly number[];
  /** The proposal that the request is approved by, as stored; undefined if there is none. */
  proposal: EntryRow | undefined;
}

/** @returns the facts that `judgeIntent` needs for this request */
export function factsNeeded(
  { refundOf }: MoneyRequest,
  { line, noDuplicate, noOverRefund, caps = [] }: IntentConditions,
): FactsNeeded {
  const single = noDuplicate ? 'of-request' : undefined;
  return {
    attempts: line ? 'of-line' : single,
    balanceOf: noOverRefund ? (refundOf ?? undefined) : undefined,
    caps,
  };
}

/** The decision. Both members are undefined if the request may be sent and replaces nothing. */
export interface Judgement {
  refused?: IntentRefusal;
  /** Attempt with an unknown outcome that this request replaces. */
  retried?: LedgerEntry | undefined;
}

/** @param facts the facts named by `factsNeeded` */
export function judgeIntent(
  request: MoneyRequest,
  conditions: IntentConditions,
  facts: Facts,
): Judgement {
  const { approval } = conditions;
  const notReleased = approval && judgeApproval(facts.proposal, approval, request);
  if (notReleased) return { refused: notReleased };
  const judged = judgeRequest(request, conditions, facts);
  if (judged.refused) return judged;
  const refused = conditions.caps && overCap(conditions.caps, facts.used, request.amount);
  return refused ? { refused } : judged;
}

function judgeRequest(
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
  const replaced = isCounted ? (retried.amount ?? 0) : 0;
  const left = {
    ...balance,
    refunded: balance.refunded + (line?.planned ?? 0),
    uncertain: balance.uncertain - replaced,
  };
  return isTooMuch(request.amount, left)
    ? { refused: { kind: 'over-refund', balance: left } }
    : { retried };
}

/** @returns the entry that the request would repeat; one that succeeded is preferred to one that may have */
function duplicateOf(
  request: MoneyRequest,
  attempts: readonly LedgerEntry[],
): LedgerEntry | undefined {
  const { reference, amount } = request;
  const same = attempts.filter((entry) =>
    reference === null
      ? isSameMoney(entry, request)
      : entry.reference === reference && entry.amount === amount,
  );
  return same.findLast(({ state }) => state === 'done') ?? same.at(-1);
}

function isOfLine(entry: LedgerEntry, line: BatchLine | undefined): boolean {
  if (!line) return false;
  const { batch, line: content, occurrence } = entry;
  return batch === line.batch && content === line.line && occurrence === line.occurrence;
}

/** @returns whether a refund of the amount is more than is left */
function isTooMuch(amount: number | null, { paid, refunded, uncertain }: PurchaseBalance): boolean {
  return refunded + uncertain + (amount ?? 0) > paid;
}
