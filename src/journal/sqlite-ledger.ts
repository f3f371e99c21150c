/** The ledger in one SQLite file, private to the user and shared by every gw process of theirs. */
import { Failure } from '../failure.ts';
import type { Clock } from '../host/host.ts';
import { explain, type FileNaming } from '../storage/file-failure.ts';
import { GroupWriter } from '../storage/group-writer.ts';
import { ledgerNaming, openLedgerDatabase } from '../storage/ledger-file.ts';
import { closeDatabase } from '../storage/open-file.ts';
import { Statements } from '../storage/statements.ts';
import type { Ledger } from './ledger.ts';
import { MoneyRequests, type Ownership } from './money-requests.ts';
import { findRecords, forgetRecords, pruneRecords, rememberRecord } from './sightings.ts';

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
    busyTimeoutMs,
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
