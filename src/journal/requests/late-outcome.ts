/** An outcome that comes after somebody has resolved its entry. */
import type { LateOutcome, LedgerEntry } from '../ledger.ts';

/**
 * @param attempts at the same, as `Knowledge.attempts`
 * @returns what was sent in the place of an entry since it was resolved
 */
export function sentAgain(
  before: LedgerEntry,
  attempts: readonly LedgerEntry[],
): LedgerEntry | undefined {
  const others = attempts.filter(({ id }) => id !== before.id);
  return (
    others.find((other) => isOfSameLine(before, other)) ??
    others.find(
      ({ amount, createdAt }) =>
        amount === before.amount && createdAt >= (before.settledAt ?? before.createdAt),
    )
  );
}

export function isOfSameLine({ batch, line }: LedgerEntry, other: LedgerEntry): boolean {
  return batch !== null && batch === other.batch && line === other.line;
}

/** @returns whether the outcome is not the one that was said: money moved after all, or did not */
export function isContradiction({ before, state }: LateOutcome): boolean {
  return (before.state === 'done') !== (state === 'done');
}
