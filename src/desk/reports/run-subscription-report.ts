/** `gw report at-risk` and `gw report forecast`: what the known subscriptions will bring, or may not. */
import { type PeriodKind, periodOf } from '../../base/periods.ts';
import { openTimeZone } from '../../base/time-zone.ts';
import type { ReportOptions } from '../../cli/flags/report-flags.ts';
import type { DataSource } from '../../client/ledger/data-source.ts';
import { moneyText } from '../../contract/money.ts';
import { openEvents } from '../../events/store/event-file.ts';
import type { Context } from '../../host/context.ts';
import {
  AT_RISK_VIEW,
  type AtRisk,
  DAILY_VIEW,
  type KnownSubscription,
  type ReportRow,
} from '../../view/records/report.ts';
import { riskOf, worstFirst } from './at-risk.ts';
import { checkSpan, expectedOf, Forecast } from './forecast.ts';
import { knownSubscriptions } from './known-subscriptions.ts';
import { type ReportContext, report } from './open-report.ts';
import { moneyPerDay } from './report-chart.ts';
import { counted, headOf, onlyKnown } from './report-notes.ts';

export function runAtRiskReport(context: Context, options: ReportOptions): Promise<void> {
  return report(context, { options, view: AT_RISK_VIEW }, async (desk) => {
    const today = todayOf(desk, options);
    const survey = new Survey();
    const found: AtRisk[] = [];
    await eachSubscription(desk, today, (subscription) => {
      survey.add(subscription);
      const risk = riskOf(subscription, today);
      if (risk) found.push(risk);
    });
    found.sort(worstFirst);
    const { profile } = desk;
    const notes = `At risk on ${today}, profile ${profile.name}.\n${survey.textOf(desk.where)}`;
    return { rows: found.map(AT_RISK_VIEW.record), notes };
  });
}

export function runForecast(
  context: Context,
  what: { kind: PeriodKind; date: string | undefined },
  options: ReportOptions,
): Promise<void> {
  return report(context, { options, view: DAILY_VIEW }, async (desk) => {
    const zone = zoneOf(desk, options);
    const period = periodOf(what.kind, what.date, { instant: desk.instant, zone });
    const { first, next, name, from, until, timeZone } = period;
    const span = { today: todayOf(desk, options), first, next };
    checkSpan(span);
    const survey = new Survey();
    const forecast = new Forecast();
    await eachSubscription(desk, span.today, (subscription) => {
      survey.add(subscription);
      for (const expected of expectedOf(subscription, span)) forecast.add(expected);
    });
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

/** The embedded gateway's days are those of UTC. */
function zoneOf({ zone, profile }: ReportContext, { timeZone }: ReportOptions) {
  const isGiven = timeZone !== undefined;
  return profile.environment === 'local' && !isGiven ? openTimeZone('UTC') : zone;
}

function todayOf(desk: ReportContext, options: ReportOptions): string {
  return zoneOf(desk, options).dayOf(desk.instant.getTime());
}

async function eachSubscription(
  { context, ledger, scope }: ReportContext,
  today: string,
  take: (subscription: KnownSubscription) => void,
): Promise<void> {
  const events = openEvents(context.host);
  try {
    const memory = {
      documents: ledger.documents,
      remembered: ledger.remembered.bind(ledger),
      eventBody: async (id: number) => (await events.find(id))?.body,
    };
    for await (const one of knownSubscriptions(memory, scope, today)) take(one);
  } finally {
    await events.close();
  }
}

function sumText(rows: readonly ReportRow[]): string {
  const sums = new Map<string | null, bigint>();
  for (const { what, currency, amount } of rows)
    if (what !== 'card expires' && amount !== null)
      sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  const texts = [...sums].map(([currency, sum]) => moneyText(sum, currency));
  return texts.join(', ') || 'nothing';
}

/** How much is known of the subscriptions that were looked at. */
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
