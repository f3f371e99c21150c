/**
 * `gw report at-risk`, `forecast` and `subscriptions`: what the known subscriptions will bring.
 *
 * Tests: test/scripts/commands/report.script
 */

import { addDays } from '../../base/calendar.ts';
import { PERIOD_KINDS } from '../../base/periods.ts';
import { quantity } from '../../base/text.ts';
import type { DataSource } from '../../client/ledger/place.ts';
import { usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { subscriptionState } from '../../things/subscription-state.ts';
import type { Thing } from '../../things/thing.ts';
import { riskOf, worstFirst } from './at-risk.ts';
import { checkSpan, dueText, expectedOf, Forecast, type ForecastRow } from './forecast.ts';
import { knownSubscriptions } from './known-subscriptions.ts';
import { NO_NAMES, planNames } from './money-report.ts';
import {
  periodTwice,
  type ReportDesk,
  type Reported,
  type ReportOn,
  report,
} from './open-report.ts';
import { type Chart, moneyPerDay } from './report-chart.ts';
import { type ReportOptions, withoutLimit } from './report-flags.ts';
import { headOf, onlyKnown } from './report-notes.ts';
import {
  AT_RISK_VIEW,
  type ForecastGrouping,
  groupedView,
  type KnownSubscription,
  type Risk,
  SUBSCRIPTIONS_VIEW,
  type SubscriptionsRow,
  UNPAID_VIEW,
} from './report-view.ts';
import { SubscriptionTally } from './subscription-tally.ts';
import { unpaidRows } from './unpaid.ts';

export function runAtRiskReport(context: Context, given: ReportOptions): Promise<void> {
  const { date, since, until } = given;
  const isRange = (date ?? since ?? until) !== undefined;
  const options = isRange ? withoutLimit(given) : given;
  const on = { options, view: AT_RISK_VIEW, looksAhead: true };
  return subscriptionReport(context, on, async ({ today, period, frame, known }) => {
    const { first, next } = period;
    const risks = known.flatMap((one) => riskOf(one, today) ?? []);
    const isWithin = (day: string | null) => day !== null && day >= first && day < next;
    const rows = isRange ? risks.filter(({ nextDate }) => isWithin(nextDate)) : risks;
    const undated = isRange ? risks.filter(({ nextDate }) => nextDate === null).length : 0;
    const from = (date ?? since) === undefined ? '' : ` from ${first}`;
    const to = (date ?? until) === undefined ? '' : ` until ${addDays(next, -1)}`;
    const sums = rows.map(({ currency, amount }) => ({
      ...{ currency, count: 1 },
      amount: amount === null ? null : BigInt(amount),
    }));
    const due = isRange ? `, due${from}${to}` : '';
    const left = `${quantity(undated, 'more is', 'more are')} at risk and left out: no date is known.`;
    return {
      rows: rows.sort(worstFirst),
      notes: [
        `At risk on ${today}${due}, profile ${frame.profile}: ${quantity(rows.length, 'subscription', 'subscriptions')}, ${dueText(sums)}.`,
        ...(undated === 0 ? [] : [left]),
      ],
    };
  });
}

/** Lists charges that are unpaid now; a time chooses by when they were first declined. */
export function runUnpaidReport(
  context: Context,
  { hasPurchases, ...given }: ReportOptions & { hasPurchases: boolean },
): Promise<void> {
  const on = { options: withoutLimit(given), view: UNPAID_VIEW };
  return subscriptionReport(context, on, async (desk) => {
    const { today, ledger, scope, known, frame } = desk;
    const { things } = ledger;
    const { rows, purchases } = await unpaidRows({ things, scope }, known, frame, hasPurchases);
    const left = `${quantity(purchases, 'declined purchase is', 'declined purchases are')} not among them, which nobody has to pay again: --purchases lists them too.`;
    const sums = rows.map(({ currency, amount }) => ({
      currency,
      count: 1,
      amount: BigInt(amount),
    }));
    const payers = new Set(rows.map(({ customer, who, email }) => customer ?? email ?? who)).size;
    const all = `${quantity(rows.length, 'charge', 'charges')} of ${quantity(payers, 'customer', 'customers')}`;
    return {
      rows,
      title: 'What customers still owe',
      notes: [
        `Unpaid on ${today}, profile ${frame.profile}: ${all}, ${dueText(sums)}.`,
        ...(purchases > 0 ? [left] : []),
      ],
    };
  });
}

/** The risks of a charge that was declined the last time. */
const UNLIKELY: readonly Risk[] = ['aborted', 'retrying'];

/** @param words the kind of a period, and which one, as typed: both, either, or none */
export function runForecast(
  context: Context,
  words: readonly string[],
  { by, ...given }: ReportOptions & { by: ForecastGrouping },
): Promise<void> {
  const typed = PERIOD_KINDS.find((known) => known === words[0]);
  // People type dates without quotes.
  const date = words.slice(typed ? 1 : 0).join(' ') || undefined;
  const { since, until } = given;
  const isRange = since !== undefined || until !== undefined;
  if (isRange && words.length > 0) throw periodTwice(words.join(' '));
  if (isRange && until === undefined)
    throw usage(
      'until-missing',
      '--since alone does not say when the forecast ends.',
      'Add --until, for example --until 2026-12-31.',
    );
  const options = { ...given, date, since: isRange ? (since ?? 'today') : undefined };
  const on = { options, view: groupedView(by, false), kind: typed, looksAhead: true };
  return subscriptionReport(context, on, async (desk) => {
    const { today, period, frame } = desk;
    const { first } = period;
    const { forecast, risky } = await foretell(desk, by);
    const rows = forecast.map(({ part, ...row }) => ({
      ...{ ...frame, ...row },
      ...(by === 'plan' ? { group: part } : { period: part }),
    }));
    const [, begin] = [today, first].sort();
    const money = forecast.filter(({ what }) => what !== 'card expires');
    const bars = money.map(({ part, ...row }) => ({ ...row, period: part }));
    const parts = [...new Set(forecast.map(({ part }) => part))];
    const unlikely = `Of which at risk, because the last try was declined or given up: ${dueText(risky)}. \`gw report at-risk\` lists them.`;
    return {
      rows,
      notes: [
        headOf(frame),
        `Due from ${begin} on: ${dueText(money)}.`,
        ...(risky.length === 0 ? [] : [unlikely]),
      ],
      charts: () => moneyPerDay(`Due per ${by}`, bars, parts),
    };
  });
}

/** @returns the rows of what is expected, and of the part of it whose last try was declined */
async function foretell(
  { today, period: { first, next }, known, ledger, scope }: SubscriptionDesk,
  by: ForecastGrouping,
): Promise<Record<'forecast' | 'risky', ForecastRow[]>> {
  const span = { today, first, next };
  checkSpan(span);
  const [forecast, risky] = [new Forecast(by), new Forecast()];
  const names = by === 'plan' ? await planNames(ledger.things, scope) : NO_NAMES;
  for (const one of known) {
    const risk = riskOf(one, today)?.risk;
    const subscription = { ...one, plan: names.get(one.plan ?? '') ?? one.plan };
    for (const expected of expectedOf(subscription, span)) {
      forecast.add(expected);
      if (risk && UNLIKELY.includes(risk) && expected.what !== 'card expires') risky.add(expected);
    }
  }
  return { forecast: forecast.rows, risky: risky.rows };
}

export function runSubscriptionsReport(context: Context, options: ReportOptions): Promise<void> {
  const on = { options, view: SUBSCRIPTIONS_VIEW };
  return subscriptionReport(context, on, async ({ ledger, scope, period, frame, known }) => {
    const { rows, unclear } = await subscriptionRows({ ledger, scope, period, frame }, known);
    const notes = [headOf(frame), ...(unclear === 0 ? [] : [ofGivenUp(unclear)])];
    return { rows, notes, charts: () => monthlyPerPlan(rows) };
  });
}

/** @returns a row for each currency and plan, and how many declines do not say whether they are tried again */
export async function subscriptionRows(
  { ledger, scope, period, frame }: Pick<ReportDesk, 'ledger' | 'scope' | 'period' | 'frame'>,
  known: readonly KnownSubscription[],
): Promise<{ rows: SubscriptionsRow[]; unclear: number }> {
  const { things } = ledger;
  const plans: Thing[] = [];
  for await (const plan of things.each({ kinds: ['plan'], scope })) plans.push(plan);
  const tally = new SubscriptionTally(period, plans);
  for (const subscription of known) tally.add(subscription);
  const { from: since, until } = frame;
  let unclear = 0;
  const told = ['record', 'event', 'request'] as const;
  const charges = { kinds: ['purchase', 'event'], outcome: 'declined', told } as const;
  for await (const charge of things.each({ ...charges, scope, since, until }))
    if (charge.outcome === 'abandoned') tally.addGivenUp(charge);
    else if (charge.subscription !== null && charge.sources.events.length === 0) unclear++;
  return { rows: tally.rowsOf(frame), unclear };
}

/** A record does not say whether its charge is tried again (section 2.3). */
function ofGivenUp(count: number): string {
  const declines = quantity(count, 'declined charge is', 'declined charges are');
  return `${declines} known by look-up alone. Only webhooks say which charges were given up.`;
}

function monthlyPerPlan(rows: readonly SubscriptionsRow[]): Chart[] {
  const bars = rows.map(({ plan, ...row }) => ({ ...row, period: plan ?? 'all plans' }));
  return moneyPerDay('Monthly recurring', bars);
}

interface SubscriptionDesk extends ReportDesk {
  /** By the gateway's own dates, `YYYY-MM-DD`. */
  today: string;
  known: readonly KnownSubscription[];
}

function subscriptionReport<Row>(
  context: Context,
  on: ReportOn<Row>,
  work: (desk: SubscriptionDesk) => Promise<Reported<Row>>,
): Promise<void> {
  return report(context, { ...on, isByGatewayDays: true }, async (desk) => {
    const { zone, instant, ledger, scope, where, options } = desk;
    const today = zone.dayOf(instant.getTime());
    const all = await knownSubscriptions({ things: ledger.things, scope }, today);
    const known = all.filter(({ source }) => source !== 'heard');
    const found = await work({ ...desk, today, known });
    const heard = all.length - known.length;
    const apart = `${quantity(heard, 'more is', 'more are')} known from unverified webhooks alone, and left out.`;
    const basis = options.isDebugging ? where : undefined;
    const survey = [...surveyOf(known, today, basis), ...(heard > 0 ? [apart] : [])];
    return { ...found, notes: [...found.notes, ...survey] };
  });
}

/**
 * @param basis where the knowledge comes from, to say it too
 * @returns lines that say how much is known of the subscriptions
 */
function surveyOf(
  known: readonly KnownSubscription[],
  today: string,
  basis: DataSource | undefined,
): string[] {
  const active = known.filter((one) => subscriptionState(one, today) === 'active');
  const count = (isCounted: (one: KnownSubscription) => boolean) => active.filter(isCounted).length;
  const gaps = [
    [count(({ amount }) => amount === null), 'whose amount'],
    [count(({ cardExpiry }) => cardExpiry === null), "whose card's expiry"],
    [count(({ frequency, start }) => frequency === null || start === null), 'whose schedule'],
  ] as const;
  const missing = gaps.flatMap(([n, what]) => (n === 0 ? [] : [`${n} ${what} is not known`]));
  const byEvents = count(({ source }) => source === 'event');
  const all = quantity(known.length, 'subscription', 'subscriptions');
  const survey = `${all} known here, ${active.length} active, ${byEvents} of these by webhooks.`;
  return [
    ...(basis ? [survey] : []),
    ...(missing.length > 0 ? [`Of the active ones: ${missing.join('; ')}.`] : []),
    ...(basis ? [onlyKnown(basis)] : []),
  ];
}
