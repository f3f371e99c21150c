/** `gw report at-risk`, `forecast` and `subscriptions`: what the known subscriptions will bring. */

import { addDays } from '../../base/calendar.ts';
import { PERIOD_KINDS } from '../../base/periods.ts';
import { openTimeZone } from '../../base/time-zone.ts';
import type { ReportOptions } from '../../cli/flags/report-flags.ts';
import type { DataSource } from '../../client/ledger/data-source.ts';
import { moneyText } from '../../contract/money.ts';
import { usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Thing } from '../../things/thing.ts';
import {
  AT_RISK_VIEW,
  type AtRisk,
  DAILY_VIEW,
  type KnownSubscription,
  type ReportRow,
  SUBSCRIPTIONS_VIEW,
  type SubscriptionsRow,
} from '../../view/records/report.ts';
import { riskOf, worstFirst } from './at-risk.ts';
import { checkSpan, expectedOf, Forecast } from './forecast.ts';
import { knownSubscriptions } from './known-subscriptions.ts';
import { periodTwice, type ReportContext, rangeOf, report, reportPeriod } from './open-report.ts';
import { type Chart, moneyPerDay } from './report-chart.ts';
import { counted, headOf, onlyKnown } from './report-notes.ts';
import { SubscriptionTally } from './subscription-tally.ts';

export function runAtRiskReport(context: Context, options: ReportOptions): Promise<void> {
  return report(context, { options, view: AT_RISK_VIEW }, async (desk) => {
    const today = todayOf(desk, options);
    const days = daysAsked(desk, options);
    const survey = new Survey();
    const risks: AtRisk[] = [];
    for await (const subscription of known(desk, today)) {
      survey.add(subscription);
      risks.push(...[riskOf(subscription, today) ?? []].flat());
    }
    const found = days ? risks.filter(({ nextDate }) => isWithin(nextDate, days)) : risks;
    const undated = days ? risks.filter(({ nextDate }) => nextDate === null).length : 0;
    found.sort(worstFirst);
    const { profile } = desk;
    const due = days ? `, due ${spanText(days)}` : '';
    const left =
      undated === 0
        ? ''
        : `${counted(undated, 'more is', 'more are')} at risk and left out: no date is known.\n`;
    const notes = `At risk on ${today}${due}, profile ${profile.name}.\n${left}${survey.textOf(desk.where)}`;
    return { rows: found.map(AT_RISK_VIEW.record), notes };
  });
}

/** Days by the gateway's own dates; undefined for all. */
type DaysAsked = { first: string | undefined; next: string | undefined } | undefined;

function daysAsked(desk: ReportContext, options: ReportOptions): DaysAsked {
  const { since, until } = options;
  if (since === undefined && until === undefined) return undefined;
  const { instant } = desk;
  // A missing end has no limit.
  const typed = { since: since ?? '1900-01-01', until: until ?? '2999-12-31' };
  const { first, next } = rangeOf(typed, { instant, zone: zoneOf(desk, options) });
  return {
    first: since === undefined ? undefined : first,
    next: until === undefined ? undefined : next,
  };
}

function isWithin(day: string | null, { first, next }: NonNullable<DaysAsked>): boolean {
  if (day === null) return false;
  return (first === undefined || day >= first) && (next === undefined || day < next);
}

function spanText({ first, next }: NonNullable<DaysAsked>): string {
  const from = first === undefined ? [] : [`from ${first}`];
  const to = next === undefined ? [] : [`until ${addDays(next, -1)}`];
  return [...from, ...to].join(' ');
}

/** @param typed the kind of a period, and the date; this month without them and without a range */
export function runForecast(
  context: Context,
  typed: { period: string | undefined; date: string | undefined },
  options: ReportOptions,
): Promise<void> {
  const { period: named, date } = typed;
  const kind = PERIOD_KINDS.find((known) => known === (named ?? 'month'));
  if (kind === undefined)
    throw usage(
      'forecast-period-unknown',
      `A forecast covers a day, a week or a month, not ${JSON.stringify(named)}.`,
      'Example: `gw report forecast month`.',
    );
  const { since, until } = options;
  const isRange = since !== undefined || until !== undefined;
  if (isRange && named !== undefined) throw periodTwice(named);
  if (isRange && until === undefined)
    throw usage(
      'until-missing',
      '--since alone does not say when the forecast ends.',
      'Add --until, for example --until 2026-12-31.',
    );
  const range = { since: isRange ? (since ?? 'today') : undefined, until };
  return report(context, { options, view: DAILY_VIEW }, async (desk) => {
    const zone = zoneOf(desk, options);
    const period = reportPeriod({ kind, date }, range, { instant: desk.instant, zone });
    const { first, next, name, from, until, timeZone } = period;
    const span = { today: todayOf(desk, options), first, next };
    checkSpan(span);
    const survey = new Survey();
    const forecast = new Forecast();
    for await (const subscription of known(desk, span.today)) {
      survey.add(subscription);
      for (const expected of expectedOf(subscription, span)) forecast.add(expected);
    }
    const frame = { period: name, from, until, timeZone, profile: desk.profile.name };
    const rows = forecast.rows.map(({ day, ...row }) => ({ ...frame, ...row, period: day }));
    const [, begin] = [span.today, first].sort();
    const sum = `Due from ${begin} on: ${sumText(rows)}.`;
    const notes = `${headOf(frame)}\n${sum}\n${survey.textOf(desk.where)}`;
    const days = [...new Set(rows.map((row) => row.period))];
    const money = rows.filter((row) => row.what !== 'card expires');
    return {
      rows: rows.map(DAILY_VIEW.record),
      notes,
      charts: () => moneyPerDay('Due per day', days, money),
    };
  });
}

/** @param date the month, as typed */
export function runSubscriptionsReport(
  context: Context,
  options: ReportOptions & { date: string | undefined },
): Promise<void> {
  return report(context, { options, view: SUBSCRIPTIONS_VIEW }, async (desk) => {
    const { ledger, scope, instant, profile } = desk;
    const { things } = ledger;
    const what = { kind: 'month', date: options.date } as const;
    const now = { instant, zone: zoneOf(desk, options) };
    const { name, from, until, timeZone, first, next } = reportPeriod(what, options, now);
    const plans: Thing[] = [];
    for await (const plan of things.each({ kinds: ['plan'], scope })) plans.push(plan);
    const tally = new SubscriptionTally({ first, next }, plans);
    const survey = new Survey();
    for await (const subscription of known(desk, todayOf(desk, options))) {
      survey.add(subscription);
      tally.add(subscription);
    }
    const charges = { kinds: ['purchase', 'event'], outcome: 'abandoned' } as const;
    for await (const charge of things.each({ ...charges, scope, since: from, until }))
      tally.addGivenUp(charge);
    const frame = { period: name, from, until, timeZone, profile: profile.name };
    const rows = tally.rowsOf(frame);
    const notes = `${headOf(frame)}\n${survey.textOf(desk.where)}`;
    return {
      rows: rows.map(SUBSCRIPTIONS_VIEW.record),
      notes,
      charts: () => monthlyPerPlan(rows),
    };
  });
}

function monthlyPerPlan(rows: readonly SubscriptionsRow[]): Chart[] {
  const bars = rows.map(({ plan, ...row }) => ({ ...row, period: plan ?? 'all plans' }));
  return moneyPerDay('Monthly recurring', [...new Set(bars.map(({ period }) => period))], bars);
}

/** The test gateway's days are those of UTC. */
function zoneOf({ zone, profile }: ReportContext, { timeZone }: ReportOptions) {
  const isGiven = timeZone !== undefined;
  return profile.environment === 'local' && !isGiven ? openTimeZone('UTC') : zone;
}

function todayOf(desk: ReportContext, options: ReportOptions): string {
  return zoneOf(desk, options).dayOf(desk.instant.getTime());
}

function known({ ledger: { things }, scope }: ReportContext, today: string) {
  return knownSubscriptions({ things, scope }, today);
}

function sumText(rows: readonly ReportRow[]): string {
  const sums = new Map<string | null, bigint>();
  for (const { what, currency, amount } of rows)
    if (what !== 'card expires' && amount !== null)
      sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  const texts = [...sums].map(([currency, sum]) => moneyText(sum, currency));
  return texts.join(', ') || 'nothing';
}

/** Counts how much is known of the subscriptions. */
class Survey {
  #known = 0;
  #active = 0;
  #byEvents = 0;
  #withoutAmount = 0;
  #withoutExpiry = 0;
  #withoutSchedule = 0;

  add({ isActive, source, amount, cardExpiry, frequency, start }: KnownSubscription): void {
    this.#known++;
    if (!isActive) return;
    this.#active++;
    if (source === 'event') this.#byEvents++;
    if (amount === null) this.#withoutAmount++;
    if (cardExpiry === null) this.#withoutExpiry++;
    if (frequency === null || start === null) this.#withoutSchedule++;
  }

  /** Lines, each with its end. */
  textOf(where: DataSource): string {
    const gaps = [
      [this.#withoutAmount, 'whose amount'],
      [this.#withoutExpiry, "whose card's expiry"],
      [this.#withoutSchedule, 'whose schedule'],
    ] as const;
    const missing = gaps.flatMap(([n, what]) => (n === 0 ? [] : [`${n} ${what} is not known`]));
    const by = `${this.#byEvents} of these by webhooks`;
    return [
      `${counted(this.#known, 'subscription', 'subscriptions')} known here, ${this.#active} active, ${by}.`,
      ...(missing.length > 0 ? [`Of the active ones: ${missing.join('; ')}.`] : []),
      onlyKnown(where),
      '',
    ].join('\n');
  }
}
