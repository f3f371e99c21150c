/** Going over all that is kept of records and money requests, and changing it, with its documents. */
import type { JsonObject } from '../base/json.ts';
import { originOfRecord } from '../index/document-of-record.ts';
import { dropDocument } from '../index/write.ts';
import { all, run, update, type Work } from '../store/sql.ts';
import type { EntryState, RememberedRecord } from './ledger.ts';
import { type NumberedRecord, PAGE_ROWS, putRecords, recordsWhere } from './records/snapshots.ts';
import { indexRequest } from './requests/index-requests.ts';

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
export function* rewriteRecords(
  rewrite: (known: RememberedRecord) => Rewritten<RememberedRecord>,
  only?: readonly number[],
): Work<number[]> {
  const touched: number[] = [];
  for (let after = 0; ; ) {
    const page = yield* recordsWhere(pageOf(only), valuesOf(after, only));
    for (const known of page) {
      const becomes = rewrite(known);
      if (becomes === 'same') continue;
      touched.push(known.number);
      if (only) yield* changeRecord(known, becomes);
    }
    const last = page.at(-1);
    if (only || !last) return touched;
    after = last.number;
  }
}

/** As `rewriteRecords`; an entry is never dropped, since it is what money is known by. */
export function* rewriteEntries(
  rewrite: (entry: RewrittenEntry) => 'same' | RewrittenEntry,
  only?: readonly number[],
): Work<number[]> {
  const touched: number[] = [];
  for (let after = 0; ; ) {
    const page = yield* all<Omit<RewrittenEntry, 'body'> & { body: string; number: number }>(
      `SELECT rowid AS "number", id, profile, created_at AS "createdAt", state, target, reference,
              message, body
         FROM gw.money_requests WHERE ${pageOf(only)}`,
      valuesOf(after, only),
    );
    for (const { number, ...entry } of page) {
      const becomes = rewrite({ ...entry, body: JSON.parse(entry.body) });
      if (becomes === 'same') continue;
      touched.push(number);
      if (only) yield* changeEntry(becomes);
    }
    const last = page.at(-1);
    if (only || !last) return touched;
    after = last.number;
  }
}

/** Those that are changed are held, as they are by now. */
function pageOf(only: readonly number[] | undefined): string {
  if (only) return 'rowid = ANY (:only) ORDER BY rowid FOR UPDATE';
  return `rowid > :after ORDER BY rowid LIMIT ${PAGE_ROWS}`;
}

function valuesOf(after: number, only: readonly number[] | undefined) {
  return only ? { only: only.map(String) } : { after };
}

function* changeRecord(known: NumberedRecord, becomes: 'dropped' | RememberedRecord): Work<void> {
  const { number } = known;
  if (becomes === 'dropped') {
    yield* run('DELETE FROM gw.records_seen WHERE rowid = :number', { number });
    yield* dropDocument(originOfRecord(known));
    return;
  }
  const { reference, name, lastFour, record } = becomes;
  const changes = { reference, name, last_four: lastFour, record: JSON.stringify(record) };
  yield* update('records_seen', changes, { rowid: number });
  yield* putRecords([becomes]);
}

function* changeEntry({ id, target, reference, message, body }: RewrittenEntry): Work<void> {
  const changes = { target, reference, message, body: JSON.stringify(body) };
  yield* update('money_requests', changes, { id });
  yield* indexRequest(id);
}
