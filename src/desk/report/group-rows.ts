/** Sums of a report in a row for each group and currency, as a spreadsheet wants them. */
import type { RowFrame } from './report-row.ts';
import type { CalendarGrouping, PropertyGrouping, ReportRow } from './report-view.ts';

/** The payments of a group in one currency: the number of each kind, and their sum in minor units without a sign. */
export interface GroupRow
  extends Omit<RowFrame, 'period' | 'operator'>,
    Partial<Record<CalendarGrouping | PropertyGrouping, string | null | undefined>> {
  currency: string | null;
  purchases: number;
  purchased: bigint;
  charges: number;
  charged: bigint;
  refunds: number;
  refunded: bigint;
  /** Purchases and charges, less refunds. */
  amount: bigint;
  declines: number;
  declined: bigint;
  /** Requests of no known outcome or effect, and charges that were only heard of: they are in no sum. */
  notCounted: number;
  /** The same sums of the period before, where it is compared. */
  beforePurchased: bigint;
  beforeCharged: bigint;
  beforeRefunded: bigint;
  beforeAmount: bigint;
  beforeDeclined: bigint;
}

const SUMS = {
  purchases: ['purchased', 'beforePurchased'],
  charges: ['charged', 'beforeCharged'],
  refunds: ['refunded', 'beforeRefunded'],
  net: ['amount', 'beforeAmount'],
  declines: ['declined', 'beforeDeclined'],
} as const;

const NONE = {
  ...{ purchases: 0, purchased: 0n, charges: 0, charged: 0n, refunds: 0, refunded: 0n },
  ...{ amount: 0n, declines: 0, declined: 0n, notCounted: 0 },
  ...{ beforePurchased: 0n, beforeCharged: 0n, beforeRefunded: 0n, beforeAmount: 0n },
  beforeDeclined: 0n,
};

/**
 * @param rows of one part after the other
 * @param part the part of the calendar of which their period is one
 * @param property the one that their group has
 * @returns the groups in the order in which they first come
 */
export function groupRows(
  rows: readonly ReportRow[],
  part: CalendarGrouping | undefined,
  property: PropertyGrouping | undefined,
): GroupRow[] {
  const groups = new Map<string, GroupRow>();
  for (const { what, count, amount, beforeAmount, ...row } of rows) {
    const { period, from, until, timeZone, profile, operator, currency, group = null } = row;
    const key = JSON.stringify([from, group, currency]);
    const frame = { from, until, timeZone, profile, operator };
    const names = { ...(part && { [part]: period }), ...(property && { [property]: group }) };
    const one = groups.get(key) ?? { ...frame, ...names, currency, ...NONE };
    groups.set(key, one);
    if (!isSum(what)) {
      one.notCounted += count ?? 0;
      continue;
    }
    const [now, before] = SUMS[what];
    one[now] += amount ?? 0n;
    one[before] += beforeAmount ?? 0n;
    if (what !== 'net') one[what] += count ?? 0;
  }
  return [...groups.values()];
}

function isSum(what: ReportRow['what']): what is keyof typeof SUMS {
  return Object.hasOwn(SUMS, what);
}
