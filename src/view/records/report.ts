/** How the rows of reports are shown. */
import type { JsonObject } from '../../base/json.ts';
import { moneyText } from '../../contract/money.ts';
import type { Frequency } from '../../emulator/rules/schedule.ts';
import {
  amountColumn,
  type Column,
  cuttable,
  extra,
  fieldColumn,
  ownView,
  recordOf,
} from '../columns.ts';
import { textOf } from '../values.ts';

/** A sum, which may have more digits than a number holds. */
const moneyColumn: Column = {
  ...amountColumn,
  text: ({ amount, currency }) =>
    typeof amount === 'number' || typeof amount === 'string'
      ? moneyText(BigInt(amount), textOf(currency))
      : '?',
};

const shareColumn: Column = {
  header: 'of all attempts',
  align: 'right',
  text: ({ share }) => (typeof share === 'number' ? `${(share * 100).toFixed(1)} %` : undefined),
};

function rowRecord(row: ReportRow): JsonObject {
  const { amount, share, operator } = row;
  return {
    ...recordOf(row, [
      ...(['period', 'from', 'until', 'time_zone', 'profile', 'currency'] as const),
      ...(['what', 'reason', 'count'] as const),
    ]),
    amount: amount === null ? null : exact(amount),
    ...(share !== undefined && { share }),
    ...(operator !== undefined && { operator }),
  };
}

/** A sum that is no exact number any more is its digits. */
function exact(amount: bigint): number | string {
  const number = Number(amount);
  return Number.isSafeInteger(number) ? number : String(amount);
}

const columns: readonly Column[] = [
  fieldColumn('what'),
  fieldColumn('reason', cuttable),
  fieldColumn('count', { align: 'right' }),
  moneyColumn,
];

const row = {
  name: 'row',
  plural: 'rows',
  hasHeader: true,
  mayHave: [
    'period',
    'from',
    'until',
    'time_zone',
    'profile',
    'currency',
    'what',
    'reason',
    'count',
    'amount',
    'share',
    'operator',
  ],
  hasNoIds: true,
  id: () => undefined,
  record: rowRecord,
} as const;

export const REPORT_VIEW = ownView<ReportRow>({ ...row, columns });
/** Of reports that have rows of several days. */
export const DAILY_VIEW = ownView<ReportRow>({
  ...row,
  columns: [fieldColumn('period', { header: 'day' }), ...columns],
});
export const DECLINES_VIEW = ownView<ReportRow>({
  ...row,
  columns: [
    fieldColumn('reason', cuttable),
    fieldColumn('count', { align: 'right' }),
    shareColumn,
    moneyColumn,
  ],
});

/** One whose schedule is known, and has no date, is charged no more. */
const nextColumn: Column = {
  header: 'next date',
  text: ({ next_date: date, frequency }) => String(date ?? (frequency === null ? '?' : 'none')),
};

export const AT_RISK_VIEW = ownView<AtRisk>({
  name: 'subscription',
  plural: 'subscriptions',
  mayHave: [
    'subscription',
    'risk',
    'why',
    'currency',
    'amount',
    'next_date',
    'customer',
    'who',
    'email',
    'plan',
    'frequency',
    'last_status',
    'is_active',
    'card_expiry',
    'seen_at',
    'source',
  ],
  hasHeader: true,
  id: ({ subscription }) => (typeof subscription === 'string' ? subscription : undefined),
  columns: [
    fieldColumn('risk'),
    fieldColumn('why', cuttable),
    moneyColumn,
    nextColumn,
    fieldColumn('subscription', cuttable),
    fieldColumn('who', cuttable),
    fieldColumn('email', { ...cuttable, ...extra }),
  ],
  record: (one) => ({
    subscription: one.name,
    ...recordOf(one, [
      ...(['risk', 'why', 'currency', 'amount', 'next_date', 'customer', 'who', 'email'] as const),
      ...(['plan', 'frequency', 'last_status', 'is_active', 'card_expiry', 'seen_at'] as const),
      'source',
    ]),
  }),
});

export interface AtRisk extends KnownSubscription {
  risk: Risk;
  /** In a few words, beside the risk. */
  why: string;
  /** When it is charged, or tried again; null where it is not, or nobody knows. `YYYY-MM-DD` */
  nextDate: string | null;
}

export type Risk = (typeof RISKS)[number];

export interface KnownSubscription {
  /** Its reference, or its id where that is not known. */
  name: string;
  customer: string | null;
  /** Name of the customer. */
  who: string | null;
  email: string | null;
  plan: string | null;
  frequency: Frequency | null;
  /** `YYYY-MM-DD`, as all its dates. */
  start: string | null;
  end: string | null;
  /** As it was told, or by the schedule; null where nothing more is due, or nothing is known. */
  next: string | null;
  lastStatus: string | null;
  isActive: boolean;
  /** true where an event said that its card has expired. */
  hasExpiredCard: boolean;
  retry: WaitingRetry | null;
  /** What is charged, minor units: of its plan, or of its last charge. */
  amount: number | null;
  currency: string | null;
  /** Last valid month of the card, `YYYY-MM`. */
  cardExpiry: string | null;
  /** Day of the gateway's notice that the card is about to expire. */
  expiryNotice: string | null;
  /** When this was learnt last, and how. ISO 8601, UTC. */
  seenAt: string;
  source: 'record' | 'event';
}

export interface WaitingRetry {
  /** 1 to 3. */
  number: number;
  /** `YYYY-MM-DD` */
  date: string | null;
}

export interface ReportRow {
  /** `2026-03-24`, `2026-W13` or `2026-03`; null for a time that was given by its ends. */
  period: string | null;
  /** ISO 8601, UTC: the first instant, and the first one after it. */
  from: string;
  until: string;
  timeZone: string;
  profile: string;
  currency: string | null;
  what: ReportedSum;
  /** Why, where there is something to tell apart. */
  reason: string | null;
  count: number;
  /** Minor units; refunds without a sign. Null where it is not known. */
  amount: bigint | null;
  /** Part of all attempts, 0 to 1; of declines only. */
  share?: number;
  /** Whose requests alone are counted; none where everything is. */
  operator?: string | undefined;
}

export const RISKS = ['aborted', 'card expired', 'retrying', 'card expires'] as const;

export type ReportedSum =
  | 'purchases'
  | 'charges'
  | 'refunds'
  | 'net'
  | 'declines'
  /** Requests of the user's own that succeeded, of which gw does not know what they moved; part of no other row. */
  | 'other'
  /** Requests that may or may not have happened; part of no other row. */
  | 'unknown'
  | 'charge due'
  | 'retry due'
  | 'card expires';
