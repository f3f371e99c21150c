/** `gw report day|week|month|quarter|year` and `gw report declines`. */

import type { PeriodKind } from '../../base/periods.ts';
import type { Context } from '../../host/context.ts';
import type { TotalsProperty } from '../../things/totals.ts';
import { declinesReport, moneyReport, withBefore } from './money-report.ts';
import { periodBefore, type ReportDesk, type ReportPeriod, report } from './open-report.ts';
import { framesBy, isOfCalendar } from './period-frames.ts';
import { type Chart, countPerReason, moneyPerDay } from './report-chart.ts';
import { orRecent, type ReportDivision, type ReportOptions } from './report-flags.ts';
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
    const whole = await moneyReport(desk.ledger.things, desk.scope, desk.frame);
    const notes = await notesOf(desk, whole);
    const frames = framesBy(by, desk, desk.period);
    const isWhole = by === undefined || by === 'reason';
    const parts = isWhole ? [whole.rows] : await rowsOf(desk, by, frames);
    let rows = parts.flat();
    if (isCompared) {
      const period = periodBefore(kind, desk);
      const before = await rowsOf(desk, by, framesBy(by, desk, period));
      rows = frames.flatMap((frame, n) => withBefore(frame, parts[n] ?? [], before[n] ?? []));
      notes.push(...(await gapBefore(desk, period)));
    }
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

/** @returns the rows of each frame */
async function rowsOf(
  { ledger, scope }: ReportDesk,
  by: ReportGrouping | undefined,
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
