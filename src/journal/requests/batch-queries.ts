/** Batches, from the lines that were sent for them. */
import { namedValues, requestIsOurs, SCOPE, type SearchScope } from '../../index/scope.ts';
import { all, type SqlValues, type Work } from '../../store/sql.ts';
import type { BatchPart, OpenAmount } from '../ledger.ts';
import { MOST_CERTAIN } from './batches.ts';
import { STATE_NOW } from './request-queries.ts';
import { type BeingSent, isAbandoned, type SendingProcesses } from './sending.ts';

const SENT = `
  rowid AS number, id, batch, line, account, operation, profile, environment, host,
  ${STATE_NOW} AS state, currency, operator, owner, amount, created_at,
  coalesce(refund_of, record_id) AS purchase`;

/**
 * Each attempt at a line, and which it is of those, from 1. This sorts whole rows, so that it is asked
 * of one batch, or of lines that may have several attempts.
 */
const attempts = (where: string) => `
  (SELECT sent.*, min(created_at) OVER attempts AS started,
          min(number) OVER attempts AS first_number,
          row_number() OVER (attempts ORDER BY ${MOST_CERTAIN}, created_at DESC, number DESC) AS place
     FROM (SELECT ${SENT} FROM gw.money_requests WHERE ${where}) AS sent
   WINDOW attempts AS (PARTITION BY account, batch, line)) AS attempts`;

/**
 * Lines with an attempt that another one may follow: of the others each has one, by the unique index. By
 * their names alone, whatever the batch: SQLite seeks one value in a set, but several one by one.
 */
const REPEATABLE = `
  (SELECT line FROM gw.money_requests
    WHERE batch IS NOT NULL
      AND NOT (NOT superseded AND state IN ('sending', 'unknown', 'done')))`;
const OF_A_PART = `
  batch, account, operation, profile, environment, host, state, currency, operator, owner, amount,
  created_at`;

type Part = BatchPart & Pick<BeingSent, 'owner' | 'asOf'>;

/** @returns as `Ledger.batches` */
export function* batchParts(processes: SendingProcesses): Work<BatchPart[]> {
  const parts = yield* all<Part>(
    `SELECT batch, account, operation, profile, environment, host, state, currency, operator,
            CASE state WHEN 'sending' THEN owner END AS owner,
            CASE state WHEN 'sending' THEN :store_time END AS "asOf",
            count(*)::int AS lines, sum(amount + 0.0) AS amount,
            min(started) AS first, max(created_at) AS last
       FROM (SELECT ${OF_A_PART}, created_at AS started
               FROM (SELECT ${SENT} FROM gw.money_requests
                      WHERE batch IS NOT NULL AND line NOT IN ${REPEATABLE}) AS sent_once
             UNION ALL
             SELECT ${OF_A_PART}, started
               FROM ${attempts(`batch IS NOT NULL AND line IN ${REPEATABLE}`)}
              WHERE place = 1) AS lines
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`,
  );
  return parts.map(({ owner, asOf, ...part }) => {
    // By a time that is not over yet, or by none: the process tells.
    const sent = { state: part.state, owner, createdAt: part.last, sendsUntil: null, asOf };
    return isAbandoned(sent, processes) ? { ...part, state: 'unknown' } : part;
  });
}

type BatchKey = Pick<BatchPart, 'batch' | 'account'>;

/** @returns what a batch is asked for by, and its values */
function ofBatch({ batch, account }: BatchKey): [where: string, values: SqlValues] {
  return account === null
    ? ['batch = :batch AND account IS NULL', { batch }]
    : ['batch = :batch AND account = :account', { batch, account }];
}

/** @returns ids of the attempt that counts of each line, in the order in which the lines were sent first */
export function* batchEntryIds(batch: BatchKey): Work<string[]> {
  const [where, values] = ofBatch(batch);
  const rows = yield* all<{ id: string }>(
    `SELECT id FROM ${attempts(where)} WHERE place = 1 ORDER BY first_number`,
    values,
  );
  return rows.map(({ id }) => id);
}

/** @returns as `Ledger.openAmounts` */
export function openAmounts(batch: BatchKey): Work<OpenAmount[]> {
  const [where, values] = ofBatch(batch);
  return all<OpenAmount>(
    `SELECT purchase, sum(amount + 0.0) AS amount FROM ${attempts(where)}
      WHERE place = 1 AND state = 'done' AND currency IS NULL AND purchase IS NOT NULL
        AND amount IS NOT NULL
      GROUP BY purchase ORDER BY min(first_number)`,
    values,
  );
}

/** Of all entries, the newest are looked at. */
const MAX_LOOKED_AT = 10_000;

/**
 * @param scope whose; undefined for all
 * @returns those of the newest entries, latest first, in bounded time
 */
export function latestBatches(
  scope: SearchScope | undefined,
): Work<Pick<BatchPart, 'batch' | 'operation' | 'profile' | 'lines'>[]> {
  return all(
    `SELECT batch, operation, profile, count(DISTINCT line) AS lines
       FROM (SELECT rowid AS number, batch, line, operation, account, profile, environment, host
               FROM gw.money_requests ORDER BY rowid DESC LIMIT ${MAX_LOOKED_AT}) AS newest
      WHERE batch IS NOT NULL AND ${scope ? requestIsOurs(SCOPE) : 'true'}
      GROUP BY 1, 2, 3 ORDER BY max(number) DESC`,
    { ...(scope && namedValues(scope)) },
  );
}
