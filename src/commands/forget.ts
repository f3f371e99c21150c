import { command } from '../cli/dispatch/command.ts';
import { noteOf, outputOptions, requestOptions } from '../cli/flags/command-options.ts';
import { option, toggle } from '../cli/flags/flag.ts';
import { interactionFlags, ledgerOfFlag, noteFlag, printFlags } from '../cli/flags/global-flags.ts';

export default command({
  summary: 'Erase a person from what gw keeps',
  description: `Finds the person by the id or reference of a customer, an email, a card token, or the id of a
    purchase or refund; a name is not enough, since several people may have it. Shows what gw keeps
    about them, asks for confirmation, and erases it. Customers and cards are deleted. Purchases,
    refunds, subscriptions, money requests and events keep what money is counted by (ids, amounts
    and dates), but no name, email, address, card or reference of the person. gw rewrites the file,
    so that nothing is left on the disk; meanwhile, other programs wait before they write. A request
    whose outcome is unknown and an event that is waiting to be passed on stay until that is settled:
    exit code 9. The gateway is not asked and keeps what it has; so does the embedded one. In a
    shared ledger, only an owner can do this, and gw says what remains in the server's files and
    backups.`,
  examples: ['gw forget ada@example.com --dry-run', 'gw forget --customer CUSTOMER --yes'],
  args: {
    text: { description: 'Id, reference, email or card token of the person.' },
  },
  flags: {
    customer: option({
      description: 'Id or reference of the customer to forget.',
      helpValue: '<id>',
    }),
    yes: toggle({ description: 'Erase without asking.' }),
    'dry-run': toggle({ description: 'Show what would be erased, and erase nothing.' }),
    ...noteFlag,
    'no-input': interactionFlags['no-input'],
    ...ledgerOfFlag,
    ...printFlags,
  },

  async run(context, { args, flags }) {
    const { runForget } = await import('../desk/forget/run-forget.ts');
    await runForget(context, {
      text: args.text,
      customer: flags.customer,
      ledger: { profile: flags.profile },
      output: outputOptions(flags),
      isDry: flags['dry-run'] ?? false,
      isConfirmed: flags.yes ?? false,
      note: flags.note === undefined ? undefined : noteOf(flags.note),
      request: requestOptions(context.host, flags),
    });
  },
});
