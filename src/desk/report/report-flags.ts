/**
 * The flags that reports share.
 *
 * Tests: test/scripts/commands/report.script
 */

import { type FlagValuesOf, inGroup, option, toggle } from '../../cli/flags/flag.ts';
import { printFlags, profileFlag } from '../../cli/flags/global-flags.ts';
import { timeZoneFlag } from '../../cli/flags/parse-time.ts';
import { allProfilesFlag, operatorFlag, rangeFlags } from '../../cli/flags/search-flags.ts';
import { sheetFlags, sheetOutput } from '../../cli/flags/sheet-flags.ts';
import { type ProfileChoice, profileChoice } from '../../cli/flags/whose.ts';
import { usage } from '../../failure.ts';
import type { OutputOptions } from '../../view/print-records.ts';
import {
  CALENDAR_GROUPINGS,
  type CalendarGrouping,
  PROPERTY_GROUPINGS,
  type PropertyGrouping,
  REPORT_GROUPINGS,
} from './report-view.ts';

const output = inGroup('OUTPUT');

const chartFlag = {
  chart: output.toggle({
    description: 'Draw a bar chart on a terminal; elsewhere, print its rows.',
    exclusive: ['all-profiles'],
  }),
};

/** For a report without a chart. */
export const plainReportFlags = {
  ...rangeFlags,
  ...timeZoneFlag,
  ...profileFlag,
  ...allProfilesFlag,
  ...printFlags,
  ...sheetFlags,
  debug: inGroup('GLOBAL').toggle({ description: 'Say on stderr what the report rests on.' }),
};

export const reportFlags = { ...plainReportFlags, ...chartFlag };

/** For reports on money that moved. */
export const moneyReportFlags = { ...reportFlags, ...operatorFlag };

/** For reports of a period, whose sums can be divided and compared. */
export const periodReportFlags = {
  by: option({
    options: REPORT_GROUPINGS,
    multiple: true,
    delimiter: ',',
    description:
      'Divide the sums by day, week or month, by card (last four digits), brand (the card scheme: Visa, Mastercard), plan or operator, or by one of each: `--by day,plan`. Without it, declines are divided by reason.',
  }),
  compare: toggle({ description: 'Show the sums of the previous period beside them.' }),
  ...moneyReportFlags,
  html: option({
    description:
      'Write a page for the owner to this file instead: sums, charts, declines, subscriptions, and what needs attention.',
    helpValue: '<file>',
    // biome-ignore format: names that belong together stand in one line
    exclusive: [
      'all-profiles', 'operator', 'output', 'json', 'fields', 'jq', 'header', 'excel', 'xlsx',
    ],
  }),
};

/** For reports on charges and refunds one by one. */
export const movementReportFlags = { ...plainReportFlags, ...operatorFlag };

/** Reports of one customer take it. The name may also stand in the place of the period, or before it. */
export const customerFlag = {
  customer: option({
    description: 'Only those of this customer: an id, email or name, or a reference.',
    helpValue: '<customer>',
  }),
};

/** The argument of reports of any period. */
export const periodArg = {
  date: {
    description:
      'The period: 2026-03, q1, last week, a day, `jan to march`, or all. Default: this month.',
  },
} as const;

/** The argument of reports on what went wrong lately. */
export const recentArg = {
  date: {
    description:
      'The period: 2026-03, q1, last week, a day or `jan to march`. Default: the last 30 days.',
  },
} as const;

/** @returns the options of a report with `recentArg`: those of the last 30 days with today, if no time was typed */
export function orRecent(options: ReportOptions): ReportOptions {
  const { date, since, until } = options;
  return (date ?? since ?? until) === undefined ? { ...options, since: '29d' } : options;
}

/** Days before and after all payments. */
const [FIRST_DAY, LAST_DAY] = ['1900-01-01', '2999-12-31'];

/** @returns whether a text means all time, from the first payment that is known */
export function isAllTime(text = ''): boolean {
  return /^(?:all|ever|everything|all time)$/i.test(text.trim());
}

/** @returns whether a range, in ISO 8601 (UTC), is that of `withoutLimit` */
export function isWithoutLimit(from: string, until: string): boolean {
  return from < '1901' && until > LAST_DAY;
}

/** @returns the options with a range, whose missing ends have no limit, unless a date was typed */
export function withoutLimit<Options extends ReportOptions>(given: Options): Options {
  const { date, since = FIRST_DAY, until = LAST_DAY } = given;
  return date === undefined ? { ...given, since, until } : given;
}

/** The time of a report as it was typed, and its output. */
export interface ReportOptions extends ProfileChoice {
  date: string | undefined;
  since: string | undefined;
  until: string | undefined;
  hasChart: boolean;
  /** Counts only what this operator sent. */
  operator: string | undefined;
  /** Whether stderr says what the report rests on. */
  isDebugging: boolean;
  output: OutputOptions;
}

/**
 * @param date of a report that takes one
 * @returns the options that `moneyReportFlags` give; a report may have only some of them
 */
export function reportOptions(
  flags: Partial<FlagValuesOf<typeof moneyReportFlags>>,
  date?: string,
): ReportOptions {
  return {
    date,
    ...profileChoice(flags),
    since: flags.since,
    until: flags.until,
    hasChart: flags.chart ?? false,
    operator: flags.operator,
    isDebugging: flags.debug ?? false,
    output: sheetOutput(flags),
  };
}

/** The form in which the sums of a period are shown: divided, beside those of the period before, or on a page. */
export interface ReportDivision {
  /** The part of the calendar, and the property of payments. */
  part: CalendarGrouping | undefined;
  property: PropertyGrouping | undefined;
  isCompared: boolean;
  /** The file for the page of the owner, in place of rows. */
  page: string | undefined;
}

/**
 * @param date of the report, as typed
 * @returns the division that `periodReportFlags` give
 * @throws Failure usage if a page is to be divided, or sums in a way that gw does not have
 */
export function reportDivision(
  flags: FlagValuesOf<typeof periodReportFlags>,
  date = '',
): ReportDivision {
  const [division] = (['by', 'compare', 'chart'] as const).filter((name) => flags[name]);
  if (flags.html !== undefined && division !== undefined)
    throw usage(
      'flags-exclusive',
      `--html writes the page for the owner, which has its own charts and no --${division}.`,
      `Leave out --${division}, or --html.`,
    );
  const [part, otherPart] = CALENDAR_GROUPINGS.filter((name) => flags.by?.includes(name));
  const [property, otherProperty] = PROPERTY_GROUPINGS.filter((name) => flags.by?.includes(name));
  if (otherPart || otherProperty)
    throw usage(
      'flags-exclusive',
      `Sums are divided by one of ${CALENDAR_GROUPINGS.join(', ')} and one of ${PROPERTY_GROUPINGS.join(', ')} at a time.`,
      `\`gw ${['report', 'charges', date, '--xlsx', 'FILE'].filter(Boolean).join(' ')}\` writes each payment with all of them, for a pivot table.`,
    );
  return { part, property, isCompared: flags.compare ?? false, page: flags.html };
}

/** Explains how money is counted, for the descriptions of reports. */
export const MONEY_REPORT = `Counts purchases (single sales), charges (those of subscriptions), refunds and declines by reason, with
    the amounts in each currency and what is left after refunds.

    The report uses what the ledger knows of one account: records seen, requests sent, webhooks
    received. With --debug, stderr says what it rests on.

    A payment that several sources know counts once, at its own date: the record's,
    otherwise the request's, otherwise the first event's.

    --by has one row for each group and currency: its name first, then purchases, charges and refunds with what was
    purchased, charged and refunded, the net as \`amount\` (\`net\` in a spreadsheet), declines, and in \`not_counted\` what is in no sum. A refund is in
    the group of the payment that it gives back; by day, in that of its own day. Only --by reason has a row for each sum.

    Amounts have no sign: net is purchases and charges, less refunds. In a spreadsheet, sum up net alone, or
    the amounts of \`gw report charges\`, where refunds are negative.

    Unknown outcomes, and unknown requests of \`gw api\` (\`other\`), have rows of their own and are in no
    sum. Unclear outcomes, and events that the gateway contradicted, do not count.

    --operator counts only what that operator sent. Charges, and what was made elsewhere, belong to no
    operator.

    --since and --until give the first and the last day instead of a date. Today is the gateway's day.`;
