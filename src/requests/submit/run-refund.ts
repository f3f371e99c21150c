/**
 * The parts of `gw refund create` that other commands lack. The purchase may be an argument, and the amount may be
 * everything that is left of it. Before anything is sent, gw computes that amount from what the gateway says was paid
 * and what the ledger knows was refunded. The ledger judges the same amount again at the intent, so of two refunds at
 * once it refuses one.
 */

import type { Json, JsonObject } from '../../base/json.ts';
import { askForAmount } from '../../cli/body/ask-amount.ts';
import { buildBody } from '../../cli/body/build-body.ts';
import { pickOrType } from '../../cli/body/pick-or-type.ts';
import { checkedId } from '../../cli/body/read-ids.ts';
import { saidByFlags } from '../../cli/body/said-flags.ts';
import type { CommandOptions } from '../../cli/flags/command-options.ts';
import {
  type LookedUp,
  lookUpTarget,
  onlyAuthorised,
} from '../../client/connection/refund-target.ts';
import { balanceText } from '../../client/connection/refusals.ts';
import { checkRequest } from '../../contract/check.ts';
import { currencyCode } from '../../contract/currency.ts';
import { moneyText } from '../../contract/money.ts';
import { refundCreate } from '../../contract/resources/refund.ts';
import { Failure, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { typedWord } from '../../host/redaction/safe.ts';
import { leftOf } from '../../journal/balance.ts';
import { type Asking, summarise, withAsking } from '../asking.ts';
import { lastPaymentOf } from '../known/last-payment.ts';
import { idToChange } from '../known/named-record.ts';
import { refundableChoices } from '../known-choices.ts';
import type { Session } from '../session.ts';
import { bodyPlace, printSkeleton, submit } from './submit.ts';

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
  if (typed.skeleton === true) return printSkeleton(context, refundCreate.body);
  const id = purchaseOf(purchase, options);
  const words = ['refund', 'create', ...(purchase === undefined ? [] : [purchase])];
  await withAsking(context, { operation: refundCreate, words, ...options }, async (asking) => {
    const { lastOf } = options;
    const found = lastOf === undefined ? id : await lastPaymentOf(asking, refundCreate, lastOf);
    const body = await bodyOf(asking, options, found);
    await summarise(asking, refundCreate, { body });
    await submit(asking.session, refundCreate, { body });
  });
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
      'Give only one of them.',
      { sent: false },
    );
  const flag = typed['transaction-id'];
  if (argument !== undefined && typeof flag === 'string' && flag !== argument)
    throw usage(
      'purchase-ambiguous',
      `Two purchases are named: ${argument} and --transaction-id ${flag}.`,
      'Give only one of them.',
      { sent: false },
    );
  return argument === undefined ? undefined : checkedId(argument);
}

async function bodyOf(
  asking: Asking,
  { typed, isFull }: RefundOptions,
  purchase: string | undefined,
): Promise<JsonObject> {
  const { session } = asking;
  const named = purchase ?? typed['transaction-id'];
  const fields: Record<string, Json> = typeof named === 'string' ? { transaction_id: named } : {};
  const isAmountSaid = ['amount', 'decimal-amount', 'input'].some(
    (name) => typed[name] !== undefined,
  );
  const mayAsk = session.options.mayAsk;
  let resolved: string | undefined;
  const withId = async (body: JsonObject): Promise<JsonObject> => {
    if (typeof body.transaction_id !== 'string') return body;
    resolved ??= await idToChange(asking, refundCreate, 'purchase', body.transaction_id);
    return { ...body, transaction_id: resolved };
  };
  if (!isAmountSaid && (mayAsk || isFull)) {
    fields.transaction_id ??= await askForPurchase(asking);
    const id = String((await withId(fields)).transaction_id);
    const { left, found } = isFull ? await allOf(session, id) : await partOf(asking, id);
    Object.assign(fields, { transaction_id: found, amount: left });
    resolved = found;
  }
  const body = await buildBody(bodyPlace(asking), refundCreate.body, typed, {
    fields,
    instead: ['--full'],
    currencyOf: async (body, said) => currencyOfRefund(session, await withId(body), said),
  });
  checkRequest(refundCreate, body, saidByFlags(refundCreate.body, typed));
  return withId(body);
}

/**
 * A refund is in its purchase's currency, whatever the profile's is: 25 yen are not 25.00 dollars.
 * @throws Failure usage if the user stated another currency than the known one
 */
async function currencyOfRefund(
  session: Session,
  body: JsonObject,
  said: string | undefined,
): Promise<string | undefined> {
  const { transaction_id: purchase } = body;
  if (typeof purchase !== 'string') return said;
  const known = await currencyPaid(session, body, purchase);
  const given = said === undefined ? undefined : currencyCode(said);
  if (known !== undefined && given !== undefined && given !== known)
    throw usage(
      'currency-differs',
      `${purchase} was paid in ${known}, and --currency says ${given}.`,
      'Leave --currency out, or check which purchase it is.',
      { sent: false },
    );
  const currency = known ?? given;
  const { currency: assumed } = session.profile;
  if (currency === undefined && assumed !== undefined)
    await session.notice(
      `gw does not know the currency of ${purchase}. It reads --decimal-amount as ${assumed}, the currency of the profile. --currency names another.`,
    );
  return currency;
}

/** The currency of the purchase as seen here; otherwise asks the gateway, if the profile allows it. */
async function currencyPaid(
  session: Session,
  body: JsonObject,
  purchase: string,
): Promise<string | undefined> {
  const seen = await session.gateway.ledger.currencyOf(refundCreate, { body });
  if (seen !== undefined || session.options.isDryRun) return seen;
  await session.gateway.admit(refundCreate);
  return (await lookUpAllowed(session, purchase)).currency;
}

/** @throws Failure usage if gw cannot ask */
async function askForPurchase(asking: Asking): Promise<string> {
  const { session, questions } = asking;
  if (!session.options.mayAsk)
    throw usage(
      'field-missing',
      'Missing: the purchase to refund.',
      'Name it: `gw refund create PURCHASE --full`.',
      { sent: false },
    );
  const known = await refundableChoices(asking);
  const id = await pickOrType(questions, 'Purchase', known, ' (its id)');
  questions.answer('transaction-id', id);
  return id;
}

interface Amount {
  /** Minor units to refund. */
  left: number;
  /** The purchase, as the gateway names it. */
  found: string;
}

/** Everything that is left, shown before it is sent. @throws Failure if nothing is left, or the balance is unknown */
async function allOf(session: Session, purchase: string): Promise<Amount> {
  const target = await lookUpTarget(session.gateway, refundCreate, purchase);
  const { id, balance, currency } = target;
  if (target.isOnlyAuthorised) throw onlyAuthorised(id, refundCreate);
  if (!balance) throw unknownBalance(target);
  const said = balanceText(balance, currency);
  if (balance.uncertain > 0)
    throw refused(
      'refund-uncertain',
      `What is left of ${id} is not certain: ${said}.`,
      'Settle those refunds with `gw journal resolve`, or name an amount with --amount.',
    );
  const left = leftOf(balance);
  if (left === 0) throw nothingLeft(id, said);
  await session.notice(`Left of ${id}: ${moneyText(left, currency)} (${said}).`);
  return { left, found: id };
}

/** The amount that a person types after seeing what is left, if that is known. */
async function partOf({ session, questions }: Asking, purchase: string): Promise<Amount> {
  const { refusesOverRefunds } = session.options;
  await session.gateway.admit(refundCreate);
  const target = await lookUpAllowed(session, purchase);
  const { id, balance, currency } = target;
  if (refusesOverRefunds && target.isOnlyAuthorised) throw onlyAuthorised(id, refundCreate);
  const most = balance && refusesOverRefunds ? leftOf(balance) : undefined;
  if (balance && most === 0) throw nothingLeft(id, balanceText(balance, currency));
  const amount = await askForAmount(questions, currency ?? session.profile.currency, most);
  questions.answer('amount', String(amount));
  return { left: amount, found: id };
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
    `\`gw history ${typedWord(id)}\` shows its refunds.`,
  );
}

function unknownBalance({ id }: LookedUp): Failure {
  return refused(
    'balance-unknown',
    `gw does not know what was paid for ${id}. The gateway does not say that it was approved.`,
    `\`gw purchase get ${typedWord(id)}\` shows what it says. Or name an amount with --amount.`,
  );
}

function refused(code: string, message: string, next: string): Failure {
  return new Failure('guard', message, {
    code,
    next,
    sent: false,
    operation: refundCreate.name,
  });
}
