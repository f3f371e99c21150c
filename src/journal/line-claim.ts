/**
 * Decides whether a line of a batch has been sent before, and whether it may be sent. gw recognises a line by its
 * operation, account, target, amount and reference, not by its file. If you correct, split or sort a file, only the
 * changed lines are new. gw sends each repeated line it has not sent already.
 *
 *   an attempt that is sending, unknown or done,     makes the line
 *   of any batch or of a command by itself
 *     with the same amount                           done, unknown or being sent, like the attempt
 *     with another amount, unless this batch         a conflict, if it has a reference
 *     sent it for another of its lines
 *
 *   with the same amount, and a reference that a     a conflict, unless the user says that no spreadsheet
 *   spreadsheet makes of this one, or this of it     changed the references
 *
 * Which attempts count:
 *
 *   the line has      without a name        with --batch NAME          NAME and repeated on purpose
 *   a reference       all                   all                        those of NAME
 *   none              all, except done      all, but of the done       those of NAME
 *                     ones of a command     ones only NAME's
 *
 * A command, or next month's batch, may well repeat a request without a reference on purpose. Only a name makes these
 * lines new.
 *
 * A line whose last attempt was declined for ever (contract/declines.ts) is held by it, unless the user says to send it
 * again. Without a reference, such attempts count like those that are done. They conflict with nothing.
 *
 * If an attempt that was retried turns out to be done, the line is done. Nothing is sent in its place.
 *
 * A request that stores a card has neither amount nor reference. Its line counts only attempts of its own batch. Of
 * those it counts lines with the same holder, expiry and digits, which are in the line's digest.
 */
import { isSameInSpreadsheet } from '../base/spreadsheet-text.ts';
import { whyNever } from '../contract/declines.ts';
import type { LedgerEntry, LineClaim, MoneyRequest } from './ledger.ts';

export type LineVerdict =
  | { kind: 'held'; by: LedgerEntry }
  | { kind: 'conflict'; with: LedgerEntry }
  /** The line may be sent. `retried` is the attempt with an unknown outcome that it replaces, if any. */
  | { kind: 'free'; retried: LedgerEntry | undefined };

/** @param attempts as in `Facts.attempts` for a line */
export function judgeLine(
  request: MoneyRequest,
  line: LineClaim,
  attempts: readonly LedgerEntry[],
): LineVerdict {
  const counting = attempts.filter((entry) => counts(entry, line));
  const all = counting.filter(({ state }) => state !== 'declined').sort(byCertainty);
  const isSame = (entry: LedgerEntry) =>
    entry.reference === request.reference && isSameMoney(entry, request) && isSameCard(entry, line);
  const counted = all.filter(({ reference }) => reference === request.reference);
  const same = counted.filter(isSame);
  const holder = holderOf(line, request, same);
  if (holder && !retries(line, holder)) return { kind: 'held', by: holder };
  const other = request.reference === null ? undefined : conflicting(line, request, counted);
  const conflict = other ?? (line.isAsWritten ? undefined : alikeIn(request, all));
  if (conflict) return { kind: 'conflict', with: conflict };
  const declines = counting.filter((one) => one.state === 'declined' && isSame(one)).reverse();
  const last = line.retriesDeclined ? undefined : holderOf(line, request, declines);
  return last && whyNever(last.responseCode)
    ? { kind: 'held', by: last }
    : { kind: 'free', retried: holder };
}

/** @returns an attempt at the same under a reference that a spreadsheet makes of this one, or this one of it */
function alikeIn(request: MoneyRequest, attempts: readonly LedgerEntry[]): LedgerEntry | undefined {
  const { reference } = request;
  if (reference === null) return undefined;
  return attempts.find(
    (entry) =>
      entry.reference !== null &&
      entry.reference !== reference &&
      isSameMoney(entry, request) &&
      isSameInSpreadsheet(entry.reference, reference),
  );
}

function counts(entry: LedgerEntry, line: LineClaim): boolean {
  const { batch, state, reference } = entry;
  if (isOwn(entry, line)) return true;
  if (line.among === 'own') return false;
  if (reference !== null || (state !== 'done' && state !== 'declined')) return true;
  return line.among === 'all' && batch !== null;
}

/** All attempts judged here have the line's account and operation, so the name identifies the batch. */
function isOwn({ batch }: LedgerEntry, line: LineClaim): boolean {
  return batch === line.batch;
}

function retries(line: LineClaim, { id, state }: LedgerEntry): boolean {
  if (state !== 'unknown' || line.retries === 'none') return false;
  return line.retries === 'any' || line.retries.has(id);
}

/** @returns how many lines of the input have this amount and are otherwise identical */
function linesOf({ siblings }: LineClaim, asked: number | null): number {
  return siblings.find(({ amount }) => amount === asked)?.lines ?? 0;
}

const CERTAINTY = ['done', 'sending', 'unknown'];

function byCertainty(a: LedgerEntry, b: LedgerEntry): number {
  return CERTAINTY.indexOf(a.state) - CERTAINTY.indexOf(b.state);
}

/** A request without a currency uses the account's own currency, which may equal the other's. */
export function isSameMoney(a: MoneyRequest, b: MoneyRequest): boolean {
  const isSameCurrency = a.currency === b.currency || a.currency === null || b.currency === null;
  return a.amount === b.amount && isSameCurrency;
}

/** Requests that store cards have no amount and no reference, and several cards can have the same masked number. */
function isSameCard(entry: LedgerEntry, line: LineClaim): boolean {
  const isCard = entry.amount === null && entry.reference === null && isOwn(entry, line);
  return !isCard || entry.line === line.line;
}

/**
 * Among identical lines, each holds its own attempt. Attempts that belong to no line go, in order, to lines without
 * one.
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
    // If a line was done twice, it holds only the first attempt.
    const isFirst = same.find((other) => isOfLine(other, entry)) === entry;
    return isFirst ? (entry.occurrence ?? 1) : Number.POSITIVE_INFINITY;
  };
  const isHeld = (entry: LedgerEntry) => place(entry) <= linesOf(line, amount);
  const heldBefore = same.filter((entry) => place(entry) < line.occurrence).length;
  return same.filter((entry) => !isHeld(entry))[line.occurrence - 1 - heldBefore];
}

/** @returns an attempt with another amount that no line of the same batch accounts for */
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
