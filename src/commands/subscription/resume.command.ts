import { command } from '../../cli/dispatch/command.ts';
import { commandOptions } from '../../cli/flags/command-options.ts';
import { optionalIdArg } from '../../cli/flags/flag.ts';
import { allowSecondFlag, confirmFlag, writeFlags } from '../../cli/flags/global-flags.ts';

export default command({
  summary: 'Resume a stopped subscription',
  description: `The gateway bills the subscription again from its next due date, and from no other day.
    On a live profile, gw shows the price of the plan first, and you confirm it.

    The built-in test gateway does not resume a subscription whose card has expired: update
    the customer's card first, with \`gw customer update\`.`,
  isDeprecated: true,
  prints: 'subscription',
  examples: [
    'gw subscription resume 071-S-B4FVRK71 --profile local',
    'gw subscription resume SUB-1 --profile local --jq .next_billing_date',
  ],
  args: optionalIdArg(
    'Id or reference of the subscription, or email or name of a customer with one.',
  ),
  flags: { ...writeFlags, ...confirmFlag, ...allowSecondFlag },
  async run(context, { args, flags }) {
    const { setActive } = await import('./set-active.ts');
    await setActive(context, args.id, true, commandOptions(context.host, flags));
  },
});
