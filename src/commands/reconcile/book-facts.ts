/** Facts of a file as a whole: its days, its currencies, and the fields by which its rows name records. */
import { addDays } from '../../base/calendar.ts';
import { count } from '../../base/text.ts';
import type { TimeZone } from '../../base/time-zone.ts';
import type { BookRow } from './book-row.ts';

/** The days and the currencies of some rows or records. */
export interface Extent {
  /** The first and the last day, `YYYY-MM-DD`; undefined if there are none. */
  first: string | undefined;
  last: string | undefined;
  /** ISO 4217 codes. */
  currencies: Set<string>;
}

export const emptyExtent = (): Extent => ({
  first: undefined,
  last: undefined,
  currencies: new Set(),
});

/** Takes one more row or record into account. */
export function widen(
  extent: Extent,
  days: readonly (string | undefined)[],
  currency: string | null | undefined,
): void {
  for (const day of days) {
    if (day === undefined) continue;
    if (extent.first === undefined || day < extent.first) extent.first = day;
    if (extent.last === undefined || day > extent.last) extent.last = day;
  }
  if (currency) extent.currencies.add(currency);
}

export interface BookFacts extends Extent {
  /** Rows with an id or a reference of their own. */
  named: number;
  /** Rows with an amount and a day. */
  dated: number;
  /** Rows with their amount on a bank's side. */
  sided: number;
  /** Those of them with a debit. */
  debits: number;
}

export const emptyFacts = (): BookFacts => ({
  named: 0,
  dated: 0,
  sided: 0,
  debits: 0,
  ...emptyExtent(),
});

/** Takes one more row into account. */
export function addRow(facts: BookFacts, row: BookRow): void {
  const { id, reference, amount, decimal, side, dates = [], currency } = row;
  if ((id ?? reference) !== undefined) facts.named++;
  if ((amount ?? decimal) !== undefined && dates.length > 0) facts.dated++;
  if (side !== undefined) facts.sided++;
  if (side === 'debit') facts.debits++;
  widen(facts, dates, currency);
}

/**
 * @param known what this ledger knows of the account
 * @param options the period that the user gave, if any
 * @returns sentences about a file that shares no day or no currency with them; empty for any other
 */
export function strangenessText(
  facts: BookFacts,
  known: Extent,
  { zone, since, until, withinDays }: PeriodGiven & { zone: TimeZone; withinDays: number },
): string {
  const asked = daysAsked(zone, { since, until });
  const said = [];
  if (areApart(facts.currencies, known.currencies))
    said.push(
      `The file is in ${[...facts.currencies].join(', ')}, and this ledger knows the account in ${[...known.currencies].join(', ')} only.`,
    );
  if (isOutside(facts, asked, 0))
    said.push(`The file has days from ${facts.first} to ${facts.last}, none in the given period.`);
  else if (isOutside(facts, known, withinDays))
    said.push(
      `The file has days from ${facts.first} to ${facts.last}, and this ledger knows the account from ${known.first} to ${known.last}.`,
    );
  return said.length === 0
    ? ''
    : `Note: this may be the file of another account or period. ${said.join(' ')}\n`;
}

/** ISO 8601, UTC: the beginning of the period, and the first instant after it. */
interface PeriodGiven {
  since: string | undefined;
  until: string | undefined;
}

/** @returns the first and the last day of the period that the user gave */
export function daysAsked(zone: TimeZone, { since, until }: PeriodGiven): Partial<Extent> {
  return {
    first: since && zone.dayOf(Date.parse(since)),
    last: until && zone.dayOf(Date.parse(until) - 1),
  };
}

/**
 * @param commands the one that compares deposits by the day, if the rows can be deposits, and the one that lets records
 *   tell what an amount below zero is, if all amounts are
 * @returns sentences about a file of which the gateway has no record so far; empty for a single row, which says it itself
 */
export function unknownText(
  rows: number,
  { byDay, asDebit }: Record<'byDay' | 'asDebit', string | undefined>,
): string {
  if (rows === 1) return '';
  const note = `Note: the gateway has no record for any of the first ${count(rows)} rows. The file may be of another account.\n`;
  if (asDebit !== undefined) return `${note}If sales are below zero in it, run:\n  ${asDebit}\n`;
  return byDay === undefined
    ? note
    : `${note}If each row is the deposit of a day, run:\n  ${byDay}\n`;
}

function areApart(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size > 0 && other.size > 0 && ![...one].some((code) => other.has(code));
}

function isOutside(facts: Extent, { first, last }: Partial<Extent>, withinDays: number): boolean {
  if (facts.first === undefined || facts.last === undefined) return false;
  const isBefore = first !== undefined && addDays(facts.last, withinDays) < first;
  return isBefore || (last !== undefined && addDays(facts.first, -withinDays) > last);
}
