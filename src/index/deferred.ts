/**
 * What is to become a fact later. To write a fact takes several times as long as what it is of, and
 * a stream of deliveries or the lines of a batch have no time for it: they note, in their own
 * transaction, what is due, and whoever searches has it indexed first.
 */
import type { Queries } from '../store/sqlite/queries.ts';

export interface DueFact {
  kind: 'event' | 'request' | 'record';
  /** The number of an event, the id of an entry, or what a record is known by, as JSON. */
  key: string;
}

/** Notes that something is to become a fact, or is to become it again. */
export function deferFact(queries: Queries, kind: 'request' | 'record', key: string): void {
  queries.insert('facts_due', { kind, key });
}

/** Notes the same of many events, in their order: one statement for all. */
export function deferEvents(queries: Queries, ids: readonly number[]): void {
  if (ids.length === 0) return;
  queries.run(
    "INSERT INTO facts_due (kind, key) SELECT 'event', CAST(value AS TEXT) FROM json_each(?)",
    JSON.stringify(ids),
  );
}

/** @returns what has been due for longest, which is due no more: to be indexed in the same transaction */
export function takeDue(queries: Queries, limit: number): DueFact[] {
  const rows = queries.all<DueFact & { number: number }>(
    'SELECT number, kind, key FROM facts_due ORDER BY number LIMIT ?',
    limit,
  );
  const last = rows.at(-1);
  if (last) queries.run('DELETE FROM facts_due WHERE number <= ?', last.number);
  return rows;
}

/** @returns about how many facts are due; 0 when none is */
export function countDue(queries: Queries): number {
  return queries.one<{ count: number }>(
    'SELECT coalesce(max(number) - min(number) + 1, 0) AS count FROM facts_due',
  ).count;
}
