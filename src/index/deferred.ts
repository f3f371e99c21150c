/**
 * What is to become a document later. To write a document takes several times as long as what it is of, and
 * a stream of deliveries or the lines of a batch have no time for it: they note, in their own
 * transaction, what is due, and whoever searches has it indexed first.
 */
import { all, insert, one, run, type Work } from '../store/sql.ts';

export interface DeferredDocument {
  kind: 'event' | 'request' | 'record';
  /** The number of an event, the id of an entry, or what a record is known by, as JSON. */
  key: string;
}

/** Notes that something is to become a document, or is to become it again. */
export function deferDocument(kind: 'request' | 'record', key: string): Work<void> {
  return insert('facts_due', { kind, key });
}

/** Notes the same of many events, in their order: one statement for all. */
export function* deferEvents(ids: readonly number[]): Work<void> {
  if (ids.length === 0) return;
  yield* run(
    `INSERT INTO gw.facts_due (kind, key)
     SELECT 'event', event.value::text
       FROM json_array_elements_text(:ids::json) AS event (value)`,
    { ids: JSON.stringify(ids.map(String)) },
  );
}

/** @returns what has been due for longest, which is due no more: to be indexed in the same transaction */
export function* takeDue(limit: number): Work<DeferredDocument[]> {
  const rows = yield* all<DeferredDocument & { number: number }>(
    'SELECT number, kind, key FROM gw.facts_due ORDER BY number LIMIT :limit FOR UPDATE',
    { limit },
  );
  if (rows.length === 0) return [];
  // What another machine noted meanwhile may have a lower number.
  yield* run('DELETE FROM gw.facts_due WHERE number = ANY (:numbers)', {
    numbers: rows.map(({ number }) => String(number)),
  });
  return rows;
}

/** @returns about how many documents are due; 0 when none is */
export function* countDue(): Work<number> {
  const { count } = yield* one<{ count: number }>(
    'SELECT coalesce(max(number) - min(number) + 1, 0) AS count FROM gw.facts_due',
  );
  return count;
}
