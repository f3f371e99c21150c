/**
 * The way of a request from a command to the gateway of its profile:
 *
 *   Session.call ──► GatewayConnection.call ──► exchange ──► Sender.send ──► the gateway
 *   says what is     the steps below             tries, and   bytes: single,
 *   odd about the                                classifies   pooled or
 *   answer                                       the answer   embedded
 *
 *   admit     the limits of the profile, before credentials are looked for (guard.ts)
 *   check     the body, against the row of its operation
 *   confirm   a live profile, by whoever is there (confirmation.ts)
 *   learn     what a purchase was paid with, before a refund of it (refund-target.ts)
 *   intend    the intent is on disk; the ledger may refuse (ledger-access.ts)
 *   send      once, and classify what comes back or does not (wire.ts, exchange)
 *   settle    the outcome is on disk (ledger-access.ts)
 *
 * What moves no money is neither intended nor settled, nor is what may be sent twice.
 */

import type { Operation } from '../../contract/operation.ts';
import { asAsked, isRecorded } from '../../contract/operations.ts';
import { planList } from '../../contract/resources/plan.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { LineClaim } from '../../journal/ledger.ts';
import type { Reply } from '../exchange/classify.ts';
import { exchange } from '../exchange/exchange.ts';
import { targetOf } from '../exchange/said-money.ts';
import { refuseStrayCardNumbers } from '../exchange/stray-card-number.ts';
import { nextOfUnknown } from '../exchange/verdict-sentences.ts';
import { type CallInput, wireRequest } from '../exchange/wire-request.ts';
import type { Profile } from '../profiles/profile.ts';
import type { WireRequest } from '../senders/sender.ts';
import { Confirmation } from './confirmation.ts';
import { checkConnection, checkLimits, keepPrivate } from './guard.ts';
import { LedgerAccess } from './ledger-access.ts';
import type { RequestOptions } from './request-options.ts';
import { type Account, type CommandRun, type ConnectionParts, GatewayWire } from './wire.ts';

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

export class GatewayConnection {
  readonly profile: Profile;
  readonly wire: GatewayWire;
  readonly ledger: LedgerAccess;
  readonly confirmation: Confirmation;
  readonly #run: CommandRun;
  #kept: Promise<void> | undefined;

  /** @throws Failure guard when others could read or answer what is sent to a live gateway */
  constructor(
    context: Context,
    account: Account,
    options: RequestOptions,
    parts: Partial<ConnectionParts> = {},
  ) {
    checkConnection(account.profile, context.host.env);
    this.profile = account.profile;
    this.#run = { context, account, options, parts };
    this.wire = new GatewayWire(this.#run);
    this.ledger = new LedgerAccess(this.#run, this.wire);
    this.confirmation = new Confirmation({ run: this.#run, wire: this.wire, ledger: this.ledger });
  }

  /**
   * @returns the reply of a request that the gateway processed, a decline included
   * @throws Failure for everything else, classified by what is known to have happened
   */
  async call(row: Operation, input: CallInput, options: CallOptions = {}): Promise<Reply> {
    const { line, isCleared = line !== undefined } = options;
    const operation = line ? row : asAsked(row, input);
    this.#admit(operation, input);
    const wire = await this.wire.connect();
    await this.ledger.isRecording();
    await check(operation, input, options);
    // Before anything is asked or recorded: it may turn out that there is no such request.
    const request = wireRequest(wire, operation, input);
    if (operation.effect === 'money') await this.#keepPrivate();
    if (!isCleared) await this.confirmation.ofRequest(operation, input);
    const asked = { operation, input };
    if (!isRecorded(operation)) {
      const reply = await exchange(wire, asked, request);
      await this.ledger.see(input, reply);
      return reply;
    }
    const intended = await this.ledger.intend(operation, input, line?.claim);
    if (intended && intended.kind !== 'recorded')
      throw await this.ledger.refusal(intended, operation, input);
    const entry = intended?.id;
    const mayLeave = () => intended?.isStillOurs?.() !== false;
    const answer = await exchange(wire, asked, request, mayLeave).catch(asFailure);
    const result =
      answer instanceof Failure ? answer : (line?.doubt(answer, wire.baseUrl) ?? answer);
    line?.answered(result);
    const unrecorded =
      entry === undefined ? undefined : await this.ledger.settle(entry, input, result);
    if (!(result instanceof Failure)) return { ...result, entry, unrecorded };
    const known = result.kind === 'unknown' ? nextOfUnknown(asked, entry) : result.next;
    throw result.reworded({ entry, next: known + missingText(unrecorded) });
  }

  /**
   * Reads the limits and the credentials, before anybody is asked anything.
   * @throws Failure guard or auth when the operation would not be sent whatever is answered
   */
  async admit(operation: Operation): Promise<void> {
    checkLimits(this.profile, { operation });
    if (!this.#run.options.isDryRun) await this.wire.credentials();
  }

  /** @returns the request that a call would send, without credentials. @throws Failure guard or usage when it may not be sent */
  async preview(
    operation: Operation,
    input: CallInput,
    options: CallOptions = {},
  ): Promise<WireRequest> {
    this.#admit(operation, input);
    await check(operation, input, options);
    return wireRequest({ ...this.wire.addressee, authorization: 'Basic' }, operation, input);
  }

  /**
   * Asks every guard of a request that is to be sent after another, which then is not sent in vain.
   * @throws Failure guard when it would not be sent
   */
  async clear(row: Operation, input: CallInput): Promise<void> {
    const operation = asAsked(row, input);
    checkLimits(this.profile, { operation, input });
    await this.confirmation.ofRequest(operation, input);
    await this.#refuseForeseen(operation, input);
  }

  /**
   * Every guard that stands between the preview of a request and its sending. Nothing is looked up.
   * @throws Failure guard when it would not be sent
   */
  async rehearse(row: Operation, input: CallInput): Promise<void> {
    const operation = asAsked(row, input);
    await this.confirmation.rehearse(operation, input);
    await this.#refuseForeseen(operation, input);
    const id = operation.money?.givesBack ? targetOf(operation, input) : null;
    const { options, context } = this.#run;
    if (id === null || !options.refusesOverRefunds || (await this.ledger.balance(id))) return;
    await context.host.stderr.write(
      `gw does not know how much of ${neutralise(id)} is left to refund: the real run looks it up first.\n`,
    );
  }

  async close(): Promise<void> {
    await this.ledger.allSeen();
    await this.wire.close();
    await this.ledger.close();
  }

  #admit(operation: Operation, input: CallInput): void {
    this.wire.hideCards(input.body);
    refuseStrayCardNumbers(operation, input, this.profile.environment === 'live');
    checkLimits(this.profile, { operation, input });
  }

  async #refuseForeseen(operation: Operation, input: CallInput): Promise<void> {
    if (!isRecorded(operation) || !this.#run.options.recordsMoney) return;
    const refused = await this.ledger.foresee(operation, input);
    if (refused) throw await this.ledger.refusal(refused, operation, input);
  }

  /** Once, before the first request that moves money. */
  #keepPrivate(): Promise<void> {
    this.#kept ??= keepPrivate(this.#run.context.host);
    return this.#kept;
  }
}

/**
 * Asks a gateway only to learn whether it takes the credentials: it changes nothing.
 * @throws Failure when they are not accepted, or the gateway cannot be asked
 */
export async function verifyCredentials(gateway: GatewayConnection): Promise<Reply> {
  try {
    return await gateway.call(planList, { query: { limit: '1' } });
  } finally {
    await gateway.close();
  }
}

/** @throws Failure usage unless the body may be sent */
async function check(
  operation: Operation,
  { body = {} }: CallInput,
  { isChecked = true }: CallOptions,
): Promise<void> {
  if (!operation.body || !isChecked) return;
  // With the schemas, which a look-up has no use for.
  const { checkRequest } = await import('../../contract/check.ts');
  checkRequest(operation, body);
}

function missingText(unrecorded: Failure | undefined): string {
  return unrecorded ? ` The journal does not have the outcome: ${unrecorded.message}` : '';
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}
