/** Rows of another ledger, written into a file; each page is one transaction. */
import type { Database } from '../../sqlite/database.ts';
import type { Columns, Queries } from '../../sqlite/queries.ts';
import type { Value } from '../../stored-text.ts';
import { ledgerIdOf } from './file-source.ts';
import {
  type EntryRow,
  EVENT_COLUMNS,
  type EventRow,
  FORGOTTEN,
  numberIn,
  RECORD_COLUMNS,
  type RecordRow,
  type RowTarget,
} from './ledger-rows.ts';

/** The index is to be made anew afterwards. */
export function fileTarget(database: Database): RowTarget {
  const id = database.read(ledgerIdOf);
  return {
    async putEntries(rows) {
      const put = database.write((queries) => rows.map((row) => putEntry(queries, row)));
      return {
        added: put.filter(({ isNew }) => isNew).length,
        conflicts: put.flatMap(({ conflict }) => (conflict === undefined ? [] : [conflict])),
      };
    },
    async putRecords(rows) {
      return database.write((queries) => rows.filter((row) => putRecord(queries, row)).length);
    },
    async putEvents(rows) {
      return database.write((queries) => rows.filter((row) => putEvent(queries, id, row)).length);
    },
  };
}

const stored = (row: object): Columns =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? Number(value) : (value as Value),
    ]),
  );

const LIVE = "state IN ('sending', 'unknown', 'done')";
const IS_LIVE = new Set(['sending', 'unknown', 'done']);
const IS_OPEN = new Set(['sending', 'unknown']);

/** What settling an entry changes. */
const SETTLED = [
  ...['state', 'settled_at', 'status', 'record_id', 'message'],
  ...['superseded', 'resolution', 'resolved_by'],
];

function putEntry(queries: Queries, row: EntryRow): { isNew: boolean; conflict?: string } {
  const { id, account, batch, line } = row;
  const isHeld =
    batch !== null &&
    !row.superseded &&
    IS_LIVE.has(row.state) &&
    queries.get(
      `SELECT 1 FROM money_requests
        WHERE coalesce(account, '') = coalesce(:account, '') AND batch = :batch AND line = :line
          AND superseded = 0 AND ${LIVE} AND id <> :id`,
      { account, batch, line, id },
    ) !== undefined;
  const written = stored({ ...row, superseded: row.superseded || isHeld });
  const told = isHeld ? { conflict: id } : {};
  const known = queries.get<{ state: string }>('SELECT state FROM money_requests WHERE id = ?', id);
  if (!known) {
    queries.insert('money_requests', written);
    return { isNew: true, ...told };
  }
  if (isFurther(row.state, known.state)) {
    const outcome = Object.fromEntries(SETTLED.map((name) => [name, written[name] ?? null]));
    queries.update('money_requests', outcome, { id });
  }
  return { isNew: false, ...told };
}

/** An outcome is never taken back; that nobody is sending any more is something. */
function isFurther(state: string, known: string): boolean {
  if (!IS_OPEN.has(known)) return false;
  return !IS_OPEN.has(state) || (known === 'sending' && state === 'unknown');
}

/** What was seen last is what a record is; an earlier look may know what that left out. */
const LATER = Object.keys(RECORD_COLUMNS)
  .filter((name) => !['account', 'kind', 'id', 'first_seen_at'].includes(name))
  .map((name) => {
    const kept = ['reference', 'name', 'last_four', 'amount'].includes(name);
    const given = kept ? `coalesce(excluded.${name}, ${name})` : `excluded.${name}`;
    return `${name} = CASE WHEN excluded.last_seen_at >= last_seen_at THEN ${given} ELSE ${name} END`;
  });
const UPDATED = `DO UPDATE SET first_seen_at = min(first_seen_at, excluded.first_seen_at), ${LATER}`;
const SEEN_BEFORE = `
  ON CONFLICT (account, kind, id) WHERE account IS NOT NULL ${UPDATED}
  ON CONFLICT (profile, host, kind, id) WHERE account IS NULL ${UPDATED}`;

function putRecord(queries: Queries, row: RecordRow): boolean {
  const { account, profile, host, kind, id } = row;
  const isKnown =
    queries.get(
      `SELECT 1 FROM records_seen WHERE kind = :kind AND id = :id AND account IS :account
          AND (account IS NOT NULL OR (profile = :profile AND host = :host))`,
      { account, profile, host, kind, id },
    ) !== undefined;
  queries.insert('records_seen', stored(row), SEEN_BEFORE);
  return !isKnown;
}

function putEvent(queries: Queries, ledger: string, row: EventRow): boolean {
  const { origin, repeats, forwards } = row;
  const known = numberOf(queries, ledger, origin);
  const number = known ?? insertEvent(queries, row, repeatedBy(queries, ledger, repeats, row));
  for (const { target, state, attempts, last_error } of forwards)
    queries.insert(
      'event_forwards',
      { target, event: number, state, attempts, last_error },
      `ON CONFLICT (target, event) DO UPDATE
        SET state = excluded.state, attempts = excluded.attempts, last_error = excluded.last_error
        WHERE state = 'waiting' AND excluded.state <> 'waiting'`,
    );
  return known === undefined;
}

function numberOf(queries: Queries, ledger: string, origin: string): number | undefined {
  const own = numberIn(ledger, origin);
  if (own !== undefined) return own;
  return queries.get<{ id: number }>('SELECT id FROM events WHERE origin = ?', origin)?.id;
}

/** @returns the number of the event that this one repeats here, if it does */
function repeatedBy(
  queries: Queries,
  ledger: string,
  repeats: string | null,
  { identity, is_lasting }: EventRow,
): number | null {
  if (repeats !== null) return numberOf(queries, ledger, repeats) ?? FORGOTTEN;
  if (!is_lasting) return null;
  const same = queries.get<{ id: number }>(
    `SELECT id FROM events
      WHERE identity = ? AND duplicate_of IS NULL AND is_lasting = 1 ORDER BY id LIMIT 1`,
    identity,
  );
  return same?.id ?? null;
}

function insertEvent(queries: Queries, row: EventRow, duplicateOf: number | null): number {
  const columns = Object.fromEntries(
    Object.keys(EVENT_COLUMNS).map((name) => [name, row[name as keyof EventRow]]),
  );
  const { origin, source, identity } = row;
  queries.insert('events', {
    ...stored(columns),
    origin,
    duplicate_of: duplicateOf,
  });
  const number = queries.lastNumber();
  if (duplicateOf === null)
    queries.insert(
      'event_sources',
      { source, event: number, identity },
      `ON CONFLICT (source) DO UPDATE SET event = excluded.event, identity = excluded.identity
        WHERE coalesce((SELECT received_at FROM events WHERE id = event_sources.event), '')
              <= (SELECT received_at FROM events WHERE id = excluded.event)`,
    );
  return number;
}
