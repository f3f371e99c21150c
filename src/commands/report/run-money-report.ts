/** `gw report day|week|month` and `gw report declines`. */

import { addDays, dayNumber } from '../../base/calendar.ts';
import type { PeriodKind } from '../../base/periods.ts';
import { count } from '../../base/text.ts';
import { usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { TotalsQuery } from '../../things/totals.ts';
import {
  DAILY_VIEW,
  declinesView,
  REPORT_VIEW,
  type ReportRow,
} from '../../view/records/report.ts';
import { declinesReport, moneyReport } from './money-report.ts';
import { type ReportDesk, report } from './open-report.ts';
import { type Chart, countPerReason, moneyPerDay } from './report-chart.ts';
import type { ReportOptions } from './report-flags.ts';
import { notesOf } from './report-notes.ts';
import type { RowFrame } from './report-row.ts';

export function runPeriodReport(
  context: Context,
  kind: PeriodKind,
  options: ReportOptions,
): Promise<void> {
  const isPerDay = options.hasChart && kind !== 'day';
  const view = isPerDay ? DAILY_VIEW : REPORT_VIEW;
  return report(context, { options, view, kind }, async (desk) => {
    const { things } = desk.ledger;
    const found = await moneyReport(things, desk.scope, desk.frame);
    const notes = await notesOf(desk, found);
    if (!isPerDay) return { rows: found.rows, notes, charts: () => moneyPerWhat(found.rows) };
    const days = framesByDay(desk);
    const rows: ReportRow[] = [];
    for (const day of days) rows.push(...(await moneyReport(things, desk.scope, day)).rows);
    const names = days.map(({ period }) => period);
    const nets = rows.filter((row) => row.what === 'net');
    return { rows, notes, charts: () => moneyPerDay('Net per day', nets, names) };
  });
}

export function runDeclinesReport(
  context: Context,
  by: TotalsQuery['by'],
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
      notes: await notesOf(desk, found),
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

/** Each day is a report of its own. */
const MOST_DAYS = 366;

/** @returns the frame of each day; the first and the last day of a range may be a part of one */
function framesByDay({ frame, period, zone }: ReportDesk): RowFrame[] {
  const days = dayNumber(period.next) - dayNumber(period.first);
  if (days > MOST_DAYS)
    throw usage(
      'chart-too-long',
      `A chart has at most ${MOST_DAYS} days, and this period has ${count(days)}.`,
      'Leave out --chart, or give --since a later time.',
    );
  const frames: RowFrame[] = [];
  for (let day = period.first; day < period.next; day = addDays(day, 1)) {
    const start = Math.max(zone.startOf(day), Date.parse(frame.from));
    const end = Math.min(zone.startOf(addDays(day, 1)), Date.parse(frame.until));
    const [from, until] = [new Date(start).toISOString(), new Date(end).toISOString()];
    frames.push({ ...frame, period: day, from, until });
  }
  return frames;
}
