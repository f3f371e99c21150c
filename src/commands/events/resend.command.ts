/**
 * `gw events resend`: an event that was received, to an address of the user's choice.
 *
 * Tests: test/system/listen-repeats.test.ts, test/system/listen.test.ts
 */
import { withNumbers } from '../../base/json.ts';
import { command } from '../../cli/dispatch/command.ts';
import { basicAuthFlag, setFlag } from '../../cli/flags/delivery-flags.ts';
import { idArg, option, toggle } from '../../cli/flags/flag.ts';
import { printFlags } from '../../cli/flags/global-flags.ts';
import { writtenJson } from '../../contract/envelope.ts';
import type { StoredEvent } from '../../events/event.ts';
import {
  type OutgoingDelivery,
  receiverOf,
  sendDelivery,
  sendOptions,
  withChanges,
} from '../../events/send/send-delivery.ts';
import { SENT_VIEW } from '../../events/send/sent-view.ts';
import { findEvent, openEvents } from '../../events/store/event-file.ts';
import { Failure, usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { neutralise } from '../../host/redaction/safe.ts';

export default command({
  summary: 'Send a received event again, to an address of your choice',
  description: `Sends the bytes and headers as they arrived, without credentials. --set changes one
    field of what gw sends. The stored event stays the same. If it waits for \`gw listen --forward-to\` with this
    address, it waits no longer once it is taken. gw refuses an event that the gateway
    contradicted, because \`gw listen --forward-to\` withholds it too.`,
  prints: SENT_VIEW,
  examples: [
    'gw events resend 17 --to http://127.0.0.1:3000/hooks',
    "gw events resend 17 --to http://127.0.0.1:3000/hooks --set 'payload.0.subscription.last_status=Failed (3), Aborted'",
  ],
  args: idArg('Id of the event.'),
  flags: {
    to: option({ description: 'Where to send it.', helpValue: '<url>', required: true }),
    contradicted: toggle({
      description: 'Send it although the gateway contradicted it (`gw listen --verify`).',
    }),
    ...setFlag,
    ...basicAuthFlag('for the address'),
    ...printFlags,
  },
  async run(context, { args, flags }) {
    const options = sendOptions(context.host, flags);
    const receiver = await receiverOf(context, options);
    const event = await keptEvent(context.host, args.id);
    if (!flags.contradicted) refuseContradicted(event);
    const delivery = changed(event, options.changes);
    await sendDelivery(context.host, delivery, receiver, options.output);
    if (!delivery.isChanged) await settleWaiting(context.host, event.id, receiver.target.href);
  },
});

async function keptEvent(host: Pick<Host, 'files'>, id: string): Promise<StoredEvent> {
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
async function settleWaiting(host: Pick<Host, 'files'>, id: number, target: string): Promise<void> {
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
function refuseContradicted({ id, verification }: StoredEvent): void {
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
  const value = withChanges(writtenJson(Buffer.from(body).toString('utf8')) ?? null, pairs);
  return { event, headers, body: Buffer.from(withNumbers(JSON.stringify(value))), isChanged: true };
}
