import { command } from '../../cli/dispatch/command.ts';
import { inGroup, option } from '../../cli/flags/flag.ts';
import { printFlags } from '../../cli/flags/global-flags.ts';
import {
  amountFlags,
  listLimitFlag,
  listOptions,
  ofProfileFlags,
  outcomeFlagOf,
  textArg,
  whenFlags,
} from '../../cli/flags/search-flags.ts';

const filter = inGroup('FILTER');

import { EVENT_NAMES } from '../../contract/webhooks/names.ts';
import { FORWARD_STATES } from '../../events/event.ts';
import { LISTED_OUTCOMES } from '../../events/read/read-delivery.ts';
import { EVENT_VIEW } from '../../events/show/event-view.ts';
export default command({
  summary: 'List the webhook events that were received here',
  description: `Lists the newest event first. gw lists a repeated delivery too, and says which one it repeats.

    Words and filters work as in \`gw find\`. --since and --until mean the time of receipt.`,
  prints: EVENT_VIEW,
  examples: [
    "gw events list --event 'charge:*' --outcome declined --since 1d",
    'gw events list --customer ada@example.com -o jsonl --jq .id',
    'gw events list --forward refused',
  ],
  args: textArg,
  takesMany: true,
  flags: {
    event: option({
      description: 'Only these events; * matches any text. May be repeated.',
      helpValue: '<pattern>',
      choices: EVENT_NAMES,
      multiple: true,
    }),
    reference: option({
      description: 'Reference of the subscription or the purchase.',
      helpValue: '<reference>',
    }),
    customer: option({
      description: "The customer's id, reference, email or full name.",
      helpValue: '<customer>',
    }),
    forward: filter.option({
      description:
        'Only events that `gw listen --forward-to` passed on so: taken, refused (not taken yet by the application), waiting, withheld (not confirmed).',
      options: FORWARD_STATES,
    }),
    ...outcomeFlagOf(LISTED_OUTCOMES, 'events with these outcomes'),
    ...amountFlags,
    ...whenFlags,
    before: filter.option({
      description: 'Older name of --until, but leaves out the day itself.',
      helpValue: '<time>',
      exclusive: ['until'],
    }),
    ...ofProfileFlags,
    ...listLimitFlag('Events to show, newest first'),
    ...printFlags,
  },

  async run(context, { argv, flags }) {
    const { runEventsList } = await import('./run-list.ts');
    const { event: events, before, customer, forward } = flags;
    await runEventsList(context, argv, {
      ...listOptions(flags, LISTED_OUTCOMES),
      events,
      before,
      customer,
      forward,
    });
  },
});
