/**
 * The parts of `gw refund create` that other commands lack. The purchase may be an argument, and the amount may be
 * everything that is left of it. Before anything is sent, gw computes that amount from what the gateway says was paid
 * and what the ledger knows was refunded. The ledger judges the same amount again at the intent, so of two refunds at
 * once it refuses one.
 *
 * Tests: test/scripts/endpoints/04-refund-create.script, test/unit/requests/currency-of-amounts.test.ts
 */

import type { CommandOptions } from '../../cli/flags/command-options.ts';
import { checkedId } from '../../cli/flags/flag.ts';
import { balanceText, refusal } from '../../client/connection/refusals.ts';
import type { CallInput } from '../../client/exchange/wire-request.ts';
import { meetsAll } from '../../client/guards/plans.ts';
import { type LookedUp, lookUpTarget, onlyAuthorised } from '../../client/guards/refund-target.ts';
import { moneyText } from '../../contract/money.ts';
import { refundCreate } from '../../contract/resources/refund.ts';
import { askOrRefuse, Failure, orFailure, usage } from '../../failure.ts';
import type { CodeOf } from '../../failure-codes.ts';
import type { Context } from '../../host/context.ts';
import { commandWord, neutralise } from '../../host/redaction/safe.ts';
import { leftOf } from '../../journal/balance.ts';
import { type Dialog, summarise, withAsking } from '../../requests/asking.ts';
import { askForAmount, askForCurrency } from '../../requests/body/ask-amount.ts';
import { completeBody, type GivenBody, givenBody } from '../../requests/body/build-body.ts';
import { checkTyped, pickOrType } from '../../requests/body/pick-or-type.ts';
import { idToChange } from '../../requests/known/named-record.ts';
import { refundableChoices } from '../../requests/known-choices.ts';
import { correctedCommand } from '../../requests/same-command.ts';
import type { Session } from '../../requests/session.ts';
import { agreed, printSkeleton, submit } from '../../requests/submit/submit.ts';
import { textOf } from '../../view/values.ts';
import { freeReference, lastPaymentOf, withReference } from './last-payment.ts';

export interface RefundOptions extends CommandOptions {
  /** Whether to refund everything that is left. */
  isFull: boolean;
  /** The customer or subscription whose last payment is refunded, instead of a purchase. */
  lastOf: string | undefined;
}

/** @param purchase as the argument names it */
export async function runRefund(
  context: Context,
  purchase: string | undefined,
  options: RefundOptions,
): Promise<void> {
  const { typed } = options;
  if (typed.skeleton === true)
    return printSkeleton(context.host, refundCreate.body, options.output);
  const id = purchaseOf(purchase, options);
  const words = ['refund', 'create', ...(purchase === undefined ? [] : [purchase])];
  await withAsking(context, { operation: refundCreate, words, ...options }, async (asking) => {
    const { lastOf } = options;
    const found = lastOf === undefined ? id : await lastPaymentOf(asking, refundCreate, lastOf);
    const input = await inputOf(asking, options, found);
    const { session } = asking;
    // Whoever was asked for the amount has seen what is left.
    const isTyped = (typed.amount ?? typed['decimal-amount']) !== undefined;
    if (session.options.mayAsk && isTyped) await sayEarlier(session, input);
    await summarise(asking, refundCreate, input);
    const reply = await submit(session, refundCreate, input);
    // The refund is done, whatever this costs to know.
    if (reply && session.options.mayAsk) await sayLeft(session, input).catch(() => undefined);
  });
}

/** Says which purchase was refunded, and what is left of it, because the gateway's refund has neither. */
async function sayLeft(session: Session, input: CallInput): Promise<void> {
  const { text } = (await balanceOf(session, input)) ?? {};
  if (text) await session.notice(`Refunded from ${text}`);
}

/** Says what was refunded before, because a colleague may have given the same money back. */
async function sayEarlier(session: Session, input: CallInput): Promise<void> {
  const { text, isRefunded } = (await balanceOf(session, input)) ?? {};
  if (isRefunded) await session.notice(`Refunded before from ${text}`);
}

/** @returns a text on the purchase of a refund, and whether anything of it was refunded; undefined if it is not known */
async function balanceOf({ gateway }: Session, { body, currency }: CallInput) {
  const id = String(body?.transaction_id);
  const balance = (await gateway.ledger.balances([id])).get(id);
  if (!balance?.paid) return undefined;
  const seen = currency ?? (await gateway.ledger.currencyKnown({ purchase: id }));
  const left = moneyText(leftOf(balance), seen);
  const text = `${neutralise(id)}: ${balanceText(balance, seen)}, ${left} left.`;
  return { text, isRefunded: balance.refunded + balance.uncertain > 0 };
}

/** @returns the purchase from the argument or the flag, which may agree */
function purchaseOf(
  argument: string | undefined,
  { typed, lastOf }: RefundOptions,
): string | undefined {
  if (argument !== undefined && lastOf !== undefined)
    throw usage(
      'purchase-ambiguous',
      `The purchase ${argument} and --last-of were both given.`,
      `Give only one of them. If they are one name, quote it: \`${correctedCommand({ words: ['refund', 'create'], typed }, [lastOf, `${lastOf} ${argument}`])}\`.`,
    );
  const flag = typed['transaction-id'];
  if (argument !== undefined && typeof flag === 'string' && flag !== argument)
    throw usage(
      'purchase-ambiguous',
      `Two purchases are named: ${argument} and --transaction-id ${flag}.`,
      'Give only one of them.',
    );
  return argument === undefined ? undefined : checkedId(argument);
}

/** The purchase is found first, then the amount. The body is made of both. */
async function inputOf(
  asking: Dialog,
  { typed, isFull }: RefundOptions,
  purchase: string | undefined,
): Promise<CallInput> {
  const named = purchase === undefined ? {} : { 'transaction-id': purchase };
  const given = await givenBody(asking, refundCreate.body, { ...typed, ...named });
  const { id, left, currency } = await targetOf(asking, given, isFull);
  const found = id === undefined || left === undefined ? {} : { transaction_id: id, amount: left };
  const body = { ...found, ...given.body, ...found };
  const own = await referenceFor(asking, { ...given, body }, id);
  const open = { ...given, body: { ...body, ...own } };
  const known = { currency, instead: ['--full'] };
  const built = await completeBody(asking, refundCreate.body, open, known);
  const transaction_id =
    id ?? (await idToChange(asking, refundCreate, 'purchase', String(built.body.transaction_id)));
  return { body: { ...built.body, transaction_id }, currency: built.currency };
}

/** A purchase, and what gw knows of its refund. */
interface Target {
  /** The id by which the gateway names it; undefined if the body can be completed without it. */
  id?: string;
  /** Minor units to refund, if the user gave no amount. */
  left?: number;
  /** ISO 4217 code, if known. */
  currency: string | undefined;
}

/** @returns what the body needs of the purchase: its amount, if none is given, and its currency, if one is read */
async function targetOf(
  asking: Dialog,
  { body, said, isRead, isAsked }: GivenBody,
  isFull: boolean,
): Promise<Target> {
  const isOpen = isFull || isAsked;
  const name = body.transaction_id ?? (isOpen ? await askForPurchase(asking) : undefined);
  // Before the first question, a person sees whether the purchase is found.
  const { mayAsk, isDryRun } = asking.session.options;
  const isLookedUp = isOpen || isRead || (mayAsk && !isDryRun);
  if (typeof name !== 'string' || !isLookedUp) return { currency: said };
  const id = await idToChange(asking, refundCreate, 'purchase', name);
  if (!isOpen)
    return { id, currency: await currencyOfRefund(asking.session, id, { said, isRead }) };
  return isFull ? allOf(asking.session, id, said) : partOf(asking, id, said);
}

/**
 * A refund is in its purchase's currency, whatever the profile's is: 25 yen are not 25.00 dollars. gw asks the gateway
 * for one that was not seen here. The interface does not say which identifier a refund takes, so a purchase that cannot
 * be looked up is in the currency that the user states.
 * @throws Failure usage if the user stated another currency than the known one
 */
async function currencyOfRefund(
  session: Session,
  purchase: string,
  { said, isRead }: Pick<GivenBody, 'said' | 'isRead'>,
): Promise<string | undefined> {
  const { gateway, options } = session;
  let seen = await gateway.ledger.currencyKnown({ purchase });
  if (seen === undefined) {
    await gateway.admit(refundCreate);
    const asked = await orFailure(lookUpAllowed(session, purchase));
    if (!(asked instanceof Failure)) seen = asked.currency;
    else if ((isRead && said === undefined) || (meetsAll(asked) && !options.isDryRun)) throw asked;
  }
  return agreed(said, seen, `${purchase} was paid`);
}

/**
 * @returns the reference that a person gives the refund, if it lacks one: that of the purchase is suggested, as a return
 * @throws Failure usage with a command that has it, if gw cannot ask and nothing else is missing
 */
async function referenceFor(
  asking: Dialog,
  { body }: GivenBody,
  purchase: string | undefined,
): Promise<{ reference?: string }> {
  if (body.reference !== undefined) return {};
  const { session, questions, words } = asking;
  if (!session.options.mayAsk) {
    const typed = await withReference(asking, textOf(body.transaction_id));
    const { reference } = typed;
    const isLast = body.amount !== undefined || typed['decimal-amount'] !== undefined;
    if (!isLast || typeof reference !== 'string') return {};
    const command = correctedCommand({ words, typed }, [reference, reference]);
    const next = `Give the refund a reference, for example: \`${command}\`.`;
    throw usage('field-missing', 'Missing: --reference.', next);
  }
  if (purchase === undefined) return {};
  const initial = await freeReference(asking, purchase);
  const check = (value: string) => checkTyped('The reference', value);
  const typed = await questions.text('Reference:', {
    check,
    ...(initial && { initial }),
  });
  questions.answer('reference', typed);
  return { reference: typed };
}

/** @throws Failure usage if gw cannot ask */
async function askForPurchase(asking: Dialog): Promise<string> {
  const { session, questions } = asking;
  const missing = usage(
    'field-missing',
    'Missing: the purchase to refund.',
    'Name it: `gw refund create PURCHASE --full`.',
  );
  return askOrRefuse(session.options, missing, async () => {
    const known = await refundableChoices(asking);
    const id = await pickOrType(questions, 'Purchase', known, ' (its id)');
    questions.answer('transaction-id', id);
    return id;
  });
}

/** Everything that is left, shown before it is sent. @throws Failure if nothing is left, or the balance is unknown */
async function allOf(
  session: Session,
  purchase: string,
  said: string | undefined,
): Promise<Target> {
  const target = await lookUpTarget(session.gateway, refundCreate, purchase);
  const { id, balance } = target;
  const currency = agreed(said, target.currency, `${id} was paid`);
  if (target.isOnlyAuthorised) throw onlyAuthorised(id, refundCreate);
  if (!balance) throw unknownBalance(target);
  const text = balanceText(balance, currency);
  if (balance.uncertain > 0)
    throw refused(
      'refund-uncertain',
      `What is left of ${id} is not certain: ${text}.`,
      'Settle those refunds with `gw journal resolve`, or name an amount with --amount.',
    );
  const left = leftOf(balance);
  if (left === 0) throw nothingLeft(id, text);
  await session.notice(`Left of ${id}: ${moneyText(left, currency)} (${text}).`);
  return { id, left, currency };
}

/**
 * The amount that a person types after seeing what is left, if that is known.
 * @param said ISO 4217 code that the user gave
 */
async function partOf(
  { session, questions }: Dialog,
  purchase: string,
  said: string | undefined,
): Promise<Target> {
  const { refusesOverRefunds } = session.options;
  await session.gateway.admit(refundCreate);
  const target = await lookUpAllowed(session, purchase);
  const { id, balance } = target;
  let currency = agreed(said, target.currency, `${id} was paid`);
  if (refusesOverRefunds && target.isOnlyAuthorised) throw onlyAuthorised(id, refundCreate);
  const most = balance && refusesOverRefunds ? leftOf(balance) : undefined;
  if (balance && most === 0) throw nothingLeft(id, balanceText(balance, currency));
  if (currency === undefined) {
    currency = await askForCurrency(questions, true);
    if (currency !== undefined) questions.answer('currency', currency);
  }
  const left = await askForAmount(questions, currency, most);
  questions.answer('amount', String(left));
  return { id, left, currency };
}

/** A user who names an amount may refund a purchase that the profile may not look up. */
async function lookUpAllowed({ gateway }: Session, id: string): Promise<LookedUp> {
  try {
    return await lookUpTarget(gateway, refundCreate, id);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'command-not-allowed') throw error;
    return { id, balance: undefined, currency: undefined, isOnlyAuthorised: false };
  }
}

/** @param said what was paid and refunded, and which refunds are uncertain */
function nothingLeft(id: string, said: string): Failure {
  return refused(
    'nothing-left',
    `${id} is refunded in full: ${said}.`,
    `\`gw history ${commandWord(id)}\` shows its refunds.`,
  );
}

function unknownBalance({ id }: LookedUp): Failure {
  return refused(
    'balance-unknown',
    `gw does not know what was paid for ${id}. The gateway does not say that it was approved, or how much was captured.`,
    `\`gw purchase get ${commandWord(id)}\` shows what it says. Or name an amount with --amount.`,
  );
}

function refused(code: CodeOf<'guard'>, message: string, next: string): Failure {
  return refusal(code, message, next, { operation: refundCreate.name });
}
