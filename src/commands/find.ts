import { command } from '../dispatch/command.ts';
import { filterFlags, kindFlag, limitFlag, operatorFlag, textArg } from '../flags/fact-flags.ts';
import { printFlags } from '../flags/global-flags.ts';

export default command({
  summary: 'Find what was seen, sent or received here, by any part of it',
  description: `Searches the records that were looked up, the money requests that were sent and the web hook
    events that were received on this machine, or by all who share its ledger; the gateway itself has no
    search. Several words narrow: all of them have to be in it. Case and accents do not matter. A word of three characters or
    more is found anywhere in an id, reference, name, email, token, message, date or amount; a shorter one
    at the beginning of a name. 2500 is minor units, 25.00 is money. What is called exactly so comes first,
    then the newest. Card numbers are kept nowhere and cannot be searched for; their last four digits can.
    Of a request or an event, -o id prints the record that it is about, so that gw get takes all of them.
    Finding nothing is no error: it says nothing of what the gateway has.`,
  examples: [
    'gw find byron',
    'gw find ada 25.00 --since 30d -o json',
    'gw find 2346 --kind purchase -o id | gw get - --profile local',
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
    const { runFind } = await import('../operations/run-find.ts');
    await runFind(context, argv, flags);
  },
});
