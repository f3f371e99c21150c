/** `gw report day|week|month` and `gw report declines`. */

import { addDays } from '../../base/calendar.ts';
import type { PeriodKind } from '../../base/periods.ts';
import type { TimeZone } from '../../base/time-zone.ts';
import type { ReportOptions } from '../../cli/flags/report-flags.ts';
import { type Failure, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { TotalsQuery } from '../../things/totals.ts';
import {
  DAILY_VIEW,
  DECLINES_VIEW,
  REPORT_VIEW,
  type ReportRow,
} from '../../view/records/report.ts';
import { operatorNamed } from '../query/search.ts';
import { declinesReport, type MoneyReport, moneyReport } from './money-report.ts';
import {
  type ReportContext,
  type ReportPeriod,
  rangeOf,
  report,
  reportPeriod,
} from './open-report.ts';
import { type Chart, countPerReason, moneyPerDay } from './report-chart.ts';
import { notesOf } from './report-notes.ts';
import type { RowFrame } from './report-row.ts';

/** @param date as typed; today if left out */
export function runPeriodReport(
  context: Context,
  what: { kind: PeriodKind; date: string | undefined },
  options: ReportOptions,
): Promise<void> {
  const isPerDay = options.hasChart && what.kind !== 'day';
  const view = isPerDay ? DAILY_VIEW : REPORT_VIEW;
  return report(context, { options, view }, async (desk) => {
    const { ledger, scope, zone, instant, profile } = desk;
    const period = reportPeriod(what, options, { instant, zone });
    const { name, from, until, timeZone } = period;
    const operator = operatorNamed(context, options.operator);
    const frame = { period: name, from, until, timeZone, profile: profile.name, operator };
    const found = await moneyReport(ledger.things, scope, frame);
    const notes = await notesAbout(desk, frame, found);
    if (!isPerDay)
      return {
        rows: found.rows.map(view.record),
        notes,
        charts: () => moneyPerWhat(found.rows),
      };
    const days = daysOf(period);
    if (days.length > MOST_DAYS) throw tooManyDays(days.length);
    const rows: ReportRow[] = [];
    for (const day of days) {
      const ofDay = { ...frame, ...boundsOf(day, period, zone), period: day };
      rows.push(...(await moneyReport(ledger.things, scope, ofDay)).rows);
    }
    const nets = rows.filter((row) => row.what === 'net');
    return {
      rows: rows.map(view.record),
      notes,
      charts: () => moneyPerDay('Net per day', days, nets),
    };
  });
}

interface DeclinesOptions extends ReportOptions {
  by: TotalsQuery['by'];
}

export function runDeclinesReport(context: Context, options: DeclinesOptions): Promise<void> {
  return report(context, { options, view: DECLINES_VIEW }, async (desk) => {
    const { ledger, scope, zone, instant, profile } = desk;
    const { since = '30d', until: end = 'today' } = options;
    const { from, until } = rangeOf({ since, until: end }, { instant, zone });
    const operator = operatorNamed(context, options.operator);
    const whose = { profile: profile.name, operator };
    const frame = { period: null, from, until, timeZone: zone.name, ...whose };
    const found = await declinesReport(ledger.things, scope, frame, options.by);
    return {
      rows: found.rows.map(DECLINES_VIEW.record),
      notes: await notesAbout(desk, frame, found),
      charts: () =>
        countPerReason(`Declines by ${options.by}, of ${found.attempts} attempts`, found.rows),
    };
  });
}

/** @returns the notes about the sources of a report */
export async function notesAbout(
  { ledger, where, isOneOfAll }: ReportContext,
  frame: RowFrame,
  { rows, coverage }: MoneyReport,
): Promise<string> {
  // Another profile has its own report.
  const others = isOneOfAll ? 0 : coverage.others;
  const found = { rows, coverage: { ...coverage, others } };
  return notesOf(frame, found, { sources: await ledger.things.sources(), where });
}

/** Rows that belong to no sum. */
const NOT_DRAWN: readonly ReportRow['what'][] = ['declines', 'other', 'unknown'];

function moneyPerWhat(rows: readonly ReportRow[]): Chart[] {
  const sums = rows.filter(({ what }) => !NOT_DRAWN.includes(what));
  const named = sums.map((row) => ({ ...row, period: row.what }));
  return moneyPerDay('Money', [...new Set(named.map(({ what }) => what))], named);
}

/** Each day is a report of its own. */
const MOST_DAYS = 366;

function tooManyDays(days: number): Failure {
  return usage(
    'chart-too-long',
    `A chart has at most ${MOST_DAYS} days, and this period has ${days}.`,
    'Leave out --chart, or give --since a later time.',
  );
}

function daysOf({ first, next }: ReportPeriod): string[] {
  const days: string[] = [];
  for (let day = first; day < next; day = addDays(day, 1)) days.push(day);
  return days;
}

/** The first and the last day of a range may be a part of one. */
function boundsOf(
  day: string,
  { from, until }: ReportPeriod,
  zone: TimeZone,
): Pick<RowFrame, 'from' | 'until'> {
  const start = Math.max(zone.startOf(day), Date.parse(from));
  const end = Math.min(zone.startOf(addDays(day, 1)), Date.parse(until));
  return { from: new Date(start).toISOString(), until: new Date(end).toISOString() };
}
