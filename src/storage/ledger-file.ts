/** The file that journal, sightings and received events are kept in: how it is named, opened and brought up to date. */
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { Failure } from '../failure.ts';
import type { FileNaming } from './file-failure.ts';
import { MIGRATIONS } from './ledger-schema.ts';
import { openDatabase, useWriteAheadLog } from './open-file.ts';

const BUSY_TIMEOUT_MS = 10_000;
/** 'gwlg' */
const APPLICATION_ID = 0x67776c67;

/** @returns how the ledger's file is spoken of in messages */
export function ledgerNaming(path: string): FileNaming {
  return {
    path,
    name: "The ledger's file",
    repair:
      'Move the file away to start a new ledger; keep it, since it knows which requests are unresolved.',
  };
}

/**
 * Opens the ledger's file and brings it up to date; made with its directories where there is none.
 * @throws Failure usage when it cannot be opened, guard when it is not a ledger of this version,
 *   and what SQLite throws for a damaged one
 */
export function openLedgerDatabase(
  naming: FileNaming,
  busyTimeoutMs = BUSY_TIMEOUT_MS,
): DatabaseSyncInstance {
  const database = openDatabase(naming, busyTimeoutMs);
  try {
    return prepared(database, naming.path);
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepared(database: DatabaseSyncInstance, path: string): DatabaseSyncInstance {
  // Intent is on disk when the statement returns, also when the power fails right after.
  database.exec('PRAGMA synchronous = FULL');
  database.exec('BEGIN');
  const version = versionOf(database, path);
  database.exec('COMMIT');
  if (version < MIGRATIONS.length) migrate(database, path);
  return database;
}

function migrate(database: DatabaseSyncInstance, path: string): void {
  useWriteAheadLog(database);
  database.exec('BEGIN IMMEDIATE');
  for (const migration of MIGRATIONS.slice(versionOf(database, path))) database.exec(migration);
  database.exec(
    `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}; COMMIT`,
  );
}

/** To be called in a transaction, or another process may change the file between the questions. */
function versionOf(database: DatabaseSyncInstance, path: string): number {
  const { version, application, tables } = database
    .prepare(
      `SELECT user_version AS version, application_id AS application,
              (SELECT count(*) FROM sqlite_schema) AS tables
         FROM pragma_user_version, pragma_application_id`,
    )
    .get();
  const isNew = version === 0 && application === 0 && tables === 0;
  if (!isNew && application !== APPLICATION_ID) {
    throw new Failure('guard', `${path} is a database, but not a ledger of gw.`, {
      next: 'Move the file away; gw makes a new one.',
    });
  }
  if (version > MIGRATIONS.length) {
    throw new Failure('guard', `The ledger in ${path} was written by a newer gw.`, {
      next: 'Use that gw.',
    });
  }
  return version;
}
