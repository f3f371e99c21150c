import { command } from '../../cli/dispatch/command.ts';
import { commandOptions } from '../../cli/flags/command-options.ts';
import { inGroup } from '../../cli/flags/flag.ts';
import { lookUpFlags } from '../../cli/flags/global-flags.ts';
import { parseInteger } from '../../cli/flags/parse-number.ts';
import { planList } from '../../contract/resources/plan.ts';

const page = inGroup('PAGE');

export default command({
  summary: planList.summary,
  description: `The gateway returns one page of plans. stderr says how many there are.`,
  isDeprecated: true,
  prints: 'plan',
  examples: [
    'gw plan list --profile local',
    'gw plan list --profile local --limit 50 --page 1 -o csv',
    'gw plan list --profile local --all -o jsonl --jq .reference',
  ],
  flags: {
    limit: page.option({
      char: 'L',
      description: 'Plans per page. An extension: the interface does not define paging.',
      helpValue: '<integer>',
    }),
    page: page.option({
      description: 'Page to show, starting at 1. An extension, like --limit.',
      helpValue: '<integer>',
      exclusive: ['all'],
    }),
    all: page.toggle({ description: 'Show every page, one request each.' }),
    ...lookUpFlags,
  },
  async run(context, { flags }) {
    const { runPlanList } = await import('./run-list.ts');
    await runPlanList(context, {
      ...commandOptions(context.host, flags),
      limit: flags.limit === undefined ? undefined : parseInteger('limit', flags.limit),
      page: flags.page === undefined ? undefined : parseInteger('page', flags.page),
      isAll: flags.all ?? false,
    });
  },
});
