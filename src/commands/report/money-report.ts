/**
 * Adds up what was taken, refunded and declined in a period, each thing at its own date. Contradicted, bad and unclear
 * things never count. Requests with an unknown outcome have a row of their own, and so has what only hearsay tells of.
 */
import type { Owner } from '../../things/owner.ts';
import type { SearchIndex } from '../../things/thing-index.ts';
import type { ThingTotal, TotalsQuery } from '../../things/totals.ts';
import { isRefund, whatCounts } from '../../things/what-counts.ts';
import { withoutStatus } from '../../view/reason.ts';
import type { ReportedSum, ReportRow } from '../../view/records/report.ts';
import { byCurrency, compareValues, type RowFrame } from './report-row.ts';

const NO_REASON = 'no reason given';

/** The sources of a report. */
export interface Coverage {
  /** Things of the period, by their best source. */
  records: number;
  requests: number;
  events: number;
  /** Things of the period that belong to another account or environment. */
  others: number;
  /** Purchases, refunds and charges with contradictory outcomes. */
  unclear: number;
  /** Approved or declined things that have no amount. */
  withoutAmount: number;
}

export interface MoneyReport {
  rows: ReportRow[];
  coverage: Coverage;
  /** Purchases and charges that were approved or declined. */
  attempts: number;
}

interface ReportSum extends Omit<ReportRow, keyof RowFrame | 'share'> {
  count: number;
  amount: bigint;
}

/** @returns purchases, charges, refunds, the rest after refunds, and declines by reason, for each currency */
export async function moneyReport(
  things: SearchIndex,
  scope: Owner,
  frame: RowFrame,
): Promise<MoneyReport> {
  const { counted, ...known } = await countedTotals(things, scope, frame, 'reason');
  const rows = withNet(summed(counted, 'reason')).map((sum) => ({ ...frame, ...sum }));
  return { rows, ...known };
}

/** @returns declines of purchases and charges, most frequent first, with their share of all attempts in the period */
export async function declinesReport(
  things: SearchIndex,
  scope: Owner,
  frame: RowFrame,
  by: TotalsQuery['by'],
): Promise<MoneyReport> {
  const { counted, ...known } = await countedTotals(things, scope, frame, by);
  const declines = counted.filter((total) => whatCounts(total) === 'declines' && !isRefund(total));
  const rows = summed(declines, by)
    .map((sum) => ({ ...frame, ...sum, share: sum.count / known.attempts }))
    .sort(
      (one, other) =>
        other.count - one.count || compareValues(one.reason ?? '', other.reason ?? ''),
    );
  return { rows, ...known };
}

async function countedTotals(
  things: SearchIndex,
  scope: Owner,
  { from, until, operator }: RowFrame,
  by: TotalsQuery['by'],
): Promise<Omit<MoneyReport, 'rows'> & { counted: ThingTotal[] }> {
  const totals = await things.totals({ scope, from, until, by, operator });
  const counted = totals.filter(({ isOurs }) => isOurs);
  const attempts = counted
    .filter((total) => isAttempt(total))
    .reduce((n, { count }) => n + count, 0);
  return { counted, attempts, coverage: coverageOf(totals, counted) };
}

function isAttempt(total: ThingTotal): boolean {
  const what = whatCounts(total);
  return what === 'purchases' || what === 'charges' || (what === 'declines' && !isRefund(total));
}

function summed(totals: readonly ThingTotal[], by: TotalsQuery['by']): ReportSum[] {
  const sums = new Map<string, ReportSum>();
  for (const total of totals) {
    const what = whatCounts(total);
    if (what === undefined || what === 'unclear') continue;
    const { currency, count, amount } = total;
    const reason = what === 'declines' ? reasonOf(total, by) : null;
    const key = JSON.stringify([what, currency, reason]);
    const sum = sums.get(key) ?? { what, currency, reason, count: 0, amount: 0n };
    sum.count += count;
    sum.amount += amount;
    sums.set(key, sum);
  }
  return [...sums.values()];
}

function reasonOf(total: ThingTotal, by: TotalsQuery['by']): string {
  if (by === 'card') return total.by === null ? 'card unknown' : `•••• ${total.by}`;
  if (by === 'customer') return total.by ?? 'customer unknown';
  const said = withoutStatus(total.by ?? '') || NO_REASON;
  return isRefund(total) ? `Refund: ${said}` : said;
}

// biome-ignore format: names that belong together stand in one line
const ORDER: readonly ReportedSum[] = [
  'purchases', 'charges', 'refunds', 'net', 'declines', 'other', 'unknown', 'heard',
];

function withNet(sums: readonly ReportSum[]): Omit<ReportRow, keyof RowFrame>[] {
  const currencies = new Set(sums.map(({ currency }) => currency));
  const nets = [...currencies].flatMap((currency) => {
    const parts = sums.filter((sum) => sum.currency === currency && sign(sum.what) !== 0n);
    if (parts.length === 0) return [];
    return [
      {
        what: 'net' as const,
        currency,
        reason: null,
        // Payments and refunds are different things, so their counts are not added.
        count: null,
        amount: parts.reduce((amount, sum) => amount + sign(sum.what) * sum.amount, 0n),
      },
    ];
  });
  return [...sums, ...nets].sort(
    (one, other) =>
      byCurrency(one, other) ||
      ORDER.indexOf(one.what) - ORDER.indexOf(other.what) ||
      (other.count ?? 0) - (one.count ?? 0) ||
      compareValues(one.reason ?? '', other.reason ?? ''),
  );
}

function sign(what: ReportedSum): bigint {
  if (what === 'purchases' || what === 'charges') return 1n;
  return what === 'refunds' ? -1n : 0n;
}

function coverageOf(totals: readonly ThingTotal[], ours: readonly ThingTotal[]): Coverage {
  const sum = (some: readonly ThingTotal[]) => some.reduce((n, { count }) => n + count, 0);
  const requests = ours.filter(({ told }) => told === 'request');
  const events = ours.filter(({ told }) => told === 'event');
  const heard = ours.filter((one) => one.told === 'heard');
  const told = ours.filter((total) => (whatCounts(total) ?? 'unclear') !== 'unclear');
  return {
    records: sum(ours) - sum(requests) - sum(events) - sum(heard),
    requests: sum(requests),
    events: sum(events),
    others: sum(totals) - sum(ours),
    unclear: sum(ours.filter((total) => whatCounts(total) === 'unclear')),
    withoutAmount: told.reduce((n, { withoutAmount }) => n + withoutAmount, 0),
  };
}
