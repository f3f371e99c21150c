/**
 * Sends one request and prints its record: the end of every command that changes something.
 *
 * This folder has the commands that send one request.
 */

import type { Json, JsonObject } from '../../base/json.ts';
import { boundedText, capitalised, textOrNull } from '../../base/text.ts';
import type { CommandOptions } from '../../cli/flags/command-options.ts';
import type { FlagValues } from '../../cli/flags/flag.ts';
import { currencyOfCharges } from '../../cli/flags/parse-number.ts';
import type { Clearance } from '../../client/connection/call.ts';
import { nextOfUnknown, type Reply } from '../../client/exchange/classify.ts';
import type { CallInput } from '../../client/exchange/wire-request.ts';
import { meetsAll } from '../../client/guards/plans.ts';
import { MAX_MESSAGE_LENGTH } from '../../contract/envelope.ts';
import { isSuccessful, saysVoid } from '../../contract/normal.ts';
import type { Operation } from '../../contract/operation.ts';
import { type RequestBody, skeletonOf } from '../../contract/request.ts';
import { attempt, Failure, orFailure, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { limitFailure } from '../../host/error-reason.ts';
import type { Host } from '../../host/host.ts';
import { commandWord } from '../../host/redaction/safe.ts';
import { isOwnedBy } from '../../things/owner.ts';
import type { OutputOptions } from '../../view/print-records.ts';
import { howToApprove, PROPOSAL_VIEW } from '../../view/records/proposal.ts';
import { type Dialog, summarise, withAsking } from '../asking.ts';
import { completeBody, givenBody } from '../body/build-body.ts';
import { withKnown } from '../known/lazy-ledger.ts';
import { planToBill } from '../known/named-plan.ts';
import { idToChange } from '../known/named-record.ts';
import { refuseSecond } from '../known/second-subscription.ts';
import { chooseId } from '../known-choices.ts';
import type { Session } from '../session.ts';
import { refuseMoved } from './moved-subscription.ts';

/**
 * Calls, and prints the outcome; a dry run prints what would be sent.
 * @param cleared the clearance, if the request already has one
 * @returns the answer; undefined for a dry run or a proposal
 * @throws Failure guard, declined, or what the client throws
 */
export async function submit(
  session: Session,
  operation: Operation,
  input: CallInput,
  cleared?: Clearance,
): Promise<Reply | undefined> {
  if (session.options.isDryRun) {
    await session.rehearse(operation, input);
    return void (await sayTaken(session, operation, input));
  }
  if (session.options.isProposal) return void (await propose(session, operation, input));
  const reply = await session.call(operation, input, cleared);
  await printOutcome(session, reply);
  return reply;
}

/** The kinds of records of which a gateway has one for each reference. */
const TAKES_ONCE: readonly string[] = ['purchase', 'customer', 'plan', 'subscription'];

/** The outcomes of a purchase that leave its reference free. */
const LEAVES_FREE: readonly (string | null)[] = ['declined', 'abandoned', 'rejected'];

/** Says in a dry run that a record has the reference already, as far as this machine knows without webhooks alone. */
async function sayTaken(
  session: Session,
  { method, kind, isForeign }: Operation,
  { body }: CallInput,
): Promise<void> {
  const reference = body?.reference;
  const isMade = method === 'POST' && !isForeign && TAKES_ONCE.includes(kind);
  if (!isMade || typeof reference !== 'string') return;
  const { withoutHearsay } = await import('../known/proven.ts');
  const found = await attempt(
    withKnown(session.host, session.gateway, async (known, us) => {
      const tied = await withoutHearsay(known).things.tied([reference], {
        kinds: [kind],
        limit: 100,
      });
      return tied.find(
        (one) =>
          one.reference === reference &&
          isOwnedBy(one, us, 'named') &&
          !(kind === 'purchase' && LEAVES_FREE.includes(one.outcome)),
      );
    }),
  );
  if (found)
    await session.notice(
      `${capitalised(kind)} ${found.id} has this reference already, so the gateway may reject the request. \`gw get ${commandWord(found.id)}\` shows it. Give another --reference if this is something else.`,
    );
}

/**
 * Prints the outcome of a request. A failure to print it does not hide what was done.
 * @throws Failure for a decline, which is no success, and for an answer that does not say (section 3.1); Failure
 *   incomplete or unread if something was done and is not printed
 */
async function printOutcome(session: Session, reply: Reply): Promise<void> {
  const failure = submitFailure(reply);
  try {
    await session.printReply(reply);
    await session.endOutput();
  } catch (cause) {
    const error = cause instanceof Failure ? cause : limitFailure(cause);
    if (!error) throw cause;
    if (failure) throw failure.with({ next: `${failure.next} ${error.message}` });
    throw reply.operation.effect === 'read' ? error : unprinted(reply, error);
  }
  if (failure) throw await withMeaning(session, failure, reply);
}

/** Writes the request down as a proposal, prints it, and says how it is approved. */
async function propose(session: Session, operation: Operation, input: CallInput): Promise<void> {
  const proposal = await session.gateway.propose(operation, input);
  await session.printRecord(PROPOSAL_VIEW.record(proposal), PROPOSAL_VIEW);
  await session.endOutput();
  await session.notice(howToApprove(proposal));
}

/** The code if something was done but its record could not be printed: the user must not do it again. */
export const RECORD_UNPRINTED = 'record-unprinted';

function unprinted({ operation, records, status, entry }: Reply, cause: Failure): Failure {
  const [{ id } = {}] = records;
  const named = typeof id === 'string' ? ` It is ${id}.` : '';
  const kept = entry === undefined ? '' : ` \`gw journal show ${entry}\` shows the outcome.`;
  return new Failure(
    RECORD_UNPRINTED,
    `${operation.name} succeeded, but its record could not be printed. ${cause.message}`,
    `Do not send it again.${named}${kept}`,
    {
      kind: cause.kind,
      operation: operation.name,
      status,
      entry,
      ...(typeof id === 'string' ? { id } : {}),
      cause,
    },
  );
}

/** @returns the failure for a reply; undefined if the gateway did what was asked */
export function submitFailure(reply: Reply): Failure | undefined {
  const { operation, outcome, records, status, entry } = reply;
  if (outcome === undefined || isSuccessful(outcome)) return undefined;
  const [record = {}] = records;
  const id = typeof record.id === 'string' ? record.id : undefined;
  const details = { operation: operation.name, status, entry, ...(id === undefined ? {} : { id }) };
  if (outcome === 'declined') {
    if (saysVoid(record.message, record.refunded))
      return new Failure(
        'voided',
        `The gateway voided this ${operation.kind}.`,
        'Ask whoever runs the gateway what was voided before you send it again.',
        details,
      );
    return new Failure(
      'card-declined',
      `The card was declined${reasonOf(record.message)}.`,
      'No money moved. Ask for another card, or try again later if the reason is temporary.',
      details,
    );
  }
  return new Failure(
    'outcome-unknown',
    "Outcome unknown: the gateway's answer does not say whether it was approved.",
    nextOfUnknown(reply, entry),
    details,
  );
}

/** @returns the failure; that of a decline with what it means, by all that is known of the card */
async function withMeaning(
  session: Session,
  failure: Failure,
  { records: [record = {}] }: Reply,
): Promise<Failure> {
  if (failure.code !== 'card-declined') return failure;
  const { gateway, host } = session;
  const name = failure.id ?? textOrNull(record.reference);
  // Only a decline loads the table of declines.
  const { declineAdvice } = await import('../known/decline-advice.ts');
  const { declineLine } = await import('../../view/decline-line.ts');
  const advice = await attempt(
    withKnown(host, gateway, (known, owner) => {
      const id = failure.id ?? failure.entry;
      const message = textOrNull(record.message);
      return declineAdvice(known, { id, message, name }, { owner });
    }),
  );
  // The decline is certain, and is told even if the ledger cannot be read.
  return failure.with({ next: `No money moved. ${advice ?? declineLine(record, name)}` });
}

function reasonOf(message: Json | undefined): string {
  return typeof message === 'string' && message !== '' && message !== 'Declined'
    ? `: ${boundedText(message, MAX_MESSAGE_LENGTH)}`
    : '';
}

/** Sends a body, to the record `id` if the path has a parameter, and prints the answer. */
export async function runSubmit(
  context: Context,
  operation: Operation,
  id: string | undefined,
  options: CommandOptions,
): Promise<void> {
  const { body: request } = operation;
  const { typed } = options;
  if (typed.skeleton === true && request)
    return printSkeleton(context.host, request, options.output);
  const words = [...operation.name.split(' '), ...(id === undefined ? [] : [id])];
  await withAsking(context, { operation, words, ...options }, (asking) =>
    submitAsked(asking, asking.typed, id),
  );
}

/** @param typed the flags that give the body */
export async function submitAsked(asking: Dialog, typed: FlagValues, id?: string): Promise<void> {
  const { operation, session } = asking;
  const input = await inputOf({ ...asking, typed }, operation, id);
  await refuseSecond(asking, operation, input);
  await refuseMoved(session, operation, input);
  await summarise(asking, operation, input);
  const reply = await submit(session, operation, input);
  if (reply && operation.method === 'PUT') await sayChanges(session, input.body, reply);
  if (reply && operation.effect === 'destroy') await sayDeleted(session, reply);
}

/** Nobody answers questions in vain about a record that is not found: where gw asks, the names come first. */
async function inputOf(
  asking: Dialog,
  operation: Operation,
  id: string | undefined,
): Promise<CallInput> {
  const { body: request } = operation;
  const input: CallInput = {};
  if (operation.path.includes('{')) input.id = await chooseId(asking, id, operation.kind);
  if (!request) {
    await nameByIds(asking, operation, input);
    return input;
  }
  const { session, typed } = asking;
  const { mayAsk } = session.options;
  const given = await givenBody(asking, request, typed);
  if (mayAsk) await nameByIds(asking, operation, Object.assign(input, { body: given.body }));
  const isRead = given.isRead || given.isAsked;
  const currency = isRead ? await currencyOf(session, request, input.id, given.said) : undefined;
  Object.assign(input, await completeBody(asking, request, given, { currency }));
  if (request.isPartial) refuseEmpty(input.body);
  if (!mayAsk) await nameByIds(asking, operation, input);
  return input;
}

/** The ledger keeps the requests and events of a customer, whom the gateway no longer has. */
async function sayDeleted(session: Session, { operation, records }: Reply): Promise<void> {
  const id = commandWord(String(records[0]?.id));
  const left = `\`gw forget ${id}\` erases what gw itself keeps of this person.`;
  await session.notice(
    `Deleted ${operation.kind} ${id}.${operation.kind === 'customer' ? ` ${left}` : ''}`,
  );
}

/** Says what an update changed, because the record that the gateway answers does not have all of it. */
async function sayChanges(session: Session, body: Json | undefined, reply: Reply): Promise<void> {
  const { changeText } = await import('./change-text.ts');
  const text = changeText(body ?? null, reply.records[0] ?? {});
  if (text !== '') await session.notice(`Changed: ${text}.`);
}

/**
 * A plan names no currency and is in that of the account, whatever the profile says (section 2.5).
 * @param plan id or reference, if there is one already
 * @returns ISO 4217 code of a body's amount
 */
async function currencyOf(
  { gateway, options, profile }: Session,
  { fields }: RequestBody,
  plan: string | undefined,
  said: string | undefined,
): Promise<string | undefined> {
  if ('currency' in fields) return said ?? profile.currency;
  if (said !== undefined) currencyOfCharges(said);
  const seen = await orFailure(gateway.confirmation.currencyOfPlan(plan));
  if (!(seen instanceof Failure)) return agreed(said, seen, 'The account is');
  const isAsked = said !== undefined || options.mayAsk;
  if (seen.kind === 'interrupted' || (!isAsked && meetsAll(seen))) throw seen;
  return said;
}

/**
 * @param said ISO 4217 code that the user gave
 * @param seen the one that the gateway shows
 * @param what the record and its verb: `071-P-1 was paid`
 * @returns the one that counts. @throws Failure usage if they differ
 */
export function agreed(
  said: string | undefined,
  seen: string | undefined,
  what: string,
): string | undefined {
  if (said === undefined || seen === undefined || said === seen) return seen ?? said;
  throw usage(
    'currency-differs',
    `${what} in ${seen}, and you gave ${said}.`,
    'Leave the currency out, or check which record it is.',
  );
}

/** Replaces the names of records in a request by their ids. @throws Failure usage as `idToChange` */
async function nameByIds(asking: Dialog, operation: Operation, input: CallInput): Promise<void> {
  const { id, body } = input;
  if (id !== undefined) input.id = await idToChange(asking, operation, operation.kind, id);
  if (body && operation.body && 'plan' in operation.body.fields && typeof body.plan === 'string')
    body.plan = await planToBill(asking, body.plan);
  if (
    body &&
    operation.body &&
    'customer' in operation.body.fields &&
    typeof body.customer === 'string'
  )
    body.customer = await idToChange(asking, operation, 'customer', body.customer);
}

/** @throws Failure usage if the output is to have another form than `--input` reads */
export async function printSkeleton(
  { stdout }: Pick<Host, 'stdout'>,
  request: RequestBody,
  { format = 'json' }: Pick<OutputOptions, 'format'>,
): Promise<void> {
  if (format !== 'json')
    throw usage(
      'flags-exclusive',
      `--skeleton prints the JSON that --input reads, and -o asks for ${format}.`,
      'Leave one of them out.',
    );
  await stdout.write(`${JSON.stringify(skeletonOf(request), null, 2)}\n`);
}

/** Refuses an update that changes nothing, which the user cannot mean. */
function refuseEmpty(body: JsonObject = {}): void {
  if (Object.keys(body).length > 0) return;
  throw usage(
    'nothing-to-change',
    'There is nothing to change.',
    'Give the fields to change as flags or with --input FILE. A note stands beside a change.',
  );
}
