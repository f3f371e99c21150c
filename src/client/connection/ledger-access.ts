/**
 * A connection's access to the ledger: intents, outcomes and records seen. The ledger opens when first needed. If there
 * is none yet, a question is answered without creating one.
 */

import type { Operation } from '../../contract/operation.ts';
import { lacksCurrency } from '../../contract/operations.ts';
import type { RecordKind } from '../../contract/record.ts';
import { Failure } from '../../failure.ts';
import { note as sayNote } from '../../host/note.ts';
import type { PurchaseBalance } from '../../journal/balance.ts';
import { addedTo, counts } from '../../journal/caps.ts';
import type {
  IntentRefusal,
  IntentVerdict,
  Ledger,
  LedgerEntry,
  MoneyRequest,
  RecordSnapshot,
  RememberedRecord,
} from '../../journal/ledger.ts';
import {
  areTooMany,
  codeOf,
  digestOf,
  isSameRequest,
  MOST_PROPOSED,
} from '../../journal/proposals.ts';
import type { Approval } from '../../journal/rules.ts';
import { ledgerPath, seenPath } from '../../store/paths.ts';
import type { Owner } from '../../things/owner.ts';
import type { Reply } from '../exchange/classify.ts';
import { moneyOf } from '../exchange/said-money.ts';
import type { CallInput } from '../exchange/wire-request.ts';
import { appliedCaps } from '../guards/rules.ts';
import { authorOf, isOnServer, ledgerPlace } from '../ledger/place.ts';
import { SnapshotInbox } from '../ledger/snapshot-inbox.ts';
import { accountOf } from '../profiles/profile.ts';
import {
  conditionsOf,
  type JudgingRules,
  type KeptRequest,
  moneyRequestOf,
  recordMadeIn,
  settlementOf,
} from './entry.ts';
import { notReleased, refusal, refusedByCap, refusedByLedger } from './refusals.ts';
import {
  completed,
  isPartial,
  type Sighting,
  snapshotsOfMove,
  snapshotsOfReply,
} from './snapshots.ts';
import type { CommandRun, GatewayWire } from './wire.ts';

export class LedgerAccess {
  readonly #run: CommandRun;
  readonly #wire: GatewayWire;
  readonly #scrub = (text: string) => this.#run.context.redactor.scrubKnown(text);
  readonly #seeing = new Set<Promise<void>>();
  /** Why the request is sent: from the command line, or asked for. */
  note: string | null;
  #opened: Promise<Ledger> | undefined;
  #destination: Promise<Owner<string>> | undefined;
  #unrecorded: Promise<void> | undefined;
  #author: string | undefined;
  #judging: JudgingRules | undefined;
  #hasForgotten = false;

  /** Starts connecting to a server early, to save time later. An error shows when the ledger is used. */
  constructor(run: CommandRun, wire: GatewayWire) {
    this.#run = run;
    this.#wire = wire;
    const { recordsMoney, isDryRun, note = null } = run.options;
    this.note = note;
    if (this.isShared && recordsMoney && !isDryRun) this.open().catch(() => undefined);
  }

  /** Whether a team shares the ledger on a server. */
  get isShared(): boolean {
    return isOnServer(this.#run.context.host.env, this.#run.account.profile);
  }

  /** @throws Failure usage if GW_OPERATOR is not a valid name */
  get #operator(): string {
    this.#author ??= authorOf(this.#run.context.host).operator;
    return this.#author;
  }

  /** @returns the ledger, opened when first needed. @throws Failure guard if it cannot be used */
  open(): Promise<Ledger> {
    const { parts, context, account } = this.#run;
    this.#opened ??= parts.openLedger
      ? parts.openLedger()
      : // Loaded only for requests that move money, not for look-ups.
        import('../ledger/open.ts').then(async ({ openLedgerAt }) =>
          openLedgerAt(context.host, await ledgerPlace(context.host, account)),
        );
    return this.#opened;
  }

  /**
   * The account and gateway, as the ledger names them. A dry run may have no credentials. It uses the account that the
   * profile last used, or '', of which nothing is known.
   */
  destination(): Promise<Owner<string>> {
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
    if (await this.isRecording()) await (await this.#known())?.admit();
  }

  /**
   * Resolves once the intent is on disk, or was refused and nothing may be sent.
   * @param kept with the request as `keptOf` returned it
   * @throws Failure if the intent cannot be recorded; then nothing may be sent
   */
  async intend(kept: KeptRequest, operation: Operation): Promise<IntentVerdict> {
    const conditions = conditionsOf(operation, kept, this.#rules);
    return (await this.open()).intend(kept.request, conditions);
  }

  /**
   * @param request as `keptOf` returned it, or that of a batch as a whole
   * @returns the proposal
   * @throws Failure guard if the ledger refuses it, or it is proposed already
   */
  async propose(request: MoneyRequest, operation: Operation): Promise<LedgerEntry> {
    const open = await this.openProposals();
    const same = open.find((one) => isSameRequest(one, request));
    if (same)
      throw refusal(
        'duplicate-request',
        `This is proposed already, by ${same.operator ?? 'somebody'}: ${codeOf(same)}.`,
        `\`gw approve ${codeOf(same)}\` shows it.`,
        { entry: same.id, state: same.state },
      );
    if (areTooMany(open, this.#run.context.host.clock.now()))
      throw refusal(
        'proposals-too-many',
        `${MOST_PROPOSED} proposals of the last hour wait for an approval, and gw takes no more.`,
        '`gw proposals` lists them, `gw approve` and `gw reject` settle them.',
      );
    const conditions = conditionsOf(operation, { request }, this.#rules);
    const written = await (await this.open()).propose(request, conditions);
    if (written.kind !== 'proposed')
      throw await this.refusal(written, operation, { body: request.body });
    return written.proposal;
  }

  /** @returns the proposals of the account that can still be approved, the oldest first */
  async openProposals(): Promise<LedgerEntry[]> {
    const { account } = await this.destination();
    return (await this.#known())?.openProposals(account) ?? [];
  }

  /** @returns what releases a proposal that was shown as it is. @param isByAnother whether its proposer may not */
  approvalOf(proposal: LedgerEntry, isByAnother: boolean): Approval {
    return {
      proposal: proposal.id,
      digest: digestOf(proposal),
      approver: this.#operator,
      proposer: proposal.operator,
      isByAnother,
    };
  }

  /** Releases the proposal of a batch. @throws Failure guard if that is refused */
  async release(approval: Approval): Promise<void> {
    const refused = await (await this.open()).release(approval);
    if (refused) throw notReleased(refused);
  }

  /** @returns the release of the batch that still holds, if there is one. @param target of its proposal */
  async releasedBatch(target: string): Promise<LedgerEntry | undefined> {
    const { account } = await this.destination();
    return (await this.#known())?.releasedBatch(account, target);
  }

  /** The same for every line of a batch. */
  get #rules(): JudgingRules {
    const { options, account } = this.#run;
    this.#judging ??= { ...options, profile: account.profile, operator: this.#operator };
    return this.#judging;
  }

  /**
   * A batch compares its lines with the caps all at once (`checkRoom`).
   * @param leftToIntent the guard to skip here, because the intent follows soon and checks it
   * @returns for each request, how `intend` would refuse it now; writes nothing
   */
  async foresee(
    operation: Operation,
    kept: readonly KeptRequest[],
    leftToIntent?: 'balance',
  ): Promise<readonly (IntentRefusal | undefined)[]> {
    const own = this.#rules;
    const rules = leftToIntent ? { ...own, refusesOverRefunds: false } : own;
    const asked = kept.map((one) => {
      const { caps, ...conditions } = conditionsOf(operation, one, rules);
      const held = one.line || !caps ? conditions : { ...conditions, caps };
      return { request: one.request, conditions: held };
    });
    return (await this.#known())?.foresee(asked) ?? [];
  }

  /** @throws Failure guard if requests together, such as those of a batch, go beyond a cap of the profile */
  async checkRoom(operation: Operation, requests: readonly MoneyRequest[]): Promise<void> {
    const { profile } = this.#run.account;
    const caps = appliedCaps(profile, operation, this.#operator);
    const ledger = caps.length > 0 ? await this.#known() : undefined;
    const asked = { account: (await this.destination()).account, operation: operation.name };
    const own = profile.currency ?? null;
    for (const cap of caps) {
      const counted = requests.filter((request) => counts(cap, request, own));
      const sum = counted.reduce((total, { amount }) => total + addedTo(cap, amount), 0);
      const [used = 0] = (await ledger?.usedUnder(asked, [cap])) ?? [];
      if (used + sum <= cap.most) continue;
      const over = { kind: 'over-cap', cap, used, asked: sum } as const;
      throw refusedByCap(over, operation, profile.name, await ledger?.fitsAt(asked, over));
    }
  }

  /** @returns the request as the ledger keeps it; undefined if nothing is recorded */
  async keptOf(operation: Operation, input: CallInput): Promise<MoneyRequest | undefined> {
    return (await this.isRecording()) ? (await this.keeper(operation))(input) : undefined;
  }

  /** @returns what turns requests into the form that the ledger keeps */
  async keeper(operation: Operation): Promise<(input: CallInput) => MoneyRequest> {
    const at = await this.destination();
    return (input) => moneyRequestOf(at, operation, input, { scrub: this.#scrub, note: this.note });
  }

  /** @returns the failure that describes a refusal */
  async refusal(refused: IntentRefusal, operation: Operation, input: CallInput): Promise<Failure> {
    const us = { ...(await this.destination()), operator: this.#operator };
    if (refused.kind === 'not-released') return notReleased(refused);
    if (refused.kind === 'over-cap') {
      const { account } = us;
      const fitsAt = (await this.open()).fitsAt({ account, operation: operation.name }, refused);
      return refusedByCap(refused, operation, us.profile, await fitsAt);
    }
    // A refusal of a line names no amount.
    const isOfLine = refused.kind === 'held' || refused.kind === 'conflict';
    const currency = isOfLine ? undefined : await this.currencyOf(operation, input);
    const now = this.#run.context.host.clock.now();
    return refusedByLedger(refused, operation, { ...input, currency }, { us, now });
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
      const seen = result instanceof Failure ? [] : await this.#snapshots(input, result);
      const settlement = settlementOf(result, this.#scrub);
      const ledger = await this.open();
      const late = await ledger.settle(entry, settlement, seen, recordMadeIn(result));
      if (late === undefined || late === 'of-another') return late;
      const { sayLate } = await import('../ledger/late-outcome.ts');
      return void (await sayLate(this.#run.context.host.stderr, late));
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
    const seen = await this.#snapshots(input, reply);
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
    const seen = snapshotsOfMove(reply, to, await this.#sighting(this.#operator));
    await (await this.open()).remember(seen);
  }

  async allSeen(): Promise<void> {
    await Promise.all(this.#seeing);
  }

  /** @returns the balances by purchase id; none of a purchase whose amount is unknown */
  async balances(purchases: readonly string[]): Promise<ReadonlyMap<string, PurchaseBalance>> {
    const ledger = purchases.length > 0 ? await this.#known() : undefined;
    return ledger?.balances(await this.destination(), purchases) ?? new Map();
  }

  /** @returns the known ISO 4217 codes by purchase id */
  async currenciesOf(purchases: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const ledger = purchases.length > 0 ? await this.#known() : undefined;
    return ledger?.currencies(await this.destination(), purchases) ?? new Map();
  }

  /** @returns records of a kind, or the one with an id, as this account last saw them, latest first */
  async remembered(kind: RecordKind, limit: number, id?: string): Promise<RememberedRecord[]> {
    const wanted = { kind, of: await this.destination(), ...(id !== undefined && { id }) };
    return (await this.#known())?.remembered(wanted, limit) ?? [];
  }

  /** @returns the record with that id as the account last saw it, if known */
  async rememberedOf(kind: RecordKind, id: string): Promise<RememberedRecord | undefined> {
    return (await this.remembered(kind, 1, id))[0];
  }

  /** @returns ISO 4217 code of a request's amount; that of its purchase or account, if seen; undefined if unknown */
  async currencyOf(operation: Operation, input: CallInput): Promise<string | undefined> {
    const { currency, target } = moneyOf(operation, input);
    if (currency !== null) return currency;
    if (!lacksCurrency(operation)) return this.#run.account.profile.currency;
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
      const [ledger, us] = [await this.open(), await this.destination()];
      const purchase =
        'purchase' in record ? record.purchase : await ledger.purchaseOf(us, record.refund);
      return purchase && (await ledger.currencies(us, [purchase])).get(purchase);
    } catch (error) {
      // Show a record even if its currency cannot be found.
      return unlessExpected(error);
    }
  }

  async close(): Promise<void> {
    await (await this.#opened?.catch(() => undefined))?.close();
  }

  /** @returns the ledger if it may know something; look-ups keep what they saw in a separate file until then */
  async #known(): Promise<Ledger | undefined> {
    const { files } = this.#run.context.host;
    return this.#isThere() || files.size(seenPath(files)) > 0 ? this.open() : undefined;
  }

  async #destinationOf(): Promise<Owner<string>> {
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
    // A look-up needs no operator, and works with one that is not valid.
    const operator = reply.operation.effect === 'read' ? '' : this.#operator;
    return snapshotsOfReply(reply, input, await this.#sighting(operator));
  }

  async #sighting(operator: string): Promise<Sighting> {
    const { context, account } = this.#run;
    return {
      destination: await this.destination(),
      now: context.host.clock.now(),
      scrub: this.#scrub,
      operator,
      note: this.note,
      isWhole: account.profile.remember !== false,
    };
  }

  /**
   * Writes to the ledger if it is open or on a server, where others must find the records at once. A look-up alone does
   * not open the file, which only this user reads.
   */
  async #remember(answered: readonly RecordSnapshot[]): Promise<void> {
    const { files } = this.#run.context.host;
    const complete = async (one: RecordSnapshot) =>
      isPartial(one) ? completed(one, await this.rememberedOf(one.kind, one.id)) : one;
    const seen = await Promise.all(answered.map(complete));
    if (this.isShared || this.#opened) await (await this.open()).remember(seen);
    else if (new SnapshotInbox(files, seenPath(files)).append(seen)) await this.open();
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
