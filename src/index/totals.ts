/**
 * Sums over the index, each thing counted once.
 *
 * A purchase may be known three times: as a record, as the request that made it, and by the event that
 * told of it. The record counts where there is one, wherever in time; else the request, else the first
 * of its events. An event that names no purchase counts for itself: one that repeats another is no fact.
 */
import { sameKnownAccount } from '../base/account.ts';
import { OPERATIONS } from '../contract/operations.ts';
import type { Queries } from '../store/sqlite/queries.ts';
import { DOCS_A_SECOND, type Fact, type FactKind } from './document.ts';
import { FACT_COLUMNS } from './fact-columns.ts';
import { type FactScope, factIsOurs, NAMED, namedValues, type ScopeValues } from './scope.ts';
import { secondOf } from './words.ts';

export interface TotalsQuery {
  scope: FactScope;
  /** ISO 8601: the first instant. */
  from: string;
  /** ISO 8601: the first instant after it. */
  until: string;
  /** What declined ones are told apart by: what the gateway said, last four digits, name. */
  by: 'reason' | 'card' | 'customer';
  /**
   * Counts only what this operator sent: requests of theirs, and the records that those made. So the
   * sums of all operators, and of what nobody sent, are the sum of all.
   */
  operator?: string | undefined;
}

/** Facts that are alike, and their sum. */
export interface FactTotal {
  kind: Extract<FactKind, 'purchase' | 'refund' | 'request' | 'event'>;
  /** As `Fact.label`. */
  label: string | null;
  /** As `Fact.outcome`. */
  outcome: string | null;
  currency: string | null;
  /** What it is told apart by; of declined ones only. */
  by: string | null;
  /** false where it is of another account, profile or environment. */
  isOurs: boolean;
  /** false where the same is counted elsewhere. */
  isNew: boolean;
  count: number;
  /** Minor units without their sign. */
  amount: bigint;
  /** How many of them say no amount. */
  withoutAmount: number;
}

/** Sums of larger parts would be no exact numbers. */
const PART = 1_000_000_000;

/** More than any `doc`. */
const BEHIND = Number.MAX_SAFE_INTEGER;

/** What declined ones are told apart by, as an expression of SQL. */
export const BY = {
  reason: 'message',
  card: 'last_four',
  customer: 'coalesce(who, email, customer)',
} as const satisfies Record<TotalsQuery['by'], string>;

const CHARGED = "('approved', 'declined', 'abandoned')";

/** Of requests that were answered with a record those that made it: one of the user's own may name any. */
export const MADE_IT = `operation IN (${OPERATIONS.map(({ name }) => `'${name}'`).join(', ')})`;

/** What the statements of a store differ in. */
export interface CountingStore {
  scope: ScopeValues;
  /** Stands for the value of `TotalsQuery.operator`. */
  operator: string;
  /** Stands before the names of tables. */
  schema: string;
  /** Ends a question about one fact, so that each is looked up by itself. */
  once: string;
  /** Joins tables in the order in which they are named. */
  join: string;
}

/** @returns the rules of what counts, as conditions of SQL on facts */
export function countingSql({ scope, operator, schema, once, join }: CountingStore) {
  const isSeen = (id: string) => `
    EXISTS (SELECT 1 FROM ${schema}records_seen
             WHERE records_seen.id = ${id} AND records_seen.kind IN ('purchase', 'refund')
               AND CASE WHEN records_seen.account IS NULL
                        THEN records_seen.profile = ${scope.profile}
                        ELSE ${sameKnownAccount('records_seen.', scope)} END ${once})`;
  const isNew = `
    CASE kind
      WHEN 'request' THEN NOT EXISTS (
        SELECT 1 FROM ${schema}money_requests
         WHERE money_requests.id = facts.id AND record_id IS NOT NULL
           AND ${isSeen('record_id')} ${once})
      WHEN 'event' THEN purchase IS NULL OR outcome NOT IN ${CHARGED} OR NOT (
        ${isSeen('facts.purchase')}
        OR EXISTS (
          SELECT 1 FROM ${schema}money_requests
           WHERE record_id = facts.purchase AND state IN ('done', 'declined') AND ${MADE_IT}
             AND (${sameKnownAccount('money_requests.', scope)}
                  OR money_requests.profile = ${scope.profile}) ${once})
        OR EXISTS (
          SELECT 1 FROM ${schema}fact_keys ${join} ${schema}facts AS other
                     ON other.doc = fact_keys.doc
           WHERE fact_keys.key = lower(facts.purchase) AND fact_keys.doc < facts.doc
             AND other.kind = 'event' AND other.purchase = facts.purchase
             AND other.profile IS NOT DISTINCT FROM facts.profile
             AND other.outcome IN ${CHARGED} ${once}))
      ELSE true END`;
  // Events are nobody's: the gateway charges subscriptions, and what somebody sent is counted without them.
  const isTheirs = `
    CASE kind
      WHEN 'request' THEN operator = ${operator}
      WHEN 'event' THEN false
      ELSE EXISTS (
        SELECT 1 FROM ${schema}money_requests
         WHERE record_id = facts.id AND money_requests.operator = ${operator} AND ${MADE_IT}
           AND (money_requests.account IS NOT DISTINCT FROM facts.account
                OR money_requests.profile = facts.profile) ${once}) END`;
  return { isOurs: factIsOurs(scope), isNew, isTheirs };
}

const IS = countingSql({
  ...{ scope: NAMED, operator: ':operator', schema: '', once: '', join: 'CROSS JOIN' },
});

/** @returns sums of purchases, refunds, money requests and charges by events, in no order */
export function totalsOf(
  queries: Queries,
  { scope, from, until, by, operator }: TotalsQuery,
): FactTotal[] {
  const rows = queries.all<
    Omit<FactTotal, 'isOurs' | 'isNew' | 'amount'> &
      Record<'isOurs' | 'isNew' | 'high' | 'low', number>
  >(
    `SELECT kind, label, outcome, currency, "by", isOurs, isNew, count(*) AS count,
            coalesce(sum(amount / ${PART}), 0) AS high, coalesce(sum(amount % ${PART}), 0) AS low,
            sum(amount IS NULL) AS withoutAmount
       FROM (SELECT kind, label, outcome, currency, abs(amount) AS amount,
                    CASE WHEN outcome IN ('declined', 'abandoned') THEN ${BY[by]} END AS "by",
                    ${IS.isOurs} AS isOurs, ${IS.isNew} AS isNew
               FROM facts
              WHERE doc >= :from AND doc < :until
                AND kind IN ('purchase', 'refund', 'request', 'event')
                ${operator === undefined ? '' : `AND ${IS.isTheirs}`})
      GROUP BY 1, 2, 3, 4, 5, 6, 7`,
    {
      ...namedValues(scope),
      ...(operator !== undefined && { operator }),
      from: secondOf(from) * DOCS_A_SECOND,
      until: secondOf(until) * DOCS_A_SECOND,
    },
  );
  return rows.map(({ isOurs, isNew, high, low, ...row }) => ({
    ...row,
    isOurs: isOurs === 1,
    isNew: isNew === 1,
    amount: BigInt(high) * BigInt(PART) + BigInt(low),
  }));
}

/**
 * @returns the newest charge event of each subscription that events told of. A `charge:pending` has no
 *   date of its own and says no more than what comes after it, so it stands behind all others.
 */
export function newestChargesOf(queries: Queries, scope: FactScope): Fact[] {
  return queries
    .all<Fact & { doc: number }>(
      `SELECT ${FACT_COLUMNS} FROM facts WHERE doc IN (
         SELECT iif(newest < 0, newest + ${BEHIND}, newest) FROM (
           SELECT max(iif(outcome = 'pending', doc - ${BEHIND}, doc)) AS newest FROM facts
            WHERE kind = 'event' AND subscription IS NOT NULL
              AND outcome IN ('pending', 'approved', 'declined', 'abandoned') AND ${IS.isOurs}
            GROUP BY subscription))
       ORDER BY doc`,
      namedValues(scope),
    )
    .map(({ doc: _, ...fact }) => fact);
}
