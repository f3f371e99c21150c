/**
 * The steps of sending a received event again.
 *
 * Tests: test/system/listen-repeats.test.ts, test/system/desk-commands.test.ts
 */
import { Failure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { StoredEvent } from '../event.ts';
import { findEvent, openEvents } from '../store/event-file.ts';

/** @throws Failure notFound if there is no such event, or its body is not kept */
export async function eventToSend(host: Pick<Host, 'files'>, id: string): Promise<StoredEvent> {
  const store = openEvents(host);
  try {
    const event = await findEvent(store, id);
    if (event.body.length === 0 && event.fault === null) throw notKept(id);
    return event;
  } finally {
    await store.close();
  }
}

/** An event that waits to be passed on to the address need not be sent there again by the next `gw listen`. */
export async function settleWaiting(
  host: Pick<Host, 'files'>,
  id: number,
  target: string,
): Promise<void> {
  const store = openEvents(host);
  try {
    const waiting = (await store.waiting(target)).find((one) => one.id === id);
    if (!waiting) return;
    const attempts = waiting.attempts + 1;
    await store.settleForward({ target, id, attempts, state: 'done', error: null });
  } finally {
    await store.close();
  }
}

/** `gw listen --forward-to` withholds what the gateway contradicts. @throws Failure guard if this does so too */
export function refuseContradicted({ id, verification }: StoredEvent): void {
  if (verification?.state !== 'contradicted') return;
  const { reason } = verification;
  throw new Failure(
    'event-contradicted',
    `The gateway contradicts event ${id}: ${neutralise(reason)}.`,
    '`gw listen --forward-to` does not pass it on either. Add --contradicted to send it all the same.',
  );
}

function notKept(id: string): Failure {
  return new Failure(
    'event-not-kept',
    `gw no longer has the body of event ${id}.`,
    'Its profile does not keep bodies. Look up the record that it was about instead.',
  );
}
