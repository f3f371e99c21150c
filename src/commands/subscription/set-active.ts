/**
 * Stops and resumes subscriptions: `gw subscription stop` and `resume`.
 *
 * Tests: test/scripts/commands/subscription-stop.script, test/scripts/commands/subscription-move.script
 */

import type { JsonObject } from '../../base/json.ts';
import { textOrNull } from '../../base/text.ts';
import type { CommandOptions } from '../../cli/flags/command-options.ts';
import { gatewayTime } from '../../client/gateway-time.ts';
import type { ShownLine } from '../../client/guards/guard.ts';
import { moneyText } from '../../contract/money.ts';
import { subscriptionUpdate } from '../../contract/resources/subscription.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { commandWord } from '../../host/redaction/safe.ts';
import { type Dialog, summarise, withAsking } from '../../requests/asking.ts';
import { withKnown } from '../../requests/known/lazy-ledger.ts';
import { idToChange } from '../../requests/known/named-record.ts';
import { refuseSecond } from '../../requests/known/second-subscription.ts';
import { scheduleOf, type WaitingRetry } from '../../requests/known/subscription-schedule.ts';
import { chooseId } from '../../requests/known-choices.ts';
import { refuseMoved } from '../../requests/submit/moved-subscription.ts';
import { submit } from '../../requests/submit/submit.ts';
import type { Thing } from '../../things/thing.ts';

/**
 * @param name id or reference of the subscription
 * @throws Failure as every command that sends a request
 */
export async function setActive(
  context: Context,
  name: string | undefined,
  isActive: boolean,
  options: CommandOptions,
): Promise<void> {
  const verb = isActive ? 'resume' : 'stop';
  const words = ['subscription', verb, ...(name === undefined ? [] : [name])];
  const settings = { operation: subscriptionUpdate, words, ...options };
  await withAsking(context, settings, async (asking) => {
    const isOpen = ({ outcome }: Pick<Thing, 'outcome'>) => (outcome === 'stopped') === isActive;
    const given = await chooseId(asking, name, 'subscription', {
      by: 'reference',
      isOffered: isOpen,
    });
    const input = {
      id: await idToChange(asking, subscriptionUpdate, 'subscription', given),
      body: { is_active: isActive },
    };
    await refuseSecond(asking, subscriptionUpdate, input);
    await refuseMoved(asking.session, subscriptionUpdate, input);
    const seen = await asking.session.gateway.ledger.rememberedOf('subscription', input.id);
    const known = seen?.record ?? {};
    const before = await knownBefore(asking, input.id);
    await summarise(asking, subscriptionUpdate, input, isActive ? [] : whatEnds(before, known));
    const holder = textOrNull(known.customer);
    const reply = await submit(asking.session, subscriptionUpdate, input).catch((error) => {
      throw withCardToUpdate(error, holder);
    });
    const [record] = reply?.records ?? [];
    if (!record) return;
    const text = isActive ? resumedText(record, known) : stoppedText(record, known, before?.retry);
    await asking.session.notice(text);
  });
}

interface Before extends Pick<Thing, 'amount' | 'currency'> {
  retry: WaitingRetry | null;
}

/** @returns the price and the waiting retry of a subscription, as far as they are known here */
async function knownBefore({ host, session }: Dialog, id: string): Promise<Before | undefined> {
  const things = await withKnown(host, session.gateway, (known, owner) =>
    known.things.tied([id], { kinds: ['subscription'], scope: owner, limit: 1 }),
  );
  const [thing] = things ?? [];
  if (!thing) return undefined;
  const today = (await gatewayTime(host, session.profile)).toISOString().slice(0, 10);
  const { amount, currency } = thing;
  return { amount, currency, retry: scheduleOf(thing, today).retry };
}

/** @returns the price of a subscription, and the days of its next charge and retry */
function whatEnds(
  { amount = null, currency = null, retry = null }: Partial<Before> = {},
  { frequency, next_billing_date: next }: JsonObject,
): ShownLine[] {
  const price = amount === null ? null : moneyText(amount, currency ?? undefined);
  return [
    ['Price', [price, textOrNull(frequency)].filter(Boolean).join(', ') || undefined],
    ['Next charge', textOrNull(next) ?? undefined],
    ['Next retry', retry?.date ?? undefined],
  ];
}

/**
 * @param before the record as it was last seen
 * @param retry of a failed charge, which was waiting
 * @returns what the stop means for the customer
 */
function stoppedText(
  record: JsonObject,
  before: JsonObject,
  retry: WaitingRetry | null | undefined,
): string {
  const undo = `\`gw subscription resume ${commandWord(nameOf(record))}\` starts it again.`;
  if (before.is_active === false) return `It was stopped already: nothing is charged. ${undo}`;
  const due = textOrNull(record.next_billing_date);
  const missed = due === null ? '' : ` The one due ${due.slice(0, 10)} will not be made.`;
  return `Stopped: no more charges.${missed}${retryText(record, retry)} ${undo}`;
}

/** The interface does not say what becomes of a retry (section 3.2), so gw says what the answer does. */
function retryText(
  { last_status: status }: JsonObject,
  retry: WaitingRetry | null | undefined,
): string {
  if (!retry) return '';
  const what = `The retry of the failed charge${retry.date === null ? '' : `, due ${retry.date},`}`;
  return /, Aborted$/.test(textOrNull(status) ?? '')
    ? ` ${what} is not made either: that charge stays unpaid.`
    : ` ${what} may still be made: the gateway does not say that it is not.`;
}

/** @param before the record as it was last seen @returns when it is charged again, and what is not */
function resumedText(
  { next_billing_date: next, last_status: status }: JsonObject,
  before: JsonObject,
): string {
  const due = textOrNull(next);
  const charged =
    due === null ? 'It is active.' : `It is active: the next charge is due ${due.slice(0, 10)}.`;
  const isFailed = /^Failed/.test(textOrNull(before.last_status) ?? '');
  const isWaiting = /, Pending$/.test(textOrNull(status) ?? '');
  return isFailed && !isWaiting
    ? `${charged} The charge that failed before is not tried again: \`gw report unpaid\` lists it.`
    : charged;
}

function nameOf({ reference, id }: JsonObject): string {
  return textOrNull(reference) ?? textOrNull(id) ?? '';
}

/** @returns the error; for an expired card, with the command that gives the customer another one */
function withCardToUpdate(error: unknown, customer: string | null): unknown {
  if (!(error instanceof Failure) || error.kind !== 'rejected' || customer === null) return error;
  const message = error.message.toLowerCase();
  const place = message.indexOf('card');
  if (place === -1 || !message.includes('expired', place)) return error;
  return error.with({
    next: `Nothing was processed. Give the customer another card with \`gw customer update ${commandWord(customer)}\`, then run the command again.`,
  });
}
