/** Going over all that is kept of records and money requests, and changing it. Their documents are due then. */
import type { JsonObject } from '../base/json.ts';
import { deferDocument } from '../index/deferred.ts';
import { all, runSql, update, type Work } from '../store/sql.ts';
import type { EntryState, RememberedRecord } from './ledger.ts';

/** Of a table that is gone over whole. */
const PAGE_ROWS = 1_000;

/** A record with the number of its row. */
type NumberedRecord = RememberedRecord & { number: number };

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
  recordId: string | null;
  refundOf: string | null;
  message: string | null;
  body: JsonObject;
}

/**
 * @param only rows that are changed; without them all rows are asked about, and none is changed
 * @returns rows that would be another, or were
 */
export function rewriteRecords(
  rewrite: (known: RememberedRecord) => Rewritten<RememberedRecord>,
  only?: readonly number[],
): Work<number[]> {
  const rows = `SELECT rowid AS "number", account, profile, environment, host, kind, id, reference,
                       name, last_four AS "lastFour", amount, seen_by AS "seenBy", record,
                       first_seen_at AS "firstSeenAt", last_seen_at AS "lastSeenAt"
                  FROM gw.records`;
  return goOver<Omit<NumberedRecord, 'record'> & { record: string }>(rows, only, function* (row) {
    const known = { ...row, record: JSON.parse(row.record) as JsonObject };
    const becomes = rewrite(known);
    if (becomes === 'same') return false;
    if (only) yield* changeRecord(known, becomes);
    return true;
  });
}

/** As `rewriteRecords`; an entry is never dropped, since it is what money is known by. */
export function rewriteEntries(
  rewrite: (entry: RewrittenEntry) => 'same' | RewrittenEntry,
  only?: readonly number[],
): Work<number[]> {
  const rows = `SELECT rowid AS "number", id, profile, created_at AS "createdAt", state, target, reference,
                       record_id AS "recordId", refund_of AS "refundOf", message, body
                  FROM gw.money_requests`;
  type Row = Omit<RewrittenEntry, 'body'> & { body: string; number: number };
  return goOver<Row>(rows, only, function* ({ number: _, ...entry }) {
    const becomes = rewrite({ ...entry, body: JSON.parse(entry.body) });
    if (becomes === 'same') return false;
    if (only) yield* changeEntry(becomes);
    return true;
  });
}

/** @returns the numbers of rows of which `change` is true; those that are changed are held, as they are by now */
function* goOver<Row extends { number: number }>(
  rows: string,
  only: readonly number[] | undefined,
  change: (row: Row) => Work<boolean>,
): Work<number[]> {
  const touched: number[] = [];
  for (let after = 0; ; ) {
    const page: Row[] = only
      ? yield* all<Row>(`${rows} WHERE rowid = ANY (:only) ORDER BY rowid FOR UPDATE`, {
          only: only.map(String),
        })
      : yield* all<Row>(`${rows} WHERE rowid > :after ORDER BY rowid LIMIT ${PAGE_ROWS}`, {
          after,
        });
    for (const row of page) if (yield* change(row)) touched.push(row.number);
    const last = page.at(-1);
    if (only || !last) return touched;
    after = last.number;
  }
}

function* changeRecord(
  { number, kind, account, id }: NumberedRecord,
  becomes: 'dropped' | RememberedRecord,
): Work<void> {
  if (becomes === 'dropped') {
    yield* runSql('DELETE FROM gw.records WHERE rowid = :number', { number });
  } else {
    const { reference, name, lastFour, record } = becomes;
    const changes = { reference, name, last_four: lastFour, record: JSON.stringify(record) };
    yield* update('records', changes, { rowid: number });
  }
  yield* deferDocument({ kind, account, id });
}

function* changeEntry({ id, target, reference, message, body }: RewrittenEntry): Work<void> {
  const changes = { target, reference, message, body: JSON.stringify(body) };
  yield* update('money_requests', changes, { id });
  yield* deferDocument({ kind: 'request', account: null, id });
}
