import type { Json } from '../../base/json.ts';
import { command } from '../../dispatch/command.ts';
import type { StoredEvent } from '../../events/event-store.ts';
import { findEvent } from '../../events/find-event.ts';
import { openEventStore } from '../../events/sqlite-event-store.ts';
import { usage } from '../../failure.ts';
import {
  basicAuthFlag,
  basicCredentials,
  parseTarget,
  setFlag,
} from '../../flags/delivery-flags.ts';
import { idArg, option } from '../../flags/flag.ts';
import { printFlags } from '../../flags/global-flags.ts';
import {
  type OutgoingDelivery,
  sendDelivery,
  withChanges,
} from '../../operations/send-delivery.ts';
import { ledgerPath } from '../../session/paths.ts';

export default command({
  summary: 'Send a received event again, to an address of your choice',
  description: `Sends the bytes and headers as they were received, without credentials. With --set one field
    of the body is another; the event that is kept stays as it is.`,
  examples: [
    'gw events resend 17 --to http://127.0.0.1:3000/hooks',
    "gw events resend 17 --to http://127.0.0.1:3000/hooks --set 'payload.0.subscription.last_status=Failed (3), Aborted'",
  ],
  args: idArg('Id of the event.'),
  flags: {
    to: option({ description: 'Where to send it.', helpValue: '<url>', required: true }),
    ...setFlag,
    ...basicAuthFlag('for the address'),
    ...printFlags,
  },

  async run(context, { args, flags }) {
    const target = parseTarget('to', flags.to);
    const credentials = await basicCredentials(context, flags['basic-auth']);
    const store = await openEventStore(ledgerPath(context.host.files));
    let event: StoredEvent;
    try {
      event = await findEvent(store, args.id);
    } finally {
      await store.close();
    }
    const delivery = changed(event, flags.set ?? []);
    await sendDelivery(context, delivery, target, credentials, flags);
  },
});

function changed(
  { event, headers, body, fault }: StoredEvent,
  pairs: readonly string[],
): OutgoingDelivery {
  if (pairs.length === 0) return { event, headers, body, isChanged: false };
  if (fault !== null) {
    throw usage(`No field can be set: ${fault}.`, 'Leave out --set to send it as it was received.');
  }
  const value = withChanges(JSON.parse(Buffer.from(body).toString('utf8')) as Json, pairs);
  return { event, headers, body: Buffer.from(JSON.stringify(value)), isChanged: true };
}
