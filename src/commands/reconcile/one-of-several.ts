/**
 * Tells which of several records with one name a row means. All charges of a subscription have its reference, and only
 * their days and amounts differ.
 *
 * Tests: test/unit/commands/reconcile/ask.test.ts
 */
import { dayNumber } from '../../base/calendar.ts';
import { type BookRow, inCurrency } from './book-row.ts';
import { type ComparisonRules, dayOf } from './compare.ts';
import type { NamedRecord } from './known-names.ts';

/** A record, the days between it and the row, and whether both have the same amount. */
interface Candidate {
  record: NamedRecord;
  apart: number;
  hasAmount: boolean;
}

/**
 * Takes the nearest record within the days of the rules: one with the row's amount, otherwise any, because the amount
 * may be what is wrong. Farther away, only the amount tells.
 * @returns undefined if the row has no date, or several fit as well
 */
export function oneOfSeveral(
  row: BookRow,
  records: readonly NamedRecord[],
  { zone, withinDays }: Pick<ComparisonRules, 'zone' | 'withinDays'>,
): NamedRecord | undefined {
  const candidates = records.flatMap((record): Candidate[] => {
    const day = dayOf(record.at, zone);
    if (day === undefined || row.dates === undefined) return [];
    const apart = row.dates.map((date) => Math.abs(dayNumber(date) - dayNumber(day)));
    const { amount } = inCurrency(row, record.currency ?? undefined);
    const hasAmount =
      amount !== undefined && Math.abs(amount) === Math.abs(record.amount ?? Number.NaN);
    return [{ record, apart: Math.min(...apart), hasAmount }];
  });
  const near = candidates.filter(({ apart }) => apart <= withinDays);
  const same = candidates.filter(({ hasAmount }) => hasAmount);
  const groups = [near.filter(({ hasAmount }) => hasAmount), near, same];
  const group = groups.find(({ length }) => length > 0) ?? [];
  const [first, second] = group.toSorted((one, other) => one.apart - other.apart);
  return first && first.apart !== second?.apart ? first.record : undefined;
}
