/** How the rows of reports are shown. */
import type { JsonObject } from '../../base/json.ts';
import { moneyText } from '../../contract/money.ts';
import type { AtRisk } from '../../desk/reports/at-risk.ts';
import type { ReportRow } from '../../desk/reports/report-row.ts';
import {
  amountColumn,
  type Column,
  cuttable,
  early,
  fieldColumn,
  last,
  late,
  ownView,
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

function rowRecord({
  timeZone,
  what,
  reason,
  count,
  amount,
  share,
  operator,
  ...row
}: ReportRow): JsonObject {
  return {
    period: row.period,
    from: row.from,
    until: row.until,
    time_zone: timeZone,
    profile: row.profile,
    currency: row.currency,
    what,
    reason,
    count,
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
  mayHave: ['share', 'operator'],
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
  hasHeader: true,
  id: ({ subscription }) => (typeof subscription === 'string' ? subscription : undefined),
  columns: [
    fieldColumn('risk'),
    fieldColumn('why', late),
    moneyColumn,
    nextColumn,
    fieldColumn('subscription', cuttable),
    fieldColumn('who', { ...cuttable, ...last }),
    fieldColumn('email', { ...cuttable, ...early }),
  ],
  record: (one) => ({
    subscription: one.name,
    risk: one.risk,
    why: one.why,
    currency: one.currency,
    amount: one.amount,
    next_date: one.nextDate,
    customer: one.customer,
    who: one.who,
    email: one.email,
    plan: one.plan,
    frequency: one.frequency,
    last_status: one.lastStatus,
    is_active: one.isActive,
    card_expiry: one.cardExpiry,
    seen_at: one.seenAt,
    source: one.source,
  }),
});
