/** The ledger in one SQLite file, private to the user and shared by every gw process of theirs. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { JsonObject } from '../contract/envelope.ts';
import { Failure } from '../failure.ts';
import type { Clock } from '../host/host.ts';
import { explain, type FileNaming } from '../sqlite/failure.ts';
import { openDatabase, useWriteAheadLog } from '../sqlite/open.ts';
import { EVENTS_MIGRATION } from './events-schema.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';

const BUSY_TIMEOUT_MS = 10_000;
/** 'gwlg' */
const APPLICATION_ID = 0x67776c67;

/** `user_version` is the number of these that a file has had. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE money_requests (
    id TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    profile TEXT NOT NULL,
    environment TEXT NOT NULL,
    host TEXT NOT NULL,
    operation TEXT NOT NULL,
    target TEXT,
    amount INTEGER,
    currency TEXT,
    reference TEXT,
    body TEXT NOT NULL,
    state TEXT NOT NULL,
    settled_at TEXT,
    status INTEGER,
    record_id TEXT,
    message TEXT
  );
  CREATE INDEX money_requests_by_time ON money_requests (created_at);
  CREATE INDEX money_requests_unresolved ON money_requests (created_at)
    WHERE state IN ('sending', 'unknown');
  `,
  EVENTS_MIGRATION,
];

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

/**
 * Opens the ledger, made with its directories where there is none.
 * @param busyTimeoutMs how long to wait while another process writes
 * @throws Failure guard when it cannot be used: nothing that moves money may be sent then
 */
export async function openLedger(
  path: string,
  clock: Pick<Clock, 'now'>,
  busyTimeoutMs = BUSY_TIMEOUT_MS,
): Promise<Ledger> {
  const naming = ledgerNaming(path);
  const guarded = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw asGuard(explain(error, naming), naming);
    }
  };
  const beforeSending = <Result>(work: () => Result): Result => {
    try {
      return guarded(work);
    } catch (error) {
      throw error instanceof Failure
        ? error.reworded({ next: `Nothing was sent. ${error.next}` })
        : error;
    }
  };
  const database = beforeSending(() => openLedgerDatabase(naming, busyTimeoutMs));
  const now = () => clock.now().toISOString();
  return {
    async intend(request) {
      const id = randomUUID();
      const { body, ...columns } = request;
      beforeSending(() =>
        database
          .prepare(
            `INSERT INTO money_requests
               (id, created_at, profile, environment, host, operation, target, amount, currency, reference, body, state)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'sending')`,
          )
          .run(
            id,
            now(),
            columns.profile,
            columns.environment,
            columns.host,
            columns.operation,
            storable(columns.target),
            columns.amount,
            storable(columns.currency),
            storable(columns.reference),
            JSON.stringify(body),
          ),
      );
      return id;
    },
    async settle(id, { state, status, recordId, message }) {
      const { changes } = guarded(() =>
        database
          .prepare(
            'UPDATE money_requests SET state = ?, settled_at = ?, status = ?, record_id = ?, message = ? WHERE id = ?',
          )
          .run(state, now(), status, storable(recordId), storable(message), id),
      );
      if (changes !== 1) {
        throw new Failure('guard', `The ledger in ${path} has lost the entry of this request.`, {
          next: 'Look the record up before you send it again.',
        });
      }
    },
    async list({ unresolved = false, limit }) {
      const where = unresolved ? "WHERE state IN ('sending', 'unknown')" : '';
      return guarded(() =>
        database
          .prepare(
            `SELECT * FROM money_requests ${where} ORDER BY created_at DESC, rowid DESC LIMIT ?`,
          )
          .all(limit)
          .map(entryOf),
      );
    },
    async find(id) {
      return guarded(() =>
        database
          .prepare('SELECT * FROM money_requests WHERE substr(id, 1, length(?)) = ? LIMIT 2')
          .all(id, id)
          .map(entryOf),
      );
    },
    async close() {
      database.close();
    },
  };
}

function prepared(database: DatabaseSyncInstance, path: string): DatabaseSyncInstance {
  try {
    // Intent is on disk when the statement returns, also when the power fails right after.
    database.exec('PRAGMA synchronous = FULL');
    database.exec('BEGIN');
    const version = versionOf(database, path);
    database.exec('COMMIT');
    if (version < MIGRATIONS.length) migrate(database, path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
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

/** A ledger that cannot be used stands in the way of the request, whatever is wrong with it. */
function asGuard(error: unknown, { name, path }: FileNaming): unknown {
  if (error instanceof Failure) {
    return new Failure('guard', error.message, { next: error.next, cause: error.cause });
  }
  if (!(error instanceof Error && 'errcode' in error)) return error;
  return new Failure('guard', `${name} ${path} cannot be used: ${error.message}.`, {
    next: 'Check the file and its disk.',
    cause: error,
  });
}

/** SQLite's text ends at a NUL, so its symbol takes its place; the body has it as it was. */
function storable(text: string | null): string | null {
  return text?.replaceAll('\0', '\u2400') ?? null;
}

function entryOf(row: Record<string, unknown>): LedgerEntry {
  const text = (column: string) => row[column] as string;
  return {
    id: text('id'),
    createdAt: text('created_at'),
    profile: text('profile'),
    environment: text('environment'),
    host: text('host'),
    operation: text('operation'),
    target: row.target as string | null,
    amount: row.amount as number | null,
    currency: row.currency as string | null,
    reference: row.reference as string | null,
    body: JSON.parse(text('body')) as JsonObject,
    state: row.state as LedgerEntry['state'],
    settledAt: row.settled_at as string | null,
    status: row.status as number | null,
    recordId: row.record_id as string | null,
    message: row.message as string | null,
  };
}
