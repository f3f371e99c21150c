import { planList } from '../../contract/plan.ts';
import { command } from '../../dispatch/command.ts';
import { option, toggle } from '../../flags/flag.ts';
import { lookUpFlags } from '../../flags/global-flags.ts';

export default command({
  summary: planList.summary,
  description: `The gateway answers with one page of plans, and says how many there are. That is shown on
    stderr: below a table always, and with any other output where there are more than are printed.`,
  isDeprecated: true,
  examples: [
    'gw plan list --profile local',
    'gw plan list --profile local --limit 50 --page 1 -o csv',
    'gw plan list --profile local --all -o jsonl | jq -r .reference',
  ],
  flags: {
    limit: option({
      description: 'Plans per page. An extension: the interface shows no paging.',
      helpValue: '<integer>',
      helpGroup: 'PAGE',
    }),
    page: option({
      description: 'Page to show, from 1. An extension, as --limit is.',
      helpValue: '<integer>',
      helpGroup: 'PAGE',
      exclusive: ['all'],
    }),
    all: toggle({ description: 'Show every page, one request each.', helpGroup: 'PAGE' }),
    ...lookUpFlags,
  },
  async run(context, { flags }) {
    const { runPlanList } = await import('../../operations/run-plan-list.ts');
    await runPlanList(context, flags);
  },
});
