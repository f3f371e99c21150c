/**
 * The way of a request from a command to the gateway of its profile:
 *
 *   Session.call ──► GatewayConnection.call ──► exchange ──► Sender.send ──► the gateway
 *   says what is     the steps below, and       tries, and   bytes: single,
 *   odd about the    the memory of money        classifies   pooled or
 *   answer           requests                   the answer   embedded
 *
 *   admit     the limits of the profile, before credentials are looked for
 *   check     the body, against the row of its operation
 *   confirm   a live profile, by whoever is there
 *   learn     what a purchase was paid with, before a refund of it
 *   intend    the intent is on disk; the ledger may refuse
 *   send      once, and classify what comes back or does not
 *   settle    the outcome is on disk
 *
 * What starts charges that repeat is asked about before it is confirmed: what its plan costs, and whom.
 * What moves no money is neither intended nor settled, nor is what may be sent twice. Credentials are read, and a connection is
 * made, only for the first request, so that a dry run needs neither.
 */

import type { Json } from '../../base/json.ts';
import { LOCAL_CREDENTIALS } from '../../contract/local-account.ts';
import { moneyText } from '../../contract/money.ts';
import { isUnsuccessful, outcomeOf } from '../../contract/normal.ts';
import type { Operation } from '../../contract/operation.ts';
import { asAsked, isRecorded, lookUpOf, startsCharges } from '../../contract/operations.ts';
import type { RecordKind } from '../../contract/record-id.ts';
import { Failure, invariant } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { basicAuthorization } from '../../host/http/basic-auth.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type {
  Destination,
  Ledger,
  LineClaim,
  PurchaseBalance,
  Refused,
  RememberedRecord,
  Sighting,
} from '../../journal/ledger.ts';
import { SightingsFile } from '../../journal/records/snapshot-inbox.ts';
import { leftOf } from '../../journal/requests/balance.ts';
import { emulatorPath, ledgerPath, seenPath } from '../../store/paths.ts';
import type { Reply } from '../exchange/classify.ts';
import { exchange, type Trace, type Wire } from '../exchange/exchange.ts';
import { moneyOf, targetOf } from '../exchange/said-money.ts';
import { refuseStrayCardNumbers } from '../exchange/stray-card-number.ts';
import { nextOfUnknown } from '../exchange/verdict-sentences.ts';
import { type CallInput, wireRequest } from '../exchange/wire-request.ts';
import { authorOf } from '../ledger/operator.ts';
import { isOnServer } from '../ledger/place.ts';
import { accountOf } from '../profiles/account.ts';
import type { Credentials } from '../profiles/credentials.ts';
import type { Profile } from '../profiles/profile.ts';
import { resolveCredentials, resolveProfile } from '../profiles/resolve.ts';
import { openSender } from '../senders/open-sender.ts';
import type { WireRequest } from '../senders/sender.ts';
import type { ChargeDesk } from './charges.ts';
import {
  checkConnection,
  checkLimits,
  confirmLive,
  keepPrivate,
  type ShownLine,
  shownOfRequest,
} from './guard.ts';
import { type Foreseen, MoneyRecorder } from './recorder.ts';
import { refusedByLedger } from './refusals.ts';
import type { RequestOptions } from './request-options.ts';
import { createTrace } from './trace.ts';
import { CHECK_MODE, wrongMode } from './wrong-mode.ts';

/** A profile, and how to get its credentials when they are needed; the embedded gateway needs none. */
export interface Account {
  profile: Profile;
  credentials: () => Promise<Credentials | undefined>;
}

/**
 * The account that the user, the environment and configuration choose.
 * @param named the profile that the user named, if any
 * @throws Failure when no profile is chosen, or the one that is cannot be used
 */
export async function chosenAccount(
  { host }: Context,
  named: string | undefined,
): Promise<Account> {
  const choice = await resolveProfile({ flag: named, env: host.env, files: host.files });
  return {
    profile: choice.profile,
    credentials: async () => (await resolveCredentials(choice, host)).credentials,
  };
}

/** What a connection is made with; all of it has a default. */
export interface ConnectionParts {
  /** Requests at the same time, at the most. */
  inFlight: number;
  /** Ends requests in flight, in place of the program's own interruption. */
  interrupted: AbortSignal;
  /** Told of every try, in place of whoever debugs. */
  trace: Trace;
  /** Told of each pause before a look-up is tried again, in place of whoever reads stderr. */
  onPause: (ms: number) => void;
  openSender: typeof openSender;
  openLedger: () => Promise<Ledger>;
  /** 0 to 1, to spread repeats. */
  random: () => number;
}

/** What belongs to one request, besides its content. */
export interface CallOptions {
  /** false sends the body as it is. */
  isChecked?: boolean;
  /** true for what `clear` has asked the guards about. */
  isCleared?: boolean;
  /** The line of a batch that it is; the batch has been confirmed as a whole. */
  line?: {
    claim: LineClaim;
    /** @returns the failure that a reply is which cannot be to this line */
    doubt: (reply: Reply, baseUrl: URL) => Failure | undefined;
    /** Called when the answer, or its absence, is known and about to be written down. */
    answered: (result: Reply | Failure) => void;
  };
}

/** What money is to be given back of. */
export interface LookedUp {
  /** As the gateway names it. */
  id: string;
  /** undefined where it is not known to be paid. */
  balance: PurchaseBalance | undefined;
  /** ISO 4217 code, where it is known. */
  currency: string | undefined;
}

export class GatewayConnection {
  readonly profile: Profile;
  readonly #context: Context;
  readonly #account: Account;
  readonly #options: RequestOptions;
  readonly #parts: Partial<ConnectionParts>;
  #credentials: Promise<Credentials | undefined> | undefined;
  #connected: Promise<Wire> | undefined;
  #recording: Promise<MoneyRecorder | undefined> | undefined;
  #ledger: Promise<Ledger> | undefined;
  #kept: Promise<void> | undefined;
  readonly #seeing = new Set<Promise<void>>();
  #charging: Promise<ChargeDesk> | undefined;
  #saying: Promise<(ms: number) => void> | undefined;
  #hasForgotten = false;

  /** @throws Failure guard when others could read or answer what is sent to a live gateway */
  constructor(
    context: Context,
    account: Account,
    options: RequestOptions,
    parts: Partial<ConnectionParts> = {},
  ) {
    checkConnection(account.profile, context.host.env);
    this.profile = account.profile;
    this.#context = context;
    this.#account = account;
    this.#options = options;
    this.#parts = parts;
    this.#begin();
  }

  /**
   * @returns the reply of a request that the gateway processed, a decline included
   * @throws Failure for everything else, classified by what is known to have happened
   */
  async call(
    row: Operation,
    input: CallInput,
    { isChecked = true, line, isCleared = line !== undefined }: CallOptions = {},
  ): Promise<Reply> {
    const operation = line ? row : asAsked(row, input);
    this.#hideCards(input.body);
    refuseStrayCardNumbers(operation, input);
    checkLimits(this.profile, { operation, input });
    const wire = await this.#connect();
    const recorder = await this.#recorder();
    if (isChecked) await checkBody(operation, input);
    // Before anything is asked or recorded: it may turn out that there is no such request.
    const request = wireRequest(wire, operation, input);
    if (operation.effect === 'money') await this.#keepPrivate();
    if (!isCleared) await this.#confirmOne(operation, input);
    if (!isRecorded(operation)) {
      const reply = await exchange(wire, { operation, input }, request);
      await this.#seen(recorder?.see(input, reply));
      return reply;
    }
    const intended = await recorder?.intend(operation, input, line?.claim);
    if (intended && intended.kind !== 'recorded')
      throw await this.refusal(intended, operation, input);
    const entry = intended?.id;
    const mayLeave = () => intended?.isStillOurs?.() !== false;
    const asked = { operation, input };
    const answer = await exchange(wire, asked, request, mayLeave).catch(asFailure);
    const result =
      answer instanceof Failure ? answer : (line?.doubt(answer, wire.baseUrl) ?? answer);
    line?.answered(result);
    const unrecorded =
      entry === undefined ? undefined : await recorder?.settle(entry, input, result);
    if (!(result instanceof Failure)) return { ...result, entry, unrecorded };
    const known =
      result.kind === 'unknown' ? nextOfUnknown({ operation, input }, entry) : result.next;
    throw result.reworded({ entry, next: known + missingText(unrecorded) });
  }

  /** @returns how the ledger would refuse a request that moves money just now; nothing is written */
  async foresee(
    operation: Operation,
    input: CallInput,
    of: Foreseen = {},
  ): Promise<Refused | undefined> {
    if (!this.#mayKnow()) return undefined;
    return (await this.#recorder())?.foresee(operation, input, of);
  }

  /** @returns the failure that a refusal of the ledger is */
  async refusal(refused: Refused, operation: Operation, input: CallInput): Promise<Failure> {
    const { operator } = authorOf(this.#context.host);
    const us = { ...(await this.destination()), operator };
    const currency = await this.currencyOf(operation, input);
    return refusedByLedger(refused, operation, { ...input, currency }, us);
  }

  /** @returns what is known of a purchase, or undefined when its amount is not */
  async balance(purchaseId: string): Promise<PurchaseBalance | undefined> {
    if (!this.#mayKnow()) return undefined;
    return (await this.ledger()).balance(await this.destination(), purchaseId);
  }

  /** @returns the balances that are known, by the ids of the purchases */
  async balances(purchases: readonly string[]): Promise<ReadonlyMap<string, PurchaseBalance>> {
    if (purchases.length === 0 || !this.#mayKnow()) return new Map();
    return (await this.ledger()).balances(await this.destination(), purchases);
  }

  /** @returns records of a kind that were seen with the account, latest seen first; none where nothing is kept */
  async remembered(kind: RecordKind, limit: number): Promise<RememberedRecord[]> {
    if (!this.#mayKnow()) return [];
    const ledger = await this.ledger();
    const { environment } = this.profile;
    const us = { ...(await this.destination()), environment };
    // A dry run may be without credentials: as for a list, the account is that of the last time.
    const account = us.account ?? (await ledger.facts.accountOf(us));
    return ledger.remembered({ kind, scope: { ...us, account } }, limit);
  }

  /**
   * Of a refund, whose record does not say it: that of its purchase, where it was made from here.
   * Nothing is asked of the gateway. The profile's currency is that of purchases to come, and tells
   * nothing of one that was made elsewhere: 1000 yen are not 10.00 of anything.
   * @param refund its id
   * @returns ISO 4217 code; undefined where it is not known
   */
  async refundCurrency(refund: string): Promise<string | undefined> {
    return this.#currencyKnown({ refund });
  }

  /**
   * Reads the limits and the credentials, before anybody is asked anything.
   * @throws Failure guard or auth when the operation would not be sent whatever is answered
   */
  async admit(operation: Operation): Promise<void> {
    checkLimits(this.profile, { operation });
    if (!this.#options.isDryRun) await this.#readCredentials();
  }

  /**
   * Asks the gateway for what money is to be given back of, and the ledger for what was given back.
   * @param target as the user names it
   * @throws Failure when it cannot be looked up
   */
  async lookUpTarget(operation: Operation, target: string): Promise<LookedUp> {
    const { givesBack } = operation.money ?? {};
    const lookUp = givesBack && lookUpOf(givesBack);
    invariant(lookUp, `${operation.name} gives back what cannot be looked up`);
    const { records } = await this.call(lookUp, { id: target });
    await Promise.all(this.#seeing);
    const [{ id = target, currency } = {}] = records;
    const purchase = String(id);
    return {
      id: purchase,
      balance: await (await this.ledger()).balance(await this.destination(), purchase),
      currency: typeof currency === 'string' ? currency : await this.#currencyKnown({ purchase }),
    };
  }

  /** @returns the request that a call would send, without credentials. @throws Failure guard or usage when it may not be sent */
  async preview(
    operation: Operation,
    input: CallInput,
    { isChecked = true }: CallOptions = {},
  ): Promise<WireRequest> {
    this.#hideCards(input.body);
    refuseStrayCardNumbers(operation, input);
    checkLimits(this.profile, { operation, input });
    if (isChecked) await checkBody(operation, input);
    return wireRequest({ ...this.#addressee, authorization: 'Basic' }, operation, input);
  }

  /**
   * Asks every guard of a request that is to be sent after another, which then is not sent in vain.
   * @throws Failure guard when it would not be sent
   */
  async clear(row: Operation, input: CallInput): Promise<void> {
    const operation = asAsked(row, input);
    checkLimits(this.profile, { operation, input });
    await this.#confirmOne(operation, input);
    await this.#refuseForeseen(operation, input);
  }

  async #refuseForeseen(operation: Operation, input: CallInput): Promise<void> {
    if (!isRecorded(operation) || !this.#options.recordsMoney) return;
    const refused = await this.foresee(operation, input);
    if (refused) throw await this.refusal(refused, operation, input);
  }

  /**
   * Every guard that stands between the preview of a request and its sending. Nothing is looked up.
   * @throws Failure guard when it would not be sent
   */
  async rehearse(row: Operation, input: CallInput): Promise<void> {
    const operation = asAsked(row, input);
    await this.checkCharges(operation, input);
    await this.confirm(operation, await this.#shown(operation, input));
    await this.#refuseForeseen(operation, input);
    const id = operation.money?.givesBack ? targetOf(operation, input) : null;
    if (id === null || !this.#options.refusesOverRefunds || (await this.balance(id))) return;
    await this.#context.host.stderr.write(
      `gw does not know how much of ${neutralise(id)} is left to refund: the real run looks it up first.\n`,
    );
  }

  /**
   * Has it confirmed that a live profile is meant, where that is asked for.
   * @param shown of what is about to be sent
   * @throws Failure guard unless it is
   */
  async confirm(
    operation: Operation,
    shown: readonly ShownLine[],
    command = operation.name,
  ): Promise<void> {
    const { profile } = this;
    const username = () => this.username();
    const { host } = this.#context;
    await confirmLive(
      {
        host,
        profile,
        options: this.#options,
        username,
        command,
        shown,
        isDryRun: this.#options.isDryRun,
      },
      operation,
    );
  }

  /** As `ChargeDesk.check`, where there is a limit. */
  async checkCharges(operation: Operation, input: CallInput): Promise<void> {
    if (this.profile.maxAmount === undefined || !startsCharges(operation, input)) return;
    await (await this.#chargeDesk()).check(operation, input);
  }

  /** As `ChargeDesk.lines`; none where a request starts no charges. */
  async chargeLines(operation: Operation, input: CallInput): Promise<ShownLine[]> {
    return startsCharges(operation, input)
      ? (await this.#chargeDesk()).lines(operation, input)
      : [];
  }

  /** Loaded for what starts charges. */
  #chargeDesk(): Promise<ChargeDesk> {
    this.#charging ??= import('./charges.ts').then(
      ({ ChargeDesk }) =>
        new ChargeDesk({
          profile: this.profile,
          isDryRun: this.#options.isDryRun,
          look: (operation, input) => this.#look(operation, input),
          remembered: (kind, limit) => this.remembered(kind, limit),
          say: (text) => this.#context.host.stderr.write(`${neutralise(text)}\n`),
        }),
    );
    return this.#charging;
  }

  /** Whose account at which gateway it is, as the ledger names it; without credentials that is not known. */
  async destination(): Promise<Destination> {
    const { name, environment, baseUrl } = this.profile;
    const host = environment === 'local' ? 'embedded' : baseUrl.host;
    const username = await this.username().catch(asFailure);
    const account = username instanceof Failure ? null : accountOf(environment, username, baseUrl);
    return { account, profile: name, environment, host };
  }

  /** @returns the ledger, opened when it is first needed. @throws Failure guard when it cannot be used */
  ledger(): Promise<Ledger> {
    const open = this.#parts.openLedger ?? (() => openLedgerOf(this.#context, this.profile));
    this.#ledger ??= open();
    return this.#ledger;
  }

  /** Whose account it is; credentials are read, but nothing is sent. */
  async username(): Promise<string> {
    return (await this.#readCredentials())?.username ?? LOCAL_CREDENTIALS.username;
  }

  async close(): Promise<void> {
    await Promise.all(this.#seeing);
    await (await this.#connected)?.sender.close();
    const ledger = await this.#ledger?.catch(() => undefined);
    await ledger?.close();
  }

  /** A server may be away: what was looked up is shown before it is remembered there. */
  async #seen(seeing: Promise<void> | undefined): Promise<void> {
    if (!seeing || !this.isLedgerShared) return seeing;
    const done = seeing.finally(() => this.#seeing.delete(done));
    this.#seeing.add(done);
  }

  /** Of many look-ups the first one says it for all. */
  #sayForgotten({ message }: Failure): void {
    if (this.#hasForgotten && this.isLedgerShared) return;
    this.#hasForgotten = true;
    void this.#context.host.stderr.write(`Note: gw could not remember this record. ${message}\n`);
  }

  /** Whether there is a memory: where there is none yet, asking would make one. */
  #mayKnow(): boolean {
    const { files } = this.#context.host;
    return this.#hasMemory() || files.size(seenPath(files)) > 0;
  }

  #hasMemory(): boolean {
    const { files } = this.#context.host;
    return this.#ledger !== undefined || this.isLedgerShared || files.size(ledgerPath(files)) > 0;
  }

  /** Whether the ledger is on a server that a team shares. */
  get isLedgerShared(): boolean {
    return isOnServer(this.#context.host.env, this.profile);
  }

  /**
   * Begins to open a ledger on a server, so that what is done before it is asked costs no time. What is wrong
   * with it is told when it is asked.
   */
  #begin(): void {
    const { recordsMoney, isDryRun } = this.#options;
    if (this.isLedgerShared && recordsMoney && !isDryRun) this.ledger().catch(() => undefined);
  }

  /** Card numbers of a body are kept out of every output from here on. */
  #hideCards(value: Json | undefined): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'card_number' && typeof inner === 'string')
        this.#context.redactor.addCardNumber(inner);
      this.#hideCards(inner);
    }
  }

  /**
   * Before money is given back: asks the gateway for what it is of, when this machine has never seen
   * it. What a purchase was paid with never changes, so it is asked for once. Which identifier a
   * refund takes is not shown in the interface: a purchase that cannot be looked up may be refunded
   * all the same, and the gateway decides; what is odd about the answer is said. That the profile permits
   * no look-ups is not asked.
   * @throws Failure interrupted when the user ends it
   */
  async #learnTarget(operation: Operation, input: CallInput): Promise<void> {
    const { givesBack } = operation.money ?? {};
    const lookUp = givesBack && this.#options.refusesOverRefunds && lookUpOf(givesBack);
    const id = targetOf(operation, input);
    if (!lookUp || id === null) return;
    if (await (await this.ledger()).balance(await this.destination(), id)) return;
    const answer = await this.#look(lookUp, { id });
    if (!(answer instanceof Failure)) await this.#sayWhatIsOdd(lookUp, id, answer);
    else if (answer.code === 'contradictory-answer')
      await this.#note(`gw asked how much is left to refund of ${id}. ${answer.message}`);
  }

  /**
   * Looks up what a guard has to know; whether the profile permits it is not asked.
   * @returns the failure where the gateway does not say. @throws Failure interrupted when the user ends it
   */
  async #look(operation: Operation, input: CallInput): Promise<Reply | Failure> {
    const wire = await this.#connect();
    try {
      const reply = await exchange(wire, { operation, input }, wireRequest(wire, operation, input));
      await (await this.#recorder())?.see(input, reply);
      return reply;
    } catch (error) {
      const failure = asFailure(error);
      if (failure.kind === 'interrupted') throw failure;
      return failure;
    }
  }

  async #sayWhatIsOdd(
    { kind }: Operation,
    id: string,
    { envelope, records }: Reply,
  ): Promise<void> {
    // Where nobody is asked, the answer to the refund says it.
    const why = this.#willAsk && wrongMode(this.profile, envelope.test);
    if (why) await this.#note(`${why}. ${CHECK_MODE}`);
    const [record = {}] = records;
    const outcome = outcomeOf(kind, record);
    if (isUnsuccessful(outcome))
      await this.#note(`the gateway says that ${id} was ${outcome}, so that nothing was paid.`);
  }

  async #note(text: string): Promise<void> {
    await this.#context.host.stderr.write(`Note: ${neutralise(text)}\n`);
  }

  /** Whether a live profile asks for its name. */
  get #willAsk(): boolean {
    const { confirmedProfile, mayAsk } = this.#options;
    return this.profile.environment === 'live' && confirmedProfile === undefined && mayAsk;
  }

  async #shown(operation: Operation, input: CallInput): Promise<ShownLine[]> {
    if (this.profile.environment !== 'live') return [];
    const currency = await this.currencyOf(operation, input);
    // Asked for at the gateway, which is worth it only where somebody reads it.
    const isRead = this.#willAsk || this.#options.isDryRun;
    return [
      ...shownOfRequest(operation, input, currency),
      ...(await this.shownOfTarget(operation, input)),
      ...(isRead ? await this.chargeLines(operation, input) : []),
    ];
  }

  /** @returns whose purchase a refund is of, on which card, and what is left of it, as far as it is known here */
  async shownOfTarget(operation: Operation, input: CallInput): Promise<ShownLine[]> {
    const kind = operation.money?.givesBack;
    const id = kind ? targetOf(operation, input) : null;
    if (!kind || id === null || !this.#mayKnow()) return [];
    const { rememberedOf } = await import('../../journal/account-scope.ts');
    const seen = await rememberedOf(await this.ledger(), { kind, id }, await this.destination());
    const balance = await this.balance(id);
    const currency = await this.currencyOf(operation, input);
    return [
      ['Name', seen?.name ?? undefined],
      ['Card', seen?.record.card_number ?? undefined],
      ['Left before this refund', balance && moneyText(leftOf(balance), currency)],
    ];
  }

  /** @returns ISO 4217 code of a request's amount: of what is given back that of its purchase, where it is known */
  async currencyOf(operation: Operation, input: CallInput): Promise<string | undefined> {
    const { currency, target } = moneyOf(operation, input);
    if (currency !== null) return currency;
    const id = operation.money?.givesBack ? target : null;
    return id === null ? this.profile.currency : this.#currencyKnown({ purchase: id });
  }

  /** @returns ISO 4217 codes of purchases, by their ids; of those that this machine knows */
  async currenciesOf(purchases: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (purchases.length === 0 || !this.#mayKnow()) return new Map();
    return (await this.ledger()).currenciesOf(await this.destination(), purchases);
  }

  async #currencyKnown(
    record: { purchase: string } | { refund: string },
  ): Promise<string | undefined> {
    if (!this.#hasMemory()) return undefined;
    try {
      return await (await this.ledger()).currencyOf(await this.destination(), record);
    } catch (error) {
      // What it is of is worth showing without it.
      if (!(error instanceof Failure)) throw error;
      return undefined;
    }
  }

  async #confirmOne(operation: Operation, input: CallInput): Promise<void> {
    // Whoever is asked sees what is left, and in which currency.
    const isAsked = this.#willAsk;
    await this.checkCharges(operation, input);
    if (isAsked) await this.#learnTarget(operation, input);
    await this.confirm(operation, await this.#shown(operation, input));
    if (!isAsked) await this.#learnTarget(operation, input);
  }

  /** Once, before the first request that moves money. */
  #keepPrivate(): Promise<void> {
    this.#kept ??= keepPrivate(this.#context.host);
    return this.#kept;
  }

  get #addressee() {
    return { baseUrl: this.profile.baseUrl, userAgent: `gw/${this.#context.host.version}` };
  }

  #readCredentials(): Promise<Credentials | undefined> {
    this.#credentials ??= this.#account.credentials();
    return this.#credentials;
  }

  #connect(): Promise<Wire> {
    this.#connected ??= this.#open();
    return this.#connected;
  }

  async #open(): Promise<Wire> {
    const { host, redactor } = this.#context;
    const { env, clock, files, interrupted } = host;
    const credentials = await this.#readCredentials();
    const username = credentials?.username ?? LOCAL_CREDENTIALS.username;
    const apiToken = credentials?.apiToken.reveal() ?? LOCAL_CREDENTIALS.api_token;
    redactor.addCredentials(username, apiToken);
    const parts = { inFlight: 1, interrupted, openSender, random: Math.random, ...this.#parts };
    const trace = this.#options.isDebugging ? createTrace(host.stderr, redactor) : undefined;
    const embedded = this.profile.environment === 'local' ? emulatorPath(files) : undefined;
    return {
      ...this.#addressee,
      authorization: basicAuthorization(username, apiToken),
      sender: await parts.openSender({ embedded, clock, inFlight: parts.inFlight, env }),
      clock,
      random: parts.random,
      interrupted: parts.interrupted,
      timeoutMs: this.#options.timeoutMs,
      trace: parts.trace ?? trace,
      onPause: parts.onPause ?? ((ms) => void this.#sayPause(ms)),
      scrub: (text: string) => redactor.scrub(text),
    };
  }

  /** Loaded by whoever has to wait. */
  async #sayPause(ms: number): Promise<void> {
    const { clock, stderr } = this.#context.host;
    this.#saying ??= import('./say-waiting.ts').then(({ sayWaiting }) =>
      sayWaiting(clock, (text) => stderr.write(text)),
    );
    (await this.#saying)(ms);
  }

  /** @returns undefined where nothing is to be recorded */
  #recorder(): Promise<MoneyRecorder | undefined> {
    this.#recording ??= this.#openRecorder();
    return this.#recording;
  }

  async #openRecorder(): Promise<MoneyRecorder | undefined> {
    const { host, redactor } = this.#context;
    if (!this.#options.recordsMoney) {
      await host.stderr.write(
        'Not recorded (--no-journal): if the answer is lost, gw will not know about this request, ' +
          'and it will not notice repeats or refunds of too much.\n',
      );
      return undefined;
    }
    const parts = {
      destination: await this.destination(),
      clock: host.clock,
      openLedger: () => this.ledger(),
      remember: (seen: readonly Sighting[]) => this.#remember(seen),
      scrub: (text: string) => redactor.scrub(text),
      onForgotten: (failure: Failure) => this.#sayForgotten(failure),
    };
    const keepsRecords = this.profile.remember !== false;
    return new MoneyRecorder(parts, { ...this.#options, keepsRecords });
  }

  /**
   * In the ledger where it is open, or on a server: the others are to find it at once, and what is in the
   * file of this user is of nobody else. For a look-up alone a file is not opened.
   */
  async #remember(seen: readonly Sighting[]): Promise<void> {
    const { files } = this.#context.host;
    if (this.isLedgerShared) await (await this.ledger()).remember(() => seen);
    else if (this.#ledger) await (await this.#ledger).remember(() => seen);
    else if (new SightingsFile(files, seenPath(files)).append(seen)) await this.ledger();
  }
}

function missingText(unrecorded: Failure | undefined): string {
  return unrecorded ? ` The journal does not have the outcome: ${unrecorded.message}` : '';
}

/** Loaded for what moves money, and not for a look-up. */
async function openLedgerOf({ host }: Context, profile: Profile): Promise<Ledger> {
  return (await import('../ledger/open.ts')).openOwnLedger(host, { profile });
}

/** @throws Failure usage unless the body may be sent */
async function checkBody(operation: Operation, { body = {} }: CallInput): Promise<void> {
  if (!operation.body) return;
  // With the schemas, which a look-up has no use for.
  const { checkRequest } = await import('../../contract/check.ts');
  checkRequest(operation, body);
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}
