/** The ledger on a PostgreSQL server that a team shares. Time is the server's. */

import { Together } from '../../base/batcher.ts';
import { Failure } from '../../failure.ts';
import type { Clock } from '../../host/host.ts';
import { PostgresFacts } from '../../index/postgres/postgres-facts.ts';
import { putFacts } from '../../index/postgres/postgres-write-facts.ts';
import type { Facts } from '../../index/search-index.ts';
import { refuseNewer } from '../../store/ledger/init.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import { isLost, type RunStatement, type Server } from '../../store/postgres/server.ts';
import type {
  Author,
  BatchPart,
  Destination,
  EntryFilter,
  Intended,
  IntentConditions,
  LateOutcome,
  Ledger,
  MoneyRequest,
  Refused,
  Settlement,
  Sighting,
  WantedRecords,
} from '../ledger.ts';
import type { KeptOutcome, OutcomeKeeper } from '../outcome-outbox.ts';
import { judgeIntent } from '../requests/judge-intent.ts';
import { batchEntryIds, batchParts, openAmounts } from './postgres-batches.ts';
import {
  ENTRIES,
  type EntryRow,
  entriesOf,
  entryOf,
  findEntries,
  isMadeByAnother,
  listEntries,
  senderOfEntry,
} from './postgres-entries.ts';
import { forgetProfile, pruneBefore } from './postgres-housekeeping.ts';
import { type IntentTask, PostgresIntents, type Written } from './postgres-intents.ts';
import { type Asked, askBalances, askKnowledge } from './postgres-knowledge.ts';
import { Lease } from './postgres-lease.ts';
import {
  factsOfEntries,
  type Outcome,
  writeOutcomes,
  writeResolution,
} from './postgres-settlements.ts';
import { rememberedRecords } from './postgres-sightings.ts';
import { tiesOf } from './postgres-ties.ts';
import { turnsOf } from './postgres-turns.ts';

export interface PostgresLedgerOptions {
  /** Who sends and resolves. */
  author: Author;
  clock: Clock;
  /** Given by whoever has many requests in flight: what comes in one turn goes together. */
  endOfTurn?: (() => Promise<void>) | undefined;
  /** Where outcomes go that the server cannot be told. */
  keeper?: OutcomeKeeper | undefined;
  /** Told of outcomes that come after somebody has resolved their entry. */
  onLate?: ((late: LateOutcome) => void) | undefined;
}

/** Opens the ledger of a server, which is connected to when it is first asked; closing it ends that. */
export function openPostgresLedger(server: Server, options: PostgresLedgerOptions): Ledger {
  return new PostgresLedger(server, options);
}

class PostgresLedger implements Ledger {
  readonly facts: Facts;
  readonly #server: Server;
  readonly #author: Author;
  readonly #lease: Lease;
  readonly #keeper: OutcomeKeeper | undefined;
  readonly #onLate: PostgresLedgerOptions['onLate'];
  readonly #intents: Together<IntentTask, Written | Refused>;
  readonly #lookAheads: Together<Asked, { refused: Refused | undefined }>;
  readonly #outcomes: Together<Outcome, { isThere: boolean }>;
  #form: Promise<void> | undefined;

  constructor(server: Server, { author, clock, endOfTurn, keeper, onLate }: PostgresLedgerOptions) {
    this.#keeper = keeper;
    this.#onLate = onLate;
    this.#server = server;
    this.facts = new PostgresFacts(server);
    this.#author = author;
    this.#lease = new Lease(server, clock);
    const intents = new PostgresIntents({
      ...{ server, author, lease: this.#lease },
      onNotKnown: (ids) => this.#keepUnsent(ids),
    });
    this.#intents = new Together({
      work: (tasks) => intents.intend(tasks),
      keysOf: ({ request }) => turnsOf(request),
      endOfTurn,
    });
    this.#lookAheads = new Together({ work: (asked) => this.#foreseeAll(asked), endOfTurn });
    this.#outcomes = new Together({ work: (outcomes) => this.#writeAll(outcomes), endOfTurn });
  }

  async intend(request: MoneyRequest, conditions?: IntentConditions): Promise<Intended> {
    const became = await this.#beforeSending(() =>
      this.#intents.do({ request, conditions, rounds: 0 }),
    );
    if (became.kind !== 'written') return became;
    const { id, sender } = became;
    this.#lease.hold(id);
    return { kind: 'recorded', id, isStillOurs: () => sender.isHeld() };
  }

  async foresee(request: MoneyRequest, conditions: IntentConditions) {
    const { refused } = await this.#beforeSending(() =>
      this.#lookAheads.do({ request, conditions }),
    );
    return refused;
  }

  async settle(id: string, settlement: Settlement, sightings: readonly Sighting[] = []) {
    try {
      const { isThere } = await this.#asked(() =>
        this.#outcomes.do({ entry: { id, settlement }, sightings }),
      );
      if (!isThere) throw entryLost();
    } catch (error) {
      throw this.#kept({ entry: id, settlement, sightings, mayBeMissing: false }, error);
    } finally {
      this.#lease.release(id);
    }
  }

  /** @returns the failure of an outcome that could not be written, which is kept if it can be */
  #kept(outcome: Omit<KeptOutcome, 'ledger' | 'address'>, error: unknown): unknown {
    const isAway = error instanceof Failure && error.code !== 'entry-lost';
    if (!isAway || !this.#keeper?.keep(outcome)) return error;
    return new Failure('guard', error.message, {
      code: 'outcome-kept',
      next: 'gw keeps the outcome on this machine and writes it to the ledger when it can be reached. Until then the others see it as unknown.',
      cause: error,
    });
  }

  /** Nobody knows whether these were written; they are not sent. */
  #keepUnsent(ids: readonly string[]): void {
    const settlement = {
      ...NOT_SENT,
      message: 'The connection to the ledger was lost before the request was sent.',
    };
    for (const entry of ids)
      this.#keeper?.keep({ entry, settlement, sightings: [], mayBeMissing: true });
  }

  async #settleKept({ entry: id, settlement, sightings }: KeptOutcome): Promise<void> {
    const [written] = await this.#writeAll([{ entry: { id, settlement }, sightings }]);
    if (!written?.isThere) throw entryLost();
  }

  resolve(id: string, settlement: Settlement, resolution: string, isSenderGone = false) {
    const resolvedBy = this.#author.operator;
    const write = () =>
      this.#server.transaction((run) =>
        writeResolution(run, { id, settlement, resolution, resolvedBy, isSenderGone }),
      );
    return this.#asked(async () => {
      try {
        return await write();
      } catch (error) {
        if (!isLost(error)) throw error;
        if (await write()) return true;
        const [entry] = await this.find(id);
        return entry?.resolution === resolution && entry.resolvedBy === resolvedBy;
      }
    });
  }

  senderOf(id: string) {
    return this.#read((run) => senderOfEntry(run, id));
  }

  list(filter: EntryFilter) {
    return this.#read((run) => listEntries(run, filter));
  }

  find(id: string) {
    return this.#read((run) => findEntries(run, id));
  }

  entries(ids: readonly string[]) {
    return this.#read((run) => entriesOf(run, ids));
  }

  batches() {
    return this.#read((run) => batchParts(run));
  }

  batchEntries(batch: Pick<BatchPart, 'batch' | 'account'>) {
    return this.#read((run) => batchEntryIds(run, batch));
  }

  openAmounts(batch: Pick<BatchPart, 'batch' | 'account'>) {
    return this.#read((run) => openAmounts(run, batch));
  }

  async time() {
    const [row] = await this.#read((run) => run<{ time: string }>('SELECT now() AS time'));
    return row?.time ?? '';
  }

  isMadeByAnother(recordId: string, entryId: string) {
    return this.#read((run) => isMadeByAnother(run, recordId, entryId));
  }

  async currencyOf(
    destination: Pick<Destination, 'account' | 'profile' | 'host'>,
    record: { purchase: string } | { refund: string },
  ) {
    const { purchase = null, refund = null } = {
      purchase: undefined,
      refund: undefined,
      ...record,
    };
    const [tie] = await this.#read((run) => tiesOf(run, [{ ...destination, purchase, refund }]));
    return tie?.currency;
  }

  async currenciesOf(
    destination: Pick<Destination, 'account' | 'profile' | 'host'>,
    purchases: readonly string[],
  ) {
    const asked = purchases.map((purchase) => ({ ...destination, purchase, refund: null }));
    const ties = await this.#read((run) => tiesOf(run, asked));
    return new Map(
      ties.flatMap(({ purchase, currency }) =>
        purchase === undefined || currency === undefined ? [] : [[purchase, currency] as const],
      ),
    );
  }

  async indexUnresolved() {
    const rows = await this.#read((run) =>
      run<EntryRow>(
        `${ENTRIES} WHERE m.state IN ('sending', 'unknown')
            AND NOT EXISTS (SELECT 1 FROM gw.facts WHERE origin = 'request ' || m.id)`,
      ),
    );
    if (rows.length === 0) return;
    await this.#write(async (run) => putFacts(run, await factsOfEntries(run, rows.map(entryOf))));
  }

  async balance(destination: Destination, purchaseId: string) {
    return (await this.balances(destination, [purchaseId])).get(purchaseId);
  }

  balances(destination: Destination, purchases: readonly string[]) {
    return this.#beforeSending(() => this.#read((run) => askBalances(run, destination, purchases)));
  }

  async remember(sightings: () => readonly Sighting[]) {
    await this.#asked(() => this.#outcomes.do({ sightings: sightings() }));
  }

  remembered(what: WantedRecords, limit: number) {
    return this.#read((run) => rememberedRecords(run, what, limit));
  }

  forget(profile: string) {
    return this.#write((run) => forgetProfile(run, profile, this.#author.machine));
  }

  prune(before: string) {
    return this.#write((run) => pruneBefore(run, before));
  }

  async close() {
    await Promise.all([this.#intents.idle(), this.#lookAheads.idle(), this.#outcomes.idle()]);
    await this.#keeper?.end((outcome) => this.#settleKept(outcome));
    this.#lease.close();
    await this.#server.close();
  }

  async #foreseeAll(asked: readonly Asked[]) {
    const { knowledge } = await askKnowledge((...args) => this.#server.runAgain(...args), asked, {
      turns: [],
      senders: this.#lease.senders,
    });
    return asked.map(({ request, conditions }, i) => ({
      refused: judgeIntent(request, conditions, knowledge[i]!).refused,
    }));
  }

  async #writeAll(outcomes: readonly Outcome[]) {
    const { there, late } = await this.#twice((run) => writeOutcomes(run, outcomes));
    for (const one of late) this.#onLate?.(one);
    return outcomes.map(({ entry }) => ({ isThere: !entry || there.has(entry.id) }));
  }

  #read<Result>(work: (run: RunStatement) => Promise<Result>): Promise<Result> {
    return this.#asked(() => work((...args) => this.#server.runAgain(...args)));
  }

  #write<Result>(work: (run: RunStatement) => Promise<Result>): Promise<Result> {
    return this.#asked(() => this.#twice(work));
  }

  /** For what may be done twice: where the end of a transaction was lost it is done once more. */
  async #twice<Result>(work: (run: RunStatement) => Promise<Result>): Promise<Result> {
    try {
      return await this.#server.transaction(work);
    } catch (error) {
      if (!isLost(error)) throw error;
      return this.#server.transaction(work);
    }
  }

  /** Before the first thing that is asked: whether there is a ledger, and one that this gw knows. */
  async #asked<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#form ??= this.#checkForm().catch((error) => {
      this.#form = undefined;
      throw beforeSending(error);
    });
    await this.#form;
    return work();
  }

  async #checkForm(): Promise<void> {
    const [ledger] = await this.#server.runAgain<{ id: string; form: number }>(
      'SELECT id, form FROM gw.ledger',
    );
    refuseNewer(ledger?.form ?? 0, labelOfAddress(this.#server.address));
    await this.#keeper?.begin(ledger?.id ?? '', (outcome) => this.#settleKept(outcome));
  }

  async #beforeSending<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#asked(work);
    } catch (error) {
      throw beforeSending(error);
    }
  }
}

const NOT_SENT = { state: 'not-sent', status: null, recordId: null } as const;

function entryLost(): Failure {
  return new Failure('guard', 'The ledger no longer has the entry for this request.', {
    code: 'entry-lost',
    next: 'Look up the record before you send it again.',
  });
}

const NOTHING_SENT = 'Nothing was sent.';

/** A ledger that cannot be used stands in the way of the request, whatever is wrong with it. */
function beforeSending(error: unknown): unknown {
  if (!(error instanceof Failure) || error.next.startsWith(NOTHING_SENT)) return error;
  const { message, code, next, cause } = error;
  return new Failure('guard', message, { code, next: `${NOTHING_SENT} ${next}`, cause });
}
