/** What an outcome, or a person, may still say of an entry; the same whatever keeps it. */
import {
  type EntryRow,
  isAbandoned,
  SENDER_GONE,
  type SendingProcesses,
  senderOf,
} from './entries.ts';
import type { LateOutcome, LedgerEntry, Settlement } from './ledger.ts';

/** What a person says of an entry. */
export interface Resolution {
  settlement: Settlement;
  /** What they said. */
  resolution: string;
  resolvedBy: string | null;
  /** They say that nobody sends it any more. */
  isSenderGone: boolean;
}

/** What becomes of an entry that is to be resolved. */
export type JudgedResolution =
  /** It is left as it is; `isSaid` where the same person has said the same before. */
  | { kind: 'left'; isSaid: boolean }
  /** It is written, if the entry is still in the state `before`. What is null keeps what was known. */
  | { kind: 'written'; before: 'sending' | 'unknown'; settlement: Settlement };

/** What becomes of an outcome that comes when its entry was resolved. */
export interface JudgedLateOutcome {
  late: LateOutcome;
  /** Whether the entry gives up its line, which was sent again. */
  isSuperseded: boolean;
}

/**
 * @param row the entry as it is written
 * @param asOf the store's time (ISO 8601, UTC)
 */
export function judgeResolution(
  row: EntryRow,
  { settlement, resolution, resolvedBy, isSenderGone }: Resolution,
  asOf: string,
  processes: SendingProcesses,
): JudgedResolution {
  if (row.resolution === resolution && row.resolvedBy === resolvedBy)
    return { kind: 'left', isSaid: row.state === settlement.state };
  const sender = senderOf(row, asOf, processes);
  const isOver = sender ? isSenderGone && !sender.isRunning : isAbandoned(row, asOf, processes);
  if (!isOver)
    return row.state === 'unknown'
      ? { kind: 'written', before: 'unknown', settlement }
      : { kind: 'left', isSaid: false };
  const message = settlement.message ?? SENDER_GONE.message;
  return { kind: 'written', before: 'sending', settlement: { ...settlement, message } };
}

/**
 * An outcome that is unknown says nothing about what a person has resolved.
 * @param before the entry, as it was resolved
 * @param attempts at the same, as a line is known (`Facts.attempts`)
 * @returns undefined where the entry stays as it was resolved
 */
export function judgeLateOutcome(
  before: LedgerEntry,
  { state }: Settlement,
  attempts: readonly LedgerEntry[],
): JudgedLateOutcome | undefined {
  if (state === 'unknown') return undefined;
  const again = sentAgain(before, attempts);
  return {
    late: { before, state, again },
    isSuperseded: again !== undefined && isOfSameLine(before, again),
  };
}

/** @returns whether the outcome is not the one that was said: money moved after all, or did not */
export function isContradiction({ before, state }: LateOutcome): boolean {
  return (before.state === 'done') !== (state === 'done');
}

/** @returns what was sent in the place of an entry since it was resolved */
function sentAgain(before: LedgerEntry, attempts: readonly LedgerEntry[]): LedgerEntry | undefined {
  const others = attempts.filter(({ id }) => id !== before.id);
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
