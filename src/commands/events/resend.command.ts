/**
 * `gw events resend`: an event that was received, to an address of the user's choice.
 *
 * Tests: test/system/listen-repeats.test.ts, test/system/listen.test.ts
 */
import { withNumbers } from '../../base/json.ts';
import { commandText } from '../../base/shell.ts';
import { plural, quantity } from '../../base/text.ts';
import { command } from '../../cli/dispatch/command.ts';
import { basicAuthFlag, setFlag } from '../../cli/flags/delivery-flags.ts';
import { idsArg, option, toggle } from '../../cli/flags/flag.ts';
import { interactionFlags, printFlags } from '../../cli/flags/global-flags.ts';
import { writtenJson } from '../../contract/envelope.ts';
import type { StoredEvent } from '../../events/event.ts';
import { eventToSend, refuseContradicted, settleWaiting } from '../../events/send/resend.ts';
import {
  checkTaken,
  deliverOnce,
  isTaken,
  type OutgoingDelivery,
  receiverOf,
  type SendOptions,
  sendOptions,
  withChanges,
} from '../../events/send/send-delivery.ts';
import { SENT_VIEW, type SentDelivery } from '../../events/send/sent-view.ts';
import { Failure, usage } from '../../failure.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { readIds } from '../../requests/look-up/read-ids.ts';
import { openPrinter } from '../../view/print-records.ts';

export default command({
  summary: 'Send received events again, to an address of your choice',
  description: `Sends several events in the order in which they arrived, also those behind one that was
    not accepted, and says which these are. It ends where nobody answers.

    Sends the bytes and headers as they arrived, without credentials. --set changes one
    field of what gw sends. The stored event stays the same. If it waits for \`gw listen --forward-to\` with this
    address, it waits no longer once it is taken. gw refuses an event that the gateway
    contradicted, because \`gw listen --forward-to\` withholds it too.`,
  prints: SENT_VIEW,
  examples: [
    'gw events resend 17 --to http://127.0.0.1:3000/hooks',
    "gw events list --event 'charge:*' --since 1d -o id | gw events resend - --to http://127.0.0.1:3000/hooks",
    "gw events resend 17 --to http://127.0.0.1:3000/hooks --set 'payload.0.subscription.last_status=Failed (3), Aborted'",
  ],
  args: idsArg('Id of an event.'),
  takesMany: true,
  flags: {
    to: option({ description: 'Where to send it.', helpValue: '<url>', required: true }),
    contradicted: toggle({
      description: 'Send it although the gateway contradicted it (`gw listen --verify`).',
    }),
    ...setFlag,
    ...basicAuthFlag('for the address'),
    ...printFlags,
    ...interactionFlags,
  },
  async run(context, { argv, flags }) {
    const { host } = context;
    const options = sendOptions(host, flags);
    const receiver = await receiverOf(context, options);
    const ids: number[] = [];
    // All are checked before the first is sent.
    for await (const id of readIds(host, argv)) {
      const event = await eventToSend(host, id);
      if (!flags.contradicted) refuseContradicted(event);
      changed(event, options.changes);
      ids.push(event.id);
    }
    const isSingle = argv.length === 1 && argv[0] !== '-';
    const printer = openPrinter(host, options.output, { kind: SENT_VIEW, isSingle });
    const sent: SentDelivery[] = [];
    try {
      for (const id of ids.sort((one, other) => one - other)) {
        const event = await eventToSend(host, String(id));
        const delivery = changed(event, options.changes);
        const answered = await deliverOnce(host, delivery, receiver).catch((error: unknown) => {
          throw withSent(error, { id, sent: sent.length, all: ids.length });
        });
        sent.push(answered);
        await printer.add(SENT_VIEW.record(answered));
        if (isTaken(answered) && !delivery.isChanged)
          await settleWaiting(host, id, receiver.target.href);
      }
    } finally {
      await printer.end();
    }
    const refused = sent.filter((one) => !isTaken(one));
    if (isSingle) for (const one of refused) checkTaken(one, receiver);
    else if (refused.length > 0)
      throw notTaken(refused, sent.length, { target: receiver.target, options });
  },
});

/** The most events that a message names. */
const MAX_NAMED = 20;

/**
 * @param all the number of events that were sent
 * @returns the failure for events that the receiver did not accept, with the command that sends them again
 */
function notTaken(
  refused: readonly SentDelivery[],
  all: number,
  { target, options }: { target: URL; options: SendOptions },
): Failure {
  const named = refused.slice(0, MAX_NAMED);
  const isWhole = named.length === refused.length;
  const said = named.map(({ id, status }) => `${id} (${status})`).join(', ');
  const again = commandText(
    ['events', 'resend', ...(isWhole ? named.map(({ id }) => String(id)) : ['-'])],
    [
      ['to', target.href],
      ['basic-auth', options.username],
      ['set', options.changes],
    ],
  );
  const ids = isWhole ? '' : ' The ids are those of the rows above whose status is not 2xx.';
  return new Failure(
    'delivery-not-taken',
    `${neutralise(target.host)} did not accept ${refused.length} of ${quantity(all, 'event', 'events')}: ${said}${isWhole ? '' : ', …'}.`,
    `Check its log, correct the cause, and send them again${again ? `: \`${again}\`` : ''}.${ids}`,
    { status: refused[0]?.status },
  );
}

/** @returns the error; one of a receiver that does not answer says how many events it had before */
function withSent(error: unknown, { id, sent, all }: { id: number; sent: number; all: number }) {
  if (!(error instanceof Failure) || sent === 0) return error;
  return error.with({
    next: `${sent} of ${quantity(all, 'event', 'events')} ${plural(sent, 'was', 'were')} sent before, and event ${id} is the next. ${error.next}`,
  });
}

function changed(
  { id, event, headers, body, fault }: StoredEvent,
  pairs: readonly string[],
): OutgoingDelivery {
  if (pairs.length === 0) return { id, event, headers, body, isChanged: false };
  if (fault !== null) {
    throw usage(
      'event-unreadable',
      `--set cannot change this event: ${fault}.`,
      'Omit --set to send it as it was received.',
    );
  }
  const value = withChanges(writtenJson(Buffer.from(body).toString('utf8')) ?? null, pairs);
  return {
    id,
    event,
    headers,
    body: Buffer.from(withNumbers(JSON.stringify(value))),
    isChanged: true,
  };
}
