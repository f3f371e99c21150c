/**
 * What a connection asks of the ledger and writes into it: intents, outcomes and what is seen. The ledger is
 * opened when it is first needed; where there is none yet, a question is answered without making one.
 */

import { hash } from 'node:crypto';
import { boundedRecord, boundedText } from '../../base/bounded.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { isUnsuccessful, outcomeOf } from '../../contract/normal.ts';
import type { Operation } from '../../contract/operation.ts';
import { operationNamed } from '../../contract/operations.ts';
import type { RecordKind } from '../../contract/record-id.ts';
import { Failure } from '../../failure.ts';
import { note } from '../../host/note.ts';
import { redactJson, redactText } from '../../host/redaction/redact.ts';
import { type Scrub, scrubJson, withoutHidden } from '../../host/redaction/scrub-json.ts';
import type { PurchaseBalance } from '../../journal/balance.ts';
import type {
  Destination,
  Intended,
  IntentConditions,
  Ledger,
  LineClaim,
  MoneyRequest,
  RecordSnapshot,
  Refused,
  RememberedRecord,
  Settlement,
} from '../../journal/ledger.ts';
import { keptId, MAX_KEPT_RECORD, MAX_KEPT_TEXT } from '../../journal/limits.ts';
import { SnapshotInbox } from '../../journal/snapshot-inbox.ts';
import { ledgerPath, seenPath } from '../../store/paths.ts';
import type { Reply } from '../exchange/classify.ts';
import { moneyOf } from '../exchange/said-money.ts';
import { type CallInput, pairsOf } from '../exchange/wire-request.ts';
import { authorOf, isOnServer } from '../ledger/place.ts';
import { accountOf } from '../profiles/credentials.ts';
import { refusedByLedger } from './refusals.ts';
import type { CommandRun, GatewayWire } from './wire.ts';

/** What is asked of a request before it is intended. */
export interface Foreseen {
  /** Of a batch. */
  line?: LineClaim | undefined;
  /** Only what attempts there were at the line counts: it is judged again when it is intended. */
  isForAttempts?: boolean;
}

export class LedgerAccess {
  readonly #run: CommandRun;
  readonly #wire: GatewayWire;
  readonly #scrub = (text: string) => this.#run.context.redactor.scrubKnown(text);
  readonly #seeing = new Set<Promise<void>>();
  #opened: Promise<Ledger> | undefined;
  #destination: Promise<Destination> | undefined;
  #unrecorded: Promise<void> | undefined;
  #hasForgotten = false;

  /** Begins to open one on a server, so that this costs no time later; what is wrong with it is told by then. */
  constructor(run: CommandRun, wire: GatewayWire) {
    this.#run = run;
    this.#wire = wire;
    const { recordsMoney, isDryRun } = run.options;
    if (this.isShared && recordsMoney && !isDryRun) this.open().catch(() => undefined);
  }

  /** Whether it is on a server that a team shares. */
  get isShared(): boolean {
    return isOnServer(this.#run.context.host.env, this.#run.account.profile);
  }

  /** @returns the ledger, opened when it is first needed. @throws Failure guard when it cannot be used */
  open(): Promise<Ledger> {
    const { parts, context, account } = this.#run;
    this.#opened ??= parts.openLedger
      ? parts.openLedger()
      : // Loaded for what moves money, and not for a look-up.
        import('../ledger/open.ts').then(({ openOwnLedger }) =>
          openOwnLedger(context.host, { profile: account.profile }),
        );
    return this.#opened;
  }

  /**
   * Whose account at which gateway it is, as the ledger names it. A dry run may be without credentials: the account
   * is then the one that the profile was last used with, or '', which nothing is known of.
   */
  destination(): Promise<Destination> {
    this.#destination ??= this.#destinationOf();
    return this.#destination;
  }

  /**
   * @returns whether requests are recorded; says once that they are not
   * @throws Failure guard where the owner of the ledger does not allow that
   */
  async isRecording(): Promise<boolean> {
    if (this.#run.options.recordsMoney) return true;
    this.#unrecorded ??= sayUnrecorded(this.#run, this.isShared ? () => this.open() : undefined);
    await this.#unrecorded;
    return false;
  }

  /** @throws Failure guard when the ledger takes no requests at all, where there is a ledger */
  async admit(): Promise<void> {
    if (!(await this.isRecording())) return;
    await (await this.#known())?.admit();
  }

  /**
   * Resolves when the intent is on disk, or was refused: then nothing may be sent.
   * @param line claimed with it, for a request of a batch
   * @returns undefined where nothing is recorded
   * @throws Failure when it cannot be recorded: nothing may be sent then, either
   */
  async intend(
    operation: Operation,
    input: CallInput,
    line?: LineClaim,
  ): Promise<Intended | undefined> {
    if (!(await this.isRecording())) return undefined;
    const request = moneyRequestOf(await this.destination(), operation, input, this.#scrub);
    return (await this.open()).intend(request, this.#conditions(operation, line));
  }

  /** @returns how `intend` would refuse the request just now; nothing is written */
  async foresee(
    operation: Operation,
    input: CallInput,
    { line, isForAttempts }: Foreseen = {},
  ): Promise<Refused | undefined> {
    const ledger = (await this.isRecording()) ? await this.#known() : undefined;
    if (!ledger) return undefined;
    const request = moneyRequestOf(await this.destination(), operation, input, this.#scrub);
    const conditions = this.#conditions(operation, line);
    return ledger.foresee(request, {
      ...conditions,
      noOverRefund: conditions.noOverRefund && !isForAttempts,
    });
  }

  #conditions({ money }: Operation, line: LineClaim | undefined): IntentConditions {
    const { refusesDuplicates, refusesOverRefunds } = this.#run.options;
    return {
      noDuplicate: refusesDuplicates,
      noOverRefund: refusesOverRefunds && money?.givesBack !== undefined,
      ...(line && { line }),
    };
  }

  /** @returns the failure that a refusal is */
  async refusal(refused: Refused, operation: Operation, input: CallInput): Promise<Failure> {
    const { operator } = authorOf(this.#run.context.host);
    const us = { ...(await this.destination()), operator };
    const currency = await this.currencyOf(operation, input);
    return refusedByLedger(refused, operation, { ...input, currency }, us);
  }

  /**
   * What became of the money is known by now, and must be told whatever becomes of the note about it.
   * @param entry that was recorded
   * @returns why the outcome could not be, if it could not: the intent then stays unresolved
   */
  async settle(
    entry: string,
    input: CallInput,
    result: Reply | Failure,
  ): Promise<Failure | undefined> {
    try {
      const seen = result instanceof Failure ? [] : await this.#snapshots(input, result);
      const late = await (await this.open()).settle(entry, settlementOf(result, this.#scrub), seen);
      if (late) {
        const { sayLate } = await import('../ledger/late-outcome.ts');
        await sayLate(this.#run.context.host.stderr, late);
      }
      return undefined;
    } catch (error) {
      return error instanceof Failure ? error : defectOfRecording(error);
    }
  }

  /**
   * Told of the answer to every other request that the gateway processed. A server may be away: what was looked
   * up is shown before it is remembered there. `allSeen` waits for it.
   */
  async see(input: CallInput, reply: Reply): Promise<void> {
    if (!(await this.isRecording())) return;
    const seen = await this.#snapshots(input, reply);
    if (seen.length === 0) return;
    const done = this.#remember(seen)
      .catch((error) => this.#sayForgotten(error))
      .finally(() => this.#seeing.delete(done));
    this.#seeing.add(done);
    if (!this.isShared) await done;
  }

  async allSeen(): Promise<void> {
    await Promise.all(this.#seeing);
  }

  /** @returns what is known of a purchase, or undefined when its amount is not */
  async balance(purchaseId: string): Promise<PurchaseBalance | undefined> {
    return (await this.balances([purchaseId])).get(purchaseId);
  }

  /** @returns the balances that are known, by the ids of the purchases */
  async balances(purchases: readonly string[]): Promise<ReadonlyMap<string, PurchaseBalance>> {
    const ledger = purchases.length > 0 ? await this.#known() : undefined;
    return ledger?.balances(await this.destination(), purchases) ?? new Map();
  }

  /** @returns records of a kind that were seen with the account, latest seen first; none where nothing is kept */
  async remembered(kind: RecordKind, limit: number): Promise<RememberedRecord[]> {
    const ledger = await this.#known();
    if (!ledger) return [];
    return ledger.remembered({ kind, of: await this.destination() }, limit);
  }

  /** @returns a record of that id as the account saw it last, where it is known here */
  async rememberedOf(kind: RecordKind, id: string): Promise<RememberedRecord | undefined> {
    const ledger = await this.#known();
    if (!ledger) return undefined;
    const [record] = await ledger.remembered({ kind, id, of: await this.destination() }, 1);
    return record;
  }

  /** @returns ISO 4217 code of a request's amount: of what is given back that of its purchase, where it is known */
  async currencyOf(operation: Operation, input: CallInput): Promise<string | undefined> {
    const { currency, target } = moneyOf(operation, input);
    if (currency !== null) return currency;
    const id = operation.money?.givesBack ? target : null;
    return id === null ? this.#run.account.profile.currency : this.currencyKnown({ purchase: id });
  }

  /**
   * Of a refund, whose record does not say it, that of its purchase. Nothing is asked of the gateway. The
   * profile's currency is that of purchases to come, and tells nothing of one that was made elsewhere: 1000 yen
   * are not 10.00 of anything.
   * @param record by its id
   * @returns ISO 4217 code; undefined where it is not known
   */
  async currencyKnown(
    record: { purchase: string } | { refund: string },
  ): Promise<string | undefined> {
    if (!this.#isThere()) return undefined;
    try {
      const ledger = await this.open();
      const us = await this.destination();
      const purchase =
        'purchase' in record ? record.purchase : await ledger.purchaseOf(us, record.refund);
      return purchase && (await ledger.currencies(us, [purchase])).get(purchase);
    } catch (error) {
      // A record is worth showing without its currency.
      return unlessExpected(error);
    }
  }

  /** @returns ISO 4217 codes of purchases, by their ids; of those that this machine knows */
  async currenciesOf(purchases: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const ledger = purchases.length > 0 ? await this.#known() : undefined;
    return ledger?.currencies(await this.destination(), purchases) ?? new Map();
  }

  async close(): Promise<void> {
    const ledger = await this.#opened?.catch(() => undefined);
    await ledger?.close();
  }

  /** @returns the ledger where something may be known: what look-ups saw is kept apart until there is one */
  async #known(): Promise<Ledger | undefined> {
    const { files } = this.#run.context.host;
    return this.#isThere() || files.size(seenPath(files)) > 0 ? this.open() : undefined;
  }

  async #destinationOf(): Promise<Destination> {
    const { name: profile, environment, baseUrl } = this.#run.account.profile;
    const host = environment === 'local' ? 'embedded' : baseUrl.host;
    const username = await this.#wire.username().catch(unlessExpected);
    const account =
      username === undefined
        ? await (await this.#known())?.accountOf({ profile, environment })
        : accountOf(environment, username, baseUrl);
    return { account: account ?? '', profile, environment, host };
  }

  #isThere(): boolean {
    const { files } = this.#run.context.host;
    return this.#opened !== undefined || this.isShared || files.size(ledgerPath(files)) > 0;
  }

  async #snapshots(input: CallInput, reply: Reply): Promise<RecordSnapshot[]> {
    const { context, account } = this.#run;
    const clean = scrubReply(reply, this.#scrub);
    const seen = snapshotsOf(clean, input, await this.destination(), context.host.clock.now());
    return account.profile.remember === false ? seen.flatMap(amountOnly) : seen;
  }

  /**
   * In the ledger where it is open, or on a server: the others are to find it at once, and what is in the
   * file of this user is of nobody else. For a look-up alone a file is not opened.
   */
  async #remember(seen: readonly RecordSnapshot[]): Promise<void> {
    const { files } = this.#run.context.host;
    if (this.isShared || this.#opened) await (await this.open()).remember(seen);
    else if (new SnapshotInbox(files, seenPath(files)).append(seen)) await this.open();
  }

  /** Of many look-ups the first one says it for all. @throws what is no failure that can be expected */
  #sayForgotten(error: unknown): void {
    if (!(error instanceof Failure)) throw error;
    if (this.#hasForgotten && this.isShared) return;
    this.#hasForgotten = true;
    const text = `Note: gw could not remember this record. ${error.message}`;
    void note(this.#run.context.host.stderr, text);
  }
}

function defectOfRecording(cause: unknown): Failure {
  return new Failure('guard', `The outcome could not be recorded: ${String(cause)}.`, {
    code: 'outcome-not-recorded',
    next: 'This is a defect of gw: please report it.',
    cause,
  });
}

/** @throws what is no failure that can be expected */
function unlessExpected(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error;
  return undefined;
}

/**
 * @param shared opens the ledger, where it is a team's
 * @throws Failure guard where its owner does not allow that nothing is recorded
 */
async function sayUnrecorded(
  { context }: CommandRun,
  shared?: () => Promise<Ledger>,
): Promise<void> {
  if (await (await shared?.())?.requiresJournal())
    throw new Failure('guard', 'The owner of the ledger does not allow --no-journal.', {
      code: 'journal-required',
      next: 'Run the command again without --no-journal.',
      sent: false,
    });
  await note(
    context.host.stderr,
    'Not recorded (--no-journal): if the answer is lost, gw will not know about this request, ' +
      'and it will not notice repeats or refunds of too much.',
  );
}

/**
 * The same for every door. A request that is no row of the interface is known by all of it: what it moves nobody knows.
 * @returns the request, of which card numbers are masked and a CVV is not even mentioned
 */
export function moneyRequestOf(
  { account, profile, environment, host }: Destination,
  operation: Operation,
  { query = {}, body = {} }: CallInput,
  scrub: Scrub = (text) => text,
): MoneyRequest {
  const keep = (given: JsonObject) =>
    scrubJson(withoutHidden(redactJson(given, 'kept')), scrub) as JsonObject;
  const kept = keep(body);
  const { target, amount, currency, reference } = moneyOf(operation, { body: kept });
  const known = { account, profile, environment, host, amount, currency, reference, body: kept };
  if (!operation.isForeign) {
    const refundOf = operation.money?.givesBack === undefined ? null : target;
    return { ...known, operation: operation.name, target, refundOf };
  }
  const keptQuery = pairsOf(query).flatMap(([name, value]) =>
    Object.entries(keep({ [name]: value })).map(([as, text]) => `${as}=${String(text)}`),
  );
  const asked = keptQuery.length === 0 ? '' : `?${keptQuery.join('&')}`;
  const name = scrub(redactText(operation.name, 'kept')) + asked;
  return { ...known, operation: name, target: `sha256:${digestOf([name, kept])}`, refundOf: null };
}

/** It is made of what may be kept: three digits of a CVV could be found by trying, and so could the middle of a card number. */
function digestOf(content: Json): string {
  return hash('sha256', JSON.stringify(content), 'hex').slice(0, 32);
}

/** @returns what the record is found by again; subscriptions are looked up by reference (endpoint 15) */
function idOf(kind: RecordKind, record: JsonObject): string | null {
  if (kind === 'card') return text(record.token);
  return text(record.id) ?? (kind === 'subscription' ? text(record.reference) : null);
}

/** @returns the records of an answer that have an id; none of a request that is no row's */
export function snapshotsOf(
  { operation, records }: Reply,
  { body = {} }: CallInput,
  destination: Destination,
  now: Date,
): RecordSnapshot[] {
  if (!operationNamed(operation.name)) return [];
  const { account, profile, environment, host } = destination;
  const given = redactJson(body, 'kept') as JsonObject;
  return records.flatMap((seen): RecordSnapshot[] => {
    const held = boundedRecord(seen, MAX_KEPT_TEXT, MAX_KEPT_RECORD);
    const record = redactJson(held, 'kept') as JsonObject;
    const id = idOf(operation.kind, record);
    // A record that was declined may have no id; without one there is nothing to come back to.
    if (id === null) return [];
    const { amount } = record;
    return [
      {
        account,
        profile,
        environment,
        host,
        kind: operation.kind,
        id,
        // A refund does not show the reference it was made with.
        reference: text(record.reference) ?? text(given.reference),
        name: nameOf(record),
        lastFour: /(\d{4})$/.exec(text(record.card_number) ?? '')?.[1] ?? null,
        amount: typeof amount === 'number' && record.successful !== false ? amount : null,
        seenBy: operation.name,
        seenAt: now.toISOString(),
        record,
      },
    ];
  });
}

/**
 * A profile that remembers nothing keeps this: of a purchase its id and what was paid, since a
 * refund is compared with it, and nothing of whose it is.
 */
function amountOnly(seen: RecordSnapshot): RecordSnapshot[] {
  const { kind, id, amount, record } = seen;
  if (kind !== 'purchase' || amount === null) return [];
  const { currency = null, successful = null } = record;
  return [
    {
      ...seen,
      reference: null,
      name: null,
      lastFour: null,
      record: { id, amount, currency, successful },
    },
  ];
}

function nameOf(record: JsonObject): string | null {
  const parts = [text(record.first_name), text(record.last_name)].filter((part) => part !== null);
  if (parts.length > 0) return parts.join(' ');
  return text(record.card_holder) ?? text(record.name);
}

function text(value: unknown): string | null {
  return value === '' ? null : keptId(value);
}

/** @returns an answer whose records have no secrets of this run in them: a gateway may say them back */
export function scrubReply(reply: Reply, scrub: Scrub): Reply {
  return { ...reply, records: reply.records.map((record) => scrubJson(record, scrub)) };
}

/** @returns what an entry of the journal says of the outcome */
export function settlementOf(result: Reply | Failure, scrub: Scrub): Settlement {
  const told = (message: unknown) =>
    typeof message === 'string'
      ? // Before it is cut, since a part of a secret is not known any more.
        redactText(boundedText(scrub(message), MAX_KEPT_TEXT), 'foreign')
      : null;
  if (result instanceof Failure) {
    return {
      state: STATES[result.kind] ?? 'unknown',
      status: result.status ?? null,
      recordId: keptId(result.id),
      message: told(result.message),
    };
  }
  const [record = {}, ...others] = result.records;
  return {
    // Several are what a request of the user's own was answered with: none of them speaks for all.
    state: others.length > 0 ? 'done' : stateOf(result, record),
    status: result.status,
    recordId: keptId(result.operation.kind === 'card' ? record.token : record.id),
    message: told(record.message),
  };
}

function stateOf({ operation, outcome }: Reply, record: JsonObject): Settlement['state'] {
  // A request that is no row of the interface may still say whether a card was charged.
  const said = outcome ?? outcomeOf(operation.kind, record);
  if (said === 'approved') return 'done';
  if (isUnsuccessful(said)) return said;
  return operation.authorizes ? 'unknown' : 'done';
}

/** A failure of any other kind says nothing certain about the money. */
const STATES: Partial<Record<Failure['kind'], Settlement['state']>> = {
  auth: 'rejected',
  notFound: 'rejected',
  rejected: 'rejected',
  notReached: 'not-sent',
  interrupted: 'not-sent',
};
