/**
 * The ledger on a PostgreSQL server that a team shares. The server's clock gives the time. This file writes;
 * postgres-queries.ts reads.
 *
 * Requests that arrive during a round trip share the next one. Intents and outcomes share transactions, and the
 * statements of one transaction share round trips.
 */
import { randomUUID } from 'node:crypto';
import { Batcher } from '../../base/batcher.ts';
import { Failure, invariant } from '../../failure.ts';
import { refuseOtherForm } from '../../store/ledger/init.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import { PostgresStore, perform } from '../../store/postgres/postgres-store.ts';
import {
  isLost,
  type PostgresValue,
  type RunStatement,
  type Server,
} from '../../store/postgres/server.ts';
import type { SqlStore, Work } from '../../store/sql.ts';
import { StoredThings } from '../../things/stored-things.ts';
import type { SearchIndex } from '../../things/thing-index.ts';
import { laterInstant, senderOf } from '../entries.ts';
import { beforeSending, entryLost } from '../failures.ts';
import { judgeIntent } from '../judge-intent.ts';
import { judgeLateOutcome, judgeResolution, type Resolution } from '../judge-outcome.ts';
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
import type { Delivered, KeptOutcome, OutcomeOutbox, WrittenOutcome } from '../outcome-outbox.ts';
import { LEASE_MS } from '../sending.ts';
import type { LedgerMarks } from './ledger-marks.ts';
import {
  allOf,
  type LedgerConnection,
  type LedgerTransaction,
  locksOf,
  transact,
  transactAgain,
} from './ledger-transaction.ts';
import {
  accountOfProfile,
  attemptsAt,
  BY_TIME,
  balancesOf,
  batchEntryIds,
  batchParts,
  currenciesOf,
  entriesOf,
  entriesThatBegin,
  entryRow,
  factsOf,
  isMadeByAnother,
  listEntries,
  openAmounts,
  purchaseOfRefund,
  recordsSeen,
  requiresJournal,
  serverTime,
} from './postgres-queries.ts';
import { restoredFailure, type Standing, standingColumns } from './restored.ts';

export interface PostgresLedgerOptions {
  /** The operator who sends and resolves. */
  author: Author;
  clock: LedgerConnection['clock'];
  /** For callers with many requests in flight: requests made in one turn go together. */
  endOfTurn?: (() => Promise<void>) | undefined;
  /**
   * Entries of the ledger that this machine has seen. Without them, gw cannot tell here that an older state was
   * restored.
   */
  marks?: LedgerMarks | undefined;
  /** Keeps outcomes while the server is out of reach. */
  outbox?: OutcomeOutbox | undefined;
  /** Called with the delivered outcomes when the ledger opens and closes. */
  onDelivered?: ((delivered: Delivered) => Promise<void>) | undefined;
}

/** Opens the ledger of a server. The first question connects; closing the ledger disconnects. */
export function openPostgresLedger(server: Server, options: PostgresLedgerOptions): Ledger {
  return new PostgresLedger(server, options);
}

interface Intent {
  /** Id of the entry to write. */
  id: string;
  request: MoneyRequest;
  conditions: IntentConditions | undefined;
}

/** A write. Without an entry it has only snapshots. */
interface Outcome {
  entry?: { id: string; settlement: Settlement; madeRecord?: string | null };
  snapshots: readonly RecordSnapshot[];
}

/** A question asked at one moment. The answer is boxed because undefined is a valid answer. */
type Question = (run: RunStatement) => Promise<{ answer: unknown }>;

/** How often gw looks up intents after their transaction was lost at commit. */
const MAX_LOSSES = 3;

class PostgresLedger implements Ledger {
  readonly things: SearchIndex;
  readonly sql: SqlStore;
  readonly lost: OutcomeOutbox | undefined;
  readonly #server: Server;
  readonly #connection: LedgerConnection;
  readonly #author: Author;
  readonly #outbox: OutcomeOutbox | undefined;
  readonly #onDelivered: PostgresLedgerOptions['onDelivered'];
  readonly #intents: Batcher<Intent, Intended>;
  readonly #outcomes: Batcher<Outcome, WrittenOutcome>;
  readonly #questions: Batcher<Question, { answer: unknown }>;
  #opened: Promise<void> | undefined;
  /** Why nothing could be sent when the ledger opened. */
  #refused: Failure | undefined;

  constructor(server: Server, options: PostgresLedgerOptions) {
    const { author, clock, endOfTurn, marks, outbox, onDelivered } = options;
    this.#server = server;
    this.#connection = { server, clock, marks };
    this.#author = author;
    this.#outbox = outbox;
    this.lost = outbox;
    this.#onDelivered = onDelivered;
    this.#intents = new Batcher<Intent, Intended>({
      work: (intents) => this.#intendAll(intents),
      keysOf: locksOfIntent,
      endOfTurn,
    });
    this.#outcomes = new Batcher<Outcome, WrittenOutcome>({
      work: (outcomes) => this.#writeOutcomes(outcomes),
      endOfTurn,
    });
    this.#questions = new Batcher<Question, { answer: unknown }>({
      work: (questions) => this.#askAll(questions),
      endOfTurn,
    });
    this.sql = this.#openedStore();
    this.things = new StoredThings(this.sql);
  }

  async admit(): Promise<void> {
    await beforeSending(this.#admit());
  }

  intend(request: MoneyRequest, conditions?: IntentConditions): Promise<Intended> {
    return beforeSending(this.#intend({ id: randomUUID(), request, conditions }));
  }

  foresee(asked: readonly AskedIntent[]): Promise<(Refused | undefined)[]> {
    return beforeSending(this.#foresee(asked));
  }

  async settle(
    id: string,
    settlement: Settlement,
    snapshots: readonly RecordSnapshot[] = [],
    madeRecord: string | null = null,
  ): Promise<LateOutcome | 'of-another' | undefined> {
    try {
      await this.#open();
      const entry = { id, settlement, madeRecord };
      const { isThere, isOfAnother, late } = await this.#outcomes.do({ entry, snapshots });
      if (isOfAnother) return 'of-another';
      if (!isThere) throw entryLost();
      return late;
    } catch (error) {
      throw this.#kept({ entry: id, settlement, snapshots, mayBeMissing: false }, error);
    }
  }

  async resolve(
    id: string,
    settlement: Settlement,
    resolution: string,
    isSenderGone = false,
  ): Promise<boolean> {
    const resolvedBy = this.#author.operator;
    const said = { settlement, resolution, resolvedBy, isSenderGone };
    await this.#open();
    return transactAgain(this.#connection, (transaction) => writeResolution(transaction, id, said));
  }

  time() {
    return this.#ask(serverTime);
  }

  list(filter: EntryFilter) {
    return this.#ask((run) => listEntries(run, filter));
  }

  find(id: string) {
    return this.#ask((run) => entriesThatBegin(run, id));
  }

  entries(ids: readonly string[]) {
    return this.#ask((run) => entriesOf(run, ids));
  }

  senderOf(id: string) {
    return this.#ask(async (run) => {
      const entry = await entryRow(run, id);
      return entry && senderOf(entry.row, entry.now, BY_TIME);
    });
  }

  isMadeByAnother(recordId: string, entryId: string) {
    return this.#ask((run) => isMadeByAnother(run, recordId, entryId));
  }

  batches() {
    return this.#ask(batchParts);
  }

  batchEntries(batch: BatchKey) {
    return this.#ask((run) => batchEntryIds(run, batch));
  }

  openAmounts(batch: BatchKey) {
    return this.#ask((run) => openAmounts(run, batch));
  }

  async remember(snapshots: readonly RecordSnapshot[]): Promise<void> {
    await this.#open();
    await this.#outcomes.do({ snapshots });
  }

  remembered(what: WantedRecords, limit: number) {
    return this.#ask((run) => recordsSeen(run, what, limit));
  }

  balances({ account }: OfAccount, purchases: readonly string[]) {
    return beforeSending(this.#ask((run) => balancesOf(run, account, purchases)));
  }

  currencies({ account }: OfAccount, purchases: readonly string[]) {
    return this.#ask((run) => currenciesOf(run, account, purchases));
  }

  purchaseOf({ account }: OfAccount, refund: string) {
    return this.#ask((run) => purchaseOfRefund(run, account, refund));
  }

  accountOf(whose: Parameters<Ledger['accountOf']>[0]) {
    return this.#ask((run) => accountOfProfile(run, whose));
  }

  async forget(profile: string): Promise<void> {
    await this.#open();
    const { machine } = this.#author;
    await transactAgain(this.#connection, (transaction) =>
      forgetProfile(transaction, profile, machine),
    );
  }

  async prune(before: string): Promise<Pruned> {
    await this.#open();
    return transactAgain(this.#connection, (transaction) => pruneOlder(transaction, before));
  }

  requiresJournal() {
    return this.#ask(requiresJournal);
  }

  async close(): Promise<void> {
    await Promise.all([this.#intents.idle(), this.#outcomes.idle(), this.#questions.idle()]);
    if (this.#outbox?.hasKept) await this.#deliver(this.#outbox);
    await this.#server.close();
  }

  async #admit(): Promise<void> {
    await this.#open();
    if (this.#refused) throw this.#refused;
    this.#outbox?.refuseSending();
  }

  async #intend(intent: Intent): Promise<Intended> {
    await this.#open();
    this.#outbox?.refuseSending();
    return this.#intents.do(intent);
  }

  async #foresee(asked: readonly AskedIntent[]): Promise<(Refused | undefined)[]> {
    await this.#admit();
    return this.#ask((run) =>
      allOf(
        asked.map(async ({ request, conditions }) => {
          const facts = await factsOf(run, request, conditions);
          return judgeIntent(request, conditions, facts).refused;
        }),
      ),
    );
  }

  /**
   * If the connection is lost at commit, gw cannot know whether the intents were stored, so it looks them up.
   * @param intents no two need the same lock
   * @returns the result for each intent; undefined if that intent must be tried again
   * @throws Failure guard if gw cannot find out whether they were stored; then nothing may be sent
   */
  async #intendAll(intents: readonly Intent[]): Promise<(Intended | undefined)[]> {
    const locks = [...new Set(intents.flatMap(locksOfIntent))];
    const last: { written?: WrittenIntents } = {};
    let lost: unknown;
    try {
      await transact(this.#connection, locks, async (transaction) => {
        last.written = await writeIntents(transaction, intents, this.#author);
      });
    } catch (error) {
      if (!isLost(error)) throw error;
      lost = error;
    }
    const { written } = last;
    invariant(written, 'a transaction ended without its work');
    const { refusals, transaction } = written;
    const ids = intents.map(({ id }) => id).filter((_, i) => !refusals[i]);
    const kept = lost === undefined ? ids : await this.#lookUp(ids, locks, lost);
    await this.#mark(kept, transaction);
    return intents.map(({ id }, i) => {
      if (refusals[i]) return refusals[i];
      return kept.includes(id) ? { kind: 'recorded', id, lease: transaction.lease } : undefined;
    });
  }

  /**
   * Locks the same rows again, which waits for a transaction that is still running. After that, the result is final.
   * @param lost the error that ended the transaction that wrote them
   * @returns the ids that were stored
   */
  async #lookUp(
    ids: readonly string[],
    locks: readonly number[],
    lost: unknown,
  ): Promise<string[]> {
    for (let losses = 1; ; losses++) {
      try {
        const rows = await transact(this.#connection, locks, ({ run }) =>
          run<{ id: string }>('SELECT id FROM gw.money_requests WHERE id = ANY ($1::text[])', [
            ids,
          ]),
        );
        return rows.map(({ id }) => id);
      } catch (error) {
        if (losses < MAX_LOSSES) continue;
        this.#keepUnsent(ids);
        throw notKnown(error, lost);
      }
    }
  }

  /** Marks on this machine what was written. One mark is enough, because one transaction wrote all of them. */
  async #mark(ids: readonly string[], { now, marks }: LedgerTransaction): Promise<void> {
    const [entry] = ids;
    if (entry === undefined) return;
    try {
      this.#connection.marks?.wrote({ entry, at: now }, marks);
    } catch (error) {
      const settlement = { ...NOT_SENT, message: 'gw could not note it on its machine.' };
      await this.#writeOutcomes(ids.map((id) => ({ entry: { id, settlement }, snapshots: [] })));
      throw error;
    }
  }

  #writeOutcomes(outcomes: readonly Outcome[]): Promise<WrittenOutcome[]> {
    return transactAgain(this.#connection, (transaction) => writeOutcomes(transaction, outcomes));
  }

  /** Before the first question, checks that there is a ledger with the form that this gw writes. */
  async #open(): Promise<void> {
    this.#opened ??= this.#begin().catch((error) => {
      this.#opened = undefined;
      throw error;
    });
    await this.#opened;
  }

  async #begin(): Promise<void> {
    const { marks } = this.#connection;
    const known = marks?.all() ?? [];
    const [ledger] = await this.#server.runAgain<OpenedLedger>(
      `SELECT ledger.id, form, entry, at, ${standingColumns(known)}
         FROM gw.ledger LEFT JOIN (SELECT id AS entry, created_at AS at FROM gw.money_requests
                                    ORDER BY created_at DESC, number DESC LIMIT 1) AS newest ON true`,
    );
    refuseOtherForm(ledger?.form ?? 0, labelOfAddress(this.#server.address));
    if (!ledger) return;
    const { id, entry, at } = ledger;
    this.#refused = restoredFailure(this.#server, ledger, known);
    if (!this.#refused && entry !== null && at !== null) marks?.saw({ entry, at }, known);
    this.#outbox?.open(id);
    if (this.#outbox) await this.#deliver(this.#outbox);
  }

  async #deliver(outbox: OutcomeOutbox): Promise<void> {
    const delivered = await outbox.deliver(async ({ entry: id, settlement, snapshots }) => {
      const [written] = await this.#writeOutcomes([{ entry: { id, settlement }, snapshots }]);
      return written ?? { isThere: false };
    });
    await this.#onDelivered?.(delivered);
  }

  async #ask<Answer>(question: (run: RunStatement) => Promise<Answer>): Promise<Answer> {
    await this.#open();
    const { answer } = await this.#questions.do(async (run) => ({ answer: await question(run) }));
    return answer as Answer;
  }

  /** A single question is asked directly. Several share the round trips of one transaction. */
  async #askAll(questions: readonly Question[]): Promise<{ answer: unknown }[]> {
    const [only] = questions;
    if (only && questions.length === 1)
      return [await only((sql, values) => this.#server.runAgain(sql, values))];
    const ask = () =>
      this.#server.transaction((run) => allOf(questions.map((question) => question(run))));
    return ask().catch((error) => {
      if (!isLost(error)) throw error;
      return ask();
    });
  }

  #openedStore(): SqlStore {
    const store = new PostgresStore(this.#server, (_, work) =>
      transact(this.#connection, [], ({ run }) => perform(run, work())),
    );
    return {
      read: async <Result>(work: () => Work<Result>) => {
        await this.#open();
        return store.read(work);
      },
      write: async <Result>(work: () => Work<Result>) => {
        await this.#open();
        return store.write(work);
      },
      close: () => this.close(),
    };
  }

  /** @returns the failure for an outcome that could not be written; keeps the outcome in the outbox if possible */
  #kept(outcome: Omit<KeptOutcome, 'ledger' | 'address'>, error: unknown): unknown {
    if (!(error instanceof Failure)) return error;
    const isLost = error.code === 'entry-lost';
    if (!this.#outbox?.keep(outcome, isLost)) return error;
    if (isLost)
      return error.with({
        next: `gw keeps the outcome on this machine. \`gw journal resolve ${outcome.entry}\` shows it.`,
      });
    return new Failure('guard', error.message, {
      code: 'outcome-kept',
      next: 'gw keeps the outcome on this machine and writes it to the ledger when it can be reached. Until then the others see it as unknown.',
      cause: error,
    });
  }

  /** gw cannot know whether these intents were stored. They are not sent. */
  #keepUnsent(ids: readonly string[]): void {
    const message = 'The connection to the ledger was lost before the request was sent.';
    const settlement = { ...NOT_SENT, message };
    for (const entry of ids)
      this.#outbox?.keep({ entry, settlement, snapshots: [], mayBeMissing: true });
  }
}

/** Answer to the first question. */
interface OpenedLedger extends Standing {
  id: string;
  form: number;
  /** Id of its newest entry. */
  entry: string | null;
  at: string | null;
}

const NOT_SENT = { state: 'not-sent', status: null, recordId: null } as const;

function locksOfIntent({ request, conditions }: Intent): number[] {
  return locksOf(request, conditions?.line);
}

function notKnown(error: unknown, lost: unknown): unknown {
  if (!(error instanceof Failure && lost instanceof Failure)) return error;
  return new Failure('guard', lost.message, {
    code: 'ledger-lost',
    next: 'Run the command again when the server is back. If the journal shows this request as unknown, it was not sent.',
    cause: error,
  });
}

interface WrittenIntents {
  /** For each intent, why it was not written; undefined if it was. */
  refusals: readonly (Refused | undefined)[];
  transaction: LedgerTransaction;
}

const SUPERSEDE = 'UPDATE gw.money_requests SET superseded = true WHERE id = $1';
const INTENT = `
  WITH entered AS (
    INSERT INTO gw.money_requests
      (id, account, profile, environment, host, operation, target, refund_of, amount, currency,
       reference, body, note, state, created_at, sends_until, operator, machine, batch, line, occurrence)
    VALUES
      ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'sending', $14, $15, $16, $17, $18, $19, $20)
    RETURNING id)
  INSERT INTO gw.sources_due (kind, id) SELECT 'request', id FROM entered`;

/** @param intents no two need the same lock, so none has to see what another writes */
async function writeIntents(
  transaction: LedgerTransaction,
  intents: readonly Intent[],
  author: Author,
): Promise<WrittenIntents> {
  const { run } = transaction;
  const judged = await allOf(
    intents.map(async ({ request, conditions }) =>
      conditions ? judgeIntent(request, conditions, await factsOf(run, request, conditions)) : {},
    ),
  );
  const writes: Promise<unknown>[] = [];
  for (const [i, intent] of intents.entries()) {
    const { refused, retried } = judged[i] ?? {};
    if (refused) continue;
    // A superseded attempt no longer holds the line, so the new attempt can take it.
    if (retried) writes.push(run(SUPERSEDE, [retried.id]));
    writes.push(run(INTENT, valuesOf(intent, transaction.now, author)));
  }
  await allOf(writes);
  return { refusals: judged.map(({ refused }) => refused), transaction };
}

/** @returns the values of `INTENT` */
function valuesOf(
  { id, request, conditions }: Intent,
  now: string,
  { operator, machine }: Author,
): PostgresValue[] {
  const { account, profile, environment, host, operation, target, refundOf } = request;
  const { amount, currency, reference, body, note } = request;
  const { batch = null, line = null, occurrence = null } = conditions?.line ?? {};
  return [
    ...[id, account, profile, environment, host, operation, target, refundOf],
    ...[amount, currency, reference, JSON.stringify(body), note, now, laterInstant(now, LEASE_MS)],
    ...[operator, machine, batch, line, occurrence],
  ];
}

/**
 * Keeps each outcome as a row of its own, whatever happens to the entry. The server says who wrote it and when.
 * @param update an UPDATE of entries
 */
const witnessed = (update: string) => `
  WITH changed AS (
    ${update}
    RETURNING id, state, status, record_id, message, resolution, resolved_by),
  due AS (INSERT INTO gw.sources_due (kind, id) SELECT 'request', id FROM changed)
  INSERT INTO gw.outcomes (entry, state, status, record_id, message, resolution, resolved_by)
  SELECT * FROM changed RETURNING entry`;

const SETTLE = witnessed(`
    UPDATE gw.money_requests
       SET state = $2, status = $3, record_id = $4, message = $5, settled_at = $6
     WHERE id = $1 AND resolution IS NULL`);
const SETTLE_LATE = witnessed(`
    UPDATE gw.money_requests
       SET state = $2, status = $3, record_id = $4, message = $5, settled_at = $6,
           superseded = superseded OR $7
     WHERE id = $1`);
/** A resolution keeps the stored values it does not replace. */
const RESOLVE = witnessed(`
    UPDATE gw.money_requests
       SET state = $2, status = coalesce($3, status), record_id = coalesce($4, record_id),
           message = coalesce($5, message), settled_at = $6, resolution = $7, resolved_by = $8
     WHERE id = $1 AND state = $9`);

/** @returns the first values of `SETTLE`, `SETTLE_LATE` and `RESOLVE` */
function outcomeOf(id: string, settlement: Settlement, now: string): PostgresValue[] {
  const { state, status, recordId, message } = settlement;
  return [id, state, status, recordId, message, now];
}

/** Writes outcomes with the records of their answers. Outcomes of one entry keep their order. Writing twice is safe. */
async function writeOutcomes(
  transaction: LedgerTransaction,
  outcomes: readonly Outcome[],
): Promise<WrittenOutcome[]> {
  const written = await allOf(
    outcomes.map(({ entry }) => (entry ? writeOutcome(transaction, entry) : { isThere: true })),
  );
  const snapshots = outcomes.flatMap((one, i) => (written[i]?.isThere ? one.snapshots : []));
  await writeRecords(transaction, snapshots);
  return written;
}

async function writeOutcome(
  { run, now }: LedgerTransaction,
  { id, settlement, madeRecord = null }: NonNullable<Outcome['entry']>,
): Promise<WrittenOutcome> {
  if (madeRecord !== null && (await isMadeByAnother(run, madeRecord, id, 'alike')))
    return { isThere: false, isOfAnother: true };
  const outcome = outcomeOf(id, settlement, now);
  const settled = await run(SETTLE, outcome);
  if (settled.length > 0) return { isThere: true };
  const [before] = await entriesOf(run, [id]);
  if (!before) return { isThere: false };
  const attempts = await attemptsAt(run, before, 'of-line');
  const judged = judgeLateOutcome(before, settlement, attempts);
  if (judged) await run(SETTLE_LATE, [...outcome, judged.isSuperseded]);
  return { isThere: true, late: judged?.late };
}

/** Implements `Ledger.resolve`. @returns true also if the same person has already said the same */
async function writeResolution(
  { run, now }: LedgerTransaction,
  id: string,
  said: Resolution,
): Promise<boolean> {
  const entry = await entryRow(run, id);
  if (!entry) return false;
  const judged = judgeResolution(entry.row, said, now, BY_TIME);
  if (judged.kind === 'left') return judged.isSaid;
  const { resolution, resolvedBy } = said;
  const outcome = outcomeOf(id, judged.settlement, now);
  const changed = await run(RESOLVE, [...outcome, resolution, resolvedBy, judged.before]);
  return changed.length > 0;
}

/**
 * A later answer may show less: a refund shows its reference only when it is created. An earlier answer that arrives
 * late changes nothing.
 */
const SEEN = `
  WITH seen AS (
    INSERT INTO gw.records
      (account, kind, id, profile, environment, host, reference, name, last_four, amount,
       first_seen_at, last_seen_at, seen_by, record, deeds)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12, $13, $14)
    ON CONFLICT (account, kind, id) DO UPDATE SET
      profile = excluded.profile,
      environment = excluded.environment,
      host = excluded.host,
      reference = coalesce(excluded.reference, records.reference),
      name = coalesce(excluded.name, records.name),
      last_four = coalesce(excluded.last_four, records.last_four),
      amount = coalesce(excluded.amount, records.amount),
      last_seen_at = excluded.last_seen_at,
      seen_by = excluded.seen_by,
      record = excluded.record,
      deeds = (records.deeds::jsonb || excluded.deeds::jsonb)::text
      WHERE excluded.last_seen_at >= records.last_seen_at
    RETURNING kind, account, id)
  INSERT INTO gw.sources_due (kind, account, id) SELECT kind, account, id FROM seen`;

/**
 * Everybody writes records in the same order, so two transactions cannot deadlock. Snapshots of one record keep their
 * order.
 */
async function writeRecords(
  { run }: LedgerTransaction,
  snapshots: readonly RecordSnapshot[],
): Promise<void> {
  const sorted = snapshots.toSorted((one, other) => compare(keyOf(one), keyOf(other)));
  await allOf(
    sorted.map((seen) => {
      const { account, kind, id, profile, environment, host, reference, name, lastFour } = seen;
      return run(SEEN, [
        ...[account, kind, id, profile, environment, host, reference, name, lastFour],
        ...[seen.amount, seen.seenAt, seen.seenBy, JSON.stringify(seen.record)],
        JSON.stringify(seen.deed ? [seen.deed] : []),
      ]);
    }),
  );
}

function keyOf({ account, kind, id }: RecordSnapshot): string {
  return JSON.stringify([account, kind, id]);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/**
 * Records in the ledger that entries were deleted on purpose, up to the newest of them. Otherwise other machines would
 * take their absence for a restored older state.
 * @param where condition that selects the entries
 */
const deleted = (where: string) => `
  WITH gone AS (DELETE FROM gw.money_requests WHERE ${where} RETURNING id, created_at),
  due AS (INSERT INTO gw.sources_due (kind, id) SELECT 'request', id FROM gone)
  UPDATE gw.ledger
     SET complete_since = greatest(complete_since, (SELECT max(created_at) FROM gone))
  RETURNING (SELECT count(*) FROM gone) AS entries`;
const deletedRecords = (where: string) => `
  WITH gone AS (DELETE FROM gw.records WHERE ${where} RETURNING kind, account, id),
  due AS (INSERT INTO gw.sources_due (kind, account, id) SELECT kind, account, id FROM gone)
  SELECT count(*) AS records FROM gone`;

/**
 * Deletes all records of the profile. Another machine's gateway has other data, and records do not say which machine
 * saw them.
 */
async function forgetProfile(
  { run }: LedgerTransaction,
  profile: string,
  machine: string,
): Promise<void> {
  await allOf([
    run(deleted('profile = $1 AND machine = $2'), [profile, machine]),
    run(deletedRecords('profile = $1'), [profile]),
  ]);
}

/** Unresolved entries stay, whatever their age. */
async function pruneOlder({ run }: LedgerTransaction, before: string): Promise<Pruned> {
  const settled = "created_at < $1 AND state NOT IN ('sending', 'unknown')";
  const [[requests], [seen], [left]] = await allOf([
    run<{ entries: number }>(deleted(settled), [before]),
    run<{ records: number }>(deletedRecords('last_seen_at < $1'), [before]),
    run<{ unresolved: number }>(
      'SELECT count(*) AS unresolved FROM gw.money_requests WHERE created_at < $1',
      [before],
    ),
  ]);
  return {
    entries: requests?.entries ?? 0,
    records: seen?.records ?? 0,
    unresolved: left?.unresolved ?? 0,
  };
}
