/**
 * Adds up what was taken, refunded and declined in a period, each thing at its own date. Contradicted, bad and unclear
 * things never count. Requests with an unknown outcome have a row of their own, and so has what only hearsay tells of.
 */
import { pagesOf } from '../../base/pages.ts';
import { brandOf, schemeOf } from '../../contract/cards/card-number.ts';
import { byName, tiedTo } from '../../desk/query/named-things.ts';
import type { Owner } from '../../things/owner.ts';
import type { Thing } from '../../things/thing.ts';
import type { SearchIndex } from '../../things/thing-index.ts';
import {
  type ThingTotal,
  type TotalsProperty,
  type TotalsQuery,
  totalOf,
} from '../../things/totals.ts';
import { isRefund, whatCounts } from '../../things/what-counts.ts';
import { withoutStatus } from '../../view/reason.ts';
import { cardDigits } from './movements.ts';
import { byCurrency, compareValues, type RowFrame } from './report-row.ts';
import type { PropertyGrouping, ReportedSum, ReportRow } from './report-view.ts';

const NO_REASON = 'no reason given';
const ELSEWHERE = 'the gateway (subscriptions), or elsewhere';

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

/** The properties of a thing by which a report of money is divided, with the name of the group that has none. */
const GROUPS: Readonly<Partial<Record<PropertyGrouping, string>>> = {
  card: 'card unknown',
  brand: 'brand unknown',
  plan: 'no plan',
  operator: ELSEWHERE,
};

/**
 * @param by `card`, `brand`, `plan` or `operator` for rows of each; days and weeks are frames of their own
 * @returns purchases, charges, refunds, the rest after refunds, and declines (by reason, unless they are grouped), for
 *   each currency
 */
export async function moneyReport(
  things: SearchIndex,
  scope: Owner,
  frame: RowFrame,
  by?: PropertyGrouping,
): Promise<MoneyReport> {
  const none = by && GROUPS[by];
  if (by === undefined || none === undefined) {
    const { counted, ...known } = await countedTotals(things, scope, frame, { by: 'reason' });
    const rows = withNet(summed(counted, 'reason')).map((sum) => ({ ...frame, ...sum }));
    return { rows, ...known };
  }
  const query = { by: by as TotalsProperty, groupsAll: true };
  const { counted, ...known } =
    by === 'brand'
      ? countedIn(await brandTotals(things, scope, frame))
      : await countedTotals(things, scope, frame, query);
  const values = [...new Set(counted.map((total) => total.by))];
  const names = by === 'plan' ? await planNames(things, scope) : NO_NAMES;
  const rows = values
    .map((value) => [value, value === null ? null : groupNamed(value, by, names)] as const)
    .sort(([, one], [, other]) => compareValues(one ?? LAST, other ?? LAST))
    .flatMap(([value, group]) => {
      const totals = counted.filter((total) => total.by === value);
      return withNet(summed(totals)).map((sum) => ({ ...frame, ...sum, group: group ?? none }));
    });
  return { rows, ...known };
}

function groupNamed(
  value: string,
  by: PropertyGrouping,
  names: ReadonlyMap<string, string>,
): string {
  return by === 'card' ? `•••• ${value}` : (names.get(value) ?? value);
}

/** Sorts after every name. */
const LAST = '\uffff';

export const NO_NAMES: ReadonlyMap<string, string> = new Map();

/** @returns the references of the plans that the account has, by their ids */
export async function planNames(things: SearchIndex, scope: Owner): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for await (const { id, reference } of things.each({ kinds: ['plan'], scope }))
    if (id !== null && reference !== null) names.set(id, reference);
  return names;
}

/**
 * @param frame of the rows
 * @param before rows of the period before
 * @returns the rows, each with the same sum of the period before; a sum that is only there has a row without money
 */
export function withBefore(
  frame: RowFrame,
  rows: readonly ReportRow[],
  before: readonly ReportRow[],
): ReportRow[] {
  const earlier = new Map(before.map((row) => [keyOf(row), row]));
  const now = rows.map((row) => {
    const same = earlier.get(keyOf(row));
    earlier.delete(keyOf(row));
    const beforeCount = same?.count ?? (row.count === null ? null : 0);
    return { ...row, beforeCount, beforeAmount: same?.amount ?? 0n };
  });
  const gone = [...earlier.values()].map(({ count, amount, ...row }) => ({
    ...row,
    ...frame,
    count: count === null ? null : 0,
    amount: 0n,
    beforeCount: count,
    beforeAmount: amount,
  }));
  return [...now, ...gone];
}

/** Names a sum, in whatever period it is. */
function keyOf({ what, currency, reason, group = '' }: ReportRow): string {
  return JSON.stringify([what, currency, reason, group]);
}

/** The properties of a refund that the table of things has. */
const OF_REFUND = { operator: 'operator', reason: 'note', plan: 'plan' } as const;

/**
 * @param by whoever sent them, their note, or the plan of what they refund
 * @returns refunds and those of unknown outcome, the largest sum first
 */
export async function refundsReport(
  things: SearchIndex,
  scope: Owner,
  frame: RowFrame,
  by: keyof typeof OF_REFUND,
): Promise<MoneyReport> {
  const query = { by: OF_REFUND[by], groupsAll: true } as const;
  const { counted, ...known } = await countedTotals(things, scope, frame, query);
  const refunds = counted.filter((total) => isRefund(total));
  const names = by === 'plan' ? await planNames(things, scope) : NO_NAMES;
  const rows = [...new Set(refunds.map((total) => total.by))].flatMap((value) => {
    const sums = summed(refunds.filter((total) => total.by === value));
    const group = value === null ? (GROUPS[by] ?? NO_REASON) : groupNamed(value, by, names);
    return sums
      .filter(({ what }) => what !== 'declines')
      .map((sum) => ({ ...frame, ...sum, group }));
  });
  return { rows: rows.sort(largestFirst), ...known };
}

/** @returns for `Array.sort`: sums by currency, the largest first */
export function largestFirst(one: ReportRow, other: ReportRow): number {
  return byCurrency(one, other) || compareValues(other.amount ?? 0n, one.amount ?? 0n);
}

/** @returns declines of purchases and charges, most frequent first, with their share of all attempts in the period */
export async function declinesReport(
  things: SearchIndex,
  scope: Owner,
  frame: RowFrame,
  by: TotalsProperty,
): Promise<MoneyReport> {
  const { counted, ...known } = await countedTotals(things, scope, frame, { by });
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
  query: Pick<TotalsQuery, 'by' | 'groupsAll'>,
): Promise<Omit<MoneyReport, 'rows'> & { counted: ThingTotal[] }> {
  return countedIn(await things.totals({ scope, from, until, ...query, operator }));
}

const purchaseOf = (thing: Thing) => (isRefund(thing) ? thing.purchase : null);

/** Things that are read at once. */
const AT_ONCE = 1_000;

/** The kinds of `ThingTotal`. */
const KINDS = ['purchase', 'refund', 'request', 'event'] as const;

/** @returns the sums by the brand of the card: the table has no brands, so each thing is read for its first digits */
async function brandTotals(
  things: Pick<SearchIndex, 'each' | 'tied'>,
  scope: Owner,
  { from, until, operator }: RowFrame,
): Promise<ThingTotal[]> {
  const sums = new Map<string, ThingTotal>();
  const query = { scope, from, until, by: 'card', groupsAll: true } as const;
  const filter = { kinds: KINDS, scope, since: from, until, operator, needs: 'card' } as const;
  for await (const some of pagesOf(things.each(filter), AT_ONCE)) {
    // A refund goes to the card of its purchase.
    const paid = byName(await tiedTo({ things, scope }, ['purchase'], some.map(purchaseOf)));
    for (const thing of some) {
      const digits = cardDigits(paid.get(purchaseOf(thing) ?? '') ?? thing);
      const { count, amount, withoutAmount, ...one } = totalOf(thing, query);
      one.by = digits === null ? null : (brandOf(digits) ?? schemeOf(digits));
      const key = JSON.stringify(one);
      const sum = sums.get(key) ?? { ...one, count: 0, amount: 0n, withoutAmount: 0 };
      sum.count += count;
      sum.amount += amount;
      sum.withoutAmount += withoutAmount;
      sums.set(key, sum);
    }
  }
  return [...sums.values()];
}

function countedIn(
  totals: readonly ThingTotal[],
): Omit<MoneyReport, 'rows'> & { counted: ThingTotal[] } {
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

/** @param by what declines are told apart by, if they are */
function summed(totals: readonly ThingTotal[], by?: TotalsProperty): ReportSum[] {
  const sums = new Map<string, ReportSum>();
  for (const total of totals) {
    const what = whatCounts(total);
    if (what === undefined || what === 'unclear') continue;
    const { currency, count, amount } = total;
    const reason = by && what === 'declines' ? reasonOf(total, by) : null;
    const key = JSON.stringify([what, currency, reason]);
    const sum = sums.get(key) ?? { what, currency, reason, count: 0, amount: 0n };
    sum.count += count;
    sum.amount += amount;
    sums.set(key, sum);
  }
  return [...sums.values()];
}

/** @returns the words for what a decline is grouped by; those for no value, if it has none */
export function reasonOf(
  total: Pick<ThingTotal, 'by'> & Parameters<typeof isRefund>[0],
  by: TotalsProperty,
): string {
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
