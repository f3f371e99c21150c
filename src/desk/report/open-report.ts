/**
 * Opens a report: chooses the profile, the period and the clock.
 *
 * Tests: test/scripts/commands/report.script, test/scripts/commands/time-zones.script
 */

import { addDays } from '../../base/calendar.ts';
import {
  endAhead,
  type Now,
  type Period,
  type PeriodKind,
  parseSpan,
  periodOf,
  rangeMeant,
} from '../../base/periods.ts';
import { openTimeZone, type TimeZone } from '../../base/time-zone.ts';
import { requestOptions } from '../../cli/flags/command-options.ts';
import { checkOrder, parseEnd, parseTime } from '../../cli/flags/parse-time.ts';
import { scopeOfProfile } from '../../cli/flags/whose.ts';
import { gatewayTime } from '../../client/gateway-time.ts';
import { type DataSource, dataSourceOf } from '../../client/ledger/place.ts';
import { ENVIRONMENT_PROFILE, type Profile } from '../../client/profiles/profile.ts';
import { hasEnvironmentProfile, resolveProfile } from '../../client/profiles/resolve.ts';
import { listProfiles } from '../../client/profiles/store.ts';
import { type Failure, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { timeZoneOf } from '../../host/machine-zone.ts';
import { commandWord } from '../../host/redaction/safe.ts';
import { differenceOfRules } from '../../host/zone-rules.ts';
import type { Ledger } from '../../journal/ledger.ts';
import { openLedger } from '../../requests/known/open-ledger.ts';
import { isOwnedBy, type Owner } from '../../things/owner.ts';
import type { OwnView } from '../../view/columns.ts';
import { ofProfiles } from '../../view/of-profiles.ts';
import { formatOf, openPage, openRows, type PageText } from '../../view/print-records.ts';
import { merchantNameOf } from '../merchant-name.ts';
import { operatorNamed } from '../query/search.ts';
import { missedNotes, type RestsOn } from './missed-charges.ts';
import { type Chart, writeCharts } from './report-chart.ts';
import { isAllTime, type ReportOptions } from './report-flags.ts';
import type { RowFrame } from './report-row.ts';

/** The subject of a report. */
export interface ReportOn<Row> {
  options: ReportOptions;
  view: OwnView<Row>;
  /** The kind of its period, unless the user gives a range; undefined for that of the typed period, or this month. */
  kind?: PeriodKind | undefined;
  /** true if a date without a year is one to come. */
  looksAhead?: boolean;
  /** true if it goes by the gateway's own dates. Those of the test gateway are in UTC. */
  isByGatewayDays?: boolean;
}

/** One profile's part of a report. */
export interface ReportDesk {
  options: ReportOptions;
  profile: Profile;
  ledger: Ledger;
  scope: Owner;
  where: DataSource;
  /** The gateway's clock says it. */
  instant: Date;
  zone: TimeZone;
  period: ReportPeriod;
  frame: RowFrame;
}

/** The time of a report: a period of the calendar, or a range, which has no name. */
export interface ReportPeriod extends Omit<Period, 'kind' | 'name'> {
  name: string | null;
}

/**
 * @returns the period of the typed date, or the range of `--since` and `--until`; the current period if nothing was typed
 * @throws Failure usage if both were typed, or a text is not a date
 */
function reportPeriod(
  kind: PeriodKind | undefined,
  options: Pick<ReportOptions, 'date' | 'since' | 'until'>,
  now: Now,
): ReportPeriod {
  const { date, since, until } = options;
  if (since === undefined && until === undefined)
    return date === undefined ? periodOf(kind ?? 'month', date, now) : periodNamed(kind, date, now);
  if (date !== undefined) throw periodTwice(date);
  if (since === undefined)
    throw usage(
      'since-missing',
      '--until alone does not say when the report begins.',
      'Add --since, for example --since 2026-01-01 --until 2026-03-31.',
    );
  return rangeOf({ since, until: until ?? 'today' }, now);
}

/** @throws Failure usage if a text is no time for the report */
function periodNamed(kind: PeriodKind | undefined, date: string, now: Now): ReportPeriod {
  const ahead = daysAhead(date, now);
  if (ahead) return rangeOf(ahead, now);
  const range = now.looksAhead ? undefined : rangeMeant(date);
  if (range !== undefined) return rangeOf({ since: range, until: 'today' }, now);
  const { first, last } = parseSpan(date, now) ?? {};
  if (first && last && first !== last) return rangeOf({ since: first.name, until: last.name }, now);
  if (!first) checkBegun(date, now);
  // Whoever asks for the payments of a customer types the name in the place of the time.
  if (!first && kind === undefined && /^\p{L}/u.test(date))
    throw usage(
      'period-invalid',
      `${JSON.stringify(date)} is no period.`,
      `Use one such as 2026-03, march, q1 or last month. \`gw report customer ${commandWord(date)}\` lists the payments of a customer.`,
    );
  return periodOf(kind ?? first?.kind ?? 'month', date, now);
}

/** @returns the days that `next 3 months` names; undefined for other texts, and where nothing looks ahead */
function daysAhead(date: string, { instant, zone, looksAhead }: Now) {
  const today = zone.dayOf(instant.getTime());
  const next = looksAhead ? endAhead(date, today) : undefined;
  return next && { since: today, until: addDays(next, -1) };
}

/** @throws Failure usage if a text names no time for a forecast, or one to come for another report */
function checkBegun(date: string, now: Now): void {
  const text = JSON.stringify(date);
  if (now.looksAhead)
    throw usage(
      'forecast-period-unknown',
      `A forecast covers a day, week, month, quarter or year, not ${text}.`,
      'Example: `gw report forecast next month`.',
    );
  if (parseSpan(date, { ...now, looksAhead: true }))
    throw usage(
      'period-invalid',
      `${text} is to come.`,
      `\`gw report forecast ${date}\` shows what is due then.`,
    );
}

/** @returns the range between two times @throws Failure usage if it is empty */
function rangeOf(typed: { since: string; until: string }, now: Now): ReportPeriod {
  const { instant, zone } = now;
  const from = parseTime('since', typed.since, instant, zone);
  const until = parseEnd('until', typed.until, instant, zone);
  checkOrder({ since: from, until }, typed);
  return between(from, until, zone);
}

/** @param from ISO 8601, UTC, like `until`, which is the first instant after the range */
function between(from: string, until: string, zone: TimeZone): ReportPeriod {
  const first = zone.dayOf(Date.parse(from));
  const next = addDays(zone.dayOf(Date.parse(until) - 1), 1);
  return { name: null, from, until, first, next, timeZone: zone.name };
}

/** @returns the period of this kind before that of the report; for a range, one as long that ends where it begins */
export function periodBefore(
  kind: PeriodKind,
  { period, instant, zone }: Pick<ReportDesk, 'period' | 'instant' | 'zone'>,
): ReportPeriod {
  const { name, from, until, first } = period;
  if (name !== null) return periodOf(kind, addDays(first, -1), { instant, zone });
  const [start, end] = [from, until].map((time) => Date.parse(time)) as [number, number];
  return between(new Date(start - (end - start)).toISOString(), from, zone);
}

export function periodTwice(named: string): Failure {
  return usage(
    'period-twice',
    `${JSON.stringify(named)} and --since or --until say the period twice.`,
    'Give one or the other.',
  );
}

/** The answer for one profile. */
export interface Reported<Row> {
  /** Printed as they are read, if they may be many. */
  rows: Iterable<Row> | AsyncIterable<Row>;
  /** Lines on stderr about its sources. */
  notes: readonly string[];
  /** The title of a page of the rows, if it is not their name. */
  title?: string;
  /** The charges of which it tells; undefined if it is of something else. */
  restsOn?: RestsOn | undefined;
  /** Lines of a page that goes to a customer, in place of the notes: its days, then its sums. */
  letter?: readonly string[] | undefined;
  /** The report as bars. */
  charts?: () => readonly Chart[];
}

/**
 * Prints what `work` computes, for the profile in use or for each profile. It never adds up two profiles.
 * @throws Failure usage or auth if no profile can be chosen; guard if the ledger cannot be used
 */
export async function report<Row>(
  context: Context,
  on: ReportOn<Row>,
  work: (desk: ReportDesk) => Promise<Reported<Row>>,
): Promise<void> {
  const { host } = context;
  const { options, view } = on;
  const { isOfAll, output } = options;
  const said: PageText = { title: '', merchant: null, notes: [] };
  const rowView = isOfAll ? ofProfiles(view) : view;
  const printer = openPage(host, output, rowView, said) ?? openRows(host, output, rowView);
  for await (const desk of desksOf(context, on)) {
    const { profile, zone, period } = desk;
    const found = await work(desk);
    const rows = oneByOne(found.rows);
    let row = await rows.next();
    if (isOfAll && row.done) continue;
    const notes = [
      ...found.notes,
      ...(await missedNotes(desk, found.restsOn)),
      ...differenceOfRules(zone, period),
    ];
    await host.stderr.write(notes.map((line) => `${line}\n`).join(''));
    if (found.charts && (await drawn(host, options, found.charts))) return;
    if (output.page !== undefined)
      Object.assign(said, await headOfPage(host, profile, { ...found, notes }));
    const whose = isOfAll ? { profile: profile.name, environment: profile.environment } : {};
    for (; !row.done; row = await rows.next())
      await printer.add({ ...view.record(row.value), ...whose });
  }
  await printer.end();
}

async function headOfPage(
  host: Context['host'],
  profile: Profile,
  {
    title = 'Report',
    notes,
    letter = notes,
  }: Pick<Reported<unknown>, 'title' | 'notes' | 'letter'>,
): Promise<PageText> {
  const merchant = await merchantNameOf(host, profile, requestOptions(host, {}));
  return { title, merchant, notes: letter };
}

async function* oneByOne<Row>(rows: Iterable<Row> | AsyncIterable<Row>): AsyncGenerator<Row> {
  yield* rows;
}

/** @returns whether the report stands as bars on a terminal, in place of its rows */
async function drawn(
  { stdout }: Pick<Host, 'stdout'>,
  { hasChart, output }: ReportOptions,
  charts: () => readonly Chart[],
): Promise<boolean> {
  const isForEyes = stdout.isTerminal && !stdout.isPlain && formatOf(output) === undefined;
  return hasChart && isForEyes && (await writeCharts(stdout, charts()));
}

/**
 * Opens the ledger until the last desk was used.
 * @returns the desk of the profile in use, or of each profile; two profiles of one account make one
 * @throws Failure usage or auth if no profile can be chosen; guard if the ledger cannot be used
 */
export async function* desksOf(
  context: Context,
  on: Omit<ReportOn<unknown>, 'view'>,
): AsyncGenerator<ReportDesk> {
  const { host } = context;
  const { options } = on;
  const { isOfAll, profile: named } = options;
  const profiles = isOfAll ? await profilesKnown(host) : [await chosen(host, named)];
  const choice = isOfAll ? { profile: named } : { profile: profiles[0] };
  const ledger = await openLedger(host, { needs: 'learns', ...choice });
  try {
    const where = await dataSourceOf(host, choice);
    const done: Owner[] = [];
    for (const profile of profiles) {
      const scope = await scopeOfProfile(host, profile, ledger);
      if (done.some((one) => isOwnedBy(one, scope, 'same'))) continue;
      done.push(scope);
      const time = await timeOf(context, profile, on, ledger);
      yield { options, profile, ledger, scope, where, ...time };
    }
  } finally {
    await ledger.close();
  }
}

async function timeOf(
  context: Context,
  profile: Profile,
  { options, kind, looksAhead = false, isByGatewayDays = false }: Omit<ReportOn<unknown>, 'view'>,
  ledger: Pick<Ledger, 'things'>,
): Promise<Pick<ReportDesk, 'instant' | 'zone' | 'period' | 'frame'>> {
  const { timeZone } = options.output;
  const isInUtc = isByGatewayDays && profile.environment === 'local' && timeZone === undefined;
  const zone = isInUtc ? openTimeZone('UTC') : timeZoneOf(context.host, timeZone);
  const instant = await gatewayTime(context.host, profile);
  const isAll = !looksAhead && (options.since ?? options.until) === undefined;
  const oldest =
    isAll && isAllTime(options.date) ? (await ledger.things.sources()).oldest : undefined;
  const time =
    oldest === undefined
      ? options
      : {
          date: undefined,
          since: zone.dayOf(Date.parse(oldest ?? instant.toISOString())),
          until: 'today',
        };
  const period = reportPeriod(kind, time, { instant, zone, looksAhead });
  const { name, from, until } = period;
  const operator = operatorNamed(context.host, options.operator);
  const whose = { profile: profile.name, operator };
  const frame = { period: name, from, until, timeZone: zone.name, ...whose };
  return { instant, zone, period, frame };
}

async function chosen({ env, files }: Context['host'], flag: string | undefined): Promise<Profile> {
  return (await resolveProfile({ flag, env, files })).profile;
}

/** The stored profiles, and that of the variables if they define one. */
async function profilesKnown({ env, files }: Context['host']): Promise<Profile[]> {
  const stored = (await listProfiles(files)).map(({ profile }) => profile);
  if (!hasEnvironmentProfile(env)) return stored;
  const { profile } = await resolveProfile({ flag: ENVIRONMENT_PROFILE, env, files });
  return [...stored, profile];
}
