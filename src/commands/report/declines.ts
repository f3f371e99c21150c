import { command } from '../../dispatch/command.ts';
import { option } from '../../flags/flag.ts';
import { TIMES } from '../../flags/parse-time.ts';
import { moneyReportFlags } from '../../flags/report-flags.ts';

export default command({
  summary: 'Why cards were declined, and how often',
  description: `Declined purchases and charges as far as the ledger knows them, with their part of all
    attempts of that time, the most frequent first. Each attempt counts once; a charge that is
    retried is an attempt each time. Without --since it is the last 30 days.`,
  examples: [
    'gw report declines --profile local',
    'gw report declines --profile local --since last-month --by card -o json',
  ],
  flags: {
    since: option({
      description: `Happened at this time or later: ${TIMES}.`,
      helpValue: '<time>',
    }),
    until: option({
      description: 'Happened before this time; of a date, all of it.',
      helpValue: '<time>',
    }),
    by: option({
      options: ['reason', 'card', 'customer'] as const,
      description: 'What they are told apart by; a customer is the name on the card.',
      default: 'reason',
    }),
    ...moneyReportFlags,
  },

  async run(context, { flags }) {
    const { runDeclinesReport } = await import('../../operations/run-money-report.ts');
    await runDeclinesReport(context, flags);
  },
});
