/** Rows of another ledger, written to a server; each page is one transaction. */
import { Failure } from '../../../failure.ts';
import { isLost, type Server } from '../../postgres/server.ts';
import {
  ENTRY_COLUMNS,
  type EntriesPut,
  type EntryRow,
  RECORD_COLUMNS,
  type RecordRow,
  type RowTarget,
} from './ledger-rows.ts';
import { putEvents } from './put-events.ts';
import { unnested } from './unnested.ts';

export function serverTarget(server: Server, ledger: string): RowTarget {
  return {
    putEntries: (rows) => putEntries(server, rows),
    putRecords: (rows) => putRecords(server, rows),
    putEvents: (rows) => server.transaction((run) => putEvents(run, ledger, rows)),
  };
}

const LIVE = "('sending', 'unknown', 'done')";
/** What settling an entry changes. */
const SETTLED = [
  ...['state', 'settled_at', 'status', 'record_id', 'message'],
  ...['superseded', 'resolution', 'resolved_by'],
];

/**
 * An outcome is never taken back. An entry whose line another one holds here was sent all the same: it
 * stays, and holds the line no more.
 */
async function putEntries(server: Server, rows: readonly EntryRow[]): Promise<EntriesPut> {
  const names = Object.keys(ENTRY_COLUMNS);
  const { given, values } = unnested(ENTRY_COLUMNS, rows);
  const taken = names.map((name) => (name === 'superseded' ? 'superseded OR is_held' : name));
  try {
    const put = await server.runAgain<{ id: string; is_new: boolean; is_held: boolean }>(
      `WITH asked AS (
         SELECT given.*, known.id IS NULL AS is_new,
                given.batch IS NOT NULL AND NOT given.superseded AND given.state IN ${LIVE}
                  AND EXISTS (SELECT 1 FROM gw.money_requests AS other
                               WHERE coalesce(other.account, '') = coalesce(given.account, '')
                                 AND other.batch = given.batch AND other.line = given.line
                                 AND NOT other.superseded AND other.state IN ${LIVE}
                                 AND other.id <> given.id) AS is_held
           FROM ${given} LEFT JOIN gw.money_requests AS known ON known.id = given.id
       ), written AS (
         INSERT INTO gw.money_requests AS known (${names})
         SELECT ${taken} FROM asked ORDER BY nth
         ON CONFLICT (id) DO UPDATE SET ${SETTLED.map((name) => `${name} = excluded.${name}`)}
          WHERE known.state IN ('sending', 'unknown')
            AND (excluded.state NOT IN ('sending', 'unknown')
                 OR (known.state = 'sending' AND excluded.state = 'unknown'))
         RETURNING 1
       )
       SELECT id, is_new, is_held FROM asked ORDER BY nth`,
      values,
    );
    return {
      added: put.filter((one) => one.is_new).length,
      conflicts: put.filter((one) => one.is_held).map(({ id }) => id),
    };
  } catch (error) {
    // Two of the same line: the first one is to be seen by the second.
    if (!(error instanceof Failure) || isLost(error) || rows.length === 1) throw error;
    if (error.code !== 'ledger-failed') throw error;
    const half = Math.ceil(rows.length / 2);
    const first = await putEntries(server, rows.slice(0, half));
    const rest = await putEntries(server, rows.slice(half));
    return {
      added: first.added + rest.added,
      conflicts: [...first.conflicts, ...rest.conflicts],
    };
  }
}

/** What was seen last is what a record is; an earlier look may know what that left out. */
const LATER = Object.keys(RECORD_COLUMNS)
  .filter((name) => !['account', 'kind', 'id', 'first_seen_at'].includes(name))
  .map((name) => {
    const kept = ['reference', 'name', 'last_four', 'amount'].includes(name);
    const seen = kept ? `coalesce(excluded.${name}, known.${name})` : `excluded.${name}`;
    return `${name} = CASE WHEN excluded.last_seen_at >= known.last_seen_at THEN ${seen} ELSE known.${name} END`;
  });

async function putRecords(server: Server, rows: readonly RecordRow[]): Promise<number> {
  const ofAccounts = rows.filter(({ account }) => account !== null);
  const ofProfiles = rows.filter(({ account }) => account === null);
  return (
    (await putRecordsBy(server, ofAccounts, ['account', 'kind', 'id'], 'account IS NOT NULL')) +
    (await putRecordsBy(server, ofProfiles, ['profile', 'host', 'kind', 'id'], 'account IS NULL'))
  );
}

async function putRecordsBy(
  server: Server,
  rows: readonly RecordRow[],
  key: readonly string[],
  which: string,
): Promise<number> {
  if (rows.length === 0) return 0;
  const names = Object.keys(RECORD_COLUMNS);
  const { given, values } = unnested(RECORD_COLUMNS, rows);
  const [counted] = await server.runAgain<{ count: number }>(
    `WITH asked AS (
       SELECT given.*, EXISTS (SELECT 1 FROM gw.records_seen AS known
                                WHERE ${key.map((name) => `known.${name} = given.${name}`).join(' AND ')}
                                  AND known.${which}) AS is_known
         FROM ${given}
     ), written AS (
       INSERT INTO gw.records_seen AS known (${names}) SELECT ${names} FROM asked ORDER BY ${key}
       ON CONFLICT (${key}) WHERE ${which} DO UPDATE
         SET first_seen_at = least(known.first_seen_at, excluded.first_seen_at), ${LATER}
       RETURNING 1
     )
     SELECT count(*) AS count FROM asked WHERE NOT is_known`,
    values,
  );
  return counted?.count ?? 0;
}
