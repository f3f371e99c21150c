/** Going over all that is kept of records and money requests, and changing it, with its facts. */
import type { JsonObject } from '../../base/json.ts';
import { originOfRecord } from '../../index/document-of-record.ts';
import { dropFact } from '../../index/sqlite/write.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import type { EntryState, RememberedRecord } from '../ledger.ts';
import { putRecord, recordsWhere } from '../records/snapshots.ts';
import { indexRequest } from '../requests/money-requests.ts';

const PAGE_ROWS = 1_000;

/** What becomes of something that is kept: the same, nothing, or what it says now. */
export type Rewritten<Kept> = 'same' | 'dropped' | Kept;

/** What of an entry may say who somebody is. */
export interface RewrittenEntry {
  id: string;
  profile: string;
  createdAt: string;
  state: EntryState;
  target: string | null;
  reference: string | null;
  message: string | null;
  body: JsonObject;
}

/**
 * @param only rows that are changed; without them all rows are asked about, and none is changed
 * @returns rows that would be another, or were
 */
export function rewriteRecords(
  queries: Queries,
  rewrite: (known: RememberedRecord) => Rewritten<RememberedRecord>,
  only?: readonly number[],
): number[] {
  const touched: number[] = [];
  for (const number of only ?? rowsOf(queries, 'records_seen')) {
    const [known] = recordsWhere(queries, 'rowid = :number', { number }, 1);
    const becomes = known ? rewrite(known) : 'same';
    if (!known || becomes === 'same') continue;
    touched.push(number);
    if (!only) continue;
    if (becomes === 'dropped') {
      queries.run('DELETE FROM records_seen WHERE rowid = ?', number);
      dropFact(queries, originOfRecord(known));
      continue;
    }
    const { reference, name, lastFour, record } = becomes;
    const changes = { reference, name, last_four: lastFour, record: JSON.stringify(record) };
    queries.update('records_seen', changes, { rowid: number });
    putRecord(queries, becomes);
  }
  return touched;
}

/** As `rewriteRecords`; an entry is never dropped, since it is what money is known by. */
export function rewriteEntries(
  queries: Queries,
  rewrite: (entry: RewrittenEntry) => 'same' | RewrittenEntry,
  only?: readonly number[],
): number[] {
  const touched: number[] = [];
  for (const number of only ?? rowsOf(queries, 'money_requests')) {
    const row = queries.get<Omit<RewrittenEntry, 'body'> & { body: string }>(
      `SELECT id, profile, created_at AS createdAt, state, target, reference, message, body
         FROM money_requests WHERE rowid = ?`,
      number,
    );
    const becomes = row ? rewrite({ ...row, body: JSON.parse(row.body) }) : 'same';
    if (becomes === 'same') continue;
    touched.push(number);
    if (!only) continue;
    const { id, target, reference, message, body } = becomes;
    const changes = { target, reference, message, body: JSON.stringify(body) };
    queries.update('money_requests', changes, { id });
    indexRequest(queries, id);
  }
  return touched;
}

function* rowsOf(queries: Queries, table: 'records_seen' | 'money_requests'): Generator<number> {
  for (let after = 0; ; ) {
    const rows = queries.all<{ number: number }>(
      `SELECT rowid AS number FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE_ROWS}`,
      after,
    );
    for (const { number } of rows) {
      yield number;
      after = number;
    }
    if (rows.length < PAGE_ROWS) return;
  }
}
