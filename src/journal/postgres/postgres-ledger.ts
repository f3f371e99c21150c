/**
 * The ledger on a PostgreSQL server that a team shares. The server's clock gives the time.
 *
 * Requests that arrive during a round trip share the next one. Intents and outcomes share transactions, and the
 * statements of one transaction share round trips.
 */
import { randomBytes } from 'node:crypto';
import { Batcher } from '../../base/batcher.ts';
import { attempt, Failure, invariant } from '../../failure.ts';
import { refuseOtherForm } from '../../store/ledger/init.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import { askEach, insertEach } from '../../store/postgres/alike.ts';
import { isLost, type RunStatement, type Server } from '../../store/postgres/server.ts';
import { allOf, perform, runQuery } from '../../store/postgres/work.ts';
import { firstRow, type SqlQuery, type SqlStore, type Work } from '../../store/sql.ts';
import { StoredThings } from '../../things/stored-things.ts';
import type { SearchIndex } from '../../things/thing-index.ts';
import { WithOwnEvents } from '../../things/with-own-events.ts';
import type { PurchaseBalance } from '../balance.ts';
import { forgetProfile, pruneLot } from '../deletions.ts';
import { type EntryRow, entryOf, type SendingProcesses } from '../entries.ts';
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
import type { Delivered, KeptOutcome, OutcomeOutbox, WrittenOutcome } from '../outcome-outbox.ts';
import { judgeApproval } from '../proposals.ts';
import type { Approval, NotReleased } from '../rules.ts';
import {
  attemptsAt,
  entryWithId,
  factsOf,
  type Intent,
  intentStatement,
  type Moment,
  madeByAnother,
  outcomeNumbered,
  outcomeStatement,
  proposalStatement,
  type ServerOutcome,
  sightingStatement,
} from '../statements.ts';
import { beforeSending, entryLost, StoredLedger } from '../stored-ledger.ts';
import { digestOf, type LedgerMarks } from './ledger-marks.ts';
import {
  type LedgerConnection,
  type LedgerTransaction,
  locksOf,
  transact,
  transactAgain,
} from './ledger-transaction.ts';
import {
  type Compared,
  findRestored,
  restoredFailure,
  type Standing,
  standingColumns,
} from './restored.ts';

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
  /** The events of this machine, as things, which questions about things then cover. */
  own?: StoredThings | undefined;
  /** Called with the delivered outcomes when the ledger opens and closes. */
  onDelivered?: ((delivered: Delivered) => Promise<void>) | undefined;
}

/** Opens the ledger of a server. The first question connects; closing the ledger disconnects. */
export function openPostgresLedger(server: Server, options: PostgresLedgerOptions): Ledger {
  return new PostgresLedger(server, options);
}

/** A write. Without an entry it has only snapshots. */
interface Outcome {
  entry?: { id: string; settlement: Settlement; madeRecord?: string | null };
  snapshots: readonly RecordSnapshot[];
}

/** A question asked at one moment. The answer is boxed because undefined is a valid answer. */
type Question = (transaction: Transaction) => Promise<{ answer: unknown }>;

/** A connection or a transaction, with its moment. */
interface Transaction {
  run: RunStatement;
  at: Moment;
}

/** How often gw looks up intents after their transaction was lost at commit. */
const MAX_LOSSES = 3;

class PostgresLedger extends StoredLedger implements Ledger {
  readonly things: SearchIndex;
  readonly sql: SqlStore;
  readonly lost: OutcomeOutbox | undefined;
  readonly #server: Server;
  readonly #connection: LedgerConnection;
  readonly #outbox: OutcomeOutbox | undefined;
  readonly #onDelivered: PostgresLedgerOptions['onDelivered'];
  readonly #intents: Batcher<Intent, IntentVerdict>;
  readonly #outcomes: Batcher<Outcome, WrittenOutcome>;
  readonly #questions: Batcher<Question, { answer: unknown }>;
  /** The ledger when it opened, and the marks that were compared with it. */
  #opened: Promise<Compared> | undefined;

  constructor(server: Server, options: PostgresLedgerOptions) {
    super();
    const { author, clock, endOfTurn, marks, outbox, onDelivered } = options;
    this.#server = server;
    this.#connection = { server, clock, marks, author };
    this.#outbox = outbox;
    this.lost = outbox;
    this.#onDelivered = onDelivered;
    this.#intents = new Batcher<Intent, IntentVerdict>({
      work: (intents) => this.#intendAll(intents),
      keysOf: locksOf,
      endOfTurn,
    });
    this.#outcomes = new Batcher<Outcome, WrittenOutcome>({
      work: (outcomes) => this.#writeOutcomes(outcomes),
      keysOf: ({ entry }) => (entry ? [entry.id] : []),
      endOfTurn,
    });
    this.#questions = new Batcher<Question, { answer: unknown }>({
      work: (questions) => this.#askAll(questions),
      endOfTurn,
    });
    this.sql = {
      read: async (work) => {
        await this.#open();
        return perform(this.#runAgain, work());
      },
      write: async (work) => {
        await this.#open();
        return this.#do(work);
      },
      close: () => this.close(),
    };
    const things = new StoredThings(this.sql, readKept);
    this.things = options.own ? new WithOwnEvents(things, options.own) : things;
  }

  async admit(): Promise<void> {
    await beforeSending(this.#admit([]));
  }

  intend(request: MoneyRequest, conditions?: IntentConditions): Promise<IntentVerdict> {
    return beforeSending(this.#intend({ id: newId(), request, conditions }));
  }

  foresee(asked: readonly ConditionalRequest[]): Promise<(IntentRefusal | undefined)[]> {
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
      if (!isThere) {
        await attempt(findRestored(this.#connection));
        throw entryLost();
      }
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
    const resolvedBy = this.#connection.author.operator;
    const said = { settlement, resolution, resolvedBy, isSenderGone };
    await this.#open();
    return this.#write((transaction) => writeResolution(transaction, id, said));
  }

  async propose(request: MoneyRequest, conditions: IntentConditions) {
    const intent = { id: newId(), request, conditions };
    const { author } = this.#connection;
    await this.#open();
    return beforeSending(this.#write((transaction) => writeProposal(transaction, intent, author)));
  }

  async release(approval: Approval): Promise<NotReleased | undefined> {
    await this.#open();
    return beforeSending(
      this.#write(async (transaction) => {
        const [row] = await ask<EntryRow>(
          transaction,
          entryWithId(transaction.at, approval.proposal),
        );
        const refused = judgeApproval(row, approval);
        if (!refused) await ask(transaction, releaseStatement(approval));
        return refused;
      }),
    );
  }

  async withdraw(id: string, note: string | null): Promise<boolean> {
    const resolvedBy = this.#connection.author.operator;
    await this.#open();
    return this.#write(async (transaction) => {
      const said = { state: 'withdrawn', resolvedBy, resolution: note } as const;
      const [row] = await ask<EntryRow>(transaction, entryWithId(transaction.at, id));
      if (row?.state !== 'proposed') return false;
      return (await ask(transaction, endStatement(id, said))).length > 0;
    });
  }

  async remember(snapshots: readonly RecordSnapshot[]): Promise<void> {
    await this.#open();
    await this.#outcomes.do({ snapshots });
  }

  async forget(profile: string): Promise<void> {
    await this.#open();
    return this.#do((at) => forgetProfile(at, profile, this.#connection.author.machine));
  }

  async prune(before: string): Promise<PrunedRows> {
    await this.#open();
    return this.#do((at) => pruneLot(at, before));
  }

  requiresJournal(): Promise<boolean> {
    return this.ask(function* () {
      const ledger = yield* firstRow<{ requires: boolean }>(
        'SELECT requires_journal AS requires FROM gw.ledger',
      );
      return ledger?.requires ?? false;
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#intents.idle(), this.#outcomes.idle(), this.#questions.idle()]);
    if (this.#outbox?.hasKept) await this.#deliver(this.#outbox);
    await this.#server.close();
  }

  /** @param accounts those of the requests, as far as they are known */
  async #admit(accounts: readonly string[]): Promise<void> {
    const refused = await restoredFailure(this.#connection, await this.#open(), accounts);
    if (refused) throw refused;
    this.#outbox?.refuseSending();
  }

  async #intend(intent: Intent): Promise<IntentVerdict> {
    await this.#open();
    this.#outbox?.refuseSending();
    return this.#intents.do(intent);
  }

  async #foresee(asked: readonly ConditionalRequest[]): Promise<(IntentRefusal | undefined)[]> {
    await this.#admit(asked.map(({ request }) => request.account));
    return this.#ask(async ({ run }) =>
      (await judgedEach(run, asked)).map(({ refused }) => refused),
    );
  }

  /**
   * If the connection is lost at commit, gw cannot know whether the intents were stored, so it looks them up.
   * @param intents no two need the same lock
   * @returns the result for each intent; undefined if that intent must be tried again
   * @throws Failure guard if gw cannot find out whether they were stored; then nothing may be sent
   */
  async #intendAll(intents: readonly Intent[]): Promise<(IntentVerdict | undefined)[]> {
    const last: { written?: WrittenIntents } = {};
    let lost: unknown;
    try {
      await transact(this.#connection, intents, {
        ask: (run) => judgedEach(run, intents),
        write: async (transaction, judgements) => {
          const refusals = judgements.map(({ refused }) => refused);
          last.written = { refusals, transaction };
          await writeIntents(transaction, intents, judgements, this.#connection.author);
        },
      });
    } catch (error) {
      if (!isLost(error)) throw error;
      lost = error;
    }
    const { written } = last;
    invariant(written, 'a transaction ended without its work');
    const { refusals, transaction } = written;
    const asked = intents.filter((_, i) => !refusals[i]);
    const kept = lost === undefined ? asked : await this.#lookUp(asked, lost);
    await this.#mark(kept, transaction);
    return intents.map((intent, i) => {
      if (refusals[i]) return refusals[i];
      const { id } = intent;
      return kept.includes(intent) ? { kind: 'recorded', id, lease: transaction.lease } : undefined;
    });
  }

  /**
   * Locks the same rows again, which waits for a transaction that is still running. After that, the result is final.
   * @param lost the error that ended the transaction that wrote them
   * @returns those that were stored
   */
  async #lookUp(intents: readonly Intent[], lost: unknown): Promise<Intent[]> {
    const ids = intents.map(({ id }) => id);
    for (let losses = 1; ; losses++) {
      try {
        const rows = await transact(this.#connection, intents, {
          write: ({ run }) =>
            run<{ id: string }>('SELECT id FROM gw.money_requests WHERE id = ANY ($1::text[])', [
              ids,
            ]),
        });
        const stored = new Set(rows.map(({ id }) => id));
        return intents.filter(({ id }) => stored.has(id));
      } catch (error) {
        if (losses < MAX_LOSSES) continue;
        this.#keepUnsent(ids);
        throw notKnown(error, lost);
      }
    }
  }

  /** Marks on this machine what was written: one entry of each account, because one transaction wrote all of them. */
  async #mark(
    intents: readonly Intent[],
    { now, ledger, marks }: LedgerTransaction,
  ): Promise<void> {
    const entries = new Map(intents.map(({ request, id }) => [request.account, id]));
    try {
      for (const [account, entry] of entries)
        this.#connection.marks?.wrote(
          { ledger: digestOf(ledger), account: digestOf(account), entry, at: now },
          marks,
        );
    } catch (error) {
      const settlement = { ...NOT_SENT, message: 'gw could not note it on its machine.' };
      const outcomes = intents.map(({ id }) => ({ entry: { id, settlement }, snapshots: [] }));
      await this.#writeOutcomes(outcomes);
      throw error;
    }
  }

  #writeOutcomes(outcomes: readonly Outcome[]): Promise<WrittenOutcome[]> {
    return transactAgain(this.#connection, {
      ask: (run) => madeByOthers(run, outcomes),
      write: (transaction, made) => writeOutcomes(transaction, outcomes, made),
    });
  }

  #write<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return transactAgain(this.#connection, {
      write: (transaction) => work(inTransaction(transaction)),
    });
  }

  #do<Result>(work: (at: Moment) => Work<Result>): Promise<Result> {
    return this.#write(({ run, at }) => perform(run, work(at)));
  }

  /** Before the first question, checks that there is a ledger with the form that this gw writes. */
  #open(): Promise<Compared> {
    this.#opened ??= this.#begin().catch((error) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #begin(): Promise<Compared> {
    const marks = this.#connection.marks?.all() ?? [];
    const [ledger] = await this.#server.runAgain<OpenedLedger>(
      `SELECT form, account, entry, at, ${standingColumns(marks)}
         FROM gw.ledger LEFT JOIN (SELECT account, id AS entry, created_at AS at FROM gw.money_requests
                                    ORDER BY created_at DESC, number DESC LIMIT 1) AS newest ON true`,
    );
    refuseOtherForm(ledger?.form ?? 0, labelOfAddress(this.#server.address));
    invariant(ledger, 'a ledger without a row has a form');
    const { id, account, entry, at } = ledger;
    const run = this.#server.run.bind(this.#server);
    const refused = await restoredFailure(this.#connection, { ...ledger, marks }, [], run);
    if (!refused && account !== null && entry !== null && at !== null)
      this.#connection.marks?.saw(
        { ledger: digestOf(id), account: digestOf(account), entry, at },
        marks,
      );
    this.#outbox?.open(id);
    if (this.#outbox) await this.#deliver(this.#outbox);
    return { ...ledger, marks };
  }

  async #deliver(outbox: OutcomeOutbox): Promise<void> {
    const delivered = await outbox.deliver(async ({ entry: id, settlement, snapshots }) => {
      const [written] = await this.#writeOutcomes([{ entry: { id, settlement }, snapshots }]);
      return written ?? { isThere: false };
    });
    await this.#onDelivered?.(delivered);
  }

  protected ask<Answer>(work: (at: Moment) => Work<Answer>): Promise<Answer> {
    return this.#ask(({ run, at }) => perform(run, work(at)));
  }

  async #ask<Answer>(question: (transaction: Transaction) => Promise<Answer>): Promise<Answer> {
    await this.#open();
    const { answer } = await this.#questions.do(async (transaction) => ({
      answer: await question(transaction),
    }));
    return answer as Answer;
  }

  /** A single question is asked directly. Several share the round trips of one transaction. */
  async #askAll(questions: readonly Question[]): Promise<{ answer: unknown }[]> {
    const at = momentOf(this.#connection.clock.now().toISOString());
    const [only] = questions;
    if (only && questions.length === 1) return [await only({ run: this.#runAgain, at })];
    const ask = () =>
      this.#server.transaction((run) => allOf(questions.map((question) => question({ run, at }))));
    return ask().catch((error) => {
      if (!isLost(error)) throw error;
      return ask();
    });
  }

  /** Each statement sees its own snapshot. A statement whose answer was lost runs again. */
  readonly #runAgain: RunStatement = (sql, values) => this.#server.runAgain(sql, values);

  /** @returns the failure for an outcome that could not be written; keeps the outcome in the outbox if possible */
  #kept(outcome: Omit<KeptOutcome, 'ledger' | 'address'>, error: unknown): unknown {
    if (!(error instanceof Failure)) return error;
    const isLost = error.code === 'entry-lost';
    if (!this.#outbox?.keep(outcome, isLost)) return error;
    if (isLost)
      return error.with({
        next: `gw keeps the outcome on this machine. \`gw journal resolve ${outcome.entry}\` shows it.`,
      });
    return new Failure(
      'outcome-kept',
      error.message,
      'gw keeps the outcome on this machine and writes it to the ledger when it can be reached. Until then the others see it as unknown.',
      { cause: error },
    );
  }

  /** gw cannot know whether these intents were stored. They are not sent. */
  #keepUnsent(ids: readonly string[]): void {
    const message = 'The connection to the ledger was lost before the request was sent.';
    const settlement = { ...NOT_SENT, message };
    for (const entry of ids)
      this.#outbox?.keep({ entry, settlement, snapshots: [], mayBeMissing: true });
  }
}

const newId = () => randomBytes(16).toString('hex');

/** Answer to the first question. */
interface OpenedLedger extends Standing {
  form: number;
  /** Account and id of its newest entry. */
  account: string | null;
  entry: string | null;
  at: string | null;
}

const NOT_SENT = { state: 'not-sent', status: null, recordId: null } as const;
const SENT_AGAIN = {
  state: 'unknown',
  resolution: null,
  resolvedBy: null,
  superseded: true,
} as const;

function notKnown(error: unknown, lost: unknown): unknown {
  if (!(error instanceof Failure && lost instanceof Failure)) return error;
  return new Failure(
    'ledger-lost',
    lost.message,
    'Run the command again when the server is back. If the journal shows this request as unknown, it was not sent.',
    { cause: error },
  );
}

interface WrittenIntents {
  /** For each intent, why it was not written; undefined if it was. */
  refusals: readonly (IntentRefusal | undefined)[];
  transaction: LedgerTransaction;
}

/** Entries on a server name no process; each says until when it may be sent. */
const BY_TIME: SendingProcesses = { self: null, isGone: () => undefined };

/** Facts are asked before the server says the time, and compare with its clock themselves. */
const BY_ITS_CLOCK = momentOf(new Date(0).toISOString());

function momentOf(now: string): Moment {
  return { now, processes: BY_TIME, store: 'postgres' };
}

function inTransaction({ run, now }: LedgerTransaction): Transaction {
  return { run, at: momentOf(now) };
}

function ask<Row extends object>({ run }: Transaction, query: SqlQuery): Promise<Row[]> {
  return runQuery(run, query);
}

async function entriesOf(transaction: Transaction, query: SqlQuery): Promise<LedgerEntry[]> {
  const rows = await ask<EntryRow>(transaction, query);
  return rows.map((row) => entryOf(row, BY_TIME));
}

/** @returns for each request the decision, from the facts that it needs */
async function judgedEach(
  run: RunStatement,
  asked: readonly Pick<Intent, 'request' | 'conditions'>[],
): Promise<Judgement[]> {
  const facts = asked.map(({ request, conditions }) =>
    conditions ? factsOf(BY_ITS_CLOCK, request, conditions) : { used: [] },
  );
  const [attempts, balances, used, proposals] = await allOf([
    askEach<EntryRow>(
      run,
      facts.map((one) => one.attempts),
    ),
    askEach<PurchaseBalance>(
      run,
      facts.map((one) => one.balance),
    ),
    askEach<{ used: number }>(
      run,
      facts.flatMap((one) => one.used),
    ),
    askEach<EntryRow>(
      run,
      facts.map((one) => one.proposal),
    ),
  ]);
  const sent = used.map(([row]) => row?.used ?? 0);
  let next = 0;
  return asked.map(({ request, conditions }, i) =>
    conditions
      ? judgeIntent(request, conditions, {
          attempts: (attempts[i] ?? []).map((row) => entryOf(row, BY_TIME)),
          balance: balances[i]?.[0],
          proposal: proposals[i]?.[0],
          used: facts[i]?.used.map(() => sent[next++] ?? 0) ?? [],
        })
      : {},
  );
}

/**
 * Writes those that are not refused, and commits.
 * @param intents no two need the same lock, so none has to see what another writes
 */
async function writeIntents(
  { run, now, commit }: LedgerTransaction,
  intents: readonly Intent[],
  judgements: readonly Judgement[],
  author: Author,
): Promise<void> {
  const retried = judgements.flatMap(({ refused, retried: one }) => (one && !refused ? [one] : []));
  const written = intents.filter((_, i) => !judgements[i]?.refused);
  const approvals = written.flatMap(({ conditions }) => conditions?.approval ?? []);
  // An attempt leaves its line before another one takes it; a proposal is released before its request is written.
  await allOf([
    insertEach(
      run,
      retried.map((one) => outcomeStatement(one.id, { ...one, ...SENT_AGAIN })),
    ),
    insertEach(run, approvals.map(releaseStatement)),
    insertEach(
      run,
      written.map((intent) => intentStatement(momentOf(now), intent, author)),
    ),
    commit(),
  ]);
}

/** @returns for each outcome, whether another entry made its record: a row if so */
function madeByOthers(run: RunStatement, outcomes: readonly Outcome[]): Promise<object[][]> {
  return askEach(
    run,
    outcomes.map(({ entry }) =>
      entry?.madeRecord ? madeByAnother(entry.madeRecord, entry.id, 'alike') : undefined,
    ),
  );
}

/**
 * Writes outcomes with the records of their answers, and commits. Writing twice is safe.
 * @param outcomes no two are of the same entry
 * @param made from `madeByOthers`
 */
async function writeOutcomes(
  transaction: LedgerTransaction,
  outcomes: readonly Outcome[],
  made: readonly object[][],
): Promise<WrittenOutcome[]> {
  const { run, commit } = transaction;
  const own = outcomes.flatMap(({ entry }, i) => (entry && made[i]?.length === 0 ? [entry] : []));
  const said = await insertEach<TakenOutcome>(
    run,
    own.map(({ id, settlement }) => outcomeStatement(id, settlement)),
  );
  const taken = new Map(said.map((one) => [one.entry, one]));
  const written = await allOf(
    outcomes.map(async ({ entry }, i): Promise<WrittenOutcome> => {
      if (!entry) return { isThere: true };
      if (made[i]?.length !== 0) return { isThere: false, isOfAnother: true };
      const outcome = taken.get(entry.id);
      if (outcome?.replaces === null) return { isThere: true };
      return lateOutcome(inTransaction(transaction), entry, outcome?.replaces);
    }),
  );
  const snapshots = outcomes.flatMap((one, i) => (written[i]?.isThere ? one.snapshots : []));
  // Everybody writes records in the same order, so two transactions cannot deadlock.
  const sorted = snapshots.toSorted((one, other) => compare(keyOf(one), keyOf(other)));
  await allOf([insertEach(run, sorted.map(sightingStatement)), commit()]);
  return written;
}

/** An outcome that changed its entry, as `outcomeStatement` says. */
interface TakenOutcome {
  entry: string;
  replaces: number | null;
}

/** @param replaces number of the person's word that the outcome overruled; undefined if the entry was not changed */
async function lateOutcome(
  transaction: Transaction,
  { id, settlement }: NonNullable<Outcome['entry']>,
  replaces: number | undefined,
): Promise<WrittenOutcome> {
  const { at } = transaction;
  const [now] = await entriesOf(transaction, entryWithId(at, id));
  if (!now || replaces === undefined) return { isThere: now !== undefined };
  const [word] = await ask<Settlement>(transaction, outcomeNumbered(replaces));
  const before = { ...now, ...word };
  const attempts = await entriesOf(transaction, attemptsAt(at, before, 'of-line'));
  return { isThere: true, late: judgeLateOutcome(before, settlement, attempts).late };
}

/** Implements `Ledger.resolve`. @returns true also if the same person has already said the same */
async function writeResolution(
  transaction: Transaction,
  id: string,
  person: Resolution,
): Promise<boolean> {
  const { at } = transaction;
  const [row] = await ask<EntryRow>(transaction, entryWithId(at, id));
  if (!row) return false;
  const judgement = judgeResolution(row, person, BY_TIME);
  if (judgement.kind === 'left') return judgement.isSaid;
  const { resolution, resolvedBy } = person;
  const words = { ...judgement.settlement, resolution, resolvedBy };
  return (await ask(transaction, outcomeStatement(id, words))).length > 0;
}

/** A trigger lets only an approver write it, and never the proposer (docs/schema.sql). */
function releaseStatement({ proposal, approver }: Approval): SqlQuery {
  return endStatement(proposal, { state: 'released', resolvedBy: approver, resolution: null });
}

function endStatement(
  proposal: string,
  said: Pick<ServerOutcome, 'resolution' | 'resolvedBy'> & { state: 'released' | 'withdrawn' },
): SqlQuery {
  return outcomeStatement(proposal, { ...said, status: null, recordId: null, message: null });
}

async function writeProposal(
  transaction: Transaction,
  intent: Intent & Required<Pick<Intent, 'conditions'>>,
  author: Author,
): Promise<{ kind: 'proposed'; proposal: LedgerEntry } | IntentRefusal> {
  const { at } = transaction;
  const [judged] = await judgedEach(transaction.run, [intent]);
  if (judged?.refused) return judged.refused;
  await ask(transaction, proposalStatement(at, intent, author));
  const [proposal] = await entriesOf(transaction, entryWithId(at, intent.id));
  invariant(proposal, 'an entry that was just written');
  return { kind: 'proposed', proposal };
}

function keyOf({ account, kind, id }: RecordSnapshot): string {
  return JSON.stringify([account, kind, id]);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
