/** Sums over the index on a PostgreSQL server, by the rules of totals.ts. */
import { sameKnownAccount } from '../base/account.ts';
import type { RunStatement } from '../postgres/server.ts';
import type { Fact } from './fact.ts';
import { FACT_COLUMNS } from './fact-columns.ts';
import { secondOf } from './fact-texts.ts';
import { factOf } from './found.ts';
import { docOf } from './postgres-conditions.ts';
import type { FoundRow } from './postgres-search.ts';
import { type FactScope, factIsOurs } from './scope.ts';
import { BY, CHARGED, type FactTotal, MADE_IT, type TotalsQuery } from './totals.ts';

/** The first values of each statement. */
const SCOPE = {
  account: '$1::text',
  profile: '$2::text',
  environment: '$3::text',
  host: '$4::text',
};
const IS_OURS = factIsOurs(SCOPE);

const IS_SEEN = (id: string) => `
  EXISTS (SELECT 1 FROM gw.records_seen
           WHERE records_seen.id = ${id} AND records_seen.kind IN ('purchase', 'refund')
             AND CASE WHEN records_seen.account IS NULL THEN records_seen.profile = $2::text
                      ELSE ${sameKnownAccount('records_seen.', SCOPE)} END
           OFFSET 0)`;

/** An OFFSET has each looked up by itself: all at once would be all that there are. */
const IS_NEW = `
  CASE kind
    WHEN 'request' THEN NOT EXISTS (
      SELECT 1 FROM gw.money_requests
       WHERE money_requests.id = facts.id AND record_id IS NOT NULL AND ${IS_SEEN('record_id')}
      OFFSET 0)
    WHEN 'event' THEN purchase IS NULL OR outcome NOT IN ${CHARGED} OR NOT (
      ${IS_SEEN('facts.purchase')}
      OR EXISTS (
        SELECT 1 FROM gw.money_requests
         WHERE record_id = facts.purchase AND state IN ('done', 'declined') AND ${MADE_IT}
           AND (${sameKnownAccount('money_requests.', SCOPE)}
                OR money_requests.profile = $2::text)
        OFFSET 0)
      OR EXISTS (
        SELECT 1 FROM gw.fact_keys JOIN gw.facts AS other ON other.doc = fact_keys.doc
         WHERE fact_keys.key = lower(facts.purchase) AND fact_keys.doc < facts.doc
           AND other.kind = 'event' AND other.purchase = facts.purchase
           AND other.profile IS NOT DISTINCT FROM facts.profile AND other.outcome IN ${CHARGED}
        OFFSET 0))
    ELSE true END`;

/** `$7` is the operator. Events are nobody's. */
const IS_THEIRS = `
  CASE kind
    WHEN 'request' THEN operator = $7::text
    WHEN 'event' THEN false
    ELSE EXISTS (
      SELECT 1 FROM gw.money_requests
       WHERE record_id = facts.id AND money_requests.operator = $7::text AND ${MADE_IT}
         AND (money_requests.account IS NOT DISTINCT FROM facts.account
              OR money_requests.profile = facts.profile)
      OFFSET 0) END`;

/**
 * That a number is itself has the planner expect one row, which is as well looked up so; of thousands
 * it would compile the whole statement first, which takes seconds.
 * @returns as `totalsOf`
 */
export async function sumsOf(
  run: RunStatement,
  { scope, from, until, by, operator }: TotalsQuery,
): Promise<FactTotal[]> {
  const rows = await run<Omit<FactTotal, 'amount'> & { amount: string }>(
    `SELECT kind, label, outcome, currency, "by", "isOurs", "isNew", count(*) AS count,
            coalesce(sum(amount), 0)::text AS amount,
            count(*) - count(amount) AS "withoutAmount"
       FROM (SELECT kind, label, outcome, currency, abs(amount) AS amount,
                    CASE WHEN outcome IN ('declined', 'abandoned') THEN ${BY[by]} END AS "by",
                    ${IS_OURS} AS "isOurs", ${IS_NEW} AS "isNew"
               FROM gw.facts
              WHERE doc >= $5::bigint AND doc < $6::bigint AND doc + 0 = doc
                AND kind IN ('purchase', 'refund', 'request', 'event')
                ${operator === undefined ? '' : `AND ${IS_THEIRS}`}) AS counted
      GROUP BY 1, 2, 3, 4, 5, 6, 7`,
    [
      ...scopeOf(scope),
      ...[docOf(secondOf(from)), docOf(secondOf(until))],
      ...(operator === undefined ? [] : [operator]),
    ],
  );
  return rows.map(({ amount, ...row }) => ({ ...row, amount: BigInt(amount) }));
}

/** @returns as `newestChargesOf` */
export async function chargesOf(run: RunStatement, scope: FactScope): Promise<Fact[]> {
  const rows = await run<FoundRow>(
    `SELECT ${FACT_COLUMNS.replaceAll(/ AS (\w+)/g, ' AS "$1"')}
       FROM (SELECT coalesce(max(doc) FILTER (WHERE outcome <> 'pending'), max(doc)) AS doc
               FROM gw.facts
              WHERE kind = 'event' AND subscription IS NOT NULL
                AND outcome IN ('pending', 'approved', 'declined', 'abandoned') AND ${IS_OURS}
              GROUP BY subscription) AS newest
       JOIN gw.facts ON facts.doc = newest.doc
      ORDER BY facts.doc`,
    scopeOf(scope),
  );
  return rows.map(factOf);
}

function scopeOf({ account, profile, environment, host = null }: FactScope) {
  return [account, profile, environment, host];
}
