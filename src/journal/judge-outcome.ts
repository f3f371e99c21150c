/** Decides whether an outcome, or a person, may still change an entry. File and server use the same rules. */
import {
  type EntryRow,
  isAbandoned,
  SENDER_GONE,
  type SendingProcesses,
  senderOf,
} from './entries.ts';
import type { LateOutcome, LedgerEntry, Settlement } from './ledger.ts';

/** A person's statement about an entry. */
export interface Resolution {
  settlement: Settlement;
  /** The person's statement; stored as `LedgerEntry.resolution`. */
  resolution: string;
  resolvedBy: string | null;
  /** The person says that the sender is gone. */
  isSenderGone: boolean;
}

/** Decision about a resolution. */
export type JudgedResolution =
  /** The entry stays as it is. `isSaid`: the same person has already said the same. */
  | { kind: 'left'; isSaid: boolean }
  /** Written if the entry is still in the state `before`. A null in the settlement keeps the stored value. */
  | { kind: 'written'; before: 'sending' | 'unknown'; settlement: Settlement };

/** Decision about an outcome that arrives after a person resolved its entry. */
export interface JudgedLateOutcome {
  late: LateOutcome;
  /** Whether the entry must give up its line, because the line was sent again. */
  isSuperseded: boolean;
}

/** @param row the entry as stored */
export function judgeResolution(
  row: EntryRow,
  { settlement, resolution, resolvedBy, isSenderGone }: Resolution,
  processes: SendingProcesses,
): JudgedResolution {
  if (row.resolution === resolution && row.resolvedBy === resolvedBy)
    return { kind: 'left', isSaid: row.state === settlement.state };
  const sender = senderOf(row, processes);
  const isOver = sender ? isSenderGone && !sender.isRunning : isAbandoned(row, processes);
  if (!isOver)
    return row.state === 'unknown'
      ? { kind: 'written', before: 'unknown', settlement }
      : { kind: 'left', isSaid: false };
  const message = settlement.message ?? SENDER_GONE.message;
  return { kind: 'written', before: 'sending', settlement: { ...settlement, message } };
}

/**
 * @param before the entry as the person resolved it
 * @param settlement a known outcome: an unknown one never changes what a person has resolved
 * @param attempts attempts at the same batch line, as in `Facts.attempts`
 */
export function judgeLateOutcome(
  before: LedgerEntry,
  { state }: Settlement,
  attempts: readonly LedgerEntry[],
): JudgedLateOutcome {
  const again = sentAgain(before, attempts);
  return {
    late: { before, state, again },
    isSuperseded: again !== undefined && isOfSameLine(before, again),
  };
}

/** @returns whether the outcome contradicts the person about whether money moved */
export function isContradiction({ before, state }: LateOutcome): boolean {
  return (before.state === 'done') !== (state === 'done');
}

/** @returns the attempt sent in place of the entry after it was resolved */
function sentAgain(before: LedgerEntry, attempts: readonly LedgerEntry[]): LedgerEntry | undefined {
  const others = attempts.filter(
    ({ id, reference, state }) =>
      id !== before.id && reference === before.reference && state !== 'declined',
  );
  return (
    others.find((other) => isOfSameLine(before, other)) ??
    others.find(
      ({ amount, createdAt }) =>
        amount === before.amount && createdAt >= (before.settledAt ?? before.createdAt),
    )
  );
}

function isOfSameLine({ batch, line, occurrence }: LedgerEntry, other: LedgerEntry): boolean {
  return (
    batch !== null &&
    batch === other.batch &&
    line === other.line &&
    occurrence === other.occurrence
  );
}
