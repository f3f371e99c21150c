/** `gw report day|week|month` and `gw report declines`. */

import { type PeriodKind, periodOf } from '../base/periods.ts';
import type { TimeZone } from '../base/time-zone.ts';
import { addDays } from '../emulator/billing/schedule.ts';
import type { TotalsQuery } from '../facts/totals.ts';
import { usage } from '../failure.ts';
import { declinesReport, moneyReport } from '../find/money-report.ts';
import type { ReportRow, RowFrame } from '../find/report-row.ts';
import { parseEnd, parseTime } from '../flags/parse-time.ts';
import type { Context } from '../session/context.ts';
import type { OwnView } from '../view/columns.ts';
import { formatOf, type PrintFlags, printRecords } from '../view/print-records.ts';
import { DAILY_VIEW, DECLINES_VIEW, REPORT_VIEW } from '../view/records/report.ts';
import { operatorNamed } from './fact-filter.ts';
import { type Desk, type ReportFlags, withDesk } from './open-report.ts';
import { type Chart, countPerReason, moneyPerDay, writeCharts } from './report-chart.ts';
import { notesOf } from './report-notes.ts';

interface MoneyFlags extends ReportFlags, PrintFlags {
  operator?: string | undefined;
  chart?: boolean | undefined;
}

/** @param date as people type it; today where there is none */
export function runPeriodReport(
  context: Context,
  what: { kind: PeriodKind; date: string | undefined },
  flags: MoneyFlags,
): Promise<void> {
  return withDesk(context, flags, async (desk) => {
    const { ledger, scope, zone, instant, profile } = desk;
    const period = periodOf(what.kind, what.date, { instant, zone });
    const { name, from, until, timeZone } = period;
    const operator = operatorNamed(context, flags.operator);
    const frame = { period: name, from, until, timeZone, profile: profile.name, operator };
    const report = await moneyReport(ledger.facts, scope, frame);
    await note(desk, frame, report);
    if (!flags.chart || what.kind === 'day')
      return printOrDraw(context, flags, { rows: report.rows, view: REPORT_VIEW }, () =>
        moneyPerWhat(report.rows),
      );
    const days = daysOf(period);
    const rows: ReportRow[] = [];
    for (const day of days) {
      const ofDay = { ...frame, ...boundsOf(day, zone), period: day };
      rows.push(...(await moneyReport(ledger.facts, scope, ofDay)).rows);
    }
    const nets = rows.filter((row) => row.what === 'net');
    await printOrDraw(context, flags, { rows, view: DAILY_VIEW }, () =>
      moneyPerDay('Net per day', days, nets),
    );
  });
}

interface DeclinesFlags extends MoneyFlags {
  since?: string | undefined;
  until?: string | undefined;
  by: TotalsQuery['by'];
}

export function runDeclinesReport(context: Context, flags: DeclinesFlags): Promise<void> {
  return withDesk(context, flags, async (desk) => {
    const { ledger, scope, zone, instant, profile } = desk;
    const from = parseTime('since', flags.since ?? '30d', instant, zone);
    const until =
      flags.until === undefined
        ? parseEnd('until', 'today', instant, zone)
        : parseEnd('until', flags.until, instant, zone);
    if (from >= until)
      throw usage(
        'period-empty',
        '--since is not before --until.',
        'Give --since an earlier time than --until.',
      );
    const operator = operatorNamed(context, flags.operator);
    const whose = { profile: profile.name, operator };
    const frame = { period: null, from, until, timeZone: zone.name, ...whose };
    const report = await declinesReport(ledger.facts, scope, frame, flags.by);
    await note(desk, frame, report);
    await printOrDraw(context, flags, { rows: report.rows, view: DECLINES_VIEW }, () =>
      countPerReason(`Declines by ${flags.by}, of ${report.attempts} attempts`, report.rows),
    );
  });
}

async function note(
  { context, ledger, where }: Desk,
  frame: RowFrame,
  report: Awaited<ReturnType<typeof moneyReport>>,
): Promise<void> {
  await context.host.stderr.write(
    notesOf(frame, report, { sources: await ledger.facts.sources(), where }),
  );
}

/** Bars where a person looks and asked for them; rows in every other case. */
export async function printOrDraw(
  { host }: Context,
  flags: MoneyFlags,
  { rows, view }: { rows: readonly ReportRow[]; view: OwnView<ReportRow> },
  charts: () => readonly Chart[],
): Promise<void> {
  const { isTerminal, isPlain } = host.stdout;
  const isForEyes = flags.chart && isTerminal && !isPlain && formatOf(flags) === undefined;
  if (isForEyes && (await writeCharts(host.stdout, charts()))) return;
  await printRecords(host, flags, rows.map(view.record), { kind: view, isSingle: false });
}

/** What is in no sum. */
const NOT_DRAWN: readonly ReportRow['what'][] = ['declines', 'other', 'unknown'];

function moneyPerWhat(rows: readonly ReportRow[]): Chart[] {
  const sums = rows.filter(({ what }) => !NOT_DRAWN.includes(what));
  const named = sums.map((row) => ({ ...row, period: row.what }));
  return moneyPerDay('Money', [...new Set(named.map(({ what }) => what))], named);
}

function daysOf({ first, next }: { first: string; next: string }): string[] {
  const days: string[] = [];
  for (let day = first; day < next; day = addDays(day, 1)) days.push(day);
  return days;
}

function boundsOf(day: string, zone: TimeZone): Pick<RowFrame, 'from' | 'until'> {
  const instant = (one: string) => new Date(zone.startOf(one)).toISOString();
  return { from: instant(day), until: instant(addDays(day, 1)) };
}
