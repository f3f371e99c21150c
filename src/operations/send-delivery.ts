/** Sends one delivery from here, and prints what came back: the end of `events resend` and `trigger`. */
import { basicAuthorization } from '../base/basic-authorization.ts';
import type { Json } from '../base/json.ts';
import type { Header } from '../events/event-store.ts';
import { Failure } from '../failure.ts';
import { splitPair, typedValue } from '../flags/pairs.ts';
import { neutralise } from '../redaction/safe.ts';
import type { Context } from '../session/context.ts';
import { type PrintFlags, printRecords } from '../view/print-records.ts';
import { SENT_VIEW } from '../view/records/delivery.ts';
import { createDeliverySender } from '../webhooks/delivery.ts';
import type { BasicCredentials } from '../webhooks/receive/basic-auth.ts';
import { withValueAt } from '../webhooks/set-path.ts';

export interface OutgoingDelivery {
  event: string | null;
  headers: readonly Header[];
  body: Uint8Array;
  /** true when the body is not as it was received. */
  isChanged: boolean;
}

/** @param pairs values of `--set`. @throws Failure usage when one of them cannot be set */
export function withChanges(body: Json, pairs: readonly string[]): Json {
  return pairs.reduce<Json>((changed, pair) => {
    const [path, text] = splitPair('set', pair);
    return withValueAt(changed, path, typedValue(text));
  }, body);
}

/** @throws Failure notReached when no answer came, rejected when it was not a success */
export async function sendDelivery(
  { host }: Pick<Context, 'host'>,
  delivery: OutgoingDelivery,
  target: URL,
  credentials: BasicCredentials | undefined,
  flags: PrintFlags,
): Promise<void> {
  const sender = await createDeliverySender(
    target,
    1,
    credentials && basicAuthorization(credentials.username, credentials.password),
  );
  const result = await sender.send(delivery.headers, delivery.body, host.interrupted);
  await sender.close();
  if (host.interrupted.aborted) throw host.interrupted.reason;
  if (result.status === undefined) {
    throw new Failure('notReached', `${target.host} gave no answer: ${result.reason}.`, {
      next: 'Check that something listens there: gw listen does at its default address.',
    });
  }
  const record = SENT_VIEW.record({
    event: delivery.event,
    to: target.href,
    status: result.status,
    changed: delivery.isChanged,
  });
  await printRecords(host, flags, [record], { kind: SENT_VIEW, isSingle: true });
  if (result.isTaken) return;
  throw new Failure('rejected', `${neutralise(target.host)} did not take it: ${result.reason}.`, {
    status: result.status,
    next: 'Its own log says why. Correct it, and send the event again.',
  });
}
