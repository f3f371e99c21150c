import { command } from '../cli/dispatch/command.ts';
import { printFlags } from '../cli/flags/global-flags.ts';
import {
  filterFlags,
  kindFlag,
  limitFlag,
  listOptions,
  operatorFlag,
  readKinds,
  textArg,
} from '../cli/flags/search-flags.ts';

export default command({
  summary: 'Search all that was seen, sent or received here',
  description: `Searches what this machine, or everyone who shares its ledger, has looked up, sent and received.
    The gateway itself cannot search.

    Each purchase, refund, customer, plan, subscription and card is one result, whoever told of it.
    -o json names its sources.

    A result has all words. Case and accents do not matter: \`mueller\` finds Müller. Exact matches
    come first, then the newest.

    A word of three characters or more can be any part of an id, reference, name, email, token,
    message, date or amount. A shorter word must begin a name or a reference, or be an amount.

    2500 is an amount in minor units. 25.00, 25,00, $25 and 25 are money. gw keeps no card numbers:
    search for the last four digits.

    \`#301\` finds what the event 301 is about.

    --kind request finds requests that made no record; \`gw journal list\` lists all requests. --kind
    event finds webhooks that name no record, or that the gateway contradicts; \`gw events list\`
    lists all of them. --kind card --outcome expiring finds the customers of these cards.

    gw searches the account of the profile in use. --all-profiles searches all of them.

    -o id prints ids that \`gw get\` takes. For a request or an event, that is the record it is
    about.

    Finding nothing is no error: the gateway may have what gw has not seen.

    The interface has no chargebacks: your bank tells you about them. Do not refund what the bank
    takes back.`,
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
    ...operatorFlag,
    ...limitFlag('20'),
    ...printFlags,
  },
  async run(context, { argv, flags }) {
    const { runFind } = await import('../desk/find/run-find.ts');
    await runFind(context, argv, {
      ...listOptions(flags),
      kinds: readKinds(flags.kind),
    });
  },
});
