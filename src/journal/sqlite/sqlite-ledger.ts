/** The ledger in one SQLite file, private to the user and shared by all of the user's gw processes. */
import { Failure, invariant } from '../../failure.ts';
import type { Clock } from '../../host/host.ts';
import { refuseCopy } from '../../store/ledger/copied.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import {
  allRows,
  change,
  type Durability,
  firstRow,
  onlyRow,
  runSql,
  type SqlQuery,
  type SqlStore,
  type Work,
} from '../../store/sql.ts';
import { Database, type FileFormat } from '../../store/sqlite/database.ts';
import { GroupWriter } from '../../store/sqlite/group-writer.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import type { ReadSources } from '../../things/read-sources.ts';
import { StoredThings } from '../../things/stored-things.ts';
import type { PurchaseBalance } from '../balance.ts';
import { forgetProfile, pruneLot } from '../deletions.ts';
import {
  type EntryRow,
  entryOf,
  type RememberedRow,
  recordOfRow,
  type SendingProcesses,
} from '../entries.ts';
import { type Judgement, judgeIntent } from '../judge-intent.ts';
import { judgeLateOutcome, judgeResolution, type Resolution } from '../judge-outcome.ts';
import { readKept } from '../learn.ts';
import type {
  Author,
  ConditionalRequest,
  IntentConditions,
  IntentRefusal,
  IntentVerdict,
  LateOutcome,
  Ledger,
  LedgerEntry,
  MoneyRequest,
  PrunedRows,
  RecordSnapshot,
  Settlement,
} from '../ledger.ts';
import type { WrittenOutcome } from '../outcome-outbox.ts';
import { judgeApproval } from '../proposals.ts';
import type { Approval, NotReleased } from '../rules.ts';
import {
  attemptsAt,
  endOfProposal,
  entryWithId,
  factsOf,
  intentStatement,
  knownBefore,
  lateSettlementStatement,
  type Moment,
  madeByAnother,
  noteOfEntry,
  proposalStatement,
  resolutionStatement,
  settlementStatement,
  snapshotStatements,
  supersessionStatement,
} from '../statements.ts';
import { beforeSending, entryLost, StoredLedger } from '../stored-ledger.ts';

export interface FileLedgerOptions {
  /** Tells which processes have ended. Without it, only the age of an intent tells. */
  processes?: SendingProcesses;
  /** The operator who sends and resolves. */
  author?: Author | undefined;
  /** For callers with many requests in flight: their writes share transactions. */
  endOfTurn?: (() => Promise<void>) | undefined;
  /** How long to wait while another process writes. */
  busyTimeoutMs?: number;
  /** Reads the sources of things; entries and records alone without it. */
  readSources?: ReadSources | undefined;
}

/**
 * Opens the ledger. Creates the file and its directories if missing.
 * @throws Failure guard if the ledger cannot be used; then nothing that moves money may be sent
 */
export async function openSqliteLedger(
  path: string,
  clock: Pick<Clock, 'now'>,
  options: FileLedgerOptions = {},
): Promise<Ledger> {
  const file = ledgerFile(path, options.busyTimeoutMs);
  const open = async () => new SqliteLedger(file, clock, options);
  return beforeSending(guarded(file, open()));
}

/** For many requests: with a log of 16 MiB, a page that changes often is copied to the file less often. */
const LONG_LOG = 'wal_autocheckpoint = 4096';
const NOBODY: SendingProcesses = { self: null, isGone: () => undefined };

/** A transaction, with its moment. */
interface Transaction {
  queries: Queries;
  at: Moment;
}

class SqliteLedger extends StoredLedger implements Ledger {
  readonly things: StoredThings;
  readonly sql: SqlStore;
  readonly #file: FileFormat;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #processes: SendingProcesses;
  readonly #author: Author | undefined;
  readonly #database: Database;
  readonly #writer: GroupWriter<Transaction>;

  constructor(file: FileFormat, clock: Pick<Clock, 'now'>, options: FileLedgerOptions) {
    super();
    this.#file = file;
    this.#clock = clock;
    this.#processes = options.processes ?? NOBODY;
    this.#author = options.author;
    this.#database = new Database(file);
    if (options.endOfTurn) this.#database.set(LONG_LOG);
    this.#writer = new GroupWriter(this.#database, options.endOfTurn, (queries) => ({
      queries,
      at: this.#moment(),
    }));
    this.sql = {
      read: (work) => this.ask(work),
      write: (work, durability) => this.#write(work, durability),
      close: () => this.close(),
    };
    this.things = new StoredThings(this.sql, options.readSources ?? readKept);
  }

  async admit(): Promise<void> {
    await beforeSending(this.ask(refuseCopy));
  }

  async intend(request: MoneyRequest, conditions?: IntentConditions): Promise<IntentVerdict> {
    return beforeSending(
      this.#write((at) => writeIntent(at, request, conditions, this.#author), { isDurable: true }),
    );
  }

  foresee(asked: readonly ConditionalRequest[]): Promise<(IntentRefusal | undefined)[]> {
    return beforeSending(
      this.ask(function* (at) {
        yield* refuseCopy();
        const refusals: (IntentRefusal | undefined)[] = [];
        for (const { request, conditions } of asked)
          refusals.push((yield* judged(at, request, conditions)).refused);
        return refusals;
      }),
    );
  }

  async settle(
    id: string,
    settlement: Settlement,
    snapshots: readonly RecordSnapshot[] = [],
    madeRecord: string | null = null,
  ): Promise<LateOutcome | 'of-another' | undefined> {
    const { isThere, isOfAnother, late } = await this.#write(function* (at) {
      const written = yield* writeOutcome(at, id, settlement, madeRecord);
      if (written.isThere) yield* writeRecords(snapshots);
      return written;
    });
    if (isOfAnother) return 'of-another';
    if (!isThere) throw entryLost();
    return late;
  }

  resolve(
    id: string,
    settlement: Settlement,
    resolution: string,
    isSenderGone = false,
  ): Promise<boolean> {
    const resolvedBy = this.#author?.operator ?? null;
    const said = { settlement, resolution, resolvedBy, isSenderGone };
    return this.#write((at) => writeResolution(at, id, said), { isDurable: true });
  }

  propose(request: MoneyRequest, conditions: IntentConditions) {
    return beforeSending(
      this.#write((at) => writeProposal(at, request, conditions, this.#author), {
        isDurable: true,
      }),
    );
  }

  release(approval: Approval): Promise<NotReleased | undefined> {
    return beforeSending(this.#write((at) => writeRelease(at, approval), { isDurable: true }));
  }

  withdraw(id: string, note: string | null): Promise<boolean> {
    const by = this.#author?.operator ?? null;
    return this.#write((at) =>
      changeEntry(id, endOfProposal(at, id, { state: 'withdrawn', by, note })),
    );
  }

  remember(snapshots: readonly RecordSnapshot[]): Promise<void> {
    return this.#write(() => writeRecords(snapshots));
  }

  /** Forgets everything of the profile, because the file belongs to one machine. */
  forget(profile: string): Promise<void> {
    return this.#write((at) => forgetProfile(at, profile, undefined));
  }

  prune(before: string): Promise<PrunedRows> {
    return this.#write((at) => pruneLot(at, before));
  }

  /** Only a shared ledger can require the journal. */
  async requiresJournal() {
    return false;
  }

  async close(): Promise<void> {
    await this.#writer.drain();
    await this.#database.closeSynced();
  }

  protected ask<Answer>(work: (at: Moment) => Work<Answer>): Promise<Answer> {
    const at = this.#moment();
    const read = async () => this.#database.read((queries) => queries.do(work(at)));
    return guarded(this.#file, read());
  }

  /**
   * @param work must not throw for a problem of one write alone, because that would undo the other writes in its group
   */
  #write<Result>(work: (at: Moment) => Work<Result>, durability?: Durability): Promise<Result> {
    const write = ({ queries, at }: Transaction) => queries.do(work(at));
    return guarded(this.#file, this.#writer.write(write, durability));
  }

  #moment(): Moment {
    return { now: this.#clock.now().toISOString(), processes: this.#processes, store: 'sqlite' };
  }
}

/** @returns the decision about a request, from the facts that it needs */
function* judged(at: Moment, request: MoneyRequest, conditions: IntentConditions): Work<Judgement> {
  const { attempts, balance, used, proposal } = factsOf(at, request, conditions);
  return judgeIntent(request, conditions, {
    attempts: attempts ? yield* entriesOf(at, attempts) : [],
    balance: balance && (yield* firstRow<PurchaseBalance>(...balance)),
    used: yield* usedOf(used),
    proposal: proposal && (yield* firstRow<EntryRow>(...proposal)),
  });
}

function* usedOf(queries: readonly SqlQuery[]): Work<number[]> {
  const used: number[] = [];
  for (const query of queries) used.push((yield* onlyRow<{ used: number }>(...query)).used);
  return used;
}

/** To make an id itself, Node would load its cryptography, which takes a tenth of a refund. */
const NEW_ID = 'SELECT lower(hex(randomblob(16))) AS id';

function* writeIntent(
  at: Moment,
  request: MoneyRequest,
  conditions: IntentConditions | undefined,
  author: Author | undefined,
): Work<IntentVerdict> {
  const { refused, retried } = conditions ? yield* judged(at, request, conditions) : {};
  if (refused) return refused;
  if (retried) yield* runSql(...supersessionStatement(retried.id));
  if (conditions?.approval) yield* releaseProposal(at, conditions.approval);
  const { id } = yield* onlyRow<{ id: string }>(NEW_ID);
  yield* runSql(...intentStatement(at, { id, request, conditions }, author));
  yield* runSql(...noteOfEntry(id));
  return { kind: 'recorded', id };
}

function* writeProposal(
  at: Moment,
  request: MoneyRequest,
  conditions: IntentConditions,
  author: Author | undefined,
): Work<{ kind: 'proposed'; proposal: LedgerEntry } | IntentRefusal> {
  const { refused } = yield* judged(at, request, conditions);
  if (refused) return refused;
  const { id } = yield* onlyRow<{ id: string }>(NEW_ID);
  yield* runSql(...proposalStatement(at, { id, request, conditions }, author));
  yield* runSql(...noteOfEntry(id));
  const [proposal] = yield* entriesOf(at, entryWithId(at, id));
  invariant(proposal, 'an entry that was just written');
  return { kind: 'proposed', proposal };
}

function* writeRelease(at: Moment, approval: Approval): Work<NotReleased | undefined> {
  const row = yield* firstRow<EntryRow>(...entryWithId(at, approval.proposal));
  const refused = judgeApproval(row, approval);
  if (!refused) yield* releaseProposal(at, approval);
  return refused;
}

function* releaseProposal(at: Moment, { proposal: id, approver: by }: Approval): Work<void> {
  yield* changeEntry(id, endOfProposal(at, id, { state: 'released', by, note: null }));
}

function* writeOutcome(
  at: Moment,
  id: string,
  settlement: Settlement,
  madeRecord: string | null,
): Work<WrittenOutcome> {
  if (madeRecord !== null && (yield* firstRow(...madeByAnother(madeRecord, id, 'alike'))))
    return { isThere: false, isOfAnother: true };
  if (yield* changeEntry(id, settlementStatement(at, id, settlement))) return { isThere: true };
  const row = yield* firstRow<EntryRow>(...entryWithId(at, id));
  // On a server, a trigger keeps a resolution from an unknown outcome (docs/schema.sql).
  if (!row || settlement.state === 'unknown') return { isThere: row !== undefined };
  const before = entryOf(row, at.processes);
  const attempts = yield* entriesOf(at, attemptsAt(at, before, 'of-line'));
  const { late, isSuperseded } = judgeLateOutcome(before, settlement, attempts);
  yield* changeEntry(id, lateSettlementStatement(at, id, settlement, isSuperseded));
  return { isThere: true, late };
}

/** Implements `Ledger.resolve`. @returns true also if the same person has already said the same */
function* writeResolution(at: Moment, id: string, said: Resolution): Work<boolean> {
  const row = yield* firstRow<EntryRow>(...entryWithId(at, id));
  if (!row) return false;
  const judgement = judgeResolution(row, said, at.processes);
  if (judgement.kind === 'left') return judgement.isSaid;
  return yield* changeEntry(id, resolutionStatement(at, id, said, judgement));
}

/** @returns whether there was such an entry */
function* changeEntry(id: string, update: SqlQuery): Work<boolean> {
  if ((yield* change(...update)) === 0) return false;
  yield* runSql(...noteOfEntry(id));
  return true;
}

function* entriesOf({ processes }: Moment, query: SqlQuery): Work<LedgerEntry[]> {
  return (yield* allRows<EntryRow>(...query)).map((row) => entryOf(row, processes));
}

/** Keeps the order of the answer, in which things of one second are listed. */
function* writeRecords(snapshots: readonly RecordSnapshot[]): Work<void> {
  for (const snapshot of snapshots) {
    // Only customers have a card that another one takes the place of.
    const isOfCard = snapshot.kind === 'customer';
    const row = isOfCard ? yield* firstRow<RememberedRow>(...knownBefore(snapshot)) : undefined;
    for (const query of snapshotStatements(snapshot, row && recordOfRow(row)))
      yield* runSql(...query);
  }
}

/** Turns any failure of the file into `guard`, so a ledger that cannot be used stops the request. */
function guarded<Result>({ name, path }: FileFormat, work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    if (error instanceof Failure) throw error.with({ kind: 'guard' });
    if (!(error instanceof Error && 'errcode' in error)) throw error;
    throw new Failure(
      'file-unusable',
      `${name} ${path} cannot be used: ${error.message}.`,
      'Check the file and the disk that it is on.',
      { kind: 'guard', cause: error },
    );
  });
}
