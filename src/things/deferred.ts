/**
 * Sources that gw has still to learn. Learning takes several times as long as writing the source. So whoever writes,
 * changes or deletes an event, an entry or a record only adds a row here, in the same transaction. A reader of the table
 * of things learns the due sources first.
 */
import type { RecordKind } from '../contract/record.ts';
import { allRows, engine, onlyRow, runSql, type SqlQuery, type Work } from '../store/sql.ts';

export interface DueSource {
  kind: 'event' | 'request' | RecordKind;
  /** The account of a record. */
  account: string | null;
  /** The number of an event, or the id of an entry or a record. */
  id: string;
}

/** @returns the statement that notes a source that is new, changed or deleted */
export function noteOfSource({ kind, account, id }: DueSource): SqlQuery {
  const text = 'INSERT INTO gw.sources_due (kind, account, id) VALUES (:kind, :account, :id)';
  return [text, [kind, account, id]];
}

/** Notes a source that is new, changed or deleted. */
export function deferSource(source: DueSource): Work<void> {
  return runSql(...noteOfSource(source));
}

/** Notes all sources, before the table is written again (`clearThings`). */
export function* deferAll(): Work<void> {
  yield* runSql(`INSERT INTO gw.sources_due (kind, account, id)
              SELECT kind, account, id FROM gw.records ORDER BY ${SHOWN_FIRST}`);
  yield* runSql(
    "INSERT INTO gw.sources_due (kind, id) SELECT 'request', id FROM gw.money_requests",
  );
  // The events of a team are in the files of its machines.
  if ((yield* engine()) === 'sqlite')
    yield* runSql("INSERT INTO gw.sources_due (kind, id) SELECT 'event', id FROM gw.events");
}

/** Records that payments show: if a payment is learnt before them, its row is made twice. */
const SHOWN_FIRST = "kind IN ('plan', 'customer', 'subscription') DESC";
/** Notes among which gw looks for these: a table that is written again has millions. */
const LOOKED_AT = 20_000;

/**
 * @returns due sources, of the oldest those first that others show, and removes their notes: the caller learns them in
 *   the same transaction
 */
export function* takeDue(limit: number): Work<DueSource[]> {
  const due = yield* allRows<DueSource & { number: number }>(
    `DELETE FROM gw.sources_due
      WHERE number IN (SELECT number FROM gw.sources_due
                        WHERE number < (SELECT min(number) FROM gw.sources_due) + ${LOOKED_AT}
                        ORDER BY ${SHOWN_FIRST}, number LIMIT :limit FOR UPDATE)
     RETURNING number, kind, account, id`,
    { limit },
  );
  // Things of one second are listed in the order in which they are learnt.
  return due.sort((one, other) => one.number - other.number);
}

/** @returns about how many sources are due; 0 if none */
export function* countDue(): Work<number> {
  // SQLite reads the whole table for a smallest and a largest number in one query.
  const { count } = yield* onlyRow<{ count: number }>(
    `SELECT coalesce((SELECT max(number) FROM gw.sources_due)
                     - (SELECT min(number) FROM gw.sources_due) + 1, 0) AS count`,
  );
  return count;
}
