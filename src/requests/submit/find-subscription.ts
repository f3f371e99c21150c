import type { Session } from '../../client/connection/session.ts';
import { kindOfId } from '../../contract/record-id.ts';
import { subscriptionGet } from '../../contract/resources/subscription.ts';

/**
 * The interface reads a subscription by its reference and changes it by its id; a user has either.
 * @returns the id to change it by: as given when it looks like one, else looked up
 */
export async function findSubscription(session: Session, idOrReference: string): Promise<string> {
  if (kindOfId(idOrReference) === 'subscription') return idOrReference;
  const { records } = await session.call(subscriptionGet, { id: idOrReference });
  const id = records[0]?.id;
  // Some deployments leave the id out and take the reference in its place.
  return typeof id === 'string' ? id : idOrReference;
}
