/**
 * Notes on stderr about a report: its period, its sources, and what it leaves out.
 *
 * Tests: test/scripts/commands/report.script
 */
import { addDays } from '../../base/calendar.ts';
import { count, plural, quantity } from '../../base/text.ts';
import type { DataSource } from '../../client/ledger/place.ts';
import { moneyText } from '../../contract/money.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { IndexSources } from '../../things/thing-index.ts';
import type { Coverage } from './money-report.ts';
import type { ReportDesk, ReportPeriod } from './open-report.ts';
import { isWithoutLimit } from './report-flags.ts';
import type { RowFrame } from './report-row.ts';
import type { ReportRow } from './report-view.ts';

/** gw cannot say that nothing happened: it has no list of payments to ask for (section 4). */
export const nothingKnown = (what: string) => `gw knows of nothing that was ${what}.`;

/** @param what happened to money that the report is of @returns lines */
export async function notesOf(
  desk: ReportDesk,
  { coverage, rows }: { coverage: Coverage; rows: readonly ReportRow[] },
  what = 'taken, refunded or declined',
): Promise<string[]> {
  const { ledger, options, frame, where } = desk;
  const none = [nothingKnown(what), leavesOut(where), ...earlier(desk)];
  return [
    headOf(frame),
    ...(options.isDebugging ? restsOn(coverage, await ledger.things.sources()) : []),
    ...(rows.length === 0 ? none : options.isDebugging ? [onlyKnown(where)] : []),
    ...asidesOf(rows),
    // Another profile has its own report.
    ...leftOut(options.isOfAll ? { ...coverage, others: 0 } : coverage),
  ];
}

/** @returns the words by which another report has the same days: `2026-Q1`, or a range */
export function whenTyped({ name, first, next }: ReportPeriod): string {
  return name ?? `--since ${first} --until ${addDays(next, -1)}`;
}

/** @returns for a period that has just begun, how to see the one before it */
function earlier({ options, period: { name } }: ReportDesk): string[] {
  if ((options.date ?? options.since) !== undefined || name === null) return [];
  const kinds = { '': 'month', W: 'week', Q: 'quarter' } as const;
  const [, sign] = /^\d{4}-([WQ]?)\d\d?$/.exec(name) ?? [];
  const kind = kinds[sign as keyof typeof kinds];
  return kind === undefined ? [] : [`The ${kind} before: the same command with \`last ${kind}\`.`];
}

/** @returns the period and the profile of the report, in one line */
export function headOf({ period, from, until, timeZone, profile, operator }: RowFrame): string {
  const isAll = isWithoutLimit(from, until);
  const span = isAll ? 'All that is known' : `${minuteOf(from)} to ${minuteOf(until)}`;
  const when =
    period === null
      ? `${span}${isAll ? '' : `, ${timeZone}`}`
      : `${period} in ${timeZone} (${span})`;
  const whose =
    operator === undefined
      ? ''
      : `, and only what ${neutralise(operator)} sent, without charges of subscriptions`;
  return `${when}, profile ${profile}${whose}.`;
}

/** @param instant ISO 8601, UTC */
function minuteOf(instant: string): string {
  return `${instant.slice(0, 'YYYY-MM-DDTHH:MM'.length)}Z`;
}

function restsOn({ records, requests, events }: Coverage, { oldest }: IndexSources): string[] {
  const said = [
    quantity(records, 'record seen', 'records seen'),
    quantity(requests, 'request sent', 'requests sent'),
    quantity(events, 'event received', 'events received'),
  ].join(', ');
  const since = oldest === null ? [] : [`This ledger goes back to ${oldest.slice(0, 10)}.`];
  return [`The report is based on ${said}.`, ...since];
}

/** @returns a sentence about what the report leaves out */
export function onlyKnown({ unknown }: DataSource): string {
  return `It leaves out what ${unknown}.`;
}

/** @returns the same of a report without rows, and why it may be */
export function leavesOut(where: DataSource): string {
  return `${onlyKnown(where)} Charges of subscriptions are known by webhooks alone, which \`gw listen\` receives.`;
}

/** Rows that belong to no sum: what each counts, whose that is, and what to do. */
const ASIDES = {
  other: ['other request', ' of your own with `gw api`', ''],
  unknown: [
    'request',
    ' whose outcome is unknown',
    '\nRun `gw journal list --unresolved` to see what is unknown.',
  ],
  heard: [
    'charge',
    ' of which only unverified webhooks tell',
    '\n`gw listen --verify` asks the gateway about each webhook, and `gw get ID` about one charge.',
  ],
} as const;

function asidesOf(rows: readonly ReportRow[]): string[] {
  return Object.entries(ASIDES).flatMap(([what, [one, whose, next]]) =>
    rows
      .filter((row) => row.what === what)
      .map(({ count, amount, currency }) => {
        const money = moneyText(amount ?? 0n, currency);
        return `${quantity(count ?? 0, one, `${one}s`)}${whose}: ${money}, which is not in any sum.${next}`;
      }),
  );
}

function leftOut({ others, unclear, withoutAmount }: Coverage): string[] {
  const notes: string[] = [];
  if (unclear > 0)
    notes.push(`${quantity(unclear, 'outcome is', 'outcomes are')} not clear, and not counted.`);
  if (withoutAmount > 0)
    notes.push(`${quantity(withoutAmount, 'has', 'have')} no amount, and no money in the sums.`);
  if (others > 0)
    notes.push(
      `${count(others)} more, of other profiles, accounts or environments, ${plural(others, 'is', 'are')} left out.`,
    );
  return notes;
}
