/**
 * The way of a request from a command to the gateway of its profile:
 *
 *   Session.call ──► GatewayConnection.call ──► exchange ──► Sender.send ──► the gateway
 *   says what is     the steps below             tries, and   bytes: single,
 *   odd about the                                classifies   pooled or
 *   answer                                       the answer   embedded
 *
 *   clear     every guard, in one order (`clearance`)
 *   intend    the intent is on disk; the ledger may refuse (ledger-access.ts)
 *   send      once, and classify what comes back or does not (wire.ts, exchange)
 *   settle    the outcome is on disk (ledger-access.ts)
 *
 * A request that moves no money, or may be sent twice, is neither intended nor settled. A dry run clears a request
 * and prints it. A batch clears each line, and has all of them confirmed at once. It settles a line by itself
 * (`sendLine`, `settle`), since the next one is sent before that is done.
 */
import type { Operation } from '../../contract/operation.ts';
import { asAsked, isRecorded } from '../../contract/operations.ts';
import { planList } from '../../contract/resources/plan.ts';
import { Failure, orFailure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { cut } from '../../host/redaction/safe.ts';
import type { LineClaim, Refused } from '../../journal/ledger.ts';
import { keptId } from '../../journal/limits.ts';
import { isRunning } from '../../journal/sending.ts';
import { failureOf, nextOfUnknown, type Reply } from '../exchange/classify.ts';
import type { JudgedRequest } from '../exchange/evidence.ts';
import { exchange } from '../exchange/exchange.ts';
import { refuseStrayCardNumbers } from '../exchange/stray-card-number.ts';
import { type CallInput, wireRequest } from '../exchange/wire-request.ts';
import type { Profile } from '../profiles/profile.ts';
import type { WireRequest } from '../senders/sender.ts';
import { Confirmation } from './confirmation.ts';
import { checkConnection, checkLimits, checkPrivacy } from './guard.ts';
import { LedgerAccess } from './ledger-access.ts';
import { learnTarget, type TargetLookUp } from './refund-target.ts';
import type { RequestOptions } from './request-options.ts';
import { type ChosenAccount, type CommandRun, type ConnectionParts, GatewayWire } from './wire.ts';

export interface ClearanceOptions {
  /** false takes the body as it is. */
  isChecked?: boolean;
  /** The line of a batch that the request is: the batch is confirmed as a whole. */
  line?: LineClaim | undefined;
  /** Guards of the ledger that are not asked here, since the intent follows at once or soon. */
  leftToIntent?: 'balance' | 'all' | undefined;
}

/** A request that every guard but the ledger lets through. */
export interface Cleared {
  /** The row, as what the request asks for makes it. */
  operation: Operation;
  /** The request as it will be sent, but for its credentials: a dry run needs none. */
  request: WireRequest;
  /** Why the ledger would refuse it. It judges once more in the transaction of the intent. */
  refused: Refused | undefined;
}

/** What belongs to one request, besides its content. */
export interface CallOptions {
  /** false sends the body as it is. */
  isChecked?: boolean;
  /** The clearance that the request has already. */
  cleared?: Cleared;
}

/** A recorded request that was sent, and that has to be settled. */
export interface Answered {
  asked: JudgedRequest;
  /** Its id in the journal; undefined where nothing is recorded. */
  entry: string | undefined;
  /** The verdict on the answer, or on its absence. */
  result: Reply | Failure;
  /** Whether the answer has the record of another request. */
  isOfAnother: boolean;
}

/** Stands for the credentials until a request is sent. */
const UNSIGNED = 'Basic';

export class GatewayConnection {
  readonly profile: Profile;
  readonly wire: GatewayWire;
  readonly ledger: LedgerAccess;
  readonly confirmation: Confirmation;
  readonly #run: CommandRun;
  readonly #asking: TargetLookUp;
  /** Ids of the records that lines of a batch were answered with. */
  readonly #made = new Set<string>();
  #private: Promise<void> | undefined;

  /** @throws Failure guard when others could read or answer what is sent to a live gateway */
  constructor(
    context: Context,
    account: ChosenAccount,
    options: RequestOptions,
    parts: Partial<ConnectionParts> = {},
  ) {
    checkConnection(account.profile, context.host.env);
    this.profile = account.profile;
    this.#run = { context, account, options, parts };
    this.wire = new GatewayWire(this.#run);
    this.ledger = new LedgerAccess(this.#run, this.wire);
    this.#asking = { run: this.#run, wire: this.wire, ledger: this.ledger };
    this.confirmation = new Confirmation(this.#asking);
  }

  /**
   * The guards that need no body, asked before any question and any look-up.
   * @throws Failure guard or auth when the operation would not be sent whatever the request says
   */
  async admit(operation: Operation): Promise<void> {
    checkLimits(this.profile, { operation });
    const { isDryRun } = this.#run.options;
    if (!isDryRun) await this.wire.credentials();
    await this.ledger.isRecording();
    if (operation.effect !== 'money') return;
    await this.#checkPrivacy();
    await this.ledger.admit();
  }

  /**
   * Asks every guard of a request, in the one order there is: what can be judged here, what the gateway has to be
   * asked for, what the ledger knows, and last the person who confirms a live profile. A dry run asks the same
   * guards; it looks nothing up and asks nobody.
   * @returns the request, and why the ledger would refuse it
   * @throws Failure of any other guard, or usage when the body is not one
   */
  async clearance(
    row: Operation,
    input: CallInput,
    { isChecked, line, leftToIntent }: ClearanceOptions = {},
  ): Promise<Cleared> {
    const operation = line ? row : asAsked(row, input);
    this.wire.hideCards(input.body);
    refuseStrayCardNumbers(operation, input, this.profile.environment === 'live');
    checkLimits(this.profile, { operation, input });
    await this.admit(operation);
    if (isChecked !== false) await checkBody(operation, input);
    const addressee = { ...this.wire.addressee, authorization: UNSIGNED };
    const request = wireRequest(addressee, operation, input);
    if (!line) {
      const isAsked = await this.confirmation.isAskedFor(operation, input);
      await this.confirmation.checkCharges(operation, input);
      await learnTarget(this.#asking, operation, input, isAsked);
    }
    const isJudged = isRecorded(operation) && leftToIntent !== 'all';
    const refused = isJudged
      ? await this.ledger.foresee(operation, input, {
          line,
          isForAttempts: leftToIntent === 'balance',
        })
      : undefined;
    if (!refused && !line) await this.confirmation.ofRequest(operation, input);
    return { operation, request, refused };
  }

  /**
   * @returns the reply of a request that the gateway processed, a decline included
   * @throws Failure for everything else, classified by what is known to have happened
   */
  async call(row: Operation, input: CallInput, options: CallOptions = {}): Promise<Reply> {
    const cleared = options.cleared ?? (await this.clearance(row, input, options));
    if (isRecorded(cleared.operation)) return this.settle(await this.#send(cleared, input));
    const { wire, asked, request } = await this.#signed(cleared, input);
    const reply = await exchange(wire, asked, request);
    await this.ledger.see(input, reply);
    return reply;
  }

  /**
   * Sends a line of a batch, whose body was checked when the line was read.
   * @param operation a recorded one
   * @returns what came back, which is still to be settled
   * @throws Failure when the line was not sent
   */
  async sendLine(operation: Operation, input: CallInput, line: LineClaim): Promise<Answered> {
    // The ledger judges it in the intent that follows at once.
    const asked = { isChecked: false, line, leftToIntent: 'all' } as const;
    return this.#send(await this.clearance(operation, input, asked), input, line);
  }

  /** Writes down what became of a request. @returns or throws as `call` */
  async settle({ asked, entry, result }: Answered): Promise<Reply> {
    const unrecorded =
      entry === undefined ? undefined : await this.ledger.settle(entry, asked.input, result);
    if (!(result instanceof Failure)) return { ...result, entry, unrecorded };
    const known = result.kind === 'unknown' ? nextOfUnknown(asked, entry) : result.next;
    throw result.with({ entry, next: known + missingText(unrecorded) });
  }

  /** Intends and sends. @throws Failure when nothing was sent */
  async #send(cleared: Cleared, input: CallInput, line?: LineClaim): Promise<Answered> {
    const { wire, asked, request } = await this.#signed(cleared, input);
    const { operation } = asked;
    const intended = await this.ledger.intend(operation, input, line);
    if (intended && intended.kind !== 'recorded')
      throw await this.ledger.refusal(intended, operation, input);
    const entry = intended?.id;
    const { clock } = this.#run.context.host;
    const lease = intended?.lease;
    const mayLeave = () => lease === undefined || isRunning(lease, clock);
    const answer = await orFailure(exchange(wire, asked, request, mayLeave));
    if (answer instanceof Failure || !(await this.#isOfAnother(answer, entry, line)))
      return { asked, entry, result: answer, isOfAnother: false };
    return { asked, entry, result: refuseRepeated(answer, wire.baseUrl), isOfAnother: true };
  }

  /** @returns what a request is sent with. @throws Failure when the ledger refuses it, or nothing can be sent */
  async #signed({ operation, refused, request }: Cleared, input: CallInput) {
    if (refused) throw await this.ledger.refusal(refused, operation, input);
    const wire = await this.wire.connect();
    const headers = { ...request.headers, authorization: wire.authorization };
    return { wire, asked: { operation, input }, request: { ...request, headers } };
  }

  /** Within a batch that is known by its own answers, which may not all be written down yet. */
  async #isOfAnother(answer: Reply, entry: string | undefined, line?: LineClaim): Promise<boolean> {
    const id = answer.records[0]?.id;
    if (line && typeof id === 'string') {
      if (this.#made.has(id)) return true;
      this.#made.add(id);
    }
    return entry !== undefined && isOfAnother(this.ledger, entry, answer);
  }

  async close(): Promise<void> {
    await this.ledger.allSeen();
    await this.wire.close();
    await this.ledger.close();
  }

  /** Once, before the first request that moves money. */
  #checkPrivacy(): Promise<void> {
    const { context, options } = this.#run;
    this.#private ??= checkPrivacy(context.host, options);
    return this.#private;
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
async function checkBody(operation: Operation, { body = {} }: CallInput): Promise<void> {
  if (!operation.body) return;
  // With the schemas, which a look-up has no use for.
  const { checkRequest } = await import('../../contract/check.ts');
  checkRequest(operation, body);
}

function missingText(unrecorded: Failure | undefined): string {
  return unrecorded ? ` The journal does not have the outcome: ${unrecorded.message}` : '';
}

// One record cannot be the answer to two requests: a gateway, or something before it, that answers twice on a connection
// which is kept open shifts all answers after it, and then each one tells of another request.
//
// Within a run that is known by the ids of the run, and across runs by the journal: a record is that of another request
// where one of the same account is known to have made it, and asked for something else. Without a reference nothing
// tells that two ask for the same. The embedded gateway gives its ids again when it starts over, so its answers are not
// held against earlier runs.

/** The longest id in a message, in characters. */
const MAX_SHOWN_ID = 60;

/**
 * @param entry of the request, in the journal
 * @returns whether the journal knows the record of an answer as another request's; false where it cannot be asked
 */
async function isOfAnother(
  ledger: Pick<LedgerAccess, 'open'>,
  entry: string,
  { operation, records, isEmbedded }: Reply,
): Promise<boolean> {
  const id = keptId(records[0]?.id);
  // One that is no row is about a record that there is.
  if (id === null || operation.isForeign || isEmbedded) return false;
  try {
    return await (await ledger.open()).isMadeByAnother(id, entry, 'alike');
  } catch {
    // The answer is told all the same. Its outcome is written there next, which says what is wrong.
    return false;
  }
}

/** @returns the failure that an answer with the record of another request is */
export function refuseRepeated(reply: Reply, baseUrl: URL): Failure {
  const { operation, input, status, envelope, raw, records } = reply;
  const id = cut(String(records[0]?.id), MAX_SHOWN_ID);
  const doubt = `its ${operation.kind} ${id} is what it answered another request with`;
  return failureOf('outcome-unknown', {
    operation,
    input,
    baseUrl,
    reply: { status, headers: {}, body: raw },
    evidence: { said: 'contradiction', envelope, doubt },
  });
}
