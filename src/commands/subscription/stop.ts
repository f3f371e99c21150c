import { command } from '../../cli/dispatch/command.ts';
import { type CommandOptions, commandOptions } from '../../cli/flags/command-options.ts';
import { askedIdArg } from '../../cli/flags/flag.ts';
import { writeFlags } from '../../cli/flags/global-flags.ts';
import { subscriptionUpdate } from '../../contract/resources/subscription.ts';
import type { Context } from '../../host/context.ts';
import { openAsking, summarise, tellCommand, tellFailure } from '../../requests/asking.ts';
import { idToChange } from '../../requests/known/named-record.ts';
import { askedId } from '../../requests/known-choices.ts';
import { submit } from '../../requests/submit/submit.ts';

export default command({
  summary: 'Stop a subscription',
  description: `The gateway no longer bills a stopped subscription; \`gw subscription update ID
    --is-active\` resumes it. A failed charge that is waiting for a retry is given up: the status
    becomes, for example, "Failed (2), Aborted", and resuming does not retry it. This is how the
    embedded gateway behaves; the interface does not say. The
    interface knows no end at the end of a period: stop the subscription before its next billing date,
    which \`gw get\` shows. Accepts the id, or the reference, which gw
    looks up first.`,
  isDeprecated: true,
  examples: [
    'gw subscription stop 071-S-B4FVRK71 --profile local',
    'gw subscription stop SUB-1 --profile local --jq .is_active',
  ],
  args: askedIdArg('Id or reference of the subscription, or email of a customer with one.'),
  flags: writeFlags,
  run: (context, { args, flags }) =>
    stopSubscription(context, args.id, commandOptions(context.host, flags)),
});

/** @param name id or reference of the subscription */
async function stopSubscription(
  context: Context,
  name: string | undefined,
  options: CommandOptions,
): Promise<void> {
  const words = ['subscription', 'stop', ...(name === undefined ? [] : [name])];
  const asking = await openAsking(context, subscriptionUpdate, words, options);
  const { session } = asking;
  try {
    const given = await askedId(asking, name, 'subscription', 'reference');
    const input = {
      id: await idToChange(asking, subscriptionUpdate, 'subscription', given),
      body: { is_active: false },
    };
    await summarise(asking, subscriptionUpdate, input);
    await submit(session, subscriptionUpdate, input);
    await tellCommand(asking);
  } catch (error) {
    throw await tellFailure(asking, error);
  } finally {
    await session.close();
  }
}
