/** Sums over the index on a PostgreSQL server, by the rules of index/totals.ts. */
import type { RunStatement } from '../../store/postgres/server.ts';
import type { Fact } from '../document.ts';
import { FACT_COLUMNS } from '../fact-columns.ts';
import { factOf } from '../rank.ts';
import type { FactScope } from '../scope.ts';
import { BY, countingSql, type FactTotal, type TotalsQuery } from '../totals.ts';
import { secondOf } from '../words.ts';
import { docOf } from './postgres-conditions.ts';
import type { FoundRow } from './postgres-search.ts';

/** The first values of each statement. */
const SCOPE = {
  account: '$1::text',
  profile: '$2::text',
  environment: '$3::text',
  host: '$4::text',
};
/** An OFFSET has each looked up by itself: all at once would be all that there are. */
const IS = countingSql({
  ...{ scope: SCOPE, operator: '$7::text', schema: 'gw.', once: 'OFFSET 0', join: 'JOIN' },
});

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
                    ${IS.isOurs} AS "isOurs", ${IS.isNew} AS "isNew"
               FROM gw.facts
              WHERE doc >= $5::bigint AND doc < $6::bigint AND doc + 0 = doc
                AND kind IN ('purchase', 'refund', 'request', 'event')
                ${operator === undefined ? '' : `AND ${IS.isTheirs}`}) AS counted
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
                AND outcome IN ('pending', 'approved', 'declined', 'abandoned') AND ${IS.isOurs}
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
