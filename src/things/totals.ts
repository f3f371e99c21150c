/**
 * Sums over the table of things. Each thing has one row, so it counts once.
 *
 * Tests: test/unit/things/server-totals.test.ts, test/unit/things/with-own-events.test.ts
 */
import { OPERATIONS } from '../contract/operations.ts';
import { allRows, type Work } from '../store/sql.ts';
import { isOwnedBy, type Owner, ownerCondition, ownerValues } from './owner.ts';
import type { Thing, ThingKind, ThingOutcome } from './thing.ts';
import { DOCS_A_SECOND } from './thing.ts';
import { secondOf } from './words.ts';

export interface TotalsQuery {
  scope: Owner;
  /** ISO 8601: the first instant. */
  from: string;
  /** ISO 8601: the first instant after the range. */
  until: string;
  /** The property that groups declines. */
  by: TotalsProperty;
  /** Whether it groups everything else too. */
  groupsAll?: boolean | undefined;
  /** Counts only what requests of this operator made, and the requests themselves. */
  operator?: string | undefined;
}

/** The gateway's message, the last four digits, the name, the plan, whoever sent the request, or why. */
export type TotalsProperty = 'reason' | 'card' | 'customer' | 'plan' | 'operator' | 'note';

/** The sum of things that share these properties. */
export interface ThingTotal {
  kind: Extract<ThingKind, 'purchase' | 'refund' | 'request' | 'event'>;
  told: Thing['told'];
  /** `Thing.label`. */
  label: string | null;
  /** `Thing.outcome`. */
  outcome: ThingOutcome | null;
  currency: string | null;
  /** The value that groups it; null for what is not grouped. */
  by: string | null;
  /** false if it belongs to another account, profile or environment. */
  isOurs: boolean;
  count: number;
  /** Minor units without their sign. */
  amount: bigint;
  /** The number of them without an amount. */
  withoutAmount: number;
}

/** Sums are split at this value, since larger parts would not be exact numbers. */
const PART = 1_000_000_000;

/** The SQL expression of each property. */
const BY = {
  reason: 'message',
  card: 'last_four',
  customer: 'coalesce(who, email, customer)',
  plan: 'plan',
  operator: 'operator',
  note: 'note',
} as const satisfies Record<TotalsProperty, string>;

const IS_DECLINE = "outcome IN ('declined', 'abandoned')";

/** A request with an operation made the record of its answer; a request of the user's own may name any record. */
export const MADE_IT = `operation IN (${OPERATIONS.map(({ name }) => `'${name}'`).join(', ')})`;

const IS_OURS = ownerCondition();

/** @returns sums of purchases, refunds, and what tells of money without a record; in no order */
export function* totalsOf(query: TotalsQuery): Work<ThingTotal[]> {
  const { scope, by, groupsAll, operator } = query;
  const rows = yield* allRows<
    Omit<ThingTotal, 'isOurs' | 'amount'> & { isOurs: unknown } & Record<
        'high' | 'low',
        number | bigint
      >
  >(
    `SELECT kind, told, label, outcome, currency, "by", "isOurs", count(*) AS count,
            coalesce(sum(amount / ${PART}), 0)::bigint AS high,
            coalesce(sum(amount % ${PART}), 0)::bigint AS low,
            count(*) - count(amount) AS "withoutAmount"
       FROM (SELECT kind, told, label, outcome, currency, abs(amount) AS amount,
                    ${groupsAll ? BY[by] : `CASE WHEN ${IS_DECLINE} THEN ${BY[by]} END`} AS "by",
                    ${IS_OURS} AS "isOurs"
               FROM gw.things
              WHERE doc >= :from AND doc < :until
                AND kind IN ('purchase', 'refund', 'request', 'event')
                ${operator === undefined ? '' : 'AND operator = :operator'}
            ) AS counted
      GROUP BY 1, 2, 3, 4, 5, 6, 7`,
    {
      ...ownerValues(scope),
      ...(operator !== undefined && { operator }),
      ...docsIn(query),
    },
  );
  return rows.map(({ isOurs, high, low, ...row }) => ({
    ...row,
    isOurs: Boolean(isOurs),
    amount: BigInt(high) * BigInt(PART) + BigInt(low),
  }));
}

function docsIn({ from, until }: Pick<TotalsQuery, 'from' | 'until'>) {
  return { from: secondOf(from) * DOCS_A_SECOND, until: secondOf(until) * DOCS_A_SECOND };
}

/** @returns the same for one thing */
export function totalOf(thing: Thing, { scope, by, groupsAll }: TotalsQuery): ThingTotal {
  const { kind, told, label, outcome, currency, amount, plan, operator, note } = thing;
  const isDecline = outcome === 'declined' || outcome === 'abandoned';
  const values = {
    reason: thing.message,
    card: thing.lastFour,
    customer: thing.who ?? thing.email ?? thing.customer,
    plan,
    operator,
    note,
  } satisfies Record<TotalsProperty, string | null>;
  return {
    ...{ kind: kind as ThingTotal['kind'], told, label, outcome, currency },
    by: isDecline || groupsAll ? values[by] : null,
    isOurs: isOwnedBy(thing, scope, 'listed'),
    count: 1,
    amount: BigInt(Math.abs(amount ?? 0)),
    withoutAmount: amount === null ? 1 : 0,
  };
}

/** Facts of the newest charge of each subscription. Rows are wide, and a merchant may have tens of thousands. */
export interface NewestCharge extends Pick<Thing, 'at' | 'amount' | 'currency' | 'token'> {
  subscription: string;
  /** The last valid month of the card, `YYYY-MM`. */
  cardExpiry: string | null;
}

/** @returns the newest charge of each subscription, oldest first */
export function newestChargesOf(scope: Owner): Work<NewestCharge[]> {
  return allRows(
    `SELECT at, things.subscription AS subscription, amount, currency, token,
            card_expiry AS "cardExpiry"
       FROM (SELECT max(doc) AS doc FROM gw.things
              WHERE kind = 'purchase' AND told <> 'heard' AND subscription IS NOT NULL AND ${IS_OURS}
              GROUP BY subscription) AS newest
       JOIN gw.things ON things.doc = newest.doc
      ORDER BY things.doc`,
    ownerValues(scope),
  );
}

/** A day on which a subscription was charged, or a charge of it was declined. */
export interface ChargedDay {
  subscription: string;
  /** `YYYY-MM-DD`, UTC. */
  day: string;
}

/** @param time ISO 8601; `until` is the first instant after it @returns each day once, in no order */
export function chargedDaysOf(
  scope: Owner,
  time: Pick<TotalsQuery, 'from' | 'until'>,
): Work<ChargedDay[]> {
  return allRows(
    `SELECT DISTINCT subscription, substr(at, 1, 10) AS day FROM gw.things
      WHERE doc >= :from AND doc < :until AND kind IN ('purchase', 'event')
        AND subscription IS NOT NULL AND ${IS_OURS}`,
    { ...ownerValues(scope), ...docsIn(time) },
  );
}

/** The last valid month of a card, `YYYY-MM`, and when the payment with it was made, or it was stored. */
export interface CardExpiry extends Pick<Thing, 'at'> {
  token: string;
  cardExpiry: string;
}

/** @returns the expiries of these cards, as the newest payment, or the card itself, has them */
export function cardExpiriesOf(tokens: readonly string[], scope?: Owner): Work<CardExpiry[]> {
  return allRows(
    `SELECT asked.value AS token, at, card_expiry AS "cardExpiry"
       FROM json_array_elements_text(:tokens::json) AS asked (value)
       JOIN gw.things ON things.doc =
            (SELECT thing_keys.doc
               FROM gw.thing_keys /*sqlite CROSS */ JOIN gw.things AS paid ON paid.doc = thing_keys.doc
              WHERE key = lower(asked.value) AND paid.kind IN ('purchase', 'card')
                AND paid.told <> 'heard' AND paid.card_expiry IS NOT NULL
                AND coalesce(paid.token, paid.id) = asked.value
                ${scope ? `AND ${IS_OURS}` : ''}
              ORDER BY thing_keys.doc DESC LIMIT 1)`,
    { tokens: JSON.stringify(tokens), ...(scope && ownerValues(scope)) },
  );
}
