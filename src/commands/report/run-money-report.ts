/** `gw report day|week|month|quarter|year` and `gw report declines`. */

import type { PeriodKind } from '../../base/periods.ts';
import type { Context } from '../../host/context.ts';
import type { TotalsProperty } from '../../things/totals.ts';
import { declinesReport, moneyReport, withBefore } from './money-report.ts';
import { periodBefore, type ReportDesk, type ReportPeriod, report } from './open-report.ts';
import { framesBy, isOfCalendar } from './period-frames.ts';
import { type Chart, countPerReason, moneyPerDay } from './report-chart.ts';
import type { ReportDivision, ReportOptions } from './report-flags.ts';
import { notesOf } from './report-notes.ts';
import type { RowFrame } from './report-row.ts';
import { declinesView, groupedView, type ReportGrouping, type ReportRow } from './report-view.ts';

export async function runPeriodReport(
  context: Context,
  kind: PeriodKind,
  options: ReportOptions,
  { by: wanted, isCompared, page }: ReportDivision,
): Promise<void> {
  if (page !== undefined) {
    const { runOwnerPage } = await import('./run-owner-page.ts');
    return runOwnerPage(context, kind, options, page);
  }
  const by = wanted ?? (options.hasChart && kind !== 'day' ? 'day' : undefined);
  const view = groupedView(by, isCompared);
  return report(context, { options, view, kind }, async (desk) => {
    const notes = await notesOf(
      desk,
      await moneyReport(desk.ledger.things, desk.scope, desk.frame),
    );
    if (isCompared) notes.push(...(await gapBefore(desk, periodBefore(kind, desk))));
    const frames = framesBy(by, desk, desk.period);
    const before = isCompared ? framesBy(by, desk, periodBefore(kind, desk)) : [];
    const rows: ReportRow[] = [];
    for (const [n, frame] of frames.entries())
      rows.push(...(await rowsOf(desk, by, frame, isCompared ? (before[n] ?? null) : undefined)));
    const names = frames.map(({ period }) => period);
    const nets = rows.filter((row) => row.what === 'net');
    const charts = () =>
      isOfCalendar(by) ? moneyPerDay(`Net per ${by}`, nets, names) : moneyPerWhat(rows);
    return { rows, notes, charts };
  });
}

/** @returns a sentence if the ledger does not reach back to the beginning of the period before */
async function gapBefore({ ledger }: ReportDesk, { from }: ReportPeriod): Promise<string[]> {
  const { oldest } = await ledger.things.sources();
  if (oldest !== null && oldest <= from) return [];
  return ['The period before began earlier than this ledger, so its sums may lack something.'];
}

/** @param before the same part of the period before; null if that is shorter, undefined if nothing is compared */
async function rowsOf(
  { ledger, scope }: ReportDesk,
  by: ReportGrouping | undefined,
  frame: RowFrame,
  before: RowFrame | null | undefined,
): Promise<ReportRow[]> {
  const { rows } = await moneyReport(ledger.things, scope, frame, by);
  if (before === undefined) return rows;
  const earlier = before && (await moneyReport(ledger.things, scope, before, by));
  return withBefore(frame, rows, earlier?.rows ?? []);
}

export function runDeclinesReport(
  context: Context,
  by: TotalsProperty,
  given: ReportOptions,
): Promise<void> {
  const { date, since, until } = given;
  const isRecent = (date ?? since ?? until) === undefined;
  const options = isRecent ? { ...given, since: '30d' } : given;
  return report(context, { options, view: declinesView(by), kind: 'month' }, async (desk) => {
    const found = await declinesReport(desk.ledger.things, desk.scope, desk.frame, by);
    const title = `Declines by ${by}, of ${found.attempts} attempts`;
    return {
      rows: found.rows,
      notes: await notesOf(desk, found, 'Nothing was declined.'),
      charts: () => countPerReason(title, found.rows),
    };
  });
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
