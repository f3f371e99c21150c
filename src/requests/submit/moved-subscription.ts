/**
 * Which subscription took the place of one that was moved. The ledger knows which was to, and the gateway says whether
 * it does. Resuming the old one as well would bill its customer twice.
 */
import type { Reply } from '../../client/exchange/classify.ts';
import type { CallInput } from '../../client/exchange/wire-request.ts';
import { readFlag } from '../../contract/normal.ts';
import type { Operation } from '../../contract/operation.ts';
import { likeMoney, startsCharges } from '../../contract/operations.ts';
import { subscriptionCreate, subscriptionGet } from '../../contract/resources/subscription.ts';
import { Failure, orFailure, usage } from '../../failure.ts';
import { commandWord, neutralise } from '../../host/redaction/safe.ts';
import { movedTo } from '../../things/subscription-state.ts';
import type { Session } from '../session.ts';

/** @returns the reference of the one that is to take its place; undefined if it was not moved, or resumed since */
export async function placeTakenBy({ gateway }: Session, id: string): Promise<string | undefined> {
  const known = await gateway.ledger.rememberedOf('subscription', id);
  return known && movedTo(known.deeds);
}

/**
 * @returns the subscription of that reference, if the gateway has one
 * @throws Failure guard if it has none, and the ledger has a request for it that may have made it
 */
export async function inPlace(session: Session, reference: string): Promise<Reply | undefined> {
  const { gateway } = session;
  const there = await subscriptionCalled(session, reference);
  const operation = likeMoney(subscriptionCreate);
  const input = { body: { reference } };
  const request = there ? undefined : await gateway.ledger.keptOf(operation, input);
  const [refused] = request ? await gateway.ledger.foresee(operation, [{ request }]) : [];
  if (refused) throw await gateway.ledger.refusal(refused, operation, input);
  return there;
}

export async function subscriptionCalled(
  session: Session,
  name: string,
): Promise<Reply | undefined> {
  const found = await orFailure(session.call(subscriptionGet, { id: name }));
  if (!(found instanceof Failure)) return found;
  if (found.kind === 'notFound') return undefined;
  throw found;
}

/**
 * @param input of any request; only one that resumes a subscription is refused
 * @throws Failure usage if another bills in its place, or the one that was moved on from there; guard if one may
 */
export async function refuseMoved(
  session: Session,
  operation: Operation,
  { id, body = {} }: CallInput,
): Promise<void> {
  if (operation.recurring?.planIn !== 'record' || id === undefined) return;
  const to = startsCharges(operation, { body }) ? await placeTakenBy(session, id) : undefined;
  const [record] = to === undefined ? [] : ((await inPlace(session, to))?.records ?? []);
  if (to === undefined || !record) return;
  const next = typeof record.id === 'string' ? record.id : to;
  if (readFlag(record.is_active ?? null) === false)
    return refuseMoved(session, operation, { id: next, body });
  throw usage(
    'subscription-moved',
    `${neutralise(to)} took its place and is billed, so a resume would bill the customer twice.`,
    `Nothing was changed. To bill as before, run \`gw subscription stop ${commandWord(next)}\` first.`,
  );
}
