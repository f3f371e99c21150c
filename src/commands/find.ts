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
  description: `Searches the records looked up, the money requests sent and the webhook events
    received on this machine, or by everyone who shares its ledger; the gateway itself cannot
    search. Several words narrow the search: a result has all of them. Case and accents do not
    matter, and \`mueller\` finds Müller. A word of three characters or more is found anywhere in an id, reference, name, email,
    token, message, date or amount; a shorter one only at the beginning of a name. 2500 is minor units,
    25.00 is money. Exact matches come first, then the newest. gw keeps no card numbers, so it
    cannot search for them; it can search for their last four digits. Results are those of the
    profile in use, by its account; --all-profiles finds those of all. For a request or an event, -o
    id prints the record that it is about, so that gw get accepts all of them. Finding nothing is
    not an error: the gateway may have what gw has not seen. The interface knows no chargebacks: your bank
    tells you of them; find the purchase by its amount, date or last four digits, and do not refund what the
    bank takes back.`,
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
