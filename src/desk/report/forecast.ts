/**
 * Computes the charges of the known active subscriptions by the test gateway's billing rules
 * (src/emulator/rules/billing.ts), as if every charge succeeded.
 *
 * Its days are the gateway's own (`next_billing_date`), in no time zone.
 */

import { addDays } from '../../base/calendar.ts';
import { around } from '../../base/periods.ts';
import { quantity } from '../../base/text.ts';
import { isExpired } from '../../contract/expiry.ts';
import { moneyText } from '../../contract/money.ts';
import { type Account, type BilledSubscription, billDay } from '../../emulator/rules/billing.ts';
import { usage } from '../../failure.ts';
import { byCurrency, compareValues } from './report-row.ts';
import type {
  AtRisk,
  ForecastGrouping,
  KnownSubscription,
  ReportedSum,
  ReportRow,
} from './report-view.ts';

/** The most days of a forecast, since each day is computed. */
export const MAX_DAYS = 731;
/** A card that does not expire: a charge that the real one misses is due as well. */
const CARD = { behaviour: 'approve', expiry: '9999-12', watch: null } as const;

/** An expected charge or retry of a subscription; `card expires` is one that its card is too old for. */
export interface Expected {
  /** `YYYY-MM-DD` */
  day: string;
  what: Extract<ReportedSum, 'charge due' | 'retry due' | 'card expires'>;
  subscription: KnownSubscription;
}

/** The charges of all subscriptions that are due in the days of a report. */
export interface Foretold {
  expected: Expected[];
  /** The subscriptions at risk, also those of which nothing is due in these days. */
  risks: AtRisk[];
  /** All that is due of these. */
  risky: Expected[];
}

/** Expected sums of a day. The reason is the subscription, for cards that expire: its charges stand in no sum. */
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
 * @returns the expectations of one subscription. The gateway stops it at the first charge that its card is too old for,
 *   and what is due after that is missed as well
 */
export function expectedOf(subscription: KnownSubscription, span: ForecastSpan): Expected[] {
  const billed = billedOf(subscription);
  if (!billed) return [];
  const { cardExpiry } = subscription;
  const expected: Expected[] = [];
  let account: Account = { card: CARD, subscriptions: [billed] };
  // Skips days on which nothing can happen.
  for (let day = nextOf(account, span.today); day !== undefined && day < span.next; ) {
    const { charges, next } = billDay(account, day);
    const isMissed = cardExpiry !== null && isExpired(cardExpiry, day);
    for (const { retry } of day >= span.first ? charges : []) {
      const due = retry > 0 ? 'retry due' : 'charge due';
      expected.push({ day, what: isMissed ? 'card expires' : due, subscription });
    }
    account = next;
    day = nextOf(account, addDays(day, 1));
  }
  return expected;
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

  readonly #names: ReadonlyMap<string, string>;

  /** @param names of plans, by their ids */
  constructor(by: ForecastGrouping = 'day', names: ReadonlyMap<string, string> = new Map()) {
    this.#by = by;
    this.#names = names;
  }

  add(expected: Expected): void {
    const { what, subscription } = expected;
    const part = this.#partOf(expected);
    const { currency, amount, name, who, cardExpiry } = subscription;
    const isMissed = !isPayable(expected);
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

  /** @returns the day, week, month or plan that an expectation belongs to */
  #partOf({ day, subscription: { plan } }: Expected): string {
    if (this.#by !== 'plan') return around(this.#by, day).name;
    return this.#names.get(plan ?? '') ?? plan ?? 'plan unknown';
  }
}

/** @returns the sum in each currency, and how many have no known amount: `15.00 AUD, 2 of unknown amount` */
export function dueText(
  charges: readonly Pick<KnownSubscription, 'currency' | 'amount'>[],
): string {
  const sums = new Map<string | null, bigint>();
  let unknown = 0;
  for (const { currency, amount } of charges)
    if (amount === null) unknown++;
    else sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount));
  const texts = [...sums].map(([currency, sum]) => moneyText(sum, currency));
  if (unknown > 0) texts.push(`${unknown} of unknown amount`);
  return texts.join(', ') || 'nothing';
}

/** @returns how many, and their sum: `3 charges, 15.00 AUD` */
export function chargesText(expected: readonly Expected[]): string {
  const sum = dueText(expected.map(({ subscription }) => subscription));
  return `${quantity(expected.length, 'charge', 'charges')}, ${sum}`;
}

/** @returns whether the money of a charge may come: not if its card is too old by then */
export function isPayable({ what }: Pick<Expected, 'what'>): boolean {
  return what !== 'card expires';
}

/** @returns sentences about what is not in the sum of a forecast, and how much of all that is due may fail */
export function doubtsOf({ expected, risky }: Pick<Foretold, 'expected' | 'risky'>): string[] {
  const missed = expected.filter((one) => !isPayable(one));
  return [
    ...(missed.length > 0
      ? [`Not in the sum, because the card will have expired: ${chargesText(missed)}.`]
      : []),
    ...(risky.length > 0
      ? [`At risk, ${missed.length > 0 ? 'with those' : 'of the sum'}: ${chargesText(risky)}.`]
      : []),
  ];
}
