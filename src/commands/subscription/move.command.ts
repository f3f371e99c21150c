import { command } from '../../cli/dispatch/command.ts';
import { commandOptions } from '../../cli/flags/command-options.ts';
import { option, optionalIdArg } from '../../cli/flags/flag.ts';
import { confirmFlag, journalFlags, writeFlags } from '../../cli/flags/global-flags.ts';
import { FREQUENCIES } from '../../contract/resources/subscription.ts';
import { moveSubscription } from './move-subscription.ts';

export default command({
  summary: 'Move a subscription to another plan or date',
  description: `The gateway has no request for this. gw stops the subscription, and creates one on the
    new plan from the day the old one was due. It moves only an active subscription.

    Without --plan, --start-date and --frequency move it on the same plan. Nothing is charged before a later
    --start-date: it gives a customer a free month, or skips the next payment for a holiday.

    If the second step fails, gw says what is in place. The same command again finishes the
    move, and never creates a second subscription. If the new one would lose the day of the month
    that the old one is billed on, such as the 31st, gw asks for the first day.`,
  isDeprecated: true,
  prints: 'subscription',
  examples: [
    'gw subscription move SUB-1 --plan SILVER --profile local',
    'gw subscription move SUB-1 --start-date 2027-04-15 --profile local',
    'gw subscription move SUB-1 --plan SILVER --new-reference SUB-1B --frequency Monthly --profile local',
  ],
  args: optionalIdArg('Id or reference of the subscription.'),
  flags: {
    plan: option({
      description:
        'Reference, name or id of the new plan. Default with a date or frequency: as before.',
      helpValue: '<plan>',
      asked: true,
    }),
    'new-reference': option({
      description:
        'Reference of the new subscription. Default: the old one and the plan, REFERENCE-PLAN; on the same plan, the date or the frequency.',
      helpValue: '<reference>',
    }),
    frequency: option({
      description: 'How often it is billed. Default: as before.',
      helpValue: '<frequency>',
      choices: FREQUENCIES,
    }),
    'start-date': option({
      description: 'First day billed. Default: the day the old one was next due.',
      helpValue: '<date>',
    }),
    ...writeFlags,
    ...confirmFlag,
    ...journalFlags,
  },
  async run(context, { args, flags }) {
    const { plan, 'new-reference': reference, frequency, 'start-date': startDate } = flags;
    const terms = { plan, reference, frequency, startDate };
    await moveSubscription(context, args.id, terms, commandOptions(context.host, flags));
  },
});
