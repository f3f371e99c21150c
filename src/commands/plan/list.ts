import { Flags } from '@oclif/core';
import { planList } from '../../contract/operations.ts';
import { ProgramCommand } from '../../dispatch/operation-command.ts';
import { operationFlags } from '../../flags/operation-flags.ts';

export default class PlanList extends ProgramCommand {
  static override summary = planList.summary;
  static override description =
    'The gateway answers with one page of plans and the counts of all, which are shown on stderr. ' +
    'The recurring area is deprecated in the gateway and works as documented.';
  static override examples = [
    '<%= config.bin %> plan list --profile local',
    '<%= config.bin %> plan list --profile local --limit 50 --page 1 -o csv',
    '<%= config.bin %> plan list --profile local --all -o jsonl | jq -r .reference',
  ];
  static override flags = {
    limit: Flags.string({
      description: 'Plans per page.',
      helpValue: '<integer>',
      helpGroup: 'PAGE',
    }),
    page: Flags.string({
      description: 'Page to show, from 1.',
      helpValue: '<integer>',
      helpGroup: 'PAGE',
      exclusive: ['all'],
    }),
    all: Flags.boolean({ description: 'Show every page, one request each.', helpGroup: 'PAGE' }),
    ...operationFlags(planList),
  };
  readonly program = 'plan list';
}
