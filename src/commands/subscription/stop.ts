import { command } from '../../cli/dispatch/command.ts';
import { commandOptions } from '../../cli/flags/command-options.ts';
import { askedIdArg } from '../../cli/flags/flag.ts';
import { writeFlags } from '../../cli/flags/global-flags.ts';

export default command({
  summary: 'Stop a subscription',
  description: `The gateway no longer bills a stopped subscription. \`gw subscription resume\` starts it again.
    A failed charge that is waiting for a retry is given up. Its status becomes, for example, "Failed
    (2), Aborted", and resuming does not retry it. The embedded gateway does this; the interface does
    not say. The interface cannot stop a subscription at the end of a period: stop it before its next
    billing date, which \`gw get\` shows.`,
  isDeprecated: true,
  examples: [
    'gw subscription stop 071-S-B4FVRK71 --profile local',
    'gw subscription stop SUB-1 --profile local --jq .is_active',
  ],
  args: askedIdArg('Id or reference of the subscription, or email of a customer with one.'),
  flags: writeFlags,
  async run(context, { args, flags }) {
    const { setActive } = await import('../../requests/submit/set-active.ts');
    await setActive(context, args.id, false, commandOptions(context.host, flags));
  },
});
