/**
 * Copies entries and records from a ledger file into a ledger on a server, so the server knows what was sent before.
 * Entries are identified by id, records by account and id. You can copy the same file again, and any number of files
 * into one ledger.
 *
 * Tests: test/unit/commands/ledger/take-along.test.ts
 */
import type { RunStatement } from '../postgres/server.ts';
import { allRows, toStored } from '../sql.ts';
import type { Database } from '../sqlite/database.ts';
import { objectOfText, type RowValues } from './object-text.ts';

/** Rows per statement. */
const PAGE_ROWS = 500;

/** Those that an entry has when it is written. */
const INTENT_COLUMNS = [
  ...['id', 'created_at', 'account', 'profile', 'environment', 'host', 'operation', 'target'],
  ...['refund_of', 'amount', 'currency', 'reference', 'reference_key', 'body', 'note', 'batch'],
  ...['line', 'occurrence', 'operator', 'machine', 'approved_by'],
];

/** Those that its outcome has too. */
const SAID_COLUMNS = [
  ...['state', 'settled_at', 'status', 'record_id', 'message', 'transaction_date'],
  ...['response_code', 'resolution', 'resolved_by'],
];

const RECORD_COLUMNS = [
  ...['account', 'profile', 'host', 'kind', 'id', 'environment', 'reference', 'name', 'last_four'],
  ...['amount', 'currency', 'first_seen_at', 'last_seen_at', 'seen_by', 'record', 'deeds'],
];

/** A row by column name; every row has an id. */
export type TakenRow = Readonly<Record<string, string | number | null>> & { id: string };

/** @returns entries in the order in which they were written; a proposal is of the ledger where it was made */
export function entryPages(file: Database): Generator<TakenRow[]> {
  const columns = [...INTENT_COLUMNS, ...SAID_COLUMNS, 'superseded'];
  return withJson(pages(file, 'money_requests', columns, 'AND proposed_until IS NULL'), 'body');
}

/** @returns records in the order in which they were first seen */
export function recordPages(file: Database): Generator<TakenRow[]> {
  return withJson(pages(file, 'records', RECORD_COLUMNS), 'record');
}

/** @returns the same rows with an object as a server keeps it */
function* withJson(pages: Iterable<TakenRow[]>, column: 'body' | 'record'): Generator<TakenRow[]> {
  for (const page of pages)
    yield page.map((row) => {
      const object = objectOfText(String(row[column]), row as TakenRow & RowValues);
      return { ...row, [column]: JSON.stringify(object) };
    });
}

function* pages(
  file: Database,
  table: string,
  columns: readonly string[],
  only = '',
): Generator<TakenRow[]> {
  for (let after = 0; ; ) {
    const rows = file.read((queries) =>
      queries.do(
        allRows<TakenRow & { place: number }>(
          `SELECT rowid AS place, ${columns} FROM ${table} WHERE rowid > ? ${only} ORDER BY rowid LIMIT ?`,
          [after, PAGE_ROWS],
        ),
      ),
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(({ place: _, ...row }) => row as TakenRow);
    after = last.place;
  }
}

export interface TakenEntries {
  added: number;
  /** Ids of entries whose line another entry of the server's ledger holds. Both were sent. */
  conflicts: string[];
}

/** Message of an entry that has no outcome in the file, so nobody will settle it from there. */
export const LEFT_OPEN = 'it had no outcome when its ledger was copied';

/**
 * Adds entries, and settles existing entries that have no outcome. Never replaces an outcome. If another entry on the
 * server holds an entry's line, both were sent. The copied entry is added, but does not hold the line.
 */
export async function takeEntries(
  run: RunStatement,
  rows: readonly TakenRow[],
): Promise<TakenEntries> {
  const entries = rows.map((row) => ({
    ...row,
    superseded: row.superseded === 1,
    ...(row.state === 'sending' && { state: 'unknown', message: LEFT_OPEN }),
  }));
  const taken = [jsonOf(entries)];
  const conflicts = await run<{ id: string }>(CONFLICTS, taken);
  const [count] = await run<{ added: number }>(PUT_ENTRIES, taken);
  await run(PUT_OUTCOMES, taken);
  return { added: count?.added ?? 0, conflicts: conflicts.map(({ id }) => id) };
}

const CONFLICTS = `
  SELECT taken.id
    FROM json_populate_recordset(NULL::gw.money_requests, $1::json) AS taken
    JOIN gw.money_requests AS held
      ON held.account = taken.account AND held.operation = taken.operation
     AND held.batch = taken.batch AND held.line = taken.line
     AND held.occurrence = taken.occurrence AND held.id <> taken.id
   WHERE NOT held.superseded AND held.state IN ('sending', 'unknown', 'done')
     AND NOT taken.superseded AND taken.state IN ('sending', 'unknown', 'done')`;

const PUT_ENTRIES = `
  WITH put AS (
    INSERT INTO gw.money_requests (${INTENT_COLUMNS})
    SELECT ${INTENT_COLUMNS} FROM json_populate_recordset(NULL::gw.money_requests, $1::json)
    ON CONFLICT (id) DO NOTHING
    RETURNING id
  )
  SELECT count(*) AS added FROM put`;

const PUT_OUTCOMES = `
  INSERT INTO gw.outcomes (entry, superseded, ${SAID_COLUMNS})
  SELECT entry.id, entry.state = 'sending' AND taken.superseded, ${SAID_COLUMNS.map((name) => `taken.${name}`)}
    FROM json_populate_recordset(NULL::gw.money_requests, $1::json) AS taken
    JOIN gw.money_requests AS entry ON entry.id = taken.id
   WHERE entry.state = 'sending' OR entry.state = 'unknown' AND taken.state <> 'unknown'`;

/**
 * Adds records, and updates those that the file saw later. Adds the deeds of all.
 * @returns how many were new
 */
export async function takeRecords(run: RunStatement, rows: readonly TakenRow[]): Promise<number> {
  const taken = [jsonOf(rows)];
  const [count] = await run<{ added: number }>(NEW_RECORDS, taken);
  await run(PUT_RECORDS, taken);
  return count?.added ?? 0;
}

const TAKEN = 'json_populate_recordset(NULL::gw.sightings, $1::json)';
const NEW_RECORDS = `
  SELECT count(*) AS added FROM ${TAKEN} AS taken
   WHERE NOT EXISTS (SELECT FROM gw.records AS known
                      WHERE known.account = taken.account AND known.kind = taken.kind AND known.id = taken.id)`;
/** Everybody writes records in the same order, so two transactions cannot deadlock. */
const PUT_RECORDS = `
  INSERT INTO gw.sightings (${RECORD_COLUMNS})
  SELECT ${RECORD_COLUMNS} FROM ${TAKEN} ORDER BY id`;

/** Adds what is left of pruned refunds: they count in what is left of their purchases. */
export async function takePruned(run: RunStatement, file: Database): Promise<void> {
  const columns = ['id', 'account', 'profile', 'purchase', 'amount'];
  for (const page of pages(file, 'pruned_refunds', columns))
    await run(
      `INSERT INTO gw.pruned_refunds (${columns})
       SELECT ${columns} FROM json_populate_recordset(NULL::gw.pruned_refunds, $1::json)
           ON CONFLICT (id) DO NOTHING`,
      [jsonOf(page)],
    );
}

/** @returns rows as JSON, with each text in its stored form */
function jsonOf(rows: readonly object[]): string {
  return JSON.stringify(rows, (_, value) => (typeof value === 'string' ? toStored(value) : value));
}
