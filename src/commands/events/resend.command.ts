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
import { eventToSend, refuseContradicted, settleWaiting } from '../../events/send/resend.ts';
import {
  type OutgoingDelivery,
  receiverOf,
  sendDelivery,
  sendOptions,
  withChanges,
} from '../../events/send/send-delivery.ts';
import { SENT_VIEW } from '../../events/send/sent-view.ts';
import { usage } from '../../failure.ts';

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
    const event = await eventToSend(context.host, args.id);
    if (!flags.contradicted) refuseContradicted(event);
    const delivery = changed(event, options.changes);
    await sendDelivery(context.host, delivery, receiver, options.output);
    if (!delivery.isChanged) await settleWaiting(context.host, event.id, receiver.target.href);
  },
});

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
