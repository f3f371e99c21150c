/**
 * The rows of all reports have one shape, so one program can read them all.
 *
 * Amounts are in minor units and never combine currencies. An unknown currency counts as one of its own.
 */

import type { ReportRow } from './report-view.ts';

/** The fields that all rows of a report share. */
export type RowFrame = Pick<
  ReportRow,
  'period' | 'from' | 'until' | 'timeZone' | 'profile' | 'operator'
>;

/** @returns currencies in alphabetical order, the unknown one last */
export function byCurrency(
  one: Pick<ReportRow, 'currency'>,
  other: Pick<ReportRow, 'currency'>,
): number {
  return compareValues(one.currency ?? '~', other.currency ?? '~');
}

/** @returns for `Array.sort`; texts by their code units, the same on every machine */
export function compareValues<Value extends string | number | bigint>(
  one: Value,
  other: Value,
): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
