/**
 * `gw report day|week|month|quarter|year`, `gw report declines` and `gw report refunds`.
 *
 * Tests: test/scripts/commands/report.script
 */

import { pagesOf } from '../../base/pages.ts';
import type { PeriodKind } from '../../base/periods.ts';
import { count, plural, quantity } from '../../base/text.ts';
import { groupRows } from '../../desk/report/group-rows.ts';
import {
  declinesReport,
  largestFirst,
  moneyReport,
  reasonOf,
  refundsReport,
  withBefore,
} from '../../desk/report/money-report.ts';
import { movementsIn } from '../../desk/report/movements.ts';
import {
  periodBefore,
  type ReportDesk,
  type ReportPeriod,
  report,
} from '../../desk/report/open-report.ts';
import {
  AT_ONCE,
  type NamedPayer,
  payerNamed,
  payersOf,
  restsOn,
  rowsOfPayer,
} from '../../desk/report/payers.ts';
import { framesBy } from '../../desk/report/period-frames.ts';
import { type Chart, countPerReason, moneyPerDay } from '../../desk/report/report-chart.ts';
import {
  orRecent,
  type ReportDivision,
  type ReportOptions,
} from '../../desk/report/report-flags.ts';
import { headOf, notesOf, whenTyped } from '../../desk/report/report-notes.ts';
import { compareValues, type RowFrame } from '../../desk/report/report-row.ts';
import type {
  Movement,
  PropertyGrouping,
  RefundGrouping,
  ReportRow,
} from '../../desk/report/report-view.ts';
import { approversOf } from '../../desk/report/run-movement-report.ts';
import { declinesView, groupsView, refundsView, sumsView } from '../../desk/report/sum-views.ts';
import type { Context } from '../../host/context.ts';
import { isRefund, whatCounts } from '../../things/what-counts.ts';
import { isAddedUp } from '../../view/print-records.ts';

export async function runPeriodReport(
  context: Context,
  kind: PeriodKind,
  options: ReportOptions,
  { part, property, isCompared, page }: ReportDivision,
): Promise<void> {
  if (page !== undefined) {
    const { runOwnerPage } = await import('../../desk/report/run-owner-page.ts');
    return runOwnerPage(context, kind, options, page);
  }
  const isDrawn = options.hasChart && kind !== 'day' && property === undefined;
  const by = part ?? (isDrawn ? 'day' : undefined);
  const work = async (desk: ReportDesk) => {
    const whole = await moneyReport(desk.ledger.things, desk.scope, desk.frame);
    const notes = await notesOf(desk, whole);
    const frames = framesBy(by, desk, desk.period);
    const isWhole = by === undefined && (property === undefined || property === 'reason');
    const parts = isWhole ? [whole.rows] : await rowsOf(desk, property, frames);
    let rows = parts.flat();
    if (isCompared) {
      const period = periodBefore(kind, desk);
      const before = await rowsOf(desk, property, framesBy(by, desk, period));
      rows = frames.flatMap((frame, n) => withBefore(frame, parts[n] ?? [], before[n] ?? []));
      notes.push(...(await gapBefore(desk, period)));
    }
    const names = frames.map(({ period }) => period);
    const nets = rows.filter((row) => row.what === 'net');
    const charts = () =>
      by === undefined ? moneyPerWhat(rows) : moneyPerDay(`Net per ${by}`, nets, names);
    return { rows, notes, charts, restsOn: {} };
  };
  const groups = [by ?? [], property ?? []].flat();
  // Only declines have reasons, so these have rows of their own.
  if (groups.length === 0 || property === 'reason')
    return report(context, { options, view: sumsView(by, isCompared), kind }, work);
  const view = groupsView(groups, isCompared);
  return report(context, { options, view, kind }, async (desk) => {
    const found = await work(desk);
    return { ...found, rows: groupRows(found.rows, by, property) };
  });
}

/** @returns a sentence if the ledger does not reach back to the beginning of the period before */
async function gapBefore({ ledger }: ReportDesk, { from }: ReportPeriod): Promise<string[]> {
  const { oldest } = await ledger.things.sources();
  if (oldest !== null && oldest <= from) return [];
  return ['The period before began earlier than this ledger, so its sums may lack something.'];
}

/** @returns the rows of each frame */
async function rowsOf(
  { ledger, scope }: ReportDesk,
  by: PropertyGrouping | undefined,
  frames: readonly RowFrame[],
): Promise<ReportRow[][]> {
  const parts: ReportRow[][] = [];
  for (const frame of frames) parts.push((await moneyReport(ledger.things, scope, frame, by)).rows);
  return parts;
}

export function runDeclinesReport(
  context: Context,
  by: 'reason' | 'card' | 'customer',
  { customer, ...given }: ReportOptions & { customer: string | undefined },
): Promise<void> {
  const options = orRecent(given);
  return report(context, { options, view: declinesView(by) }, async (desk) => {
    const payer = await payerNamed(context, desk, customer);
    const { rows, attempts, notes } = payer
      ? await declinesOfPayer(desk, payer, by)
      : await declinesOfAll(desk, by);
    const totals = isAddedUp(options.output) ? [] : totalsOf(rows);
    const all = [...rows, ...totals].map((row) => {
      return { ...row, attempts, share: (row.count ?? 0) / attempts };
    });
    const declined = rows.reduce((sum, row) => sum + (row.count ?? 0), 0);
    const share = ((declined / attempts) * 100).toFixed(1);
    const part = `${count(declined)} of ${quantity(attempts, 'attempt', 'attempts')} ${plural(declined, 'was', 'were')} declined, ${share} %.`;
    return {
      rows: all,
      restsOn: restsOn(payer),
      notes: attempts === 0 || (rows.length === 0 && !payer) ? notes : [...notes, part],
      charts: () => countPerReason(`Declines by ${by}, of ${attempts} attempts`, rows),
    };
  });
}

interface Declines {
  /** The most frequent first. */
  rows: ReportRow[];
  attempts: number;
  notes: string[];
}

async function declinesOfAll(
  desk: ReportDesk,
  by: 'reason' | 'card' | 'customer',
): Promise<Declines> {
  const { scope, frame } = desk;
  const { things } = desk.ledger;
  const counted = await declinesReport(things, scope, frame, by);
  const rows =
    by === 'customer'
      ? (await byCustomer({ things, scope }, frame, 'declines')).sort(mostFirst)
      : counted.rows;
  return { rows, attempts: counted.attempts, notes: await notesOf(desk, counted, 'declined') };
}

async function declinesOfPayer(
  { ledger: { things }, scope, frame }: ReportDesk,
  payer: NamedPayer,
  by: 'reason' | 'card' | 'customer',
): Promise<Declines> {
  const known = { things, scope };
  const moved = await rowsOfPayer(known, { ...frame, needs: 'nothing' }, payer, true);
  const own = moved.filter((one) => !isRefund(one));
  const attempts = own.length;
  const none = attempts === 0 ? ['No payments of theirs are known in this period.'] : [];
  const notes = [headOf(frame), `Only those of ${payer.shown}.`, ...none];
  if (by === 'customer')
    return { rows: await byCustomer(known, frame, 'declines', own), attempts, notes };
  const rows = new Sums();
  for (const one of own.filter(({ what }) => what === 'declined')) {
    const { currency, amount, lastFour } = one;
    const reason = reasonOf({ ...one, by: by === 'card' ? lastFour : one.reason }, by);
    rows.add(reason, { ...frame, what: 'declines', currency, reason }, amount);
  }
  return { rows: rows.all.sort(mostFirst), attempts, notes };
}

/** @returns a row for all groups of each currency */
function totalsOf(rows: readonly ReportRow[]): ReportRow[] {
  const totals = new Map<string | null, ReportRow>();
  for (const row of rows) {
    const { count: before = 0, amount: sum = 0n } = totals.get(row.currency) ?? {};
    totals.set(row.currency, {
      ...{ ...row, reason: null, customer: null, email: null },
      count: (before ?? 0) + (row.count ?? 0),
      amount: (sum ?? 0n) + (row.amount ?? 0n),
    });
  }
  return [...totals.values()];
}

export function runRefundsReport(
  context: Context,
  by: RefundGrouping,
  given: ReportOptions,
): Promise<void> {
  const view = refundsView(by);
  return report(context, { options: given, view }, async (desk) => {
    const known = by === 'operator' || by === 'reason' || by === 'plan' ? by : 'operator';
    const whole = await refundsReport(desk.ledger.things, desk.scope, desk.frame, known);
    const rows = known === by ? whole.rows : await refundsBy(desk, by);
    const each = `\`gw report charges ${whenTyped(desk.period)} --refunds\` lists each of them: purchase, customer, operator, who approved it, and why.`;
    const notes = await notesOf(desk, whole, 'refunded');
    return {
      rows,
      notes: rows.length === 0 ? notes : [...notes, each],
      charts: () =>
        moneyPerDay(
          `Refunds by ${by}`,
          rows.map((row) => ({ ...row, period: row.group ?? row.reason ?? row.period })),
        ),
    };
  });
}

async function refundsBy(desk: ReportDesk, by: RefundGrouping): Promise<ReportRow[]> {
  const { ledger, scope, frame } = desk;
  if (by === 'approver') return refundsByApprover(desk);
  if (by === 'customer') return byCustomer({ things: ledger.things, scope }, frame, 'refunds');
  if (by !== 'day' && by !== 'month') return [];
  const parts = await rowsOf(desk, undefined, framesBy(by, desk, desk.period));
  return parts.flat().filter(({ what }) => what === 'refunds');
}

async function refundsByApprover({ ledger, scope, frame }: ReportDesk): Promise<ReportRow[]> {
  const rows = new Sums();
  const { from: since, until, operator } = frame;
  const refunds = ledger.things.each({ kinds: ['refund'], scope, since, until, operator });
  for await (const some of pagesOf(refunds, AT_ONCE)) {
    const approvers = await approversOf(ledger, some);
    for (const thing of some.filter((one) => whatCounts(one) === 'refunds')) {
      const group = approvers.get(thing.id) ?? 'nobody, as no rule wanted it';
      const { currency, amount } = thing;
      rows.add(group, { ...frame, what: 'refunds', currency, reason: null, group }, amount);
    }
  }
  return rows.all.sort(largestFirst);
}

/** Rows that are added up one by one. */
class Sums {
  readonly #rows = new Map<string, ReportRow & { count: number; amount: bigint }>();

  /** @param key of its group, which has a row for each currency */
  add(key: string, of: Omit<ReportRow, 'count' | 'amount'>, amount: number | null): void {
    const name = JSON.stringify([key, of.currency]);
    const row = this.#rows.get(name) ?? { ...of, count: 0, amount: 0n };
    row.count++;
    row.amount += BigInt(Math.abs(amount ?? 0));
    this.#rows.set(name, row);
  }

  get all(): ReportRow[] {
    return [...this.#rows.values()];
  }
}

/** Two people may have one name, so a customer counts by id. @param own the movements; all of the frame if left out @returns a row for each customer and currency, the largest sum first */
async function byCustomer(
  known: Pick<ReportDesk, 'scope'> & Pick<ReportDesk['ledger'], 'things'>,
  frame: RowFrame,
  what: 'declines' | 'refunds',
  own?: readonly Movement[],
): Promise<ReportRow[]> {
  const rows = new Sums();
  const wanted = { ...frame, needs: 'nothing' } as const;
  const moved = own ?? movementsIn(known.things, known.scope, wanted, what === 'declines');
  for await (const some of pagesOf(moved, AT_ONCE))
    for (const [one, { key, ...payer }] of await payersOf(known, some)) {
      if (isRefund(one) !== (what === 'refunds')) continue;
      if (what === 'declines' && one.what !== 'declined') continue;
      const { customer, who, email } = payer;
      const reason = who ?? email ?? customer ?? 'customer unknown';
      const { currency, amount } = one;
      rows.add(key, { ...frame, what, currency, reason, customer, email }, amount);
    }
  return rows.all.sort(largestFirst);
}

/** @returns for `Array.sort` */
function mostFirst(one: ReportRow, other: ReportRow): number {
  return (
    (other.count ?? 0) - (one.count ?? 0) || compareValues(one.reason ?? '', other.reason ?? '')
  );
}

/** Rows that belong to no sum. */
const NOT_DRAWN: readonly ReportRow['what'][] = ['declines', 'other', 'unknown'];

function moneyPerWhat(rows: readonly ReportRow[]): Chart[] {
  const sums = rows.filter(({ what }) => !NOT_DRAWN.includes(what));
  return moneyPerDay(
    'Money',
    sums.map((row) => ({ ...row, period: row.what })),
  );
}
