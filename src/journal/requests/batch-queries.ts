/** Batches in a ledger that is a file. */
import { type FactScope, NAMED, namedValues, requestIsOurs } from '../../index/scope.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import type { BatchPart, OpenAmount } from '../ledger.ts';
import { MOST_CERTAIN } from './batches.ts';

/**
 * Each attempt at a line, and which it is of those, from 1. This sorts whole rows, so that it is asked
 * of one batch, or of lines that may have several attempts.
 */
const ATTEMPTS = `
  SELECT rowid AS number, id, batch, account, operation, profile, environment, host, state, currency,
         operator, owner, amount, created_at, coalesce(refund_of, record_id) AS purchase,
         min(created_at) OVER attempts AS started, min(rowid) OVER attempts AS first_number,
         row_number() OVER (attempts ORDER BY ${MOST_CERTAIN}, created_at DESC, rowid DESC) AS place
    FROM money_requests`;
const OF_A_LINE = `WINDOW attempts AS (PARTITION BY account, batch, line)`;

/**
 * Lines with an attempt that another one may follow: of the others each has one, by the unique index. By
 * their names alone, whatever the batch: SQLite seeks one value in a set, but several one by one.
 */
const REPEATABLE = `
  (SELECT line FROM money_requests
    WHERE batch IS NOT NULL AND NOT (superseded = 0 AND state IN ('sending', 'unknown', 'done')))`;
const OF_A_PART = `
  batch, account, operation, profile, environment, host, state, currency, operator, owner, amount,
  created_at`;

type Part = BatchPart & { owner: string | null };

/** @param isAbandoned whether nobody will write the outcome of what is being sent */
export function batchParts(
  queries: Queries,
  isAbandoned: (sending: { owner: string | null; createdAt: string }) => boolean,
): BatchPart[] {
  const parts = queries.all<Part>(
    `SELECT batch, account, operation, profile, environment, host, state, currency, operator,
            CASE state WHEN 'sending' THEN owner END AS owner,
            count(*) AS lines, CASE WHEN count(amount) > 0 THEN total(amount) END AS amount,
            min(started) AS first, max(created_at) AS last
       FROM (SELECT ${OF_A_PART}, created_at AS started FROM money_requests
              WHERE batch IS NOT NULL AND line NOT IN ${REPEATABLE}
             UNION ALL
             SELECT ${OF_A_PART}, started
               FROM (${ATTEMPTS} WHERE batch IS NOT NULL AND line IN ${REPEATABLE} ${OF_A_LINE})
              WHERE place = 1)
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10`,
  );
  return parts.map(({ owner, ...part }) =>
    part.state === 'sending' && isAbandoned({ owner, createdAt: part.last })
      ? { ...part, state: 'unknown' }
      : part,
  );
}

/** @returns ids of the attempt that counts of each line, in the order in which the lines were sent first */
export function batchEntryIds(
  queries: Queries,
  { batch, account }: Pick<BatchPart, 'batch' | 'account'>,
): string[] {
  return queries
    .all<{ id: string }>(
      `SELECT id FROM (${ATTEMPTS} WHERE batch = ? AND account IS ? ${OF_A_LINE})
        WHERE place = 1 ORDER BY first_number`,
      batch,
      account,
    )
    .map(({ id }) => id);
}

export function openAmounts(
  queries: Queries,
  { batch, account }: Pick<BatchPart, 'batch' | 'account'>,
): OpenAmount[] {
  return queries.all<OpenAmount>(
    `SELECT purchase, total(amount) AS amount
       FROM (${ATTEMPTS} WHERE batch = ? AND account IS ? ${OF_A_LINE})
      WHERE place = 1 AND state = 'done' AND currency IS NULL AND purchase IS NOT NULL
        AND amount IS NOT NULL
      GROUP BY purchase ORDER BY min(first_number)`,
    batch,
    account,
  );
}

/** Of all entries, the newest are looked at. */
const MAX_LOOKED_AT = 10_000;

/**
 * @param scope whose; undefined for all
 * @returns those of the newest entries, latest first, in bounded time
 */
export function latestBatches(
  queries: Queries,
  scope: FactScope | undefined,
): Pick<BatchPart, 'batch' | 'operation' | 'profile' | 'lines'>[] {
  return queries.all(
    `SELECT batch, operation, profile, count(DISTINCT line) AS lines
       FROM (SELECT rowid AS number, * FROM money_requests ORDER BY rowid DESC LIMIT ${MAX_LOOKED_AT})
      WHERE batch IS NOT NULL AND ${scope ? requestIsOurs(NAMED) : '1'}
      GROUP BY 1, 2, 3 ORDER BY max(number) DESC`,
    { ...(scope && namedValues(scope)) },
  );
}
