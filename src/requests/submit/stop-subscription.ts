/** What `gw subscription stop` does once argv is parsed. */
import { subscriptionUpdate } from '../../contract/resources/subscription.ts';
import type { Context } from '../../host/context.ts';
import { askedId } from '../asked-id.ts';
import type { SessionFlags } from '../look-up/run-get.ts';
import { summarise, withQuestions } from '../with-questions.ts';
import { findSubscription } from './find-subscription.ts';
import { submit } from './submit.ts';

/** @param name id or reference of the subscription */
export async function stopSubscription(
  context: Context,
  name: string | undefined,
  flags: SessionFlags,
): Promise<void> {
  const words = ['subscription', 'stop', ...(name === undefined ? [] : [name])];
  const asking = { operation: subscriptionUpdate, flags, words };
  await withQuestions(context, asking, async (session, questions) => {
    const given = await askedId({ session, questions }, name, 'subscription', 'reference');
    const id = await findSubscription(session, given);
    const input = { id, body: { is_active: false } };
    await summarise(context, { session, questions }, subscriptionUpdate, input);
    await submit(session, subscriptionUpdate, input);
  });
}
