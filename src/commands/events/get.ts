import { command } from '../../dispatch/command.ts';
import { findEvent } from '../../events/find-event.ts';
import { idArg, toggle } from '../../flags/flag.ts';
import { ledgerOfFlag, printFlags } from '../../flags/global-flags.ts';
import { neutraliseLines } from '../../redaction/safe.ts';
import { openEvents } from '../../session/open-events.ts';
import { printRecords } from '../../view/print-records.ts';
import { EVENT_VIEW } from '../../view/records/received-event.ts';
import { shown, wholeRecord } from '../../webhooks/receive/event-record.ts';

export default command({
  summary: 'Show one received event with its headers and its body',
  description: `Shows what was received and what is known of it. Credentials in headers are never kept.`,
  examples: [
    'gw events get 17',
    'gw events get 17 -o json | jq .payload',
    'gw events get 17 --raw > body.json',
  ],
  args: idArg('Id of the event.'),
  flags: {
    raw: toggle({
      description: 'Print the body as it was received, and nothing else.',
      helpGroup: 'OUTPUT',
      exclusive: ['output', 'json', 'fields'],
    }),
    ...printFlags,
    ...ledgerOfFlag,
  },

  async run(context, { args, flags }) {
    const store = await openEvents(context.host, flags);
    try {
      const event = await findEvent(store, args.id);
      if (!flags.raw) {
        const record = wholeRecord(shown(event));
        await printRecords(context.host, flags, [record], { kind: EVENT_VIEW, isSingle: true });
        return;
      }
      const { stdout } = context.host;
      const text = Buffer.from(shown(event).content.kept.body).toString('utf8');
      // A terminal obeys what it is sent; a file or a program gets what was received.
      await stdout.write(stdout.isTerminal ? `${neutraliseLines(text)}\n` : text);
    } finally {
      await store.close();
    }
  },
});
