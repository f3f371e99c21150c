/** Goes through all stored records and money requests and changes them. Marks the things of changed rows as due. */
import type { JsonObject } from '../base/json.ts';
import { all, runSql, update, type Work } from '../store/sql.ts';
import { deferSource } from '../things/deferred.ts';
import { RECORD_COLUMNS, type RememberedRow, recordOfRow } from './entries.ts';
import type { EntryState, RememberedRecord } from './ledger.ts';
import { referenceKeyOf } from './statements.ts';

/** Rows read at a time when a whole table is scanned. */
const PAGE_ROWS = 1_000;

/** A record with its row number. */
type NumberedRecord = RememberedRecord & { number: number };

/** Result of rewriting a value: unchanged, deleted, or the new value. */
export type Rewritten<Kept> = 'same' | 'dropped' | Kept;

/** The columns of an entry that may identify a person. */
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
  note: string | null;
  body: JsonObject;
}

/**
 * @param only row numbers to change; if omitted, checks all rows and changes none
 * @returns numbers of the rows that would change, or did
 */
export function rewriteRecords(
  rewrite: (known: RememberedRecord) => Rewritten<RememberedRecord>,
  only?: readonly number[],
): Work<number[]> {
  const rows = `SELECT rowid AS "number", ${RECORD_COLUMNS} FROM gw.records`;
  return goOver<RememberedRow & { number: number }>(rows, only, function* ({ number, ...row }) {
    const known = { number, ...recordOfRow(row) };
    const becomes = rewrite(known);
    if (becomes === 'same') return false;
    if (only) yield* changeRecord(known, becomes);
    return true;
  });
}

/**
 * Does for entries what `rewriteRecords` does for records. Never deletes an entry, because entries account for money.
 */
export function rewriteEntries(
  rewrite: (entry: RewrittenEntry) => 'same' | RewrittenEntry,
  only?: readonly number[],
): Work<number[]> {
  const rows = `SELECT rowid AS "number", id, profile, created_at AS "createdAt", state, target, reference,
                       record_id AS "recordId", refund_of AS "refundOf", message, note, body
                  FROM gw.money_requests`;
  type Row = Omit<RewrittenEntry, 'body'> & { body: string; number: number };
  return goOver<Row>(rows, only, function* ({ number: _, ...entry }) {
    const becomes = rewrite({ ...entry, body: JSON.parse(entry.body) });
    if (becomes === 'same') return false;
    if (only) yield* changeEntry(becomes);
    return true;
  });
}

/**
 * Calls `change` for each row. Rows in `only` are locked and read as they are now.
 * @param rows a query of all rows, which selects `rowid` as `number`
 * @param atOnce how many to read at a time
 * @returns numbers of the rows for which `change` returned true
 */
export function* goOver<Row extends { number: number }>(
  rows: string,
  only: readonly number[] | undefined,
  change: (row: Row) => Work<boolean>,
  atOnce = PAGE_ROWS,
): Work<number[]> {
  const touched: number[] = [];
  const chosen = only ? 'AND rowid = ANY (:only)' : '';
  for (let after = 0; ; ) {
    const page: Row[] = yield* all<Row>(
      `${rows} WHERE rowid > :after ${chosen} ORDER BY rowid LIMIT ${atOnce} ${only ? 'FOR UPDATE' : ''}`,
      { after, ...(only && { only: only.map(String) }) },
    );
    for (const row of page) if (yield* change(row)) touched.push(row.number);
    const last = page.at(-1);
    if (!last) return touched;
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
    const { reference, name, lastFour, record, deeds } = becomes;
    const json = { record: JSON.stringify(record), deeds: JSON.stringify(deeds) };
    const changes = { reference, name, last_four: lastFour, ...json };
    yield* update('records', changes, { rowid: number });
  }
  yield* deferSource({ kind, account, id });
}

function* changeEntry({ id, body, ...entry }: RewrittenEntry): Work<void> {
  const { target, reference, message, note } = entry;
  const key = { reference_key: referenceKeyOf(reference) };
  const changes = { target, reference, ...key, message, note, body: JSON.stringify(body) };
  yield* update('money_requests', changes, { id });
  yield* deferSource({ kind: 'request', account: null, id });
}
