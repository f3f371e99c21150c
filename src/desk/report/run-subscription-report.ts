/**
 * `gw report at-risk`, `forecast` and `subscriptions`: what the known subscriptions will bring.
 *
 * Tests: test/scripts/commands/report.script
 */

import { addDays } from '../../base/calendar.ts';
import { PERIOD_KINDS } from '../../base/periods.ts';
import { quantity } from '../../base/text.ts';
import { usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { subscriptionState } from '../../things/subscription-state.ts';
import type { Thing } from '../../things/thing.ts';
import { CAUSES } from '../../view/panels/words.ts';
import { isAddedUp } from '../../view/print-records.ts';
import { foretold, worstFirst } from './at-risk.ts';
import {
  chargesText,
  checkSpan,
  doubtsOf,
  dueText,
  Forecast,
  isPayable,
  MAX_DAYS,
} from './forecast.ts';
import { knownSubscriptions } from './known-subscriptions.ts';
import { NO_NAMES, planNames } from './money-report.ts';
import {
  periodTwice,
  type ReportDesk,
  type Reported,
  type ReportOn,
  report,
} from './open-report.ts';
import { isOf, type NamedPayer, payerNamed, restsOn } from './payers.ts';
import { framesIn } from './period-frames.ts';
import { type Chart, moneyPerDay } from './report-chart.ts';
import { type ReportOptions, withoutLimit } from './report-flags.ts';
import { headOf, leavesOut, onlyKnown, whenTyped } from './report-notes.ts';
import {
  AT_RISK_VIEW,
  type ForecastGrouping,
  type KnownSubscription,
  SUBSCRIPTION_CHANGES_VIEW,
  SUBSCRIPTIONS_VIEW,
  type SubscriptionChange,
  type SubscriptionsRow,
  UNPAID_CUSTOMERS_VIEW,
  UNPAID_VIEW,
  type UnpaidRow,
} from './report-view.ts';
import { changesIn, type Life, livesOf } from './subscription-lives.ts';
import { SubscriptionTally } from './subscription-tally.ts';
import { forecastView } from './sum-views.ts';
import { payersIn, perhapsPaid, unpaidByCustomer, unpaidRows } from './unpaid.ts';

/** A report of one customer's subscriptions and charges alone: an id, a reference, an email or a name. */
interface OfCustomer extends ReportOptions {
  customer: string | undefined;
}

export function runAtRiskReport(context: Context, given: OfCustomer): Promise<void> {
  const { date, since, until } = given;
  const isRange = (date ?? since ?? until) !== undefined;
  const options = isRange ? withoutLimit(given) : given;
  const on = { options, view: AT_RISK_VIEW, looksAhead: true };
  return subscriptionReport(context, on, async (desk) => {
    const { today, period, frame } = desk;
    const payer = await payerNamed(context, desk, given.customer);
    const known = payer ? desk.known.filter((one) => isOf(payer, one, [one.name])) : desk.known;
    const { first } = period;
    const [next = period.next] = [period.next, addDays(today, MAX_DAYS)].sort();
    const { risks, risky } = foretold(known, { today, first, next });
    const rows = isRange ? risks.filter(({ dueCount }) => dueCount > 0) : risks;
    const days = `${first > today ? ` from ${first}` : ''} until ${addDays(next, -1)}`;
    const all = quantity(rows.length, 'subscription', 'subscriptions');
    const head = (when: string, what: string) =>
      `At risk on ${today}${when}, profile ${frame.profile}: ${what}.`;
    const notes = isRange
      ? [head(`, due${days}`, `${all}, ${chargesText(risky)}`), ...undatedNote(risks)]
      : [
          head('', all),
          ...(rows.length > 0
            ? [`Due of them${days}, as in \`gw report forecast\`: ${chargesText(risky)}.`]
            : []),
          ...stoppedNote(known),
        ];
    const restsOn = { ...payer, isOfStates: true };
    return { rows: rows.sort(worstFirst), notes: [...whoseNotes(payer), ...notes], restsOn };
  });
}

const whoseNotes = (payer: NamedPayer | undefined) =>
  payer ? [`Only those of ${payer.shown}.`] : [];

function undatedNote(risks: readonly KnownSubscription[]): string[] {
  const undated = risks.filter(({ frequency, start }) => frequency === null || start === null);
  if (undated.length === 0) return [];
  const more = quantity(undated.length, 'more is', 'more are');
  return [`${more} at risk and left out: no date is known.`];
}

function stoppedNote(known: readonly KnownSubscription[]): string[] {
  const over = known.filter(({ isActive, hasExpiredCard }) => !isActive && hasExpiredCard).length;
  if (over === 0) return [];
  const more = quantity(over, 'more was', 'more were');
  return [
    `${more} stopped because the card expired, and nothing more is due: \`gw subscription list --outcome stopped\`.`,
  ];
}

/** Lists charges that are unpaid now, or who owes them; a time chooses by when they were first declined. */
export function runUnpaidReport(
  context: Context,
  {
    hasPurchases,
    isByCustomer,
    customer,
    ...given
  }: OfCustomer & { hasPurchases: boolean; isByCustomer: boolean },
): Promise<void> {
  const options = withoutLimit(given);
  const work = async (desk: SubscriptionDesk) => {
    const { today, ledger, scope, known, frame } = desk;
    const { things } = ledger;
    const payer = await payerNamed(context, desk, customer);
    const all = await unpaidRows({ things, scope }, known, frame, hasPurchases);
    const isWanted = (row: UnpaidRow) => !payer || isOf(payer, row, [row.reference]);
    const [rows, purchases] = [all.rows.filter(isWanted), all.purchases.filter(isWanted).length];
    const left = `${quantity(purchases, 'declined purchase is', 'declined purchases are')} left out, because nobody owes what was not bought: --purchases lists them too.`;
    const payers = quantity(payersIn(rows), 'customer', 'customers');
    const what = `${quantity(rows.length, 'charge', 'charges')} of ${payers}`;
    return {
      rows,
      title: 'What customers still owe',
      restsOn: restsOn(payer),
      notes: [
        ...whoseNotes(payer),
        `Unpaid on ${today}, profile ${frame.profile}: ${what}, ${dueText(rows)}.`,
        ...(await perhapsPaid({ things, scope }, rows)),
        ...(purchases > 0 ? [left] : []),
      ],
    };
  };
  if (!isByCustomer) return subscriptionReport(context, { options, view: UNPAID_VIEW }, work);
  return subscriptionReport(context, { options, view: UNPAID_CUSTOMERS_VIEW }, async (desk) => {
    const found = await work(desk);
    return { ...found, rows: unpaidByCustomer(found.rows) };
  });
}

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
  const on = { options, view: forecastView(by), kind: typed, looksAhead: true };
  return subscriptionReport(
    context,
    on,
    async ({ today, period, frame, zone, known, ledger, scope }) => {
      const { first, next } = period;
      const span = { today, first, next };
      checkSpan(span);
      const found = foretold(known, span);
      const names = by === 'plan' ? await planNames(ledger.things, scope) : NO_NAMES;
      const forecast = new Forecast(by, names);
      for (const one of found.expected) forecast.add(one);
      const frames = by === 'plan' ? [] : framesIn(by, { frame, zone }, period);
      const frameOf = new Map(frames.map((one) => [one.period, one]));
      const rows = forecast.rows.map(({ part, ...row }) => ({
        ...(frameOf.get(part) ?? { ...frame, group: part }),
        ...row,
      }));
      const [, begin = first] = [today, first].sort();
      const payable = found.expected.filter(isPayable);
      const bars = forecast.rows
        .filter(isPayable)
        .map(({ part, ...row }) => ({ ...row, period: part }));
      const parts = [...new Set(forecast.rows.map(({ part }) => part))];
      return {
        rows,
        notes: [
          headOf(frame),
          `Due from ${begin} on: ${dueText(payable.map(({ subscription }) => subscription))}.`,
          ...doubtsOf(found),
          ...(found.risky.length > 0
            ? [`\`gw report at-risk ${whenTyped(period)}\` lists what is at risk.`]
            : []),
        ],
        charts: () => moneyPerDay(`Due per ${by}`, bars, parts),
      };
    },
  );
}

/** Counts subscriptions by plan, or lists those that began, moved, stopped or ended. */
export function runSubscriptionsReport(
  context: Context,
  { isByName, ...options }: ReportOptions & { isByName: boolean },
): Promise<void> {
  if (isByName) return runSubscriptionChanges(context, options);
  const on = { options, view: SUBSCRIPTIONS_VIEW };
  return subscriptionReport(context, on, async ({ ledger, scope, period, frame, known }) => {
    const { rows, unclear } = await subscriptionRows({ ledger, scope, period, frame }, known);
    const byName = `\`gw report subscriptions ${whenTyped(period)} --by subscription\` lists them by name.`;
    const hasChanges = rows.some((one) => one.new + one.stopped > 0 || one.moved !== 0);
    const notes = [
      headOf(frame),
      ...(hasChanges ? [byName] : []),
      ...(unclear === 0 ? [] : [ofGivenUp(unclear)]),
    ];
    const own = isAddedUp(options.output) ? rows.filter(({ plan }) => plan !== null) : rows;
    return { rows: own, notes, charts: () => monthlyPerPlan(rows) };
  });
}

function runSubscriptionChanges(context: Context, options: ReportOptions): Promise<void> {
  const on = { options, view: SUBSCRIPTION_CHANGES_VIEW };
  return subscriptionReport(context, on, async ({ ledger, scope, period, frame, known }) => {
    const plans = await planNames(ledger.things, scope);
    const { profile } = frame;
    const rows = changesIn(livesOf(known), period).map(({ day, what, life }) => {
      const { subscription } = life;
      const { name, customer, who, email, plan, frequency, amount, currency } = subscription;
      const about = { customer, who, email, frequency, amount, currency, profile };
      const reason = reasonOf(what, life);
      return {
        ...{ day, what, subscription: name, ...about, reason },
        plan: plan === null ? null : (plans.get(plan) ?? plan),
      };
    });
    return { rows, notes: [headOf(frame)] };
  });
}

function reasonOf(
  what: SubscriptionChange['what'],
  { subscription: { end, stopCause, stoppedOn }, successor }: Life,
): string | null {
  if (what === 'moved') return `to ${successor?.name}`;
  if (what === 'ended') return `its last day was ${end}`;
  if (what === 'new') return null;
  const cause = stopCause === 'person' ? 'by a person with gw' : stopCause && CAUSES[stopCause];
  return cause || (stoppedOn === null ? 'its first charge that was not made' : null);
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
  for (const life of livesOf(known)) tally.add(life);
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
  work: (desk: SubscriptionDesk) => Promise<Reported<Row> & { rows: readonly Row[] }>,
): Promise<void> {
  return report(context, { ...on, isByGatewayDays: true }, async (desk) => {
    const { zone, instant, ledger, scope, where, options } = desk;
    const today = zone.dayOf(instant.getTime());
    const all = await knownSubscriptions({ things: ledger.things, scope }, today);
    const known = all.filter(({ source }) => source !== 'heard');
    const found = await work({ ...desk, today, known });
    const heard = all.length - known.length;
    const apart = `${quantity(heard, 'more is', 'more are')} known from unverified webhooks alone, and left out.`;
    const basis = options.isDebugging ? [onlyKnown(where)] : [];
    const survey = [
      ...surveyOf(known, today, options.isDebugging),
      ...(found.rows.length === 0 ? [leavesOut(where)] : basis),
      ...(heard > 0 ? [apart] : []),
    ];
    const notes = [...found.notes, ...survey];
    return { restsOn: { isOfStates: true }, ...found, notes };
  });
}

/** @returns lines that say how much is known of the subscriptions; the numbers themselves for debugging */
function surveyOf(
  known: readonly KnownSubscription[],
  today: string,
  isDebugging: boolean,
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
    ...(isDebugging ? [survey] : []),
    ...(missing.length > 0 ? [`Of the active ones: ${missing.join('; ')}.`] : []),
  ];
}
