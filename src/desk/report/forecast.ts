/**
 * Computes the charges of the known active subscriptions by the test gateway's billing rules
 * (src/emulator/rules/billing.ts), as if every charge succeeded.
 *
 * Its days are the gateway's own (`next_billing_date`), in no time zone.
 */

import { addDays } from '../../base/calendar.ts';
import { around } from '../../base/periods.ts';
import { moneyText } from '../../contract/money.ts';
import {
  type Account,
  type BilledDay,
  type BilledSubscription,
  billDay,
} from '../../emulator/rules/billing.ts';
import { usage } from '../../failure.ts';
import { byCurrency, compareValues } from './report-row.ts';
import type { ForecastGrouping, KnownSubscription, ReportedSum, ReportRow } from './report-view.ts';

/** The most days of a forecast, since each day is computed. */
const MAX_DAYS = 731;
/** Replaces an unknown expiry of a card. */
const NEVER = '9999-12';

/** An expected charge, retry or expiry of a subscription. */
export interface Expected {
  /** `YYYY-MM-DD` */
  day: string;
  what: Extract<ReportedSum, 'charge due' | 'retry due' | 'card expires'>;
  subscription: KnownSubscription;
}

/** Expected sums of a day. The reason is the subscription, for cards that expire. */
export interface ForecastRow extends Pick<ReportRow, 'currency' | 'reason' | 'amount'> {
  /** The day, week, month or plan. */
  part: string;
  what: Expected['what'];
  count: number;
}

export interface ForecastSpan {
  /** By the gateway's own dates, `YYYY-MM-DD`. */
  today: string;
  first: string;
  /** The day after the last one. */
  next: string;
}

/** @throws Failure usage if the days are past or too far ahead */
export function checkSpan({ today, next }: ForecastSpan): void {
  if (next <= today)
    throw usage(
      'forecast-past',
      `These days are in the past: today is ${today}.`,
      'Give a later day, or see what happened with `gw report month DATE`.',
    );
  if (next > addDays(today, MAX_DAYS))
    throw usage(
      'forecast-too-far',
      `That is more than ${MAX_DAYS} days ahead.`,
      'Give an earlier day.',
    );
}

/**
 * @param span days before today are left out
 * @returns the expectations of one subscription; an expiring card once, on the day of the missed charge
 */
export function expectedOf(subscription: KnownSubscription, span: ForecastSpan): Expected[] {
  const billed = billedOf(subscription);
  if (!billed) return [];
  const expiry = subscription.cardExpiry ?? NEVER;
  const card = { behaviour: 'approve', expiry, watch: null } as const;
  const expected: Expected[] = [];
  let account: Account = { card, subscriptions: [billed] };
  // Skips days on which nothing can happen.
  for (let day = nextOf(account, span.today); day !== undefined && day < span.next; ) {
    const billedDay = billDay(account, day);
    if (day >= span.first)
      for (const what of happenings(billedDay)) expected.push({ day, what, subscription });
    account = billedDay.next;
    day = nextOf(account, addDays(day, 1));
  }
  return expected;
}

function happenings({ charges, events }: BilledDay): Expected['what'][] {
  const isExpired = events.some(({ name }) => name === 'card:expired');
  return [
    ...charges.map(({ retry }) => (retry > 0 ? ('retry due' as const) : ('charge due' as const))),
    ...(isExpired ? (['card expires'] as const) : []),
  ];
}

function billedOf(known: KnownSubscription): BilledSubscription | undefined {
  const { name, frequency, start, end, next, isActive, retry } = known;
  if (!isActive || frequency === null || start === null) return undefined;
  const date = retry?.date ?? null;
  return {
    id: name,
    // A sum has the known amounts, which may be none.
    amount: 0,
    frequency,
    start_date: start,
    end_date: end,
    next_billing_date: next,
    is_active: true,
    last_status: known.lastStatus ?? '',
    retry_date: date,
    retries_used: date === null || !retry ? 0 : retry.number - 1,
  };
}

/** @returns the first day from `day` on with something to do; undefined if there is none */
function nextOf({ subscriptions: [subscription] }: Account, day: string): string | undefined {
  if (!subscription?.is_active) return undefined;
  const { next_billing_date, retry_date } = subscription;
  const [first] = [next_billing_date, retry_date].flatMap((date) => date ?? []).sort();
  return first !== undefined && first < day ? day : first;
}

/** Adds up expectations by the part that they belong to: add all of them, then read `rows`. */
export class Forecast {
  readonly #by: ForecastGrouping;
  readonly #rows = new Map<string, ForecastRow>();

  constructor(by: ForecastGrouping = 'day') {
    this.#by = by;
  }

  add(expected: Expected): void {
    const { what, subscription } = expected;
    const part = partOf(expected, this.#by);
    const { currency, amount, name, who, cardExpiry } = subscription;
    const isMissed = what === 'card expires';
    const money = amount === null ? null : moneyText(amount, currency);
    const of = [name, who, `card ends ${cardExpiry}`, money].filter((text) => text !== null);
    const reason = isMissed ? of.join(', ') : null;
    // Without an amount, a currency has no meaning.
    const known = amount === null ? null : currency;
    const key = JSON.stringify([part, what, amount === null, known, reason]);
    const none = { part, what, currency: known, reason, count: 0, amount: null };
    const row: ForecastRow = this.#rows.get(key) ?? none;
    row.count++;
    // A charge that is missed is no money to come, and stands in no sum.
    if (amount !== null && !isMissed) row.amount = (row.amount ?? 0n) + BigInt(amount);
    this.#rows.set(key, row);
  }

  /** The rows, sorted by part, what and currency. */
  get rows(): ForecastRow[] {
    return [...this.#rows.values()].sort(
      (one, other) =>
        compareValues(one.part, other.part) ||
        compareValues(one.what, other.what) ||
        byCurrency(one, other) ||
        compareValues(one.reason ?? '', other.reason ?? ''),
    );
  }
}

/** @returns the day, week, month or plan that an expectation belongs to */
function partOf({ day, subscription: { plan } }: Expected, by: ForecastGrouping): string {
  return by === 'plan' ? (plan ?? 'plan unknown') : around(by, day).name;
}

/** @returns the sum in each currency, and how many charges have no known amount: `15.00 AUD, 2 of unknown amount` */
export function dueText(
  rows: readonly Pick<ForecastRow, 'currency' | 'count' | 'amount'>[],
): string {
  const sums = new Map<string | null, bigint>();
  let unknown = 0;
  for (const { currency, count, amount } of rows)
    if (amount === null) unknown += count;
    else sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  const texts = [...sums].map(([currency, sum]) => moneyText(sum, currency));
  if (unknown > 0) texts.push(`${unknown} of unknown amount`);
  return texts.join(', ') || 'nothing';
}
