/** What `gw subscription stop` does once argv is parsed. */
import type { Session } from '../../client/connection/session.ts';
import { kindOfId } from '../../contract/record-id.ts';
import { subscriptionGet, subscriptionUpdate } from '../../contract/resources/subscription.ts';
import type { Context } from '../../host/context.ts';
import { openAsking, summarise, tellCommand, tellFailure } from '../asking.ts';
import { askedId } from '../known-choices.ts';
import type { SessionFlags } from '../open-session.ts';
import { submit } from './submit.ts';

/** @param name id or reference of the subscription */
export async function stopSubscription(
  context: Context,
  name: string | undefined,
  flags: SessionFlags,
): Promise<void> {
  const words = ['subscription', 'stop', ...(name === undefined ? [] : [name])];
  const asking = await openAsking(context, subscriptionUpdate, words, flags);
  const { session } = asking;
  try {
    const given = await askedId(asking, name, 'subscription', 'reference');
    const input = { id: await idToChange(session, given), body: { is_active: false } };
    await summarise(asking, subscriptionUpdate, input);
    await submit(session, subscriptionUpdate, input);
    await tellCommand(asking);
  } catch (error) {
    throw await tellFailure(asking, error);
  } finally {
    await session.close();
  }
}

/**
 * The interface reads a subscription by its reference and changes it by its id; a user has either.
 * @returns the id to change it by: as given when it looks like one, else looked up
 */
async function idToChange(session: Session, idOrReference: string): Promise<string> {
  if (kindOfId(idOrReference) === 'subscription') return idOrReference;
  const { records } = await session.call(subscriptionGet, { id: idOrReference });
  const id = records[0]?.id;
  // Some deployments leave the id out and take the reference in its place.
  return typeof id === 'string' ? id : idOrReference;
}
