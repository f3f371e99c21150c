/** The ledger in one SQLite file, private to the user and shared by every gw process of theirs. */
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { Failure } from '../failure.ts';
import type { Clock } from '../host/host.ts';
import { explain, type FileNaming } from '../sqlite/failure.ts';
import { closeDatabase, openDatabase, useWriteAheadLog } from '../sqlite/open.ts';
import { Statements } from './database.ts';
import type { Ledger } from './ledger.ts';
import { MIGRATIONS } from './migrations.ts';
import { MoneyRequests, type Ownership } from './money.ts';
import { findRecords, forgetRecords, pruneRecords, rememberRecord } from './records.ts';
import { GroupWriter } from './writer.ts';

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

export interface LedgerOptions {
  /** Tells which processes have ended; without it only the age of an intent tells. */
  owners?: Ownership;
  /** Given by whoever has many requests in flight: their writes share transactions. */
  endOfTurn?: (() => Promise<void>) | undefined;
  /** How long to wait while another process writes. */
  busyTimeoutMs?: number;
}

/**
 * Opens the ledger, made with its directories where there is none.
 * @throws Failure guard when it cannot be used: nothing that moves money may be sent then
 */
export async function openLedger(
  path: string,
  clock: Pick<Clock, 'now'>,
  {
    owners = { self: null, isGone: () => undefined },
    endOfTurn,
    busyTimeoutMs = BUSY_TIMEOUT_MS,
  }: LedgerOptions = {},
): Promise<Ledger> {
  const naming = ledgerNaming(path);
  const guarded = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw asGuard(explain(error, naming), naming);
    }
  };
  const beforeSending = async <Result>(work: () => Promise<Result> | Result): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw error instanceof Failure
        ? error.reworded({ next: `Nothing was sent. ${error.next}` })
        : error;
    }
  };
  const database = await beforeSending(() =>
    guarded(() => openLedgerDatabase(naming, busyTimeoutMs)),
  );
  const statements = new Statements(database);
  const money = new MoneyRequests(statements, owners);
  const writer = new GroupWriter(database, endOfTurn);
  const read = async <Result>(work: () => Result): Promise<Result> => guarded(work);
  const write = async <Result>(work: () => Result, isDurable = false): Promise<Result> => {
    try {
      return await writer.write(work, isDurable);
    } catch (error) {
      throw asGuard(explain(error, naming), naming);
    }
  };
  const now = () => clock.now();
  return {
    intend: (request, conditions) =>
      beforeSending(() => write(() => money.intend(request, conditions, now()), true)),
    settle: (id, settlement, seen = []) =>
      write(() => {
        const at = now();
        money.settle(id, settlement, at);
        for (const record of seen) rememberRecord(statements, record);
      }),
    resolve: (id, settlement, resolution) =>
      write(() => money.resolve(id, settlement, resolution, now()), true),
    list: ({ unresolved = false, limit }) =>
      write(() => {
        money.settleAbandoned(now());
        return money.list(unresolved, limit);
      }),
    find: (id) =>
      write(() => {
        money.settleAbandoned(now());
        return money.find(id);
      }),
    lineEntry: (line) => read(() => money.lineEntry(line, now())),
    isMadeByAnother: (recordId, entryId) => read(() => money.isMadeByAnother(recordId, entryId)),
    balance: (destination, purchaseId) => read(() => money.balance(destination, purchaseId)),
    remember: (seen) =>
      write(() => {
        for (const record of seen()) rememberRecord(statements, record);
      }),
    remembered: (text, limit) => read(() => findRecords(statements, text, limit)),
    forget: (profile) =>
      write(() => {
        money.forget(profile);
        forgetRecords(statements, profile);
      }),
    prune: (before) =>
      write(() => {
        money.settleAbandoned(now());
        return { ...money.prune(before), records: pruneRecords(statements, before) };
      }),
    async close() {
      writer.drain();
      closeDatabase(database, path);
    },
  };
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
