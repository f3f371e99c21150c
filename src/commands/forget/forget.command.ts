import { command } from '../../cli/dispatch/command.ts';
import { noteOf, outputOptions, requestOptions } from '../../cli/flags/command-options.ts';
import { option, toggle } from '../../cli/flags/flag.ts';
import {
  interactionFlags,
  ledgerOfFlag,
  noteFlag,
  printFlags,
} from '../../cli/flags/global-flags.ts';
import { ERASED_VIEW } from './erased.ts';

export default command({
  summary: 'Erase one person from what gw keeps',
  erases: true,
  description: `Finds a person by a customer's id or reference, an email, a card token, or a purchase's
    or refund's id. A name is not enough: several people may have it.

    gw shows what it keeps about the person and asks you to confirm. Then it deletes
    customers and cards. Everything else keeps ids, amounts and dates, and loses the name,
    email, address, card and reference.

    gw rewrites the file, so that nothing is left on the disk. Other programs wait
    meanwhile.

    A request with an unknown outcome, and an event that is not passed on yet, stay until
    they are settled. The exit code is then 9.

    The gateway keeps its own data, and so does the built-in test gateway: \`gw customer delete ID\` deletes a customer
    there. To erase a person (GDPR), use that first.

    In a shared ledger, only an owner can do this. gw says what remains in files and backups
    of the server.`,
  prints: ERASED_VIEW,
  examples: ['gw forget ada@example.com --dry-run', 'gw forget --customer CUSTOMER --yes'],
  args: {
    text: { description: 'Id, reference, email or card token of the person.' },
  },
  flags: {
    customer: option({
      description: 'Id or reference of the customer to forget.',
      helpValue: '<id>',
    }),
    yes: toggle({ char: 'y', description: 'Erase without asking.' }),
    'dry-run': toggle({ description: 'Show what would be erased, and erase nothing.' }),
    ...noteFlag,
    'no-input': interactionFlags['no-input'],
    ...ledgerOfFlag,
    ...printFlags,
  },

  async run(context, { args, flags }) {
    const { runForget } = await import('./run-forget.ts');
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
