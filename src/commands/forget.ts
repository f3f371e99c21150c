import { command } from '../dispatch/command.ts';
import { option, toggle } from '../flags/flag.ts';
import { interactionFlags, ledgerOfFlag, printFlags } from '../flags/global-flags.ts';

export default command({
  summary: 'Erase a person from what gw keeps',
  description: `Finds who is meant by an email, a name, a reference or a card's token, shows what is kept of
    them, asks, and erases it: customers and cards are deleted; of purchases, refunds, subscriptions,
    money requests and events stays what money is counted by, with ids, amounts and dates, and no
    name, email, address, card or reference of theirs. The file is written anew, so that nothing of
    it is left on the disk; others wait to write meanwhile. Where several people may be meant they are
    listed, and --customer says which one. A request whose outcome is not known and an event that
    waits to be passed on stay until they do not: exit code 9. The gateway is not asked and keeps
    what it has; so does the embedded one. In a ledger that is shared it is an owner who does this;
    what the server still has in its files and backups then is said.`,
  examples: ['gw forget ada@example.com --dry-run', 'gw forget --customer CUSTOMER --yes'],
  args: {
    text: { description: 'Email, full name, reference or card token of the person.' },
  },
  flags: {
    customer: option({ description: 'Id of the customer who is meant.', helpValue: '<id>' }),
    yes: toggle({ description: 'Erase without asking.' }),
    'dry-run': toggle({ description: 'Show what would be erased, and erase nothing.' }),
    'no-input': interactionFlags['no-input'],
    ...ledgerOfFlag,
    ...printFlags,
  },

  async run(context, { args, flags }) {
    const { runForget } = await import('../privacy/run-forget.ts');
    await runForget(context, args.text, flags);
  },
});
