/**
 * `gw report month|quarter|year --html FILE`: gathers what the page for the owner shows, and writes it.
 *
 * Tests: test/scripts/commands/report.script
 */
import { addDays, dayNumber } from '../../base/calendar.ts';
import type { PeriodKind } from '../../base/periods.ts';
import { quantity } from '../../base/text.ts';
import { requestOptions } from '../../cli/flags/command-options.ts';
import { moneyText } from '../../contract/money.ts';
import type { Context } from '../../host/context.ts';
import { namedProfile } from '../../view/text/environment.ts';
import { merchantNameOf } from '../merchant-name.ts';
import { riskOf, worstFirst } from './at-risk.ts';
import { knownSubscriptions } from './known-subscriptions.ts';
import { missedNotes } from './missed-charges.ts';
import { declinesReport, moneyReport } from './money-report.ts';
import { doublesIn, isOpen, refundedDoubles } from './movements.ts';
import { desksOf, periodBefore, type ReportDesk, type ReportPeriod } from './open-report.ts';
import {
  type Attention,
  type CurrencySum,
  type NetChart,
  type OwnerPage,
  ownerPage,
} from './owner-page.ts';
import { framesBy } from './period-frames.ts';
import { moneyPerDay } from './report-chart.ts';
import type { ReportOptions } from './report-flags.ts';
import { notesOf } from './report-notes.ts';
import { compareValues } from './report-row.ts';
import type { KnownSubscription, Movement, ReportRow } from './report-view.ts';
import { subscriptionRows } from './run-subscription-report.ts';

/** The most lines of a list, so that the page prints on two sheets. */
const MOST_LINES = 8;

/**
 * @param path of the file, which is replaced if it is there; `-` for stdout
 * @throws Failure usage if the file cannot be written
 */
export async function runOwnerPage(
  context: Context,
  kind: PeriodKind,
  options: ReportOptions,
  path: string,
): Promise<void> {
  const { host, redactor } = context;
  for await (const desk of desksOf(context, { options, kind })) {
    const merchant = await merchantNameOf(host, desk.profile, requestOptions(host, {}));
    const page = await ownerPageOf(desk, kind, { profile: namedProfile(desk.profile), merchant });
    const text = redactor.scrub(ownerPage(page));
    if (path === '-') return host.stdout.write(text);
    host.files.writePrivate(path, text);
    const said = `${page.title}, ${page.profile}. Open it in a browser.`;
    await host.stderr.write(`Wrote ${path}: ${said}\n`);
  }
}

/** @returns the values of the page for the period of a desk */
export async function ownerPageOf(
  desk: ReportDesk,
  kind: PeriodKind,
  whose: Pick<OwnerPage, 'profile' | 'merchant'>,
): Promise<OwnerPage> {
  const { scope, frame, period, zone, instant } = desk;
  const { things } = desk.ledger;
  const money = await moneyReport(things, scope, frame);
  const { name, from, until } = periodBefore(kind, desk);
  const before = await moneyReport(things, scope, { ...frame, period: name, from, until });
  const declines = await declinesReport(things, scope, frame, 'reason');
  const today = zone.dayOf(instant.getTime());
  const known = (await knownSubscriptions({ things, scope }, today)).filter(
    ({ source }) => source !== 'heard',
  );
  const { rows: subscriptions } = await subscriptionRows(desk, known);
  const largest = subscriptions
    .filter(({ plan }) => plan !== null)
    .sort((one, other) => compareValues(Number(other.amount), Number(one.amount)));
  const sums = subscriptions.filter(({ plan }) => plan === null);
  const plans = [...largest.slice(0, MOST_LINES), ...sums];
  const all = await refundedDoubles({ things, scope }, await doublesIn(things, scope, frame));
  const doubles = all.filter(isOpen);
  const [, ...notes] = await notesOf(desk, money);
  const days = `${period.first} to ${addDays(period.next, -1)}`;
  return {
    title:
      kind === 'month' && period.name !== null
        ? MONTH.format(new Date(period.name))
        : (period.name ?? days),
    ...whose,
    span: `${days}, ${period.timeZone}`,
    sums: sumsOf(money.rows, before.rows),
    charts: await netCharts(desk),
    declines: declines.rows
      .slice(0, MOST_LINES)
      .map(({ reason, count, share = 0, amount, currency }) => ({
        reason: reason ?? '?',
        count: count ?? 0,
        share,
        amount: moneyText(amount ?? 0n, currency),
      })),
    subscriptions: plans,
    attention: [
      ...unknownOutcomes(money.rows),
      atRisk(known, today),
      doubled(doubles, period.name),
    ].filter(({ lines }) => lines.length > 0),
    notes: [
      ...notes,
      ...(await missedNotes(desk, {})),
      ...moreThan(declines.rows.length - MOST_LINES, 'reason', 'gw report declines'),
      ...moreThan(subscriptions.length - plans.length, 'plan', 'gw report subscriptions'),
    ],
  };
}

function moreThan(count: number, name: string, command: string): string[] {
  return count > 0 ? [`${quantity(count, `more ${name}`, `more ${name}s`)}: ${command}.`] : [];
}

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const SHORT_MONTH = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });

function atRisk(known: readonly KnownSubscription[], today: string): Attention {
  const risks = known.flatMap((one) => riskOf(one, today) ?? []).sort(worstFirst);
  const lines = risks.map(({ name, who, risk, why, amount, currency }) => {
    const money = amount === null ? null : moneyText(amount, currency);
    return [name, who, `${risk} (${why})`, money].filter((part) => part !== null).join(', ');
  });
  return listed('Subscriptions at risk', lines, 'gw report at-risk');
}

function doubled(doubles: readonly (readonly Movement[])[], period: string | null): Attention {
  const lines = doubles.flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { who, lastFour, amount, currency } = first;
    const ids = group.map(({ id }) => id).join(', ');
    return `${who ?? 'name unknown'}, •••• ${lastFour}, ${moneyText(amount ?? 0, currency)}: ${ids}`;
  });
  const title = 'Charged again within a day: the same card, the same amount';
  return listed(title, lines, `gw report doubles ${period ?? ''}`.trim());
}

function listed(title: string, lines: readonly string[], command: string): Attention {
  const shown = lines.slice(0, MOST_LINES);
  return {
    title: `${title} (${lines.length})`,
    lines: shown,
    more: lines.length - shown.length,
    command,
  };
}

function unknownOutcomes(rows: readonly ReportRow[]): Attention[] {
  const unknown = rows.filter(({ what }) => what === 'unknown');
  const lines = unknown.map(
    ({ count, amount, currency }) =>
      `${quantity(count ?? 0, 'request', 'requests')}, ${moneyText(amount ?? 0n, currency)}: nobody knows whether the money moved`,
  );
  const command = 'gw journal list --unresolved';
  return lines.length === 0 ? [] : [{ title: 'Unknown outcomes', lines, more: 0, command }];
}

/** @returns the sums of each currency of the period, with what was left in the period before */
function sumsOf(rows: readonly ReportRow[], before: readonly ReportRow[]): CurrencySum[] {
  const currencies = [...new Set(rows.map(({ currency }) => currency))];
  return currencies.map((currency) => {
    const of = (some: readonly ReportRow[], ...kinds: readonly ReportRow['what'][]) =>
      some.filter((row) => row.currency === currency && kinds.includes(row.what));
    const money = (some: readonly ReportRow[]) =>
      some.reduce((sum, row) => sum + (row.amount ?? 0n), 0n);
    const number = (some: readonly ReportRow[]) =>
      some.reduce((sum, row) => sum + (row.count ?? 0), 0);
    const taken = of(rows, 'purchases', 'charges');
    const refunds = of(rows, 'refunds');
    return {
      currency,
      taken: money(taken),
      refunded: money(refunds),
      net: money(of(rows, 'net')),
      netBefore: money(of(before, 'net')),
      payments: number(taken),
      refunds: number(refunds),
      declines: number(of(rows, 'declines')),
    };
  });
}

/** The most parts of a chart by days, and by weeks: a longer period is drawn by months. */
const [MOST_DAYS, MOST_WEEKS] = [31, 27];

function partOf({ first, next }: ReportPeriod): 'day' | 'week' | 'month' {
  const days = dayNumber(next) - dayNumber(first);
  if (days <= MOST_DAYS) return 'day';
  return days <= 7 * MOST_WEEKS ? 'week' : 'month';
}

async function netCharts(desk: ReportDesk): Promise<NetChart[]> {
  const by = partOf(desk.period);
  const frames = framesBy(by, desk, desk.period);
  const nets: ReportRow[] = [];
  for (const frame of frames) {
    const { rows } = await moneyReport(desk.ledger.things, desk.scope, frame);
    nets.push(...rows.filter(({ what }) => what === 'net'));
  }
  const names = frames.map(({ period }) => period);
  return moneyPerDay('', nets, names).map(({ currency, bars }) => ({
    currency,
    by,
    bars: bars.map((bar) => ({ ...bar, mark: markOf(by, bar.label) })),
  }));
}

/** @returns `7` for a day, `W09` for a week, `Mar` for a month */
function markOf(by: 'day' | 'week' | 'month', name: string): string {
  if (by === 'day') return String(Number(name.slice('YYYY-MM-'.length)));
  return by === 'week' ? name.slice('YYYY-'.length) : SHORT_MONTH.format(new Date(name));
}
