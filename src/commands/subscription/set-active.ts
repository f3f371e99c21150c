/** Stops and resumes subscriptions: `gw subscription stop` and `resume`. */

import type { JsonObject } from '../../base/json.ts';
import { textOrNull } from '../../base/text.ts';
import type { CommandOptions } from '../../cli/flags/command-options.ts';
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
import { chooseId } from '../../requests/known-choices.ts';
import { refuseMoved } from '../../requests/submit/moved-subscription.ts';
import { submit } from '../../requests/submit/submit.ts';

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
    const given = await chooseId(asking, name, 'subscription', 'reference');
    const input = {
      id: await idToChange(asking, subscriptionUpdate, 'subscription', given),
      body: { is_active: isActive },
    };
    await refuseSecond(asking, subscriptionUpdate, input);
    await refuseMoved(asking.session, subscriptionUpdate, input);
    const seen = await asking.session.gateway.ledger.rememberedOf('subscription', input.id);
    const known = seen?.record ?? {};
    await summarise(
      asking,
      subscriptionUpdate,
      input,
      isActive ? [] : await whatEnds(asking, known),
    );
    const holder = textOrNull(known.customer);
    const reply = await submit(asking.session, subscriptionUpdate, input).catch((error) => {
      throw withCardToUpdate(error, holder);
    });
    const [stopped] = reply?.records ?? [];
    if (stopped && !isActive) await asking.session.notice(stoppedText(stopped, known));
  });
}

/** @returns the price of a subscription, and the day of its next charge, as far as they are known here */
async function whatEnds(
  { host, session }: Dialog,
  { id, frequency, next_billing_date: next }: JsonObject,
): Promise<ShownLine[]> {
  const things = await withKnown(host, session.gateway, (known, owner) =>
    known.things.tied([String(id)], { kinds: ['subscription'], scope: owner, limit: 1 }),
  );
  const [{ amount = null, currency = null } = {}] = things ?? [];
  const price = amount === null ? null : moneyText(amount, currency ?? undefined);
  return [
    ['Price', [price, textOrNull(frequency)].filter(Boolean).join(', ') || undefined],
    ['Next charge', textOrNull(next) ?? undefined],
  ];
}

/** @param before the record as it was last seen @returns what the stop means for the customer */
function stoppedText({ next_billing_date: next }: JsonObject, before: JsonObject): string {
  if (before.is_active === false) return 'It was stopped already: nothing is charged.';
  const due = textOrNull(next);
  return `Stopped: no more charges.${due === null ? '' : ` The one due ${due.slice(0, 10)} will not be made.`}`;
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
