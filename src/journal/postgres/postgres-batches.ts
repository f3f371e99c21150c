/** Batches in a ledger on a server. */
import type { RunStatement } from '../../store/postgres/server.ts';
import type { BatchPart, OpenAmount } from '../ledger.ts';
import { MOST_CERTAIN } from '../requests/batches.ts';
import { IS_ABANDONED } from './postgres-entries.ts';

/** Each attempt at a line, and which it is of those, from 1. */
const ATTEMPTS = `
  SELECT number, id, batch, account, operation, profile, environment, host, state, currency, operator,
         amount, purchase, created_at, min(created_at) OVER attempts AS started,
         min(number) OVER attempts AS first_number,
         row_number() OVER (attempts ORDER BY ${MOST_CERTAIN}, created_at DESC, number DESC) AS place
    FROM (SELECT m.number, m.id, m.batch, m.line, m.account, m.operation, m.profile, m.environment, m.host,
                 CASE WHEN ${IS_ABANDONED} THEN 'unknown' ELSE m.state END AS state, m.currency,
                 m.operator, m.amount, coalesce(m.refund_of, m.record_id) AS purchase, m.created_at
            FROM gw.money_requests AS m LEFT JOIN gw.senders AS s ON s.id = m.sender`;
const OF_A_LINE = `WINDOW attempts AS (PARTITION BY account, batch, line)`;

export function batchParts(run: RunStatement): Promise<BatchPart[]> {
  return run<BatchPart>(
    `SELECT batch, account, operation, profile, environment, host, state, currency, operator,
            count(*)::int AS lines, sum(amount)::float8 AS amount,
            min(started) AS first, max(created_at) AS last
       FROM (${ATTEMPTS} WHERE m.batch IS NOT NULL) AS sent ${OF_A_LINE}) AS lines
      WHERE place = 1
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9`,
  );
}

/** @returns as `batchEntryIds` of a file */
export async function batchEntryIds(
  run: RunStatement,
  { batch, account }: Pick<BatchPart, 'batch' | 'account'>,
): Promise<string[]> {
  const rows = await run<{ id: string }>(
    `SELECT id
       FROM (${ATTEMPTS} WHERE m.batch = $1 AND m.account IS NOT DISTINCT FROM $2::text) AS sent
              ${OF_A_LINE}) AS lines
      WHERE place = 1 ORDER BY first_number`,
    [batch, account],
  );
  return rows.map(({ id }) => id);
}

/** @returns as `openAmounts` of a file */
export function openAmounts(
  run: RunStatement,
  { batch, account }: Pick<BatchPart, 'batch' | 'account'>,
): Promise<OpenAmount[]> {
  return run<OpenAmount>(
    `SELECT purchase, sum(amount)::float8 AS amount
       FROM (${ATTEMPTS} WHERE m.batch = $1 AND m.account IS NOT DISTINCT FROM $2::text) AS sent
              ${OF_A_LINE}) AS lines
      WHERE place = 1 AND state = 'done' AND currency IS NULL AND purchase IS NOT NULL
        AND amount IS NOT NULL
      GROUP BY purchase ORDER BY min(first_number)`,
    [batch, account],
  );
}
