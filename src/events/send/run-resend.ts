/** `gw events resend`: sends a received event to an address once more. */
import type { Json } from '../../base/json.ts';
import { Failure, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { StoredEvent } from '../event.ts';
import { findEvent, openEvents } from '../store/event-file.ts';
import {
  type OutgoingDelivery,
  receiverOf,
  type SendOptions,
  sendDelivery,
  withChanges,
} from './send-delivery.ts';

/**
 * @param id of the event, as `findEvent` takes it
 * @throws as `receiverOf`, `findEvent`, `withChanges` and `sendDelivery`
 */
export async function runResend(context: Context, id: string, options: SendOptions): Promise<void> {
  const receiver = await receiverOf(context, options);
  const store = openEvents(context.host);
  let event: StoredEvent;
  try {
    event = await findEvent(store, id);
    if (event.body.length === 0 && event.fault === null) throw notKept(id);
  } finally {
    await store.close();
  }
  await sendDelivery(context, changed(event, options.changes), receiver, options.output);
}

function notKept(id: string): Failure {
  return new Failure('notFound', `gw no longer has the body of event ${id}.`, {
    code: 'event-not-kept',
    next: 'Its profile does not keep bodies. Look up the record that it was about instead.',
  });
}

function changed(
  { event, headers, body, fault }: StoredEvent,
  pairs: readonly string[],
): OutgoingDelivery {
  if (pairs.length === 0) return { event, headers, body, isChanged: false };
  if (fault !== null) {
    throw usage(
      'event-unreadable',
      `--set cannot change this event: ${fault}.`,
      'Omit --set to send it as it was received.',
    );
  }
  const value = withChanges(JSON.parse(Buffer.from(body).toString('utf8')) as Json, pairs);
  return { event, headers, body: Buffer.from(JSON.stringify(value)), isChanged: true };
}
