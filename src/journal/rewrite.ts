/**
 * Goes through all stored records and money requests and changes them. Marks the things of changed rows as due.
 *
 * Tests: test/unit/commands/forget/erasure-cases.ts
 */
import type { JsonObject } from '../base/json.ts';
import { objectOfText, textOfObject } from '../store/ledger/object-text.ts';
import { allRows, engine, runSql, update, type Work } from '../store/sql.ts';
import { deferSource } from '../things/deferred.ts';
import { RECORD_COLUMNS, type RememberedRow, recordOfRow } from './entries.ts';
import type { EntryState, RememberedRecord } from './ledger.ts';
import { referenceKeyOf } from './statements.ts';

/** Rows read at a time when a whole table is scanned. */
const PAGE_ROWS = 2_000;

/** A table to scan: reading all that a row says takes ten times as long as looking at its texts. */
interface Scanned {
  table: string;
  /** Its columns with texts that may lead to a change. */
  texts: readonly string[];
  /** @param text these texts, with a quotation mark between them; objects as they are stored */
  mayChange: (text: string) => boolean;
}

/** A record with its row number. */
type NumberedRecord = RememberedRecord & { number: number };

/** Result of rewriting a value: unchanged, deleted, or the new value. */
export type Rewritten<Kept> = 'same' | 'dropped' | Kept;

/** The columns of an entry that may identify a person, and those that its body shares its values with. */
export interface RewrittenEntry {
  id: string;
  profile: string;
  createdAt: string;
  state: EntryState;
  target: string | null;
  amount: number | null;
  currency: string | null;
  reference: string | null;
  recordId: string | null;
  refundOf: string | null;
  message: string | null;
  note: string | null;
  body: JsonObject;
}

/** Some rows after a number, of which none is changed; or only these rows, which are changed. */
export type AskedRows = { after: number } | { only: readonly number[] };

export interface GoneOver {
  /** Numbers of the rows that would change, or did. */
  touched: number[];
  /** Number of the last row; undefined if there was none. */
  last: number | undefined;
}

/** @param mayChange as in `Scanned`; a record whose texts it refuses stays as it is */
export function rewriteRecords(
  rewrite: (known: RememberedRecord) => Rewritten<RememberedRecord>,
  mayChange: Scanned['mayChange'],
  asked: AskedRows,
): Work<GoneOver> {
  const rows = `SELECT rowid AS "number", ${RECORD_COLUMNS} FROM gw.records`;
  const change = function* ({ number, ...row }: RememberedRow & { number: number }) {
    const known = { number, ...recordOfRow(row) };
    const becomes = rewrite(known);
    if (becomes === 'same') return false;
    if ('only' in asked) yield* changeRecord(known, becomes);
    return true;
  };
  const texts = ['id', 'reference', 'name', 'record'];
  const scanned = { table: 'records', texts, mayChange };
  return goOverSome(rows, asked, change, scanned);
}

/**
 * Does for entries what `rewriteRecords` does for records. Never deletes an entry, because entries account for money.
 */
export function rewriteEntries(
  rewrite: (entry: RewrittenEntry) => 'same' | RewrittenEntry,
  mayChange: Scanned['mayChange'],
  asked: AskedRows,
): Work<GoneOver> {
  const rows = `SELECT rowid AS "number", id, profile, created_at AS "createdAt", state, target, amount, currency,
                       reference, record_id AS "recordId", refund_of AS "refundOf", message, note, body
                  FROM gw.money_requests`;
  type Row = Omit<RewrittenEntry, 'body'> & { body: string; number: number };
  const change = function* ({ number: _, ...entry }: Row) {
    const becomes = rewrite({ ...entry, body: objectOfText(entry.body, entry) });
    if (becomes === 'same') return false;
    if ('only' in asked) yield* changeEntry(becomes);
    return true;
  };
  const texts = ['id', 'target', 'reference', 'record_id', 'refund_of', 'message', 'body'];
  return goOverSome(rows, asked, change, { table: 'money_requests', texts, mayChange });
}

/** Does what `goOver` does, but reads only those rows of a page whose texts may lead to a change. */
function* goOverSome<Row extends { number: number }>(
  rows: string,
  asked: AskedRows,
  change: (row: Row) => Work<boolean>,
  { table, texts, mayChange }: Scanned,
): Work<GoneOver> {
  if ('only' in asked) return yield* goOver(rows, asked, change);
  const page = yield* allRows<{ number: number; text: string }>(
    `SELECT rowid AS "number", concat_ws('"', ${texts}) AS text FROM gw.${table}
      WHERE rowid > :after ORDER BY rowid LIMIT ${PAGE_ROWS}`,
    { ...asked },
  );
  const near = page.flatMap(({ number, text }) => (mayChange(text) ? [number] : []));
  const last = page.at(-1)?.number;
  if (near.length === 0) return { touched: [], last };
  const read = yield* allRows<Row>(`${rows} WHERE rowid = ANY (:near) ORDER BY rowid`, {
    near: near.map(String),
  });
  return { touched: yield* touchedIn(read, change), last };
}

/**
 * Calls `change` for each row. Rows in `only` are locked and read as they are now.
 * @param rows a query of all rows, which selects `rowid` as `number`
 * @param atOnce how many to read of those after a row
 */
export function* goOver<Row extends { number: number }>(
  rows: string,
  asked: AskedRows,
  change: (row: Row) => Work<boolean>,
  atOnce = PAGE_ROWS,
): Work<GoneOver> {
  const page: Row[] =
    'only' in asked
      ? yield* allRows<Row>(`${rows} WHERE rowid = ANY (:only) ORDER BY rowid FOR UPDATE`, {
          only: asked.only.map(String),
        })
      : yield* allRows<Row>(`${rows} WHERE rowid > :after ORDER BY rowid LIMIT ${atOnce}`, {
          ...asked,
        });
  return { touched: yield* touchedIn(page, change), last: page.at(-1)?.number };
}

function* touchedIn<Row extends { number: number }>(
  rows: readonly Row[],
  change: (row: Row) => Work<boolean>,
): Work<number[]> {
  const touched: number[] = [];
  for (const row of rows) if (yield* change(row)) touched.push(row.number);
  return touched;
}

function* changeRecord(
  { number, kind, account, id }: NumberedRecord,
  becomes: 'dropped' | RememberedRecord,
): Work<void> {
  if (becomes === 'dropped') {
    yield* runSql('DELETE FROM gw.records WHERE rowid = :number', { number });
  } else {
    const { reference, name, lastFour, record, deeds } = becomes;
    const text = textOfObject(record, yield* engine(), becomes);
    const texts = { record: text, deeds: JSON.stringify(deeds) };
    const changes = { reference, name, last_four: lastFour, ...texts };
    yield* update('records', changes, { rowid: number });
  }
  yield* deferSource({ kind, account, id });
}

function* changeEntry({ id, body, ...entry }: RewrittenEntry): Work<void> {
  const { target, reference, message, note } = entry;
  const key = { reference_key: referenceKeyOf(reference) };
  const store = yield* engine();
  const text = textOfObject(body, store, { id, ...entry });
  const changes = { target, reference, ...key, message, note, body: text };
  yield* update('money_requests', changes, { id });
  // A server also keeps what was said of it before.
  if (store === 'postgres') yield* update('outcomes', { message }, { entry: id });
  yield* deferSource({ kind: 'request', account: null, id });
}
