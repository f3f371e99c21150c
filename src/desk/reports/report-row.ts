/**
 * Rows have one shape in all reports, so one program can read them all.
 *
 * Money is counted in minor units and never across currencies; a currency that is not known is one of
 * its own.
 */

import type { ReportRow } from '../../view/records/report.ts';

/** The fields that all rows of a report share. */
export type RowFrame = Pick<
  ReportRow,
  'period' | 'from' | 'until' | 'timeZone' | 'profile' | 'operator'
>;

/** @returns currencies in the order of the alphabet, the one that is not known last */
export function byCurrency(
  one: Pick<ReportRow, 'currency'>,
  other: Pick<ReportRow, 'currency'>,
): number {
  return compareValues(one.currency ?? '~', other.currency ?? '~');
}

/** @returns as `Array.sort` takes it; texts by their code units, the same on every machine */
export function compareValues<Value extends string | number | bigint>(
  one: Value,
  other: Value,
): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
