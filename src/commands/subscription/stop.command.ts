import { command } from '../../cli/dispatch/command.ts';
import { commandOptions } from '../../cli/flags/command-options.ts';
import { optionalIdArg } from '../../cli/flags/flag.ts';
import { writeFlags } from '../../cli/flags/global-flags.ts';

export default command({
  summary: 'Stop a subscription',
  description: `The gateway no longer bills a stopped subscription. \`gw subscription resume\` starts it
    again, so a stop is a pause too: for a holiday, or to skip the next payments.

    The built-in test gateway gives up a failed charge that waits for a retry.

    The interface cannot stop a subscription at the end of a period. Stop it before its next
    billing date, which \`gw get\` shows.`,
  isDeprecated: true,
  prints: 'subscription',
  examples: [
    'gw subscription stop 071-S-B4FVRK71 --profile local',
    'gw subscription stop SUB-1 --profile local --jq .is_active',
  ],
  args: optionalIdArg(
    'Id or reference of the subscription, or email or name of a customer with one.',
  ),
  flags: writeFlags,
  async run(context, { args, flags }) {
    const { setActive } = await import('./set-active.ts');
    await setActive(context, args.id, false, commandOptions(context.host, flags));
  },
});
