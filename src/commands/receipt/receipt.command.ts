import { command } from '../../cli/dispatch/command.ts';
import { commandOptions } from '../../cli/flags/command-options.ts';
import { idArg, inGroup } from '../../cli/flags/flag.ts';
import {
  interactionFlags,
  printFlags,
  profileFlag,
  requestFlags,
} from '../../cli/flags/global-flags.ts';
import { timeZoneFlag } from '../../cli/flags/parse-time.ts';
import { RECEIPT_VIEW } from './receipt.ts';

const output = inGroup('OUTPUT');

export default command({
  summary: 'Write a receipt of a purchase, to mail or print',
  description: `Says what was paid, when and with which card, and what was refunded. gw asks the gateway
    for the purchase, and takes the refunds from the ledger.

    A receipt has the last four digits of a card at most, and no token. For a declined
    or voided purchase, it says that nothing was paid. The gateway's answer decides
    whether it is a test; where the profile says otherwise, the receipt says so.

    The email of a customer with one payment is enough, or with one in a period: \`gw receipt ada@example.com march\`. Of
    several, and of a part of a name, you choose on a terminal, and elsewhere gw lists them. A subscription stands for its
    last charge. \`gw report customer EMAIL march\` lists all payments of a customer in a time, with their sums.

    \`gw profile set NAME --merchant-name "Shop"\` sets the name at its head, for which gw asks
    once on a terminal. Otherwise there is none. The profile local keeps none.`,
  prints: RECEIPT_VIEW,
  examples: [
    'gw receipt 071-P-IE49OSAF --profile local',
    'gw receipt INV-1000 --profile local --time-zone Australia/Sydney --html receipt.html',
  ],
  args: idArg(
    'Id or reference of the purchase, its subscription, or its customer, and perhaps a period behind: march, last month.',
  ),
  takesMany: true,
  flags: {
    html: output.option({
      description: 'Write one page of HTML to this file, which must not exist yet.',
      helpValue: '<file>',
      exclusive: ['output', 'json', 'fields', 'jq'],
    }),
    ...timeZoneFlag,
    ...printFlags,
    ...profileFlag,
    ...requestFlags,
    ...interactionFlags,
  },
  async run(context, { argv, flags }) {
    const { runReceipt } = await import('./run-receipt.ts');
    await runReceipt(context, argv, {
      ...commandOptions(context.host, flags),
      html: flags.html,
    });
  },
});
