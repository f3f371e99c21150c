import { command } from '../../cli/dispatch/command.ts';
import { commandOptions } from '../../cli/flags/command-options.ts';
import { option, toggle } from '../../cli/flags/flag.ts';
import {
  confirmCountFlag,
  interactionFlags,
  printFlags,
  profileFlag,
  requestFlags,
} from '../../cli/flags/global-flags.ts';
import { ENTRY_VIEW } from '../../view/records/journal-entry.ts';
import { resolveUnknown } from './resolve-unknown.ts';

export default command({
  summary: 'Find out or record the outcome of an unknown request',
  description: `Asks the gateway for the record by its id, or for a purchase by its reference. It says
    what it found and how certain that is.

    If that does not settle it, ask whoever runs the gateway and record the answer with
    --as. A batch then sends again what was not done.

    A record settles an entry if amount, currency, reference and card are the same, where both have them.

    You cannot resolve what another gw is still sending. If gw cannot tell whether that one
    still runs, it asks you.

    If a shared ledger lost an entry, gw shows the outcome that this machine has. It drops the
    outcome once you confirm. --lost lists all such outcomes, and drops them once you give their
    number.

    The exit code is 8 while an outcome is unknown.`,
  prints: ENTRY_VIEW,
  examples: [
    'gw journal resolve ENTRY',
    'gw journal resolve ENTRY --as not-done',
    'gw journal resolve',
  ],
  args: {
    id: {
      description:
        'Id of an entry, or enough of its first characters, or its reference. Without one: all entries whose outcome is unknown.',
    },
  },
  flags: {
    as: option({
      options: ['done', 'not-done'] as const,
      description: 'The outcome, if you know it; the gateway is not asked.',
    }),
    yes: toggle({
      char: 'y',
      description:
        'Do not ask. With --as, this says that the gw that sent the request has ended. For a lost entry, gw drops the outcome.',
    }),
    lost: toggle({
      description: 'Drop the outcomes whose entries a shared ledger lost.',
      exclusive: ['as', 'yes'],
    }),
    ...confirmCountFlag,
    ...printFlags,
    ...profileFlag,
    ...requestFlags,
    ...interactionFlags,
  },

  run: (context, { args, flags }) =>
    resolveUnknown(context, args.id, {
      ...commandOptions(context.host, flags),
      said: flags.as,
      isConfirmed: flags.yes ?? false,
      dropsLost: flags.lost ?? false,
    }),
});
