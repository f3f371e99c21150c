/** Stops and resumes subscriptions: `gw subscription stop` and `resume`. */
import type { CommandOptions } from '../../cli/flags/command-options.ts';
import { subscriptionUpdate } from '../../contract/resources/subscription.ts';
import type { Context } from '../../host/context.ts';
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
    await submit(asking.session, subscriptionUpdate, input);
  });
}
