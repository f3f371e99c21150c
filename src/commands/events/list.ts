import { command } from '../../dispatch/command.ts';
import type { EventFilter } from '../../events/event-store.ts';
import { openEventStore } from '../../events/sqlite-event-store.ts';
import { option } from '../../flags/flag.ts';
import { printFlags } from '../../flags/global-flags.ts';
import { parseInteger } from '../../flags/parse-integer.ts';
import { parseTime, TIMES, timeZoneFlag, timeZoneOf } from '../../flags/parse-time.ts';
import { ledgerPath } from '../../session/paths.ts';
import { openPrinter } from '../../view/print-records.ts';
import { EVENT_VIEW } from '../../view/records/received-event.ts';
import { OUTCOMES } from '../../webhooks/receive/delivery-content.ts';
import { shown } from '../../webhooks/receive/event-record.ts';

export default command({
  summary: 'List the web hook events that were received here',
  description: `Newest first. A delivery that repeats an earlier one is listed as well, and says which one it
    repeats.`,
  examples: [
    'gw events list',
    "gw events list --event 'charge:*' --outcome declined --since 1d",
    'gw events list --customer ada@example.com -o jsonl | jq -r .id',
  ],
  flags: {
    event: option({
      description: 'Only these events; * stands for any text. May be repeated.',
      helpValue: '<pattern>',
      multiple: true,
    }),
    since: option({
      description: `Received at this time or later: ${TIMES}.`,
      helpValue: '<time>',
    }),
    before: option({ description: 'Received before this time.', helpValue: '<time>' }),
    ...timeZoneFlag,
    reference: option({
      description: 'Reference of the subscription or the purchase.',
      helpValue: '<reference>',
    }),
    customer: option({
      description: "The customer's id, reference, email or full name.",
      helpValue: '<customer>',
    }),
    outcome: option({ options: OUTCOMES, description: 'Only events with this outcome.' }),
    limit: option({
      description: 'Events to show.',
      helpValue: '<integer>',
      default: '50',
    }),
    ...printFlags,
  },

  async run(context, { flags }) {
    const now = context.host.clock.now();
    const zone = timeZoneOf(flags['time-zone']);
    const filter: EventFilter = { limit: parseInteger('limit', flags.limit) };
    if (flags.event !== undefined) filter.events = flags.event;
    if (flags.since !== undefined) filter.since = parseTime('since', flags.since, now, zone);
    if (flags.before !== undefined) filter.before = parseTime('before', flags.before, now, zone);
    if (flags.reference !== undefined) filter.reference = flags.reference;
    if (flags.customer !== undefined) filter.customer = flags.customer.toLowerCase();
    if (flags.outcome !== undefined) filter.outcome = flags.outcome;

    const printer = openPrinter(context.host, flags, { kind: EVENT_VIEW, isSingle: false });
    const store = await openEventStore(ledgerPath(context.host.files));
    try {
      for await (const event of store.list(filter))
        await printer.add(EVENT_VIEW.record(shown(event)));
      await printer.end();
    } finally {
      await store.close();
    }
  },
});
