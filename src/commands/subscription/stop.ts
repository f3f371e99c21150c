import { command } from '../../cli/dispatch/command.ts';
import { commandOptions } from '../../cli/flags/command-options.ts';
import { askedIdArg } from '../../cli/flags/flag.ts';
import { writeFlags } from '../../cli/flags/global-flags.ts';

export default command({
  summary: 'Stop a subscription',
  description: `The gateway no longer bills a stopped subscription; \`gw subscription update ID
    --is-active\` resumes it. A failed charge that is waiting for a retry is given up: the status
    becomes, for example, "Failed (2), Aborted", and resuming does not retry it. This is how the
    embedded gateway behaves; the interface does not say. Accepts the id, or the reference, which gw
    looks up first.`,
  isDeprecated: true,
  examples: [
    'gw subscription stop 071-S-B4FVRK71 --profile local',
    'gw subscription stop SUB-1 --profile local --jq .is_active',
  ],
  args: askedIdArg('Id or reference of the subscription.'),
  flags: writeFlags,
  async run(context, { args, flags }) {
    const { stopSubscription } = await import('../../requests/submit/stop-subscription.ts');
    await stopSubscription(context, args.id, commandOptions(context.host, flags));
  },
});
