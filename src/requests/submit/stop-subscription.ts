/** What `gw subscription stop` does once argv is parsed. */
import type { CommandOptions } from '../../cli/flags/command-options.ts';
import { subscriptionUpdate } from '../../contract/resources/subscription.ts';
import type { Context } from '../../host/context.ts';
import { openAsking, summarise, tellCommand, tellFailure } from '../asking.ts';
import { idToChange } from '../known/named-record.ts';
import { askedId } from '../known-choices.ts';
import { submit } from './submit.ts';

/** @param name id or reference of the subscription */
export async function stopSubscription(
  context: Context,
  name: string | undefined,
  options: CommandOptions,
): Promise<void> {
  const words = ['subscription', 'stop', ...(name === undefined ? [] : [name])];
  const asking = await openAsking(context, subscriptionUpdate, words, options);
  const { session } = asking;
  try {
    const given = await askedId(asking, name, 'subscription', 'reference');
    const input = {
      id: await idToChange(asking, subscriptionUpdate, 'subscription', given),
      body: { is_active: false },
    };
    await summarise(asking, subscriptionUpdate, input);
    await submit(session, subscriptionUpdate, input);
    await tellCommand(asking);
  } catch (error) {
    throw await tellFailure(asking, error);
  } finally {
    await session.close();
  }
}
