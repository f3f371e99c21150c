/** Stops and resumes subscriptions: `gw subscription stop` and `resume`. */
import { textOrNull } from '../../base/text.ts';
import type { CommandOptions } from '../../cli/flags/command-options.ts';
import { subscriptionUpdate } from '../../contract/resources/subscription.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { commandWord } from '../../host/redaction/safe.ts';
import { summarise, withAsking } from '../../requests/asking.ts';
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
    await summarise(asking, subscriptionUpdate, input);
    const seen = await asking.session.gateway.ledger.rememberedOf('subscription', input.id);
    const holder = textOrNull(seen?.record.customer);
    await submit(asking.session, subscriptionUpdate, input).catch((error) => {
      throw withCardToUpdate(error, holder);
    });
  });
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
