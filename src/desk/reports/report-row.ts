/**
 * What a report says: one shape of rows for all reports, so that one program reads them all.
 *
 * Money is counted in minor units and never across currencies; a currency that is not known is one of
 * its own.
 */

export type What =
  | 'purchases'
  | 'charges'
  | 'refunds'
  | 'net'
  | 'declines'
  /** Requests of the user's own that succeeded, of which gw does not know what they moved; part of no other row. */
  | 'other'
  /** Requests that may or may not have happened; part of no other row. */
  | 'unknown'
  | 'charge due'
  | 'retry due'
  | 'card expires';

export interface ReportRow {
  /** `2026-03-24`, `2026-W13` or `2026-03`; null for a time that was given by its ends. */
  period: string | null;
  /** ISO 8601, UTC: the first instant, and the first one after it. */
  from: string;
  until: string;
  timeZone: string;
  profile: string;
  currency: string | null;
  what: What;
  /** Why, where there is something to tell apart. */
  reason: string | null;
  count: number;
  /** Minor units; refunds without a sign. Null where it is not known. */
  amount: bigint | null;
  /** Part of all attempts, 0 to 1; of declines only. */
  share?: number;
  /** Whose requests alone are counted; none where everything is. */
  operator?: string | undefined;
}

/** What all rows of a report have in common. */
export type RowFrame = Pick<
  ReportRow,
  'period' | 'from' | 'until' | 'timeZone' | 'profile' | 'operator'
>;

/** @returns currencies in the order of the alphabet, the one that is not known last */
export function byCurrency(
  one: Pick<ReportRow, 'currency'>,
  other: Pick<ReportRow, 'currency'>,
): number {
  return compare(one.currency ?? '~', other.currency ?? '~');
}

/** @returns as `Array.sort` takes it; texts by their code units, the same on every machine */
export function compare<Value extends string | number | bigint>(one: Value, other: Value): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
