import { command } from '../../dispatch/command.ts';
import { option } from '../../flags/flag.ts';
import {
  interactionFlags,
  printFlags,
  profileFlag,
  requestFlags,
} from '../../flags/global-flags.ts';
import { resolveUnknown } from '../../operations/resolve-unknown.ts';

export default command({
  summary: 'Find out, or say, what became of a request whose outcome is unknown',
  description: `Asks the gateway for the record by its id, or for a purchase by its reference where the
    gateway supports that, and says what it found and how sure that is. Where nothing certain
    follows, ask whoever runs the gateway and say it yourself with --as. What was not done is then
    sent again by its batch; what was done never is. A record settles an entry only when it shows
    what the entry knows of the request: amount, and currency, reference and card where there are
    any. Exits with 8 while an outcome is unknown.`,
  examples: [
    'gw journal resolve ENTRY',
    'gw journal resolve ENTRY --as not-done',
    'gw journal resolve',
  ],
  args: {
    id: {
      description:
        'Id of an entry, or enough of its beginning to tell it. Without one, all entries whose outcome is unknown.',
    },
  },
  flags: {
    as: option({
      options: ['done', 'not-done'],
      description: 'What you know became of it; the gateway is not asked.',
    }),
    ...printFlags,
    ...profileFlag,
    ...requestFlags,
    ...interactionFlags,
  },

  run: (context, { args, flags }) => resolveUnknown(context, args.id, flags),
});
