import { command } from '../../cli/dispatch/command.ts';
import { printFlags } from '../../cli/flags/global-flags.ts';
import {
  expiresFlag,
  filterFlags,
  kindFlag,
  listLimitFlag,
  listOptions,
  operatorFlag,
  planFlag,
  readKinds,
  textArg,
} from '../../cli/flags/search-flags.ts';
import { THING_OUTCOMES } from '../../things/thing.ts';
import { thingView } from '../../view/records/search-result.ts';

/** Whoever searches on a screen looks for one thing. */
const MOST_FOUND = 20;

export default command({
  summary: 'Search all that was seen, sent or received here',
  description: `Searches what this machine, or everyone who shares its ledger, has looked up, sent and
    received. The gateway itself cannot search.

    Each purchase, refund, customer, plan, subscription and card is one result. -o json
    names its sources.

    So a name, an amount or four digits say who a customer is, and what a charge on a statement was for.

    A result contains all words. Case and accents do not matter: \`mueller\` finds Müller. Exact
    matches come first, then the newest.

    Three characters or more match any part of an id, name, reference, email, token,
    message, date or amount. A shorter word must begin a name or a reference, be an amount, or
    stand beside another word of a message.

    45, 45.00, 45,00 and $45 are money, among the words and as --amount. gw keeps no card
    numbers: search for the last four digits. Where a customer has another name or email by now, a
    payment has that of its time, and both find it.

    If nothing has the text, gw tries what else it may mean, and says so: a day (31/03, 31
    March, fifth of march, last tuesday), minor units, a name as it sounds, a name, email or
    reference with one wrong letter. Such results have read_as, and -o id does not print them.
    Otherwise it says what each word finds alone, or what the words find without the filters.

    --plan finds the subscriptions of a plan and their charges, by the name of the plan. So does
    the name among the words of a search for subscriptions or purchases.

    A word that is an outcome is the same as --outcome: \`gw find declined\`. A charge that was given up
    after its retries is declined, with given_up; --outcome abandoned finds those alone. Of stopped
    and ended subscriptions, --since and --until are about the day on which they stopped or ended.

    \`#301\` finds what the event 301 is about. -o id prints ids that \`gw get\` takes.

    --kind request finds requests that made no record. --kind event finds webhooks that name no
    record, or that the gateway contradicts. \`gw journal list\` and \`gw events list\` have all of
    them.

    --outcome expiring finds the customers whose cards expire within 30 days, --expires april those
    whose cards expire in April.

    If gw finds nothing, the gateway may still have it. Only your bank knows chargebacks: do
    not refund what it takes back.`,
  prints: thingView({ year: '', things: [], self: '' }),
  examples: [
    'gw find byron',
    'gw find ada 25.00 --since 30d -o json',
    'gw find 2346 --kind purchase --profile local -o id | gw get - --profile local',
  ],
  args: textArg,
  takesMany: true,
  flags: {
    ...kindFlag,
    ...filterFlags,
    ...expiresFlag,
    ...planFlag,
    ...operatorFlag,
    ...listLimitFlag('Results to show, newest first', MOST_FOUND),
    ...printFlags,
  },
  async run(context, { argv, flags }) {
    const { runFind } = await import('./run-find.ts');
    await runFind(context, argv, {
      ...listOptions(flags, THING_OUTCOMES, MOST_FOUND),
      kinds: readKinds(flags.kind),
    });
  },
});
