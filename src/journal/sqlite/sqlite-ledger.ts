/**
 * The ledger in one SQLite file, private to the user and shared by all of the user's gw processes. This file writes;
 * sqlite-queries.ts reads.
 */
import { randomUUID } from 'node:crypto';
import { Failure } from '../../failure.ts';
import type { Clock } from '../../host/host.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import type { SqlStore, Work } from '../../store/sql.ts';
import { Database, type FileFormat } from '../../store/sqlite/database.ts';
import { GroupWriter } from '../../store/sqlite/group-writer.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import { StoredThings } from '../../things/stored-things.ts';
import { entryOf, type SendingProcesses, senderOf } from '../entries.ts';
import { beforeSending, entryLost } from '../failures.ts';
import { judgeIntent } from '../judge-intent.ts';
import { judgeLateOutcome, judgeResolution } from '../judge-outcome.ts';
import type {
  AskedIntent,
  Author,
  BatchKey,
  EntryFilter,
  Intended,
  IntentConditions,
  LateOutcome,
  Ledger,
  MoneyRequest,
  OfAccount,
  Pruned,
  RecordSnapshot,
  Refused,
  Settlement,
  WantedRecords,
} from '../ledger.ts';
import {
  accountOfProfile,
  attemptsAt,
  balancesOf,
  batchEntryIds,
  batchParts,
  currenciesOf,
  entriesOf,
  entriesThatBegin,
  entryRow,
  factsOf,
  isMadeByAnother,
  type LedgerMoment,
  listEntries,
  openAmounts,
  purchaseOfRefund,
  recordsSeen,
} from './sqlite-queries.ts';

export interface LedgerOptions {
  /** Tells which processes have ended. Without it, only the age of an intent tells. */
  processes?: SendingProcesses;
  /** The operator who sends and resolves. */
  author?: Author | undefined;
  /** For callers with many requests in flight: their writes share transactions. */
  endOfTurn?: (() => Promise<void>) | undefined;
  /** How long to wait while another process writes. */
  busyTimeoutMs?: number;
}

/**
 * Opens the ledger. Creates the file and its directories if missing.
 * @throws Failure guard if the ledger cannot be used; then nothing that moves money may be sent
 */
export async function openLedger(
  path: string,
  clock: Pick<Clock, 'now'>,
  options: LedgerOptions = {},
): Promise<Ledger> {
  const file = ledgerFile(path, options.busyTimeoutMs);
  const open = async () => new SqliteLedger(file, clock, options);
  return beforeSending(guarded(file, open()));
}

/** For many requests: with a log of 16 MiB, a page that changes often is copied to the file less often. */
const LONG_LOG = 'wal_autocheckpoint = 4096';
const NOBODY: SendingProcesses = { self: null, isGone: () => undefined };

class SqliteLedger implements Ledger {
  readonly things: StoredThings;
  readonly sql: SqlStore;
  readonly #file: FileFormat;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #processes: SendingProcesses;
  readonly #author: Author | undefined;
  readonly #database: Database;
  readonly #writer: GroupWriter<LedgerMoment>;

  constructor(file: FileFormat, clock: Pick<Clock, 'now'>, options: LedgerOptions) {
    this.#file = file;
    this.#clock = clock;
    this.#processes = options.processes ?? NOBODY;
    this.#author = options.author;
    this.#database = new Database(file);
    if (options.endOfTurn) this.#database.set(LONG_LOG);
    this.#writer = new GroupWriter(this.#database, options.endOfTurn, (queries) =>
      this.#moment(queries),
    );
    this.sql = {
      read: <Result>(work: () => Work<Result>) => this.#read(({ queries }) => queries.do(work())),
      write: <Result>(work: () => Work<Result>, { isDurable = false } = {}) =>
        this.#write(({ queries }) => queries.do(work()), isDurable),
      close: () => this.close(),
    };
    this.things = new StoredThings(this.sql);
  }

  async admit(): Promise<void> {}

  async intend(request: MoneyRequest, conditions?: IntentConditions): Promise<Intended> {
    const id = randomUUID();
    const refused = await beforeSending(
      this.#write((at) => writeIntent(at, id, request, conditions), true),
    );
    return refused ?? { kind: 'recorded', id };
  }

  foresee(asked: readonly AskedIntent[]): Promise<(Refused | undefined)[]> {
    const judge = (at: LedgerMoment) =>
      asked.map(
        ({ request, conditions }) =>
          judgeIntent(request, conditions, factsOf(at, request, conditions)).refused,
      );
    return beforeSending(this.#read(judge));
  }

  async settle(
    id: string,
    settlement: Settlement,
    snapshots: readonly RecordSnapshot[] = [],
    madeRecord: string | null = null,
  ): Promise<LateOutcome | 'of-another' | undefined> {
    const written = await this.#write((at) =>
      madeRecord !== null && isMadeByAnother(at, madeRecord, id, 'alike')
        ? 'of-another'
        : writeOutcome(at, id, settlement, snapshots),
    );
    if (written === 'of-another') return written;
    if (!written.isThere) throw entryLost();
    return written.late;
  }

  resolve(
    id: string,
    settlement: Settlement,
    resolution: string,
    isSenderGone = false,
  ): Promise<boolean> {
    const resolvedBy = this.#author?.operator ?? null;
    const said = { settlement, resolution, resolvedBy, isSenderGone };
    return this.#write((at) => writeResolution(at, id, said), true);
  }

  time() {
    return this.#read(({ now }) => now);
  }

  list(filter: EntryFilter) {
    return this.#read((at) => listEntries(at, filter));
  }

  find(id: string) {
    return this.#read((at) => entriesThatBegin(at, id));
  }

  entries(ids: readonly string[]) {
    return this.#read((at) => entriesOf(at, ids));
  }

  senderOf(id: string) {
    return this.#read((at) => {
      const row = entryRow(at, id);
      return row && senderOf(row, at.now, at.processes);
    });
  }

  isMadeByAnother(recordId: string, entryId: string) {
    return this.#read((at) => isMadeByAnother(at, recordId, entryId));
  }

  batches() {
    return this.#read(batchParts);
  }

  batchEntries(batch: BatchKey) {
    return this.#read((at) => batchEntryIds(at, batch));
  }

  openAmounts(batch: BatchKey) {
    return this.#read((at) => openAmounts(at, batch));
  }

  remember(snapshots: readonly RecordSnapshot[]) {
    return this.#write((at) => writeRecords(at, snapshots));
  }

  remembered(what: WantedRecords, limit: number) {
    return this.#read((at) => recordsSeen(at, what, limit));
  }

  balances({ account }: OfAccount, purchases: readonly string[]) {
    return beforeSending(this.#read((at) => balancesOf(at, account, purchases)));
  }

  currencies({ account }: OfAccount, purchases: readonly string[]) {
    return this.#read((at) => currenciesOf(at, account, purchases));
  }

  purchaseOf({ account }: OfAccount, refund: string) {
    return this.#read((at) => purchaseOfRefund(at, account, refund));
  }

  accountOf(whose: Parameters<Ledger['accountOf']>[0]) {
    return this.#read((at) => accountOfProfile(at, whose));
  }

  forget(profile: string) {
    return this.#write((at) => forgetProfile(at, profile));
  }

  prune(before: string) {
    return this.#write((at) => pruneOlder(at, before));
  }

  /** Only a shared ledger can require the journal. */
  async requiresJournal() {
    return false;
  }

  async close(): Promise<void> {
    await this.#writer.drain();
    await this.#database.closeSynced();
  }

  #read<Result>(work: (at: LedgerMoment) => Result): Promise<Result> {
    const read = async () => this.#database.read((queries) => work(this.#moment(queries)));
    return guarded(this.#file, read());
  }

  /**
   * @param work must not throw for a problem of one write alone, because that would undo the other writes in its group
   * @param isDurable whether the write must be on disk when this resolves
   */
  #write<Result>(work: (at: LedgerMoment) => Result, isDurable = false): Promise<Result> {
    return guarded(this.#file, this.#writer.write(work, isDurable));
  }

  #moment(queries: Queries): LedgerMoment {
    return {
      queries,
      now: this.#clock.now().toISOString(),
      processes: this.#processes,
      author: this.#author,
    };
  }
}

const DUE_REQUEST = "INSERT INTO sources_due (kind, id) VALUES ('request', ?)";
const INTENT = `
  INSERT INTO money_requests
    (id, created_at, account, profile, environment, host, operation, target, refund_of, amount,
     currency, reference, body, note, state, owner, operator, machine, batch, line, occurrence)
  VALUES
    (:id, :createdAt, :account, :profile, :environment, :host, :operation, :target, :refundOf, :amount,
     :currency, :reference, :body, :note, 'sending', :owner, :operator, :machine, :batch, :line, :occurrence)`;

/** @returns why the intent was not written; undefined if it was */
function writeIntent(
  at: LedgerMoment,
  id: string,
  request: MoneyRequest,
  conditions: IntentConditions | undefined,
): Refused | undefined {
  const { queries, now, processes, author } = at;
  const { refused, retried } = conditions
    ? judgeIntent(request, conditions, factsOf(at, request, conditions))
    : {};
  if (refused) return refused;
  // A superseded attempt no longer holds the line, so the new attempt can take it.
  if (retried) queries.run('UPDATE money_requests SET superseded = 1 WHERE id = ?', retried.id);
  const { account, profile, environment, host, operation, target, refundOf, note } = request;
  const { amount, currency, reference } = request;
  const { batch = null, line = null, occurrence = null } = conditions?.line ?? {};
  const { operator = null, machine = null } = author ?? {};
  const body = JSON.stringify(request.body);
  queries.run(INTENT, [
    ...[id, now, account, profile, environment, host, operation, target, refundOf, amount],
    ...[
      currency,
      reference,
      body,
      note,
      processes.self,
      operator,
      machine,
      batch,
      line,
      occurrence,
    ],
  ]);
  queries.run(DUE_REQUEST, id);
  return undefined;
}

interface WrittenOutcome {
  /** Whether the entry exists. If not, nothing was written. */
  isThere: boolean;
  late?: LateOutcome;
}

const SET_OUTCOME = `
  UPDATE money_requests
     SET state = :state, settled_at = :settledAt, status = :status, record_id = :recordId,
         message = :message`;
const SETTLE = `${SET_OUTCOME} WHERE id = :id AND resolution IS NULL`;
const SETTLE_FREE = `${SET_OUTCOME}, superseded = 1 WHERE id = :id AND resolution IS NULL`;
const SETTLE_LATE = `${SET_OUTCOME}, superseded = :isSuperseded WHERE id = :id`;

/** @returns whether an attempt in this state leaves its line to another, because nothing happened */
function isFree(state: Settlement['state']): boolean {
  return state !== 'done' && state !== 'unknown';
}

function writeOutcome(
  at: LedgerMoment,
  id: string,
  settlement: Settlement,
  snapshots: readonly RecordSnapshot[],
): WrittenOutcome {
  const { queries, now } = at;
  let late: LateOutcome | undefined;
  const outcome = { ...settlement, id, settledAt: now };
  if (queries.change(isFree(settlement.state) ? SETTLE_FREE : SETTLE, outcome) === 0) {
    const row = entryRow(at, id);
    if (!row) return { isThere: false };
    const before = entryOf(row, now, at.processes);
    const judged = judgeLateOutcome(before, settlement, attemptsAt(at, before, 'of-line'));
    if (judged) {
      const isSuperseded = judged.isSuperseded || isFree(settlement.state);
      queries.run(SETTLE_LATE, { ...outcome, isSuperseded });
      late = judged.late;
    }
  }
  writeRecords(at, snapshots);
  queries.run(DUE_REQUEST, id);
  return { isThere: true, ...(late && { late }) };
}

const RESOLVE = `
  UPDATE money_requests
     SET state = :state, settled_at = :settledAt, status = coalesce(:status, status),
         record_id = coalesce(:recordId, record_id), message = coalesce(:message, message),
         resolution = :resolution, resolved_by = :resolvedBy, superseded = (superseded OR :isFree)
   WHERE id = :id`;

/** Implements `Ledger.resolve`. @returns true also if the same person has already said the same */
function writeResolution(
  at: LedgerMoment,
  id: string,
  said: Parameters<typeof judgeResolution>[1],
): boolean {
  const { queries, now, processes } = at;
  const row = entryRow(at, id);
  if (!row) return false;
  const judged = judgeResolution(row, said, now, processes);
  if (judged.kind === 'left') return judged.isSaid;
  const { resolution, resolvedBy } = said;
  const { settlement } = judged;
  const given = { ...settlement, id, resolution, resolvedBy, settledAt: now };
  queries.run(RESOLVE, { ...given, isFree: isFree(settlement.state) });
  queries.run(DUE_REQUEST, id);
  return true;
}

/**
 * A later answer may show less: a refund shows its reference only when it is created. An earlier answer that arrives
 * late changes nothing.
 */
const SEEN = `
  INSERT INTO records
    (account, profile, host, kind, id, environment, reference, name, last_four, amount,
     first_seen_at, last_seen_at, seen_by, record, deeds)
  VALUES
    (:account, :profile, :host, :kind, :id, :environment, :reference, :name, :lastFour, :amount,
     :seenAt, :seenAt, :seenBy, :record, :deeds)
  ON CONFLICT (account, kind, id) DO UPDATE SET
    profile = excluded.profile,
    host = excluded.host,
    environment = excluded.environment,
    reference = coalesce(excluded.reference, records.reference),
    name = coalesce(excluded.name, records.name),
    last_four = coalesce(excluded.last_four, records.last_four),
    amount = coalesce(excluded.amount, records.amount),
    last_seen_at = excluded.last_seen_at,
    seen_by = excluded.seen_by,
    record = excluded.record,
    deeds = CASE excluded.deeds WHEN '[]' THEN records.deeds
            ELSE json_insert(records.deeds, '$[#]', excluded.deeds -> '$[0]') END
    WHERE excluded.last_seen_at >= records.last_seen_at`;
const DUE_RECORD = 'INSERT INTO sources_due (kind, account, id) VALUES (?, ?, ?)';

function writeRecords({ queries }: LedgerMoment, snapshots: readonly RecordSnapshot[]): void {
  for (const snapshot of snapshots) {
    const { account, profile, host, kind, id, environment, reference, name } = snapshot;
    const { lastFour, amount, seenAt, seenBy, record, deed } = snapshot;
    queries.run(SEEN, [
      ...[account, profile, host, kind, id, environment, reference, name, lastFour, amount],
      ...[seenAt, seenAt, seenBy, JSON.stringify(record), deed ? JSON.stringify([deed]) : '[]'],
    ]);
    queries.run(DUE_RECORD, kind, account, id);
  }
}

/** Deletes everything of the profile, because the file belongs to one machine. */
function forgetProfile({ queries }: LedgerMoment, profile: string): void {
  queries.run(
    `INSERT INTO sources_due (kind, id)
     SELECT 'request', id FROM money_requests WHERE profile = ?`,
    profile,
  );
  queries.run('DELETE FROM money_requests WHERE profile = ?', profile);
  queries.run(
    `INSERT INTO sources_due (kind, account, id)
     SELECT kind, account, id FROM records WHERE profile = ?`,
    profile,
  );
  queries.run('DELETE FROM records WHERE profile = ?', profile);
}

const SETTLED = "created_at < ? AND state NOT IN ('sending', 'unknown')";

/** Unresolved entries stay, whatever their age. */
function pruneOlder({ queries }: LedgerMoment, before: string): Pruned {
  queries.run(
    `INSERT INTO sources_due (kind, id) SELECT 'request', id FROM money_requests WHERE ${SETTLED}`,
    before,
  );
  const entries = queries.change(`DELETE FROM money_requests WHERE ${SETTLED}`, before);
  const { unresolved } = queries.one<{ unresolved: number }>(
    'SELECT count(*) AS unresolved FROM money_requests WHERE created_at < ?',
    before,
  );
  queries.run(
    `INSERT INTO sources_due (kind, account, id)
     SELECT kind, account, id FROM records WHERE last_seen_at < ?`,
    before,
  );
  const records = queries.change('DELETE FROM records WHERE last_seen_at < ?', before);
  return { entries, records, unresolved };
}

/** Turns any failure of the file into `guard`, so a ledger that cannot be used stops the request. */
function guarded<Result>({ name, path }: FileFormat, work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    if (error instanceof Failure) throw error.with({ kind: 'guard' });
    if (!(error instanceof Error && 'errcode' in error)) throw error;
    throw new Failure('guard', `${name} ${path} cannot be used: ${error.message}.`, {
      code: 'file-unusable',
      next: 'Check the file and the disk that it is on.',
      cause: error,
    });
  });
}
