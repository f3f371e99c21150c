/** Going over all that is kept of records and money requests, and changing it. Their documents are due then. */
import type { JsonObject } from '../base/json.ts';
import { deferDocument } from '../index/deferred.ts';
import { all, run, update, type Work } from '../store/sql.ts';
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
    const page = yield* all<Omit<NumberedRecord, 'record'> & { record: string }>(
      `SELECT rowid AS "number", account, profile, environment, host, kind, id, reference, name,
              last_four AS "lastFour", amount, seen_by AS "seenBy", record,
              first_seen_at AS "firstSeenAt", last_seen_at AS "lastSeenAt"
         FROM gw.records_seen WHERE ${pageOf(only)}`,
      valuesOf(after, only),
    );
    for (const row of page) {
      const known = { ...row, record: JSON.parse(row.record) as JsonObject };
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

function* changeRecord(
  { number, kind, account, id }: NumberedRecord,
  becomes: 'dropped' | RememberedRecord,
): Work<void> {
  if (becomes === 'dropped') {
    yield* run('DELETE FROM gw.records_seen WHERE rowid = :number', { number });
  } else {
    const { reference, name, lastFour, record } = becomes;
    const changes = { reference, name, last_four: lastFour, record: JSON.stringify(record) };
    yield* update('records_seen', changes, { rowid: number });
  }
  yield* deferDocument({ kind, account, id });
}

function* changeEntry({ id, target, reference, message, body }: RewrittenEntry): Work<void> {
  const changes = { target, reference, message, body: JSON.stringify(body) };
  yield* update('money_requests', changes, { id });
  yield* deferDocument({ kind: 'request', account: null, id });
}

/**
 * Notes that the documents of requests are due whose name is known from records and events that have changed.
 * @param isTheirs whether a name is one that it is about
 */
export function* deferRequestsOf(isTheirs: (who: string) => boolean): Work<void> {
  for (let after = 0; ; ) {
    const rows = yield* all<{ doc: number; id: string; who: string | null }>(
      `SELECT doc, id, who FROM gw.facts WHERE kind = 'request' AND doc > :after
        ORDER BY doc LIMIT ${PAGE_ROWS}`,
      { after },
    );
    for (const { id, who } of rows)
      if (who !== null && isTheirs(who))
        yield* deferDocument({ kind: 'request', account: null, id });
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ROWS) return;
    after = last.doc;
  }
}
