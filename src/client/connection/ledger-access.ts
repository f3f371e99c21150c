/**
 * A connection's access to the ledger: intents, outcomes and records seen. The ledger opens when first needed. If there
 * is none yet, a question is answered without creating one.
 */

import { boundedRecord, boundedText } from '../../base/bounded.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { dateOrNull } from '../../base/text.ts';
import { lastFourOf } from '../../contract/cards/card-number.ts';
import { responseCodeOf } from '../../contract/declines.ts';
import {
  amountOf,
  fullNameOf,
  isSuccessful,
  isUnsuccessful,
  outcomeOf,
  paidOf,
} from '../../contract/normal.ts';
import type { Operation } from '../../contract/operation.ts';
import { isInAnothersCurrency, operationNamed } from '../../contract/operations.ts';
import type { RecordKind } from '../../contract/record-id.ts';
import { Failure } from '../../failure.ts';
import { sha256 } from '../../host/digest.ts';
import { note as sayNote } from '../../host/note.ts';
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
import { type Deed, deedOf } from '../../things/deed.ts';
import type { Reply } from '../exchange/classify.ts';
import { moneyOf } from '../exchange/said-money.ts';
import { type CallInput, pairsOf } from '../exchange/wire-request.ts';
import { authorOf, isOnServer } from '../ledger/place.ts';
import { accountOf } from '../profiles/credentials.ts';
import { refusedByLedger } from './refusals.ts';
import type { CommandRun, GatewayWire } from './wire.ts';

/** A request as `keptOf` returned it, and the batch line that it claims. */
export interface Kept {
  request: MoneyRequest;
  line?: LineClaim | undefined;
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

  /** Starts connecting to a server early, to save time later. An error shows when the ledger is used. */
  constructor(run: CommandRun, wire: GatewayWire) {
    this.#run = run;
    this.#wire = wire;
    const { recordsMoney, isDryRun } = run.options;
    if (this.isShared && recordsMoney && !isDryRun) this.open().catch(() => undefined);
  }

  /** Whether a team shares the ledger on a server. */
  get isShared(): boolean {
    return isOnServer(this.#run.context.host.env, this.#run.account.profile);
  }

  /** @returns the ledger, opened when first needed. @throws Failure guard if it cannot be used */
  open(): Promise<Ledger> {
    const { parts, context, account } = this.#run;
    this.#opened ??= parts.openLedger
      ? parts.openLedger()
      : // Loaded only for requests that move money, not for look-ups.
        import('../ledger/open.ts').then(({ openOwnLedger }) =>
          openOwnLedger(context.host, { profile: account.profile }),
        );
    return this.#opened;
  }

  /**
   * The account and gateway, as the ledger names them. A dry run may have no credentials. It uses the account that the
   * profile last used, or '', of which nothing is known.
   */
  destination(): Promise<Destination> {
    this.#destination ??= this.#destinationOf();
    return this.#destination;
  }

  /**
   * @returns whether requests are recorded; if not, says so once
   * @throws Failure guard if the owner of the ledger requires recording
   */
  async isRecording(): Promise<boolean> {
    if (this.#run.options.recordsMoney) return true;
    this.#unrecorded ??= sayUnrecorded(this.#run, this.isShared ? () => this.open() : undefined);
    await this.#unrecorded;
    return false;
  }

  /** @throws Failure guard if there is a ledger and it accepts no requests at all */
  async admit(): Promise<void> {
    if (!(await this.isRecording())) return;
    await (await this.#known())?.admit();
  }

  /**
   * Resolves once the intent is on disk, or was refused and nothing may be sent.
   * @param request as `keptOf` returned it
   * @param line the batch line to claim
   * @throws Failure if the intent cannot be recorded; then nothing may be sent
   */
  async intend(request: MoneyRequest, operation: Operation, line?: LineClaim): Promise<Intended> {
    return (await this.open()).intend(request, this.#conditions(operation, line));
  }

  /**
   * @param leftToIntent the guard to skip here, because the intent follows soon and checks it
   * @returns for each request, how `intend` would refuse it now; writes nothing
   */
  async foresee(
    operation: Operation,
    kept: readonly Kept[],
    leftToIntent?: 'balance',
  ): Promise<readonly (Refused | undefined)[]> {
    const ledger = await this.#known();
    if (!ledger) return [];
    const asked = kept.map(({ request, line }) => {
      const conditions = this.#conditions(operation, line);
      if (leftToIntent) conditions.noOverRefund = false;
      return { request, conditions };
    });
    return ledger.foresee(asked);
  }

  /** @returns the request as the ledger keeps it; undefined if nothing is recorded */
  async keptOf(operation: Operation, input: CallInput): Promise<MoneyRequest | undefined> {
    return (await this.isRecording()) ? (await this.keeper(operation))(input) : undefined;
  }

  /** @returns what turns requests into the form that the ledger keeps */
  async keeper(operation: Operation): Promise<(input: CallInput) => MoneyRequest> {
    const at = await this.destination();
    const { note = null } = this.#run.options;
    return (input) => moneyRequestOf(at, operation, input, { scrub: this.#scrub, note });
  }

  #conditions({ money }: Operation, line: LineClaim | undefined): IntentConditions {
    const { refusesDuplicates, refusesOverRefunds } = this.#run.options;
    return {
      noDuplicate: refusesDuplicates,
      noOverRefund: refusesOverRefunds && money?.givesBack !== undefined,
      ...(line && { line }),
    };
  }

  /** @returns the failure that describes a refusal */
  async refusal(refused: Refused, operation: Operation, input: CallInput): Promise<Failure> {
    const { operator } = authorOf(this.#run.context.host);
    const us = { ...(await this.destination()), operator };
    const currency = await this.currencyOf(operation, input);
    return refusedByLedger(refused, operation, { ...input, currency }, us);
  }

  /**
   * Records the outcome. Never throws, because the caller must report in any case what happened to the money.
   * @param entry entry of the recorded intent
   * @returns why the outcome could not be recorded, and the intent then stays unresolved; 'of-another' if the answer
   *   shows the record of another request, and nothing is recorded
   */
  async settle(
    entry: string,
    input: CallInput,
    result: Reply | Failure,
  ): Promise<Failure | 'of-another' | undefined> {
    try {
      const isSeen = !(result instanceof Failure);
      const seen = isSeen ? this.#snapshots(input, result, await this.destination()) : [];
      const settlement = settlementOf(result, this.#scrub);
      const ledger = await this.open();
      const late = await ledger.settle(entry, settlement, seen, recordMadeIn(result));
      if (late === 'of-another') return late;
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
   * Remembers the records of any other request that the gateway processed. A server may be away, so the user sees the
   * answer before it is remembered there. `allSeen` waits for it.
   */
  async see(input: CallInput, reply: Reply): Promise<void> {
    if (!(await this.isRecording())) return;
    const seen = this.#snapshots(input, reply, await this.destination());
    if (seen.length === 0) return;
    const done = this.#remember(seen)
      .catch((error) => this.#sayForgotten(error))
      .finally(() => this.#seeing.delete(done));
    this.#seeing.add(done);
    if (!this.isShared) await done;
  }

  /**
   * Notes that another subscription is to take the place of the one in an answer, before the first request for that.
   * @param to its reference
   * @throws Failure guard if it cannot be written
   */
  async noteMove(reply: Reply, to: string): Promise<void> {
    if (!(await this.isRecording())) return;
    const { context, account } = this.#run;
    const now = context.host.clock.now();
    const deed = this.#deed({ what: 'moving', fields: [], to }, now);
    const records = reply.records.map((record) => scrubJson(record, this.#scrub));
    const seen = snapshotsOf({ ...reply, records }, {}, await this.destination(), now);
    const isKept = account.profile.remember !== false;
    const kept = seen.map((one) => (isKept ? one : { ...one, record: { id: one.id } }));
    await (await this.open()).remember(kept.map((one) => ({ ...one, deed })));
  }

  async allSeen(): Promise<void> {
    await Promise.all(this.#seeing);
  }

  /** @returns the balance of a purchase; undefined if its amount is unknown */
  async balance(purchaseId: string): Promise<PurchaseBalance | undefined> {
    return (await this.balances([purchaseId])).get(purchaseId);
  }

  /** @returns the known balances by purchase id */
  async balances(purchases: readonly string[]): Promise<ReadonlyMap<string, PurchaseBalance>> {
    const ledger = purchases.length > 0 ? await this.#known() : undefined;
    return ledger?.balances(await this.destination(), purchases) ?? new Map();
  }

  /** @returns records of a kind seen with this account, latest first; empty if there is no ledger */
  async remembered(kind: RecordKind, limit: number): Promise<RememberedRecord[]> {
    const ledger = await this.#known();
    if (!ledger) return [];
    return ledger.remembered({ kind, of: await this.destination() }, limit);
  }

  /** @returns the record with that id as the account last saw it, if known */
  async rememberedOf(kind: RecordKind, id: string): Promise<RememberedRecord | undefined> {
    const ledger = await this.#known();
    if (!ledger) return undefined;
    const [record] = await ledger.remembered({ kind, id, of: await this.destination() }, 1);
    return record;
  }

  /** @returns ISO 4217 code of a request's amount; that of its purchase or account, if seen; undefined if unknown */
  async currencyOf(operation: Operation, input: CallInput): Promise<string | undefined> {
    const { currency, target } = moneyOf(operation, input);
    if (currency !== null) return currency;
    if (!isInAnothersCurrency(operation)) return this.#run.account.profile.currency;
    return target === null ? undefined : this.currencyKnown({ purchase: target });
  }

  /**
   * Finds the currency of a purchase. A refund's record has none, so this takes that of its purchase. gw does not ask
   * the gateway. It does not guess the profile's currency either, which is for new purchases: 1000 yen are not 10.00 of
   * anything.
   * @param record a purchase or a refund, by id
   * @returns ISO 4217 code; undefined if unknown
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
      // Show a record even if its currency cannot be found.
      return unlessExpected(error);
    }
  }

  /** @returns the known ISO 4217 codes by purchase id */
  async currenciesOf(purchases: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const ledger = purchases.length > 0 ? await this.#known() : undefined;
    return ledger?.currencies(await this.destination(), purchases) ?? new Map();
  }

  async close(): Promise<void> {
    const ledger = await this.#opened?.catch(() => undefined);
    await ledger?.close();
  }

  /** @returns the ledger if it may know something; look-ups keep what they saw in a separate file until then */
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

  #deed(done: Pick<Deed, 'what' | 'fields' | 'to'>, now: Date): Deed {
    const { context, options } = this.#run;
    const { operator } = authorOf(context.host);
    return { at: now.toISOString(), ...done, operator, note: options.note ?? null };
  }

  #snapshots(input: CallInput, reply: Reply, at: Destination): RecordSnapshot[] {
    const { context, account } = this.#run;
    const { operation } = reply;
    const body = scrubJson(keepable(input.body ?? {}), this.#scrub) as JsonObject;
    const changed = deedOf(operation, body);
    const sent = changed ? { ...body, id: input.id ?? null } : {};
    const records = reply.records.map((record) =>
      scrubJson({ ...record, ...unsaidOf(operation, record, sent) }, this.#scrub),
    );
    const now = context.host.clock.now();
    const seen = snapshotsOf({ operation, records }, input, at, now);
    if (changed) {
      const deed = this.#deed(changed, now);
      for (const one of seen) {
        const card = sentCard(body, one.record, new Date(reply.answeredAt ?? now));
        one.deed = { ...deed, card };
        one.lastFour ??= lastFourOf(card?.record.card_number);
      }
    }
    return account.profile.remember === false ? seen.flatMap(amountOnly) : seen;
  }

  /**
   * Writes to the ledger if it is open or on a server, where others must find the records at once. A look-up alone does
   * not open the file, which only this user reads.
   */
  async #remember(answered: readonly RecordSnapshot[]): Promise<void> {
    const { files } = this.#run.context.host;
    const seen = await Promise.all(answered.map((one) => this.#completed(one)));
    if (this.isShared || this.#opened) await (await this.open()).remember(seen);
    else if (new SnapshotInbox(files, seenPath(files)).append(seen)) await this.open();
  }

  /** Adds what is known of a changed record and its answer leaves out. What was known of a replaced card is dropped. */
  async #completed(seen: RecordSnapshot): Promise<RecordSnapshot> {
    const { kind, id, record, deed } = seen;
    if (!deed || deed.what === 'created') return seen;
    const known = await this.rememberedOf(kind, id);
    if (!known) return seen;
    const isNewCard = deed.card?.record.card_number !== undefined;
    const isKept = ([name]: [string, Json]) => !(isNewCard && name.startsWith('card_'));
    const before = Object.fromEntries(Object.entries(known.record).filter(isKept));
    const replaced = isNewCard ? { replaced: known.lastFour } : {};
    return { ...seen, record: { ...before, ...record }, deed: { ...deed, ...replaced } };
  }

  /** On a server, only the first of many look-ups reports it. @throws errors that are not a Failure */
  #sayForgotten(error: unknown): void {
    if (!(error instanceof Failure)) throw error;
    if (this.#hasForgotten && this.isShared) return;
    this.#hasForgotten = true;
    const text = `Note: gw could not store this record. ${error.message}`;
    void sayNote(this.#run.context.host.stderr, text);
  }
}

function defectOfRecording(cause: unknown): Failure {
  return new Failure(
    'outcome-not-recorded',
    `The outcome could not be recorded: ${String(cause)}.`,
    'This is a defect of gw: please report it.',
    { cause },
  );
}

/** @throws errors that are not a Failure */
function unlessExpected(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error;
  return undefined;
}

/**
 * @param shared opens the ledger, if a team shares it
 * @throws Failure guard if its owner requires recording
 */
async function sayUnrecorded(
  { context }: CommandRun,
  shared?: () => Promise<Ledger>,
): Promise<void> {
  if (await (await shared?.())?.requiresJournal())
    throw new Failure(
      'journal-required',
      'The owner of the ledger does not allow --no-journal.',
      'Run the command again without --no-journal.',
    );
  await sayNote(
    context.host.stderr,
    'gw does not record this request (--no-journal). If the answer is lost, gw will not know about it. ' +
      'gw will notice neither a repeat nor a refund of too much.',
  );
}

/**
 * Builds the ledger's form of a request, the same for every caller. A custom request (`gw api`) is identified by all of
 * its content, because nobody knows what it moves.
 * @returns the request with card numbers masked and the CVV removed
 */
export function moneyRequestOf(
  { account, profile, environment, host }: Destination,
  operation: Operation,
  { query = {}, body = {}, currency: read }: CallInput,
  { scrub = (text) => text, note = null }: { scrub?: Scrub; note?: string | null } = {},
): MoneyRequest {
  const keep = (given: JsonObject) => scrubJson(keepable(given), scrub) as JsonObject;
  const kept = keep(body);
  const { target, amount, currency, reference } = moneyOf(operation, {
    body: kept,
    currency: read,
  });
  const refundOf = operation.money?.givesBack === undefined ? null : target;
  const request = {
    account,
    profile,
    environment,
    host,
    operation: operation.name,
    target,
    refundOf,
    amount,
    currency,
    reference,
    body: kept,
    note,
  };
  if (!operation.isForeign) return request;
  const keptQuery = pairsOf(query).flatMap(([name, value]) =>
    Object.entries(keep({ [name]: value })).map(([as, text]) => `${as}=${String(text)}`),
  );
  const asked = keptQuery.length === 0 ? '' : `?${keptQuery.join('&')}`;
  const name = scrub(redactText(operation.name, 'kept')) + asked;
  const digest = `sha256:${digestOf([name, kept])}`;
  return { ...request, operation: name, target: digest, refundOf: null };
}

/** @returns the body with card numbers masked, and without what is hidden */
function keepable(body: JsonObject): Json {
  const safe = redactJson(body, 'kept');
  return safe === body ? body : withoutHidden(safe);
}

/**
 * Digests only masked content. From a digest, somebody could guess three digits of a CVV, or the middle of a card
 * number.
 */
function digestOf(content: Json): string {
  return sha256(JSON.stringify(content)).slice(0, 32);
}

/** @returns those of the fields sent that the record of the answer has, and does not say: they were accepted */
function unsaidOf({ response }: Operation, record: JsonObject, sent: JsonObject): JsonObject {
  const isUnsaid = ([name, value]: [string, Json]) =>
    value !== null && Object.hasOwn(response, name) && (record[name] ?? null) === null;
  return Object.fromEntries(Object.entries(sent).filter(isUnsaid));
}

/** @returns what the body of a request says of a customer's card. A field that is undefined is not stored. */
function sentCard({ card }: JsonObject, { card_token }: JsonObject, at: Date) {
  if (!isObject(card)) return undefined;
  const { expiry_date: card_expiry, ...said } = card;
  const record = { ...said, card_expiry, card_token: card_token ?? undefined };
  return { since: at.toISOString(), record: record as JsonObject };
}

/** @returns the id that finds the record again; subscriptions are looked up by reference (endpoint 15) */
function idOf(kind: RecordKind, record: JsonObject): string | null {
  if (kind === 'card') return text(record.token);
  return text(record.id) ?? (kind === 'subscription' ? text(record.reference) : null);
}

/** @returns snapshots of an answer's records that have an id; none for a custom request (`gw api`) */
export function snapshotsOf(
  { operation, records }: Pick<Reply, 'operation' | 'records'>,
  { body = {} }: CallInput,
  destination: Destination,
  now: Date,
): RecordSnapshot[] {
  if (!operationNamed(operation.name)) return [];
  const { account, profile, environment, host } = destination;
  const given = redactJson({ reference: body.reference ?? null }, 'kept') as JsonObject;
  return records.flatMap((seen): RecordSnapshot[] => {
    const held = boundedRecord(seen, MAX_KEPT_TEXT, MAX_KEPT_RECORD);
    const record = redactJson(held, 'kept') as JsonObject;
    const id = idOf(operation.kind, record);
    // A declined record may have no id. Without one, nothing could refer to it.
    if (id === null) return [];
    return [
      {
        account,
        profile,
        environment,
        host,
        kind: operation.kind,
        id,
        // A refund's record does not show its reference.
        reference: text(record.reference) ?? text(given.reference),
        name: fullNameOf(record) ?? text(record.card_holder) ?? text(record.name),
        lastFour: lastFourOf(record.card_number),
        amount: operation.kind === 'purchase' ? paidOf(record) : amountOf(record),
        seenBy: operation.name,
        seenAt: now.toISOString(),
        record,
      },
    ];
  });
}

/**
 * Keeps what a profile with `remember: false` stores: the id, amount, currency and success of a purchase. A refund is
 * compared with these. Everything that identifies the customer is dropped.
 */
function amountOnly(seen: RecordSnapshot): RecordSnapshot[] {
  const { kind, id, amount, record } = seen;
  if (kind !== 'purchase' || !amount) return [];
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

function text(value: unknown): string | null {
  return value === '' ? null : keptId(value);
}

/**
 * One record cannot be the answer to two requests. If a gateway, or something before it, answers twice on an open
 * connection, all later answers shift. Each then belongs to another request.
 *
 * The journal compares across runs: another request of the same account is known to have made the record, and asked for
 * something else. Without a reference, nothing shows that two requests ask for the same. The test gateway reuses its ids
 * when it starts over, so its answers are not compared with earlier runs. A custom request (`gw api`) may concern an
 * existing record.
 * @returns the id of the record that the request made, if another may have made it; null otherwise
 */
function recordMadeIn(result: Reply | Failure): string | null {
  if (result instanceof Failure || result.operation.isForeign || result.isEmbedded) return null;
  return keptId(result.records[0]?.id);
}

/** @returns the answer without this run's secrets, which a gateway may echo */
export function scrubReply(reply: Reply, scrub: Scrub): Reply {
  return { ...reply, records: reply.records.map((record) => scrubJson(record, scrub)) };
}

/** @returns the outcome for the journal entry */
export function settlementOf(result: Reply | Failure, scrub: Scrub): Settlement {
  const told = (message: unknown) =>
    typeof message === 'string'
      ? // Scrub before cutting, because a part of a secret is not recognised.
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
    // Several records answer only a request of the user's own. None of them speaks for all.
    state: others.length > 0 ? 'done' : stateOf(result, record),
    status: result.status,
    recordId: keptId(result.operation.kind === 'card' ? record.token : record.id),
    message: told(record.message),
    transactionDate: dateOrNull(record.transaction_date),
    responseCode: responseCodeOf(record.response_code),
  };
}

function stateOf({ operation, outcome }: Reply, record: JsonObject): Settlement['state'] {
  // A custom request (`gw api`) may still say whether a card was charged.
  const said = outcome ?? outcomeOf(operation.kind, record);
  if (isSuccessful(said)) return 'done';
  if (isUnsuccessful(said)) return said;
  return operation.authorizes ? 'unknown' : 'done';
}

/** A Failure of any other kind says nothing certain about the money, so it counts as unknown. */
const STATES: Partial<Record<Failure['kind'], Settlement['state']>> = {
  auth: 'rejected',
  notFound: 'rejected',
  rejected: 'rejected',
  notReached: 'not-sent',
  interrupted: 'not-sent',
};
