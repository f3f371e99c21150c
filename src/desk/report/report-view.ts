/** The views of the rows of reports. */

import { currencyExponent } from '../../contract/currency.ts';
import { formatDecimal, moneyText } from '../../contract/money.ts';
import type { BillingSchedule } from '../../requests/known/subscription-schedule.ts';
import type { StopCause } from '../../things/subscription-state.ts';
import type { Thing } from '../../things/thing.ts';
import {
  amountColumn,
  type Column,
  cuttable,
  dayColumn,
  extra,
  fieldColumn,
  formatInstant,
  NO_VALUE,
  type OwnView,
  ownView,
  timeColumn,
} from '../../view/columns.ts';
import { textOf } from '../../view/values.ts';

/** A sum may have more digits than a number can hold. */
export const moneyColumn: Column = {
  ...amountColumn,
  text: ({ what, amount, currency }) =>
    what === 'card expires'
      ? NO_VALUE
      : typeof amount === 'number' || typeof amount === 'string'
        ? moneyText(BigInt(amount), textOf(currency))
        : '?',
};

export const tally = (field: string) => fieldColumn(field, { align: 'right' });

export const named = { name: 'row', plural: 'rows', hasHeader: true } as const;

/** A subscription with a known schedule and no date is charged no more. */
const nextColumn: Column = {
  header: 'next date',
  text: ({ next_date: date, frequency }) => String(date ?? (frequency === null ? '?' : 'none')),
};

/** The charges that are due in the days of the report: `4, 28.00 AUD`. */
const dueColumn: Column = {
  ...fieldColumn('due', { align: 'right', ...extra }),
  text: ({ due_count: count, due_amount: amount = null, currency = null }) =>
    count === 0 ? NO_VALUE : `${textOf(count)}, ${moneyColumn.text({ amount, currency })}`,
};

export const AT_RISK_VIEW = ownView({
  name: 'subscription',
  plural: 'subscriptions',
  // biome-ignore format: names that belong together stand in one line
  mayHave: [
    'subscription', 'risk', 'why', 'currency', 'amount', 'next_date', 'customer',
    'who', 'email', 'plan', 'frequency', 'last_status', 'is_active',
    'card_expiry', 'seen_at', 'source', 'due_count', 'due_amount',
  ],
  sums: ['due_amount'],
  moments: { next_date: 'day', card_expiry: 'date', seen_at: 'date' },
  hasHeader: true,
  id: ({ subscription }) => (typeof subscription === 'string' ? subscription : undefined),
  columns: [
    fieldColumn('risk'),
    fieldColumn('why', cuttable),
    moneyColumn,
    nextColumn,
    fieldColumn('subscription', cuttable),
    fieldColumn('who', cuttable),
    fieldColumn('email', { wraps: true, ...extra }),
    dueColumn,
  ],
  computed: ({ name }: AtRisk) => ({ subscription: name }),
});

/** The view of what is unpaid: a row for each charge, however often it was tried. */
export const UNPAID_VIEW = ownView<UnpaidRow>({
  ...named,
  name: 'charge',
  plural: 'charges',
  // biome-ignore format: names that belong together stand in one line
  mayHave: [
    'since', 'amount', 'currency', 'tries', 'reason', 'next_retry', 'who', 'email', 'customer',
    'last_four', 'subscription', 'reference', 'last_try', 'id', 'profile',
  ],
  moments: { since: 'date', next_retry: 'day', last_try: 'date' },
  columns: [
    dayColumn('since'),
    moneyColumn,
    tally('tries'),
    fieldColumn('reason', cuttable),
    fieldColumn('next_retry', { text: ({ next_retry: day }) => textOf(day) ?? 'none' }),
    fieldColumn('who', cuttable),
    fieldColumn('email', { wraps: true, ...extra }),
    fieldColumn('last_four', { header: 'card' }),
    fieldColumn('reference', cuttable),
  ],
});

/** The view of what is unpaid, a row for each customer. */
export const UNPAID_CUSTOMERS_VIEW = ownView<UnpaidCustomer>({
  ...named,
  name: 'customer',
  plural: 'customers',
  mayHave: ['since', 'charges', 'amount', 'currency', 'who', 'email', 'customer', 'profile'],
  moments: { since: 'date' },
  id: ({ customer }) => (typeof customer === 'string' ? customer : undefined),
  columns: [
    dayColumn('since'),
    tally('charges'),
    moneyColumn,
    fieldColumn('who', cuttable),
    fieldColumn('email', { wraps: true, ...extra }),
    fieldColumn('customer', extra),
  ],
});

// biome-ignore format: names that belong together stand in one line
const MOVEMENT = [
  'at', 'what', 'id', 'amount', 'decimal_amount', 'currency', 'who', 'email',
  'customer', 'reference', 'subscription', 'purchase', 'last_four', 'outcome',
  'reason', 'operator', 'profile',
] as const;

const dayAt = fieldColumn('at', {
  header: 'day',
  shorten: (text, { dayOf }) => formatInstant(text, dayOf),
});

const MORE = ['card', 'plan'] as const;

const movements = {
  ...named,
  columns: [
    dayAt,
    fieldColumn('what'),
    moneyColumn,
    fieldColumn('who', cuttable),
    fieldColumn('reference', cuttable),
    fieldColumn('id', extra),
    fieldColumn('reason', { ...cuttable, ...extra }),
  ],
};

export const MOVEMENTS_VIEW = ownView({
  ...movements,
  mayHave: [...MOVEMENT, ...MORE, 'day', 'approved_by'],
  computed: withDecimal,
});

/** The columns of refunds. A refund that has no note says so: somebody may have to give a reason for it. */
const REFUND_COLUMNS = [
  ...movements.columns.filter(({ header }) => header !== 'what' && header !== 'reason'),
  fieldColumn('reason', { ...cuttable, text: ({ reason }) => textOf(reason) ?? 'no note' }),
  fieldColumn('purchase', extra),
  fieldColumn('operator', { ...cuttable, ...extra }),
  fieldColumn('approved_by', { ...cuttable, ...extra }),
];

/** @returns the view of movements of this report, as one of refunds */
export const refundsAlone = (view: OwnView<Movement>): OwnView<Movement> => ({
  ...view,
  name: 'refund',
  plural: 'refunds',
  columns: REFUND_COLUMNS,
});

/** The statement as a page for the customer, who knows the name. */
export const STATEMENT_VIEW = {
  ...MOVEMENTS_VIEW,
  columns: MOVEMENTS_VIEW.columns.filter(({ header }) => header !== 'who'),
};

const [, ...WITHOUT_INSTANT] = MOVEMENT;

/** For spreadsheets, which read no instant: its day and its time come first, and stand for it. */
export const LOCAL_MOVEMENTS_VIEW = ownView({
  ...movements,
  mayHave: ['day', 'time', ...WITHOUT_INSTANT, ...MORE, 'approved_by'],
  moments: { day: 'day', time: 'time' },
  standIns: new Map([['at', ['day', 'time']]]),
  // Four digits alone would be a number.
  computed: (one: Movement) => ({
    ...withDecimal(one),
    lastFour: one.lastFour === null ? null : `*${one.lastFour}`,
  }),
});

function withDecimal({ amount, currency }: Movement): { decimalAmount: string | null } {
  const exponent = currency === null ? undefined : currencyExponent(currency);
  const isUnknown = amount === null || exponent === undefined;
  return { decimalAmount: isUnknown ? null : formatDecimal(amount, exponent) };
}

/** The view of what was charged twice: both charges, one below the other. */
export const DOUBLES_VIEW = ownView({
  ...named,
  mayHave: ['double', ...MOVEMENT, 'refunded'],
  sums: ['refunded'],
  moments: { at: 'date' },
  columns: [
    timeColumn('at'),
    moneyColumn,
    fieldColumn('last_four', { header: 'card' }),
    fieldColumn('who', cuttable),
    fieldColumn('reference', cuttable),
    fieldColumn('id', extra),
    sumColumn('refunded'),
  ],
  computed: (one: DoubledMovement) => withDecimal(one),
});

/** A spreadsheet calls the amount `net`, so `--fields net` gives the amount. */
export const NET: ReadonlyMap<string, readonly string[]> = new Map([['net', ['amount']]]);

export const CUSTOMERS_VIEW = ownView({
  ...named,
  name: 'customer',
  plural: 'customers',
  // biome-ignore format: names that belong together stand in one line
  mayHave: [
    'customer', 'who', 'email', 'currency', 'payments', 'paid', 'refunds',
    'refunded', 'amount', 'profile',
  ],
  sums: ['paid', 'refunded'],
  amountName: 'net',
  standIns: NET,
  id: ({ customer }) => (typeof customer === 'string' ? customer : undefined),
  columns: [
    fieldColumn('who', cuttable),
    sumColumn('paid'),
    sumColumn('refunded'),
    { ...moneyColumn, header: 'net' },
    tally('payments'),
    fieldColumn('customer', extra),
    fieldColumn('email', { ...cuttable, ...extra }),
  ],
  computed: ({ paid, refunded }: CustomerTotal) => ({ amount: paid - refunded }),
});

/** @returns a column for a field with money in minor units */
export function sumColumn(field: string): Column {
  const text: Column['text'] = (record) =>
    moneyColumn.text({ amount: record[field] ?? null, currency: record.currency ?? null });
  return { ...moneyColumn, header: field, text };
}

export const SUBSCRIPTIONS_VIEW = ownView<SubscriptionsRow>({
  ...named,
  // biome-ignore format: names that belong together stand in one line
  mayHave: [
    'period', 'from', 'until', 'profile', 'plan', 'currency', 'active_before',
    'new', 'moved', 'stopped', 'given_up', 'active', 'amount', 'churn', 'time_zone',
  ],
  moments: { from: 'date', until: 'date' },
  amountName: 'a_month',
  hasNoIds: true,
  omitsEmpty: true,
  id: () => undefined,
  columns: [
    fieldColumn('plan', { ...cuttable, text: ({ plan }) => textOf(plan) ?? 'all plans' }),
    { ...tally('active_before'), header: 'before' },
    tally('new'),
    tally('moved'),
    tally('stopped'),
    tally('given_up'),
    tally('active'),
    { ...moneyColumn, header: 'a month' },
    {
      header: 'churn',
      align: 'right',
      text: ({ churn }) => (typeof churn === 'number' ? `${(churn * 100).toFixed(1)} %` : NO_VALUE),
    },
  ],
});

/** A subscription began, moved, stopped or ended in one of these ways. */
export interface SubscriptionChange
  extends Pick<
    KnownSubscription,
    'customer' | 'who' | 'email' | 'frequency' | 'amount' | 'currency'
  > {
  /** `YYYY-MM-DD`, by the gateway's own dates. */
  day: string;
  what: 'new' | 'moved' | 'stopped' | 'ended';
  /** Its reference, or the id if the reference is unknown. */
  subscription: string;
  /** The plan's reference, as far as it is known. */
  plan: string | null;
  /** Why it was stopped, where it ended, or what it was moved to; null if there is nothing to say. */
  reason: string | null;
  profile: string;
}

export const SUBSCRIPTION_CHANGES_VIEW = ownView<SubscriptionChange>({
  ...named,
  name: 'subscription',
  plural: 'subscriptions',
  // biome-ignore format: names that belong together stand in one line
  mayHave: [
    'day', 'what', 'subscription', 'who', 'email', 'customer', 'plan', 'frequency', 'amount', 'currency',
    'reason', 'profile',
  ],
  moments: { day: 'day' },
  id: ({ subscription }) => textOf(subscription),
  columns: [
    fieldColumn('day'),
    fieldColumn('what'),
    fieldColumn('subscription'),
    fieldColumn('who', cuttable),
    fieldColumn('plan', cuttable),
    moneyColumn,
    fieldColumn('frequency', extra),
    fieldColumn('reason', cuttable),
    fieldColumn('email', { ...cuttable, ...extra }),
  ],
});

/** A charge or a refund: its thing, whose amount is negative for a refund. */
export interface Movement extends Thing {
  what: 'purchase' | 'charge' | 'refund' | 'declined';
  /** Why it was declined; of money that moved, the note of whoever sent it. */
  reason: string | null;
  /** The first six and the last four digits of the card, with a star between them; null if they are not known. */
  card: string | null;
  /** The operator who approved it, if a rule wanted that. */
  approvedBy: string | null;
  /** `YYYY-MM-DD` in the zone of the report, as is the time. */
  day: string;
  /** `HH:MM:SS`; null if only the day is known. */
  time: string | null;
}

export interface DoubledMovement extends Movement {
  /** The number of the double that it is a part of. */
  double: number;
  /** Minor units that were refunded of it. */
  refunded: number;
}

/** A charge that was declined, and that no later try paid. */
export interface UnpaidRow
  extends Pick<
    Thing,
    | 'currency'
    | 'who'
    | 'email'
    | 'customer'
    | 'lastFour'
    | 'subscription'
    | 'reference'
    | 'profile'
  > {
  /** When it was first declined, and when last: ISO 8601. */
  since: string;
  lastTry: string;
  /** Minor units. */
  amount: number;
  tries: number;
  /** Why the last try was declined. */
  reason: string | null;
  /** The day of the next retry, `YYYY-MM-DD`; null if none is waiting. */
  nextRetry: string | null;
  /** The id of the last try; null if it has none. */
  id: string | null;
}

/** The debt of a customer in one currency, since the first of these charges was declined first. */
export interface UnpaidCustomer
  extends Pick<UnpaidRow, 'since' | 'currency' | 'who' | 'email' | 'customer' | 'profile'> {
  charges: number;
  /** Minor units. */
  amount: bigint;
}

/** The customer is null if it is not known who paid. */
export interface CustomerTotal extends Pick<Thing, 'customer' | 'who' | 'email' | 'currency'> {
  payments: number;
  /** Minor units, without a sign. */
  paid: bigint;
  refunds: number;
  refunded: bigint;
  profile: string | null;
}

export interface SubscriptionsRow
  extends Pick<ReportRow, 'period' | 'from' | 'until' | 'timeZone' | 'profile' | 'currency'> {
  /** The plan's reference; null for all plans of the currency. */
  plan: string | null;
  /** Active on the day before the period. */
  activeBefore: number;
  new: number;
  /** Those that came from another plan, less those that went to one. */
  moved: number;
  stopped: number;
  /** Charges that were given up after their retries. */
  givenUp: number;
  /** Active on the last day of the period. */
  active: number;
  /** The sum that the active ones bring in a month, minor units; null if no amount is known. */
  amount: bigint | null;
  /** Stopped, as a part of those that were active before; null if none was. */
  churn: number | null;
}

export interface AtRisk extends KnownSubscription {
  risk: Risk;
  /** A few words beside the risk. */
  why: string;
  /** The date of the next charge or retry, `YYYY-MM-DD`; null if there is none or it is unknown. */
  nextDate: string | null;
  /** The number of its charges and retries that are due in the days of the report, and their sum in minor units. */
  dueCount: number;
  dueAmount: bigint | null;
}

export type Risk = (typeof RISKS)[number];

export interface KnownSubscription
  extends Pick<Thing, 'customer' | 'who' | 'email' | 'plan' | 'amount' | 'currency' | 'seenAt'>,
    BillingSchedule {
  /** The reference, or the id if the reference is unknown. */
  name: string;
  isActive: boolean;
  /** The day on which it was stopped, `YYYY-MM-DD`; null if it is not stopped, or gw does not know the day. */
  stoppedOn: string | null;
  /** Why it was stopped; null if it is not stopped, or gw does not know why. */
  stopCause: StopCause | null;
  /** The reference of the one that was to take its place; null if it was not moved. */
  movedTo: string | null;
  /** true if an event said that its card has expired. */
  hasExpiredCard: boolean;
  /** The last valid month of the card, `YYYY-MM`. */
  cardExpiry: string | null;
  /** The day on which the gateway announced that the card is about to expire. */
  expiryNotice: string | null;
  /** The source of the latest information. */
  source: 'record' | 'event' | 'heard';
}

export interface ReportRow {
  /** `2026-03-24`, `2026-W13` or `2026-03`; null for a range given by its ends. */
  period: string | null;
  /** The first instant, and the first one after the range. ISO 8601, UTC. */
  from: string;
  until: string;
  timeZone: string;
  profile: string;
  currency: string | null;
  what: ReportedSum;
  /** The reason, if the report distinguishes reasons. */
  reason: string | null;
  /** The customer's id, in a report of declines by customer; null if it is not known. */
  customer?: string | null;
  email?: string | null;
  /** Null for what is left of several kinds. */
  count: number | null;
  /** Minor units; refunds have no sign. Null if the amount is unknown. */
  amount: bigint | null;
  /** All attempts, and the share of them, 0 to 1; only for declines. */
  attempts?: number;
  share?: number;
  /** The operator whose requests are counted; undefined for all operators. */
  operator?: string | undefined;
  /** The card, plan or operator, in a report in such groups. */
  group?: string;
  /** The same sum of the period before, where it is compared; minor units. */
  beforeCount?: number | null;
  beforeAmount?: bigint | null;
}

/** The parts of the calendar, and the properties of payments, by which a report of money is divided. */
export const CALENDAR_GROUPINGS = ['day', 'week', 'month'] as const;
export type CalendarGrouping = (typeof CALENDAR_GROUPINGS)[number];
export const PROPERTY_GROUPINGS = ['card', 'brand', 'plan', 'reason', 'operator'] as const;
export type PropertyGrouping = (typeof PROPERTY_GROUPINGS)[number];
export const REPORT_GROUPINGS = [...CALENDAR_GROUPINGS, ...PROPERTY_GROUPINGS] as const;

/** The properties by which refunds are divided; their reason is the note of whoever refunded. */
// biome-ignore format: names that belong together stand in one line
export const REFUND_GROUPINGS = [
  'operator', 'approver', 'reason', 'customer', 'plan', 'day', 'month',
] as const;
export type RefundGrouping = (typeof REFUND_GROUPINGS)[number];

/** The properties by which a forecast is divided. */
export const FORECAST_GROUPINGS = ['day', 'week', 'month', 'plan'] as const;
export type ForecastGrouping = (typeof FORECAST_GROUPINGS)[number];

export const RISKS = ['aborted', 'card expired', 'retrying', 'card expires'] as const;

export type ReportedSum =
  | 'purchases'
  | 'charges'
  | 'refunds'
  | 'net'
  | 'declines'
  /** Successful requests of the user's own. gw does not know what they moved; no other row includes them. */
  | 'other'
  /** Requests with an unknown outcome; no other row includes them. */
  | 'unknown'
  /** Charges that only unverified webhooks tell of; no other row includes them. */
  | 'heard'
  | 'charge due'
  | 'retry due'
  | 'card expires';
