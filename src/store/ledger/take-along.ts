/**
 * Copies entries and records from a ledger file into a ledger on a server, so the server knows what was sent before.
 * Entries are identified by id, records by account and id. You can copy the same file again, and any number of files
 * into one ledger.
 */
import type { RunStatement } from '../postgres/server.ts';
import { allOf, runQuery } from '../postgres/work.ts';
import type { Database } from '../sqlite/database.ts';
import { toStored } from '../stored-text.ts';
import { addDeed, type StoredDeed } from './deeds.ts';

/** Rows per statement. */
const PAGE_ROWS = 500;

const ENTRY_COLUMNS = [
  'id',
  'created_at',
  'account',
  'profile',
  'environment',
  'host',
  'operation',
  'target',
  'refund_of',
  'amount',
  'currency',
  'reference',
  'reference_key',
  'body',
  'note',
  'batch',
  'line',
  'occurrence',
  'operator',
  'machine',
  'state',
  'settled_at',
  'status',
  'record_id',
  'message',
  'transaction_date',
  'response_code',
  'superseded',
  'resolution',
  'resolved_by',
].join(', ');

const RECORD_COLUMNS = [
  'account',
  'profile',
  'host',
  'kind',
  'id',
  'environment',
  'reference',
  'name',
  'last_four',
  'amount',
  'currency',
  'first_seen_at',
  'last_seen_at',
  'seen_by',
  'record',
  'deeds',
].join(', ');

/** A row by column name; every row has an id. */
export type TakenRow = Readonly<Record<string, string | number | null>> & { id: string };

export type TakenRecord = TakenRow & Readonly<Record<'account' | 'kind' | 'deeds', string>>;

/** @returns entries in the order in which they were written */
export function entryPages(file: Database): Generator<TakenRow[]> {
  return pages(file, 'money_requests', ENTRY_COLUMNS);
}

/** @returns records in the order in which they were first seen */
export function recordPages(file: Database): Generator<TakenRecord[]> {
  return pages(file, 'records', RECORD_COLUMNS);
}

function* pages<Row extends TakenRow>(
  file: Database,
  table: string,
  columns: string,
): Generator<Row[]> {
  for (let after = 0; ; ) {
    const rows = file.read((queries) =>
      queries.all<Row & { place: number }>(
        `SELECT rowid AS place, ${columns} FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ?`,
        after,
        PAGE_ROWS,
      ),
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(({ place: _, ...row }) => row as unknown as Row);
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
  const conflicts = await run<{ id: string }>(CONFLICTS, [jsonOf(entries)]);
  const isHeld = new Set(conflicts.map(({ id }) => id));
  const put = entries.map((row) => ({ ...row, superseded: row.superseded || isHeld.has(row.id) }));
  const [count] = await run<{ added: number }>(PUT_ENTRIES, [jsonOf(put)]);
  return { added: count?.added ?? 0, conflicts: [...isHeld] };
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

const SAID = 'state, status, record_id, message, response_code, resolution, resolved_by';

/** Each outcome copied also becomes a row of `outcomes`. */
const PUT_ENTRIES = `
  WITH put AS (
    INSERT INTO gw.money_requests (${ENTRY_COLUMNS})
    SELECT ${ENTRY_COLUMNS} FROM json_populate_recordset(NULL::gw.money_requests, $1::json)
    ON CONFLICT (id) DO UPDATE
       SET state = excluded.state, settled_at = excluded.settled_at, status = excluded.status,
           record_id = excluded.record_id, message = excluded.message,
           transaction_date = excluded.transaction_date,
           response_code = excluded.response_code, superseded = excluded.superseded, resolution = excluded.resolution,
           resolved_by = excluded.resolved_by
     WHERE money_requests.state IN ('sending', 'unknown')
       AND excluded.state NOT IN ('sending', 'unknown')
    RETURNING id, ${SAID}, xmax = 0 AS is_new
  ), said AS (
    INSERT INTO gw.outcomes (entry, ${SAID}) SELECT id, ${SAID} FROM put
  )
  SELECT count(*) AS added FROM put WHERE is_new`;

/**
 * Adds records, and updates those that the file saw later. Adds the deeds of all.
 * @returns how many were new
 */
export async function takeRecords(
  run: RunStatement,
  rows: readonly TakenRecord[],
): Promise<number> {
  // Everybody writes records in the same order, so two transactions cannot deadlock.
  const sorted = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const [count] = await run<{ added: number }>(PUT_RECORDS, [jsonOf(sorted)]);
  const deeds = sorted.flatMap((row) =>
    (JSON.parse(row.deeds) as StoredDeed[]).map((deed) => addDeed(row, deed)),
  );
  await allOf(deeds.map((query) => runQuery(run, query)));
  return count?.added ?? 0;
}

/** Fills gaps of a later answer from an earlier one. */
const PUT_RECORDS = `
  WITH put AS (
    INSERT INTO gw.records (${RECORD_COLUMNS})
    SELECT ${RECORD_COLUMNS} FROM json_populate_recordset(NULL::gw.records, $1::json)
    ON CONFLICT (account, kind, id) DO UPDATE
       SET profile = excluded.profile, host = excluded.host, environment = excluded.environment,
           reference = coalesce(excluded.reference, records.reference),
           name = coalesce(excluded.name, records.name),
           last_four = coalesce(excluded.last_four, records.last_four),
           amount = coalesce(excluded.amount, records.amount),
           currency = coalesce(excluded.currency, records.currency),
           first_seen_at = least(excluded.first_seen_at, records.first_seen_at),
           last_seen_at = excluded.last_seen_at, seen_by = excluded.seen_by, record = excluded.record
     WHERE excluded.last_seen_at > records.last_seen_at
    RETURNING xmax = 0 AS is_new
  )
  SELECT count(*) AS added FROM put WHERE is_new`;

/** Adds what is left of pruned refunds: they count in what is left of their purchases. */
export async function takePruned(run: RunStatement, file: Database): Promise<void> {
  const columns = 'id, account, profile, purchase, amount';
  for (const page of pages(file, 'pruned_refunds', columns))
    await run(
      `INSERT INTO gw.pruned_refunds (${columns})
       SELECT ${columns} FROM json_populate_recordset(NULL::gw.pruned_refunds, $1::json)
           ON CONFLICT (id) DO NOTHING`,
      [jsonOf(page)],
    );
}

/** Marks the things of all copied rows as due: records first, because a request takes its names from them. */
export async function deferTaken(run: RunStatement, file: Database): Promise<void> {
  for (const page of recordPages(file))
    await run(
      `INSERT INTO gw.sources_due (kind, account, id)
       SELECT kind, account, id FROM json_populate_recordset(NULL::gw.records, $1::json)`,
      [jsonOf(page)],
    );
  for (const page of entryPages(file))
    await run(
      `INSERT INTO gw.sources_due (kind, id)
       SELECT 'request', id FROM json_populate_recordset(NULL::gw.money_requests, $1::json)`,
      [jsonOf(page)],
    );
}

/** @returns rows as JSON, with each text in its stored form */
function jsonOf(rows: readonly object[]): string {
  return JSON.stringify(rows, (_, value) => (typeof value === 'string' ? toStored(value) : value));
}
