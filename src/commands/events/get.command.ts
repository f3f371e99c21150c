import { command } from '../../cli/dispatch/command.ts';
import { outputOptions } from '../../cli/flags/command-options.ts';
import { idsArg, toggle } from '../../cli/flags/flag.ts';
import { printFlags } from '../../cli/flags/global-flags.ts';
import type { StoredEvent } from '../../events/event.ts';
import { EVENT_VIEW, shownEvent, wholeRecord } from '../../events/show/event-view.ts';
import { findEvent, openEvents } from '../../events/store/event-file.ts';
import type { Output } from '../../host/host.ts';
import { neutraliseLines } from '../../host/redaction/safe.ts';
import { readIds } from '../../requests/look-up/read-ids.ts';
import { openPrinter } from '../../view/print-records.ts';

export default command({
  summary: 'Show received events with their headers and bodies',
  description: `Shows what arrived and what gw knows about it. gw never keeps credentials from headers.`,
  prints: EVENT_VIEW,
  examples: [
    'gw events get 17',
    'gw events get 17 --jq .payload',
    'gw events get 17 --raw > body.json',
  ],
  args: idsArg('Id of an event.'),
  takesMany: true,
  flags: {
    raw: toggle({
      description: 'Print only the body, exactly as received.',
      helpGroup: 'OUTPUT',
      exclusive: ['output', 'json', 'fields', 'jq', 'header'],
    }),
    ...printFlags,
  },

  async run(context, { argv, flags }) {
    const { host } = context;
    const isSingle = argv.length === 1 && argv[0] !== '-';
    const printer = openPrinter(host, outputOptions(flags), { kind: EVENT_VIEW, isSingle });
    const store = openEvents(host);
    try {
      for await (const id of readIds(host, argv)) {
        const event = await findEvent(store, id);
        if (flags.raw) await printBody(host.stdout, event);
        else await printer.add(wholeRecord(shownEvent(event)));
      }
      if (!flags.raw) await printer.end();
    } finally {
      await store.close();
    }
  },
});

/** Neutralises control characters for a terminal; a file or a program gets the received bytes as text. */
async function printBody(stdout: Output, event: StoredEvent): Promise<void> {
  const text = Buffer.from(shownEvent(event).content.kept.body).toString('utf8');
  await stdout.write(stdout.isTerminal ? `${neutraliseLines(text)}\n` : text);
}
