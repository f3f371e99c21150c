/**
 * `gw report day|week|month|quarter|year`, `gw report declines` and `gw report refunds`.
 *
 * Tests: test/scripts/commands/report.script
 */

import { pagesOf } from '../../base/pages.ts';
import type { PeriodKind } from '../../base/periods.ts';
import {
  declinesReport,
  type MoneyReport,
  moneyReport,
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
import { AT_ONCE, payersOf } from '../../desk/report/payers.ts';
import { framesBy } from '../../desk/report/period-frames.ts';
import { type Chart, countPerReason, moneyPerDay } from '../../desk/report/report-chart.ts';
import {
  orRecent,
  type ReportDivision,
  type ReportOptions,
} from '../../desk/report/report-flags.ts';
import { notesOf, whenTyped } from '../../desk/report/report-notes.ts';
import { compareValues, type RowFrame } from '../../desk/report/report-row.ts';
import {
  declinesView,
  groupedView,
  type PropertyGrouping,
  type RefundGrouping,
  type ReportRow,
  refundsView,
} from '../../desk/report/report-view.ts';
import { approversOf } from '../../desk/report/run-movement-report.ts';
import type { Context } from '../../host/context.ts';
import type { TotalsProperty } from '../../things/totals.ts';
import { isRefund, whatCounts } from '../../things/what-counts.ts';

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
  const view = groupedView([by, property], isCompared);
  return report(context, { options, view, kind }, async (desk) => {
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
  by: TotalsProperty,
  given: ReportOptions,
): Promise<void> {
  const options = orRecent(given);
  return report(context, { options, view: declinesView(by) }, async (desk) => {
    const { scope, frame } = desk;
    const { things } = desk.ledger;
    const counted = await declinesReport(things, scope, frame, by);
    const found = by === 'customer' ? await byCustomer({ things, scope }, frame, counted) : counted;
    const title = `Declines by ${by}, of ${found.attempts} attempts`;
    return {
      rows: found.rows,
      notes: await notesOf(desk, found, 'declined'),
      restsOn: {},
      charts: () => countPerReason(title, found.rows),
    };
  });
}

export function runRefundsReport(
  context: Context,
  by: RefundGrouping,
  given: ReportOptions,
): Promise<void> {
  const view = refundsView(by);
  return report(context, { options: given, view }, async (desk) => {
    const { scope, frame, ledger } = desk;
    const whole = await refundsReport(ledger.things, scope, frame, by);
    let { rows } = whole;
    if (by === 'day') {
      const days = framesBy('day', desk, desk.period);
      const parts = [];
      for (const day of days) parts.push(await moneyReport(ledger.things, scope, day));
      rows = parts.flatMap((part) => part.rows.filter(({ what }) => what === 'refunds'));
    }
    if (by === 'approver') rows = await refundsByApprover(desk);
    const each = `\`gw report charges ${whenTyped(desk.period)} --refunds\` lists each of them: purchase, customer, operator, who approved it, and why.`;
    const notes = await notesOf(desk, { ...whole, rows }, 'refunded');
    return {
      rows,
      notes: rows.length === 0 ? notes : [...notes, each],
      charts: () =>
        moneyPerDay(
          `Refunds by ${by}`,
          rows.map((row) => ({ ...row, period: row.group ?? row.period })),
        ),
    };
  });
}

async function refundsByApprover({ ledger, scope, frame }: ReportDesk): Promise<ReportRow[]> {
  const rows = new Map<string, ReportRow & { count: number; amount: bigint }>();
  const { from: since, until, operator } = frame;
  const refunds = ledger.things.each({ kinds: ['refund'], scope, since, until, operator });
  for await (const some of pagesOf(refunds, AT_ONCE)) {
    const approvers = await approversOf(ledger, some);
    for (const thing of some.filter((one) => whatCounts(one) === 'refunds')) {
      const group = approvers.get(thing.id) ?? 'nobody, as no rule wanted it';
      const { currency, amount } = thing;
      const none = { ...frame, what: 'refunds' as const, currency, reason: null, group };
      const key = JSON.stringify([group, currency]);
      const row = rows.get(key) ?? { ...none, count: 0, amount: 0n };
      row.count++;
      row.amount += BigInt(Math.abs(amount ?? 0));
      rows.set(key, row);
    }
  }
  return [...rows.values()].sort((one, other) => compareValues(other.amount, one.amount));
}

/** Two people may have one name, so a customer counts by id. @returns the report with a row for each customer and currency */
async function byCustomer(
  known: Pick<ReportDesk, 'scope'> & Pick<ReportDesk['ledger'], 'things'>,
  frame: RowFrame,
  report: MoneyReport,
): Promise<MoneyReport> {
  const rows = new Map<string, ReportRow & { count: number; amount: bigint }>();
  const declined = movementsIn(known.things, known.scope, frame, true);
  for await (const some of pagesOf(declined, AT_ONCE))
    for (const [one, { key, ...payer }] of await payersOf(known, some)) {
      if (one.what !== 'declined' || isRefund(one)) continue;
      const { currency } = one;
      const { customer, who, email } = payer;
      const reason = who ?? email ?? customer ?? 'customer unknown';
      const none = { ...frame, what: 'declines' as const, currency, reason, customer, email };
      const name = JSON.stringify([key, currency]);
      const row = rows.get(name) ?? { ...none, count: 0, amount: 0n };
      row.count++;
      row.amount += BigInt(Math.abs(one.amount ?? 0));
      rows.set(name, row);
    }
  const all = [...rows.values()].map((row) => ({ ...row, share: row.count / report.attempts }));
  return {
    ...report,
    rows: all.sort(
      (one, other) =>
        other.count - one.count || compareValues(one.reason ?? '', other.reason ?? ''),
    ),
  };
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
