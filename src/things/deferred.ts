/**
 * Sources that gw has still to learn. Learning takes several times as long as writing the source. So a change or
 * deletion of an event, an entry or a record only adds a row here, in the same transaction. A new event is due if its
 * number is above that of the last one that was learnt (`last_learnt_event`). A reader of the table of things learns
 * the due sources first.
 *
 * The stores of the ledger write these rows as well, in the SQL of their engine.
 */
import type { RecordKind } from '../contract/record-id.ts';
import { all, engine, insert, one, runSql, type Work } from '../store/sql.ts';

export interface DueSource {
  kind: 'event' | 'request' | RecordKind;
  /** The account of a record. */
  account: string | null;
  /** The number of an event, or the id of an entry or a record. */
  id: string;
}

/** Notes a changed or deleted source, or a new entry or record. */
export function deferSource({ kind, account, id }: DueSource): Work<void> {
  return insert('sources_due', { kind, account, id });
}

/** Notes all records and entries, before the table is written again (`clearThings`). */
export function* deferAll(): Work<void> {
  yield* runSql(`INSERT INTO gw.sources_due (kind, account, id)
              SELECT kind, account, id FROM gw.records`);
  yield* runSql(
    "INSERT INTO gw.sources_due (kind, id) SELECT 'request', id FROM gw.money_requests",
  );
}

/** @returns the oldest due sources, and removes their notes: the caller learns them in the same transaction */
export function* takeDue(limit: number): Work<DueSource[]> {
  const events = (yield* engine()) === 'sqlite' ? yield* takeNewEvents(limit) : [];
  return [...events, ...(yield* takeNoted(limit - events.length))];
}

function* takeNewEvents(limit: number): Work<DueSource[]> {
  const rows = yield* all<{ id: number }>(
    'SELECT id FROM events WHERE id > (SELECT id FROM last_learnt_event) ORDER BY id LIMIT :limit',
    { limit },
  );
  const last = rows.at(-1);
  if (last) yield* runSql('UPDATE last_learnt_event SET id = :id', { id: last.id });
  return rows.map(({ id }) => ({ kind: 'event', account: null, id: String(id) }));
}

function* takeNoted(limit: number): Work<DueSource[]> {
  if (limit === 0) return [];
  const rows = yield* all<DueSource & { number: number }>(
    'SELECT number, kind, account, id FROM gw.sources_due ORDER BY number LIMIT :limit FOR UPDATE',
    { limit },
  );
  if (rows.length === 0) return [];
  // A row that another machine added meanwhile may have a lower number.
  yield* runSql('DELETE FROM gw.sources_due WHERE number = ANY (:numbers)', {
    numbers: rows.map(({ number }) => String(number)),
  });
  return rows;
}

/** @returns about how many sources are due; 0 if none */
export function* countDue(): Work<number> {
  const { count } = yield* one<{ count: number }>(
    'SELECT coalesce(max(number) - min(number) + 1, 0) AS count FROM gw.sources_due',
  );
  // Only a file has events.
  return (yield* engine()) === 'sqlite' ? count + (yield* countNewEvents()) : count;
}

function* countNewEvents(): Work<number> {
  const { count } = yield* one<{ count: number }>(
    'SELECT max(coalesce((SELECT max(id) FROM events), 0) - id, 0) AS count FROM last_learnt_event',
  );
  return count;
}
