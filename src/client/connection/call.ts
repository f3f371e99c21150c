/**
 * Carries a request from a command to the gateway of its profile:
 *
 *   Session.call ──► GatewayConnection.call ──► exchange ──► Sender.send ──► the gateway
 *   reports what     the steps below             tries, and   bytes: single,
 *   is odd about                                 classifies   pooled or
 *   the answer                                   the answer   embedded
 *
 *   clear     every guard, in one order (`clearance`)
 *   intend    the intent is on disk; the ledger may refuse (ledger-access.ts)
 *   send      once; then classify the answer or its absence (wire.ts, exchange)
 *   settle    the outcome is on disk (entry.ts decides it)
 *
 * A request that moves no money, or is safe to send twice, is neither intended nor settled. A dry run clears a request
 * and prints it. A batch checks all lines first, and a person confirms them at once. Then it looks lines up (`foresee`),
 * and settles each separately (`sendLine`, `settle`), because the next line is sent before that is done.
 */
import type { JsonObject } from '../../base/json.ts';
import { FAULT_HEADER } from '../../contract/faults.ts';
import type { Operation } from '../../contract/operation.ts';
import { isRecorded, lacksCurrency, rowForRequest } from '../../contract/operations.ts';
import { Failure, orFailure, usage } from '../../failure.ts';
import { cut } from '../../host/redaction/safe.ts';
import type { IntentRefusal, LedgerEntry, LineClaim } from '../../journal/ledger.ts';
import type { Approval } from '../../journal/rules.ts';
import { isRunning } from '../../journal/sending.ts';
import { failureOf, nextOfUnknown, type Reply } from '../exchange/classify.ts';
import type { JudgedRequest } from '../exchange/evidence.ts';
import { exchange, type Wire } from '../exchange/exchange.ts';
import { amountsIn, targetOf } from '../exchange/said-money.ts';
import { refuseStrayCardNumbers } from '../exchange/stray-card-number.ts';
import { bodyText, type CallInput, wireRequest } from '../exchange/wire-request.ts';
import { Confirmation } from '../guards/confirmation.ts';
import {
  checkConnection,
  checkFault,
  checkLimits,
  checkPrivacy,
  isLimited,
} from '../guards/guard.ts';
import { learnCurrencies, learnTarget, type TargetLookUp } from '../guards/refund-target.ts';
import { approvalRequired, checkCounted, checkNote, needsApproval } from '../guards/rules.ts';
import type { Profile } from '../profiles/profile.ts';
import type { WireRequest } from '../senders/sender.ts';
import type { KeptRequest } from './entry.ts';
import { LedgerAccess } from './ledger-access.ts';
import type { RequestOptions } from './request-options.ts';
import {
  type ChosenAccount,
  type CommandRun,
  type ConnectionContext,
  type ConnectionParts,
  GatewayWire,
} from './wire.ts';

/** A line of a batch. */
export interface AskedLine extends KeptRequest {
  body: JsonObject;
  /** The same as in `CallInput`. */
  currency?: string | undefined;
  line: LineClaim;
}

/** A request that passed every guard except the ledger. */
export interface Clearance {
  /** The operation's row, as `rowForRequest` adapts it to this request. */
  operation: Operation;
  /** The input; for a refund with the currency of its purchase, if known. */
  input: CallInput;
  /** The request as it will be sent, without credentials; a dry run needs none. */
  request: WireRequest;
  /** The request as the ledger keeps it; undefined if it is not recorded. */
  kept: KeptRequest | undefined;
  /** Why the ledger would refuse the request. The ledger decides again in the transaction of the intent. */
  refused: IntentRefusal | undefined;
}

/** A recorded request that was sent and is not settled yet. */
export interface UnsettledRequest {
  asked: JudgedRequest;
  /** Id of its journal entry; undefined if nothing is recorded. */
  entry: string | undefined;
  /** The verdict on the answer or on its absence. */
  result: Reply | Failure;
}

/** A request as it is sent, with its credentials. */
interface SignedRequest {
  wire: Wire;
  asked: JudgedRequest;
  request: WireRequest;
}

/** Stands in for the credentials until a request is sent. */
const UNSIGNED = 'Basic';

export class GatewayConnection {
  readonly profile: Profile;
  readonly wire: GatewayWire;
  readonly ledger: LedgerAccess;
  readonly confirmation: Confirmation;
  readonly asking: TargetLookUp;
  readonly #run: CommandRun;
  /** Ids of the records in the answers to this batch's lines. */
  readonly #made = new Set<string>();
  /** The request of each line of a batch, but for its body. */
  #ofLines: WireRequest | undefined;
  #private: Promise<void> | undefined;

  /** @throws Failure guard if others could read or answer requests to a live gateway */
  constructor(
    context: ConnectionContext,
    account: ChosenAccount,
    options: RequestOptions,
    parts: Partial<ConnectionParts> = {},
  ) {
    checkConnection(account.profile, context.host.env);
    checkFault(account.profile, options);
    this.profile = account.profile;
    this.#run = { context, account, options, parts };
    this.wire = new GatewayWire(this.#run);
    this.ledger = new LedgerAccess(this.#run, this.wire);
    const { wire, ledger } = this;
    this.asking = { run: this.#run, wire, ledger, unseen: new Map() };
    this.confirmation = new Confirmation(this.asking);
  }

  /**
   * Asks the guards that need no body, before any question or look-up.
   * @throws Failure guard or auth if the operation would be refused with any body
   */
  async admit(operation: Operation): Promise<void> {
    checkLimits(this.profile, { operation });
    checkCounted(this.profile, operation, this.#run.options);
    const { isDryRun } = this.#run.options;
    if (!isDryRun) await this.wire.credentials();
    await this.ledger.isRecording();
    if (operation.effect !== 'money') return;
    await this.#checkPrivacy();
    await this.ledger.admit();
  }

  /**
   * Asks every guard of a request, always in the same order. First come the guards that decide here, then those that
   * ask the gateway, then the ledger. Last is the person who confirms a live profile. A dry run asks the same guards,
   * but looks nothing up and asks nobody.
   * @param approval by another person, who releases its proposal
   * @returns the request, and why the ledger would refuse it
   * @throws Failure of any other guard, or usage if the body is invalid
   */
  async clearance(row: Operation, asked: CallInput, approval?: Approval): Promise<Clearance> {
    const { isProposal } = this.#run.options;
    const operation = rowForRequest(row, asked);
    const isInOther = lacksCurrency(operation);
    const input = { ...asked };
    this.wire.hideCards(input.body);
    refuseStrayCardNumbers(operation, input, this.profile.environment === 'live');
    if (!isInOther) checkLimits(this.profile, { operation, input });
    checkNote(this.profile, { operation, input }, this.ledger.note);
    await this.admit(operation);
    await checkBody(operation, input);
    const addressee = { ...this.wire.addressee, authorization: UNSIGNED };
    const request = wireRequest(addressee, operation, input);
    const isAsked = !isProposal && (await this.confirmation.isAskedFor(operation, input));
    await this.confirmation.checkCharges(operation, input);
    await learnTarget(this.asking, operation, input, isAsked);
    if (isInOther) {
      // A refund or a plan names no currency (sections 2.4 and 2.5). Only now may gw know it.
      input.currency ??= await this.#currencyOf(operation, input);
      checkLimits(this.profile, { operation, input });
    }
    if (!approval && !isProposal && needsApproval(this.profile, { operation, input }))
      throw approvalRequired(this.profile, 'this', howToPropose(operation));
    const recorded = isRecorded(operation) ? await this.ledger.keptOf(operation, input) : undefined;
    const kept = recorded && { request: recorded, approval };
    const [refused] = kept ? await this.ledger.foresee(operation, [kept]) : [];
    if (!refused && !isProposal) await this.confirmation.ofRequest(operation, input);
    return { operation, input, request, kept, refused };
  }

  /** Without a limit, the gateway is not asked. */
  async #currencyOf(operation: Operation, input: CallInput): Promise<string | undefined> {
    const known = await this.ledger.currencyOf(operation, input);
    const id = targetOf(operation, input);
    const isNeeded = isLimited(this.profile) && amountsIn(input.body ?? {}).length > 0;
    if (known !== undefined || !isNeeded) return known;
    if (!operation.money) return this.confirmation.currencyOfPlan(input.id);
    if (id === null) return undefined;
    return (await learnCurrencies(this.asking, operation, [id], new Set([id]))).get(id);
  }

  /**
   * @param known the clearance, if the request already has one
   * @returns the reply to a request that the gateway processed, including a decline
   * @throws Failure for everything else, classified by what is known to have happened
   */
  async call(row: Operation, input: CallInput, known?: Clearance): Promise<Reply> {
    const cleared = known ?? (await this.clearance(row, input));
    const signed = await this.#signed(cleared);
    if (isRecorded(cleared.operation)) return this.settle(await this.#send(signed, cleared.kept));
    const { wire, asked, request } = signed;
    const reply = await exchange(wire, asked, request);
    await this.ledger.see(input, reply);
    return reply;
  }

  /**
   * Writes a request down, for another person to approve. Every guard is asked, but for the person who confirms.
   * @returns the proposal
   * @throws Failure as a call would before it sends; usage if the journal does not keep all of the request
   */
  async propose(row: Operation, input: CallInput): Promise<LedgerEntry> {
    const { operation, kept, refused } = await this.clearance(row, input);
    if (refused) throw await this.ledger.refusal(refused, operation, input);
    if (!kept || JSON.stringify(kept.request.body) !== JSON.stringify(input.body))
      throw usage(
        'not-proposable',
        `gw cannot propose this ${operation.name}: the journal keeps no card data, and no request of your own.`,
        'Propose a refund, or a purchase with --card-token or --customer.',
      );
    return this.ledger.propose(kept.request, operation);
  }

  /**
   * Asks the ledger about lines of a batch, whose file has asked every other guard.
   * @param leftToIntent the guard to skip here, because the intent follows soon and checks it
   * @returns for each line, why the ledger would refuse it
   * @throws Failure guard if the ledger cannot be used
   */
  async foresee(
    operation: Operation,
    lines: readonly AskedLine[],
    leftToIntent?: 'balance',
  ): Promise<readonly (IntentRefusal | undefined)[]> {
    const { recordsMoney } = this.#run.options;
    return recordsMoney ? this.ledger.foresee(operation, lines, leftToIntent) : [];
  }

  /**
   * Sends a line of a batch.
   * @param operation the same for all lines
   * @returns the answer, which the caller must settle
   * @throws Failure if the line was not sent
   */
  async sendLine(
    operation: Operation,
    { body, currency, request: kept, line }: AskedLine,
  ): Promise<UnsettledRequest> {
    const wire = await this.wire.connect(operation.effect);
    this.#ofLines ??= this.#meetingFault(wireRequest(wire, operation, { body }), operation);
    const request = { ...this.#ofLines, body: bodyText(body) };
    const { recordsMoney } = this.#run.options;
    const asked = { operation, input: { body, currency } };
    return this.#send({ wire, asked, request }, recordsMoney ? { request: kept, line } : undefined);
  }

  /** Records the outcome of a request. @returns the reply that it is given, or throws what `call` does */
  async settle(answered: UnsettledRequest): Promise<Reply> {
    const { asked, entry, result } = answered;
    const unrecorded =
      entry === undefined ? undefined : await this.ledger.settle(entry, asked.input, result);
    if (unrecorded === 'of-another') {
      const failure = refuseRepeated(result as Reply, this.profile.baseUrl);
      return this.settle({ ...answered, result: failure });
    }
    if (!(result instanceof Failure)) {
      result.unrecorded = unrecorded;
      return result;
    }
    const known = result.kind === 'unknown' ? nextOfUnknown(asked, entry) : result.next;
    throw result.with({ entry, next: known + missingText(unrecorded) });
  }

  /** Records the intent and sends the request. @throws Failure if nothing was sent */
  async #send(
    { wire, asked, request }: SignedRequest,
    kept: KeptRequest | undefined,
  ): Promise<UnsettledRequest> {
    const { operation, input } = asked;
    const intended = kept && (await this.ledger.intend(kept, operation));
    if (intended && intended.kind !== 'recorded')
      throw await this.ledger.refusal(intended, operation, input);
    const entry = intended?.id;
    const { clock } = this.#run.context.host;
    const lease = intended?.lease;
    const mayLeave = () => lease === undefined || isRunning(lease, clock);
    const answer = await orFailure(exchange(wire, asked, request, mayLeave));
    if (!(answer instanceof Failure)) answer.entry = entry;
    const isRepeated = kept?.line && !(answer instanceof Failure) && this.#isRepeated(answer);
    return { asked, entry, result: isRepeated ? refuseRepeated(answer, wire.baseUrl) : answer };
  }

  /**
   * @returns the request with its credentials
   * @throws Failure if the ledger refuses it, or the gateway cannot be called
   */
  async #signed({ operation, input, refused, request }: Clearance): Promise<SignedRequest> {
    if (refused) throw await this.ledger.refusal(refused, operation, input);
    const wire = await this.wire.connect(operation.effect);
    const headers = { ...request.headers, authorization: wire.authorization };
    const signed = this.#meetingFault({ ...request, headers }, operation);
    return { wire, asked: { operation, input }, request: signed };
  }

  #meetingFault(request: WireRequest, { effect }: Operation): WireRequest {
    const { testFault } = this.#run.options;
    const isSpared = this.#run.parts.sparesLookUps && effect === 'read';
    if (testFault === undefined || isSpared) return request;
    return { ...request, headers: { ...request.headers, [FAULT_HEADER]: testFault } };
  }

  /** @returns whether another line of this batch had the same record as its answer: it may not be in the journal yet */
  #isRepeated({ records: [{ id } = {}] }: Reply): boolean {
    if (typeof id !== 'string') return false;
    const isRepeated = this.#made.has(id);
    this.#made.add(id);
    return isRepeated;
  }

  /** Closes the ledger in any case: it may still have outcomes to deliver to its server. */
  async close(): Promise<void> {
    try {
      await this.ledger.allSeen();
      await this.wire.close();
    } finally {
      await this.ledger.close();
    }
  }

  /** Runs once, before the first request that moves money. */
  #checkPrivacy(): Promise<void> {
    const { context, options } = this.#run;
    this.#private ??= checkPrivacy(context.host, options);
    return this.#private;
  }
}

function howToPropose({ name, isForeign }: Operation): string {
  const verb = name.replace(/ create$/, ' propose');
  return isForeign
    ? 'gw does not know what it moves, so nobody can approve it.'
    : `Propose it with \`gw ${verb}\`, which takes the same flags, and have it approved with \`gw approve\`.`;
}

/** @throws Failure usage if the body is invalid */
async function checkBody(operation: Operation, { body = {} }: CallInput): Promise<void> {
  if (!operation.body) return;
  // This loads the schemas, which a look-up does not need.
  const { checkRequest } = await import('../../contract/check.ts');
  checkRequest(operation, body);
}

function missingText(unrecorded: Failure | undefined): string {
  return unrecorded ? ` The journal does not have the outcome: ${unrecorded.message}` : '';
}

/** The longest id shown in a message, in characters. */
const MAX_SHOWN_ID = 60;

/** @returns the failure for an answer that shows the record of another request */
export function refuseRepeated(reply: Reply, baseUrl: URL): Failure {
  const { operation, input, status, envelope, raw, records } = reply;
  const id = cut(String(records[0]?.id), MAX_SHOWN_ID);
  const doubt = `its ${operation.kind} ${id} belongs to another request`;
  return failureOf('outcome-unknown', {
    operation,
    input,
    baseUrl,
    reply: { status, headers: {}, body: raw },
    evidence: { kind: 'contradiction', envelope, doubt },
  }).with({ code: 'answers-mixed-up' });
}
