/**
 * Whether a line of a batch has been sent before, and whether it may be. A line is known by what it
 * asks for (operation, account, target, amount and reference), not by the file it stands in: a file
 * that is corrected, cut in two or sorted has the same lines but for those that are changed. Of lines
 * that ask for the same, as many are sent as there are, less those that were.
 *
 *   an attempt that is sending, unknown or done,     makes the line
 *   of any batch or of a command by itself
 *     with the same amount                           what it is: done, unknown or being sent
 *     with another amount, but of a line that        a conflict, if it has a reference
 *     this batch has as well
 *
 * Which attempts count:
 *
 *   the line has      without a name        with --batch NAME          NAME and repeated on purpose
 *   a reference       all                   all                        those of NAME
 *   none              all, but no done      all, but of those that     those of NAME
 *                     one of a command      are done only NAME's
 *
 * Without a reference the same may well be meant again by a command, or next month; so a name makes
 * such lines new ones, and nothing else does.
 *
 * What was retried, and is done after all, is done: nothing is sent in its place.
 *
 * A card that is stored has neither amount nor reference. Its line counts only its own batch, and there
 * only lines with the same holder, expiry and digits, which the digest of the line is made of.
 */
import type { LedgerEntry, LineClaim, MoneyRequest } from './ledger.ts';

export type LineVerdict =
  | { kind: 'held'; by: LedgerEntry }
  | { kind: 'conflict'; with: LedgerEntry }
  /** It may be sent, in place of an attempt whose outcome is unknown if one is named. */
  | { kind: 'free'; retried: LedgerEntry | undefined };

/**
 * @param attempts at the same target with the same reference that are done, or sending or unknown and not
 *   retried
 */
export function judgeLine(
  request: MoneyRequest,
  line: LineClaim,
  attempts: readonly LedgerEntry[],
): LineVerdict {
  const counted = attempts.filter((entry) => counts(entry, line)).sort(byCertainty);
  const same = counted.filter((entry) => isSameMoney(entry, request) && isSameCard(entry, line));
  const holder = holderOf(line, request, same);
  if (holder && !retries(line, holder)) return { kind: 'held', by: holder };
  const other = request.reference === null ? undefined : conflicting(line, request, counted);
  return other ? { kind: 'conflict', with: other } : { kind: 'free', retried: holder };
}

function counts(entry: LedgerEntry, line: LineClaim): boolean {
  const { batch, state, reference } = entry;
  if (isOwn(entry, line)) return true;
  if (line.among === 'own') return false;
  if (reference !== null || state !== 'done') return true;
  return line.among === 'all' && batch !== null;
}

/** Attempts that are judged are of the line's account and operation, so the name tells its batch. */
function isOwn({ batch }: LedgerEntry, line: LineClaim): boolean {
  return batch === line.batch;
}

function retries(line: LineClaim, { id, state }: LedgerEntry): boolean {
  if (state !== 'unknown' || line.retries === 'none') return false;
  return line.retries === 'any' || line.retries.has(id);
}

/** @returns how many lines of the input ask for the same with this amount */
function linesOf({ siblings }: LineClaim, asked: number | null): number {
  return siblings.find(({ amount }) => amount === asked)?.lines ?? 0;
}

const CERTAINTY = ['done', 'sending', 'unknown'];

function byCertainty(a: LedgerEntry, b: LedgerEntry): number {
  return CERTAINTY.indexOf(a.state) - CERTAINTY.indexOf(b.state);
}

/** One that names no currency is of the account's own, which may be that of the other. */
export function isSameMoney(a: MoneyRequest, b: MoneyRequest): boolean {
  const isSameCurrency = a.currency === b.currency || a.currency === null || b.currency === null;
  return a.amount === b.amount && isSameCurrency;
}

/** Cards that are stored have neither money nor a reference, and several may be shown by the same digits. */
function isSameCard(entry: LedgerEntry, line: LineClaim): boolean {
  const isCard = entry.amount === null && entry.reference === null && isOwn(entry, line);
  return !isCard || entry.line === line.line;
}

/**
 * Of several lines that ask for the same, each holds its own attempt; attempts that are no line's own
 * go to those without one, in their order.
 */
function holderOf(
  line: LineClaim,
  { amount }: MoneyRequest,
  same: readonly LedgerEntry[],
): LedgerEntry | undefined {
  const isOfLine = (entry: LedgerEntry, { line: content, occurrence }: LedgerEntry | LineClaim) =>
    isOwn(entry, line) && entry.line === content && entry.occurrence === occurrence;
  const own = same.find((entry) => isOfLine(entry, line));
  if (own) return own;
  const place = (entry: LedgerEntry) => {
    // A line that was done twice holds one of both.
    const isFirst = same.find((other) => isOfLine(other, entry)) === entry;
    return isFirst ? (entry.occurrence ?? 1) : Number.POSITIVE_INFINITY;
  };
  const isHeld = (entry: LedgerEntry) => place(entry) <= linesOf(line, amount);
  const heldBefore = same.filter((entry) => place(entry) < line.occurrence).length;
  return same.filter((entry) => !isHeld(entry))[line.occurrence - 1 - heldBefore];
}

/** @returns an attempt with another amount that no line of the same batch explains */
function conflicting(
  line: LineClaim,
  request: MoneyRequest,
  attempts: readonly LedgerEntry[],
): LedgerEntry | undefined {
  return attempts.find((entry) => {
    if (isSameMoney(entry, request)) return false;
    if (entry.amount === request.amount || !isOwn(entry, line)) return true;
    const alike = attempts.filter(({ amount }) => amount === entry.amount);
    return alike.length > linesOf(line, entry.amount);
  });
}
