/** The ledger in one SQLite file, private to the user and shared by every gw process of theirs. */
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { Failure } from '../failure.ts';
import type { Clock } from '../host/host.ts';
import { explain, type FileNaming } from '../sqlite/failure.ts';
import { openDatabase, useWriteAheadLog } from '../sqlite/open.ts';
import { Statements } from './database.ts';
import type { Ledger } from './ledger.ts';
import { MIGRATIONS } from './migrations.ts';
import { MoneyRequests, type Ownership } from './money.ts';
import { findRecords, pruneRecords, rememberRecord } from './records.ts';
import { GroupWriter } from './writer.ts';

/** How long a process waits while another one writes. */
const BUSY_TIMEOUT_MS = 10_000;
/** 'gwlg' */
const APPLICATION_ID = 0x67776c67;

export interface LedgerOptions {
  /** Tells which processes have ended; without it only the age of an intent tells. */
  owners?: Ownership;
  /** Given by whoever has many requests in flight: their writes share transactions. */
  endOfTurn?: () => Promise<void>;
}

/**
 * Opens the ledger, made with its directories where there is none.
 * @throws Failure guard when it cannot be used: nothing that moves money may be sent then
 */
export async function openLedger(
  path: string,
  clock: Pick<Clock, 'now'>,
  { owners = { self: null, isGone: () => undefined }, endOfTurn }: LedgerOptions = {},
): Promise<Ledger> {
  const naming: FileNaming = {
    path,
    name: 'The ledger',
    repair:
      'Move the file away to start a new ledger; keep it, since it knows which requests are unresolved.',
  };
  const guarded = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw asGuard(explain(error, naming));
    }
  };
  const database = guarded(() => prepared(openDatabase(naming, BUSY_TIMEOUT_MS), path));
  const statements = new Statements(database);
  const money = new MoneyRequests(statements, owners);
  const writer = new GroupWriter(database, endOfTurn);
  const read = async <Result>(work: () => Result): Promise<Result> => guarded(work);
  const write = async <Result>(work: () => Result, isDurable = false): Promise<Result> => {
    try {
      return await writer.write(work, isDurable);
    } catch (error) {
      throw asGuard(explain(error, naming));
    }
  };
  const now = () => clock.now();
  return {
    intend: (request, conditions) => write(() => money.intend(request, conditions, now()), true),
    settle: (id, settlement, seen = []) =>
      write(() => {
        const at = now();
        money.settle(id, settlement, at);
        for (const record of seen) rememberRecord(statements, record, at.toISOString());
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
        for (const record of seen) rememberRecord(statements, record, now().toISOString());
      }),
    remembered: (text, limit) => read(() => findRecords(statements, text, limit)),
    prune: (before) =>
      write(() => {
        money.settleAbandoned(now());
        return { ...money.prune(before), records: pruneRecords(statements, before) };
      }),
    async close() {
      writer.drain();
      database.close();
    },
  };
}

function prepared(database: DatabaseSyncInstance, path: string): DatabaseSyncInstance {
  if (versionOf(database, path) === MIGRATIONS.length) return database;
  useWriteAheadLog(database);
  database.exec('BEGIN IMMEDIATE');
  for (const migration of MIGRATIONS.slice(versionOf(database, path))) database.exec(migration);
  database.exec(
    `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}; COMMIT`,
  );
  return database;
}

function versionOf(database: DatabaseSyncInstance, path: string): number {
  const { version, application } = database
    .prepare(
      'SELECT user_version AS version, application_id AS application FROM pragma_user_version, pragma_application_id',
    )
    .get();
  const isNew = version === 0 && application === 0;
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

/** A ledger that cannot be written stands in the way of the request, whatever is wrong with it. */
function asGuard(error: unknown): unknown {
  if (!(error instanceof Failure) || error.kind === 'guard') return error;
  return new Failure('guard', error.message, {
    next: `Nothing was sent. ${error.next}`,
    cause: error.cause,
  });
}
