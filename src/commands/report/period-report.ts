/** The commands `gw report day`, `week`, `month`, `quarter` and `year`, which differ by their period alone. */

import type { PeriodKind } from '../../base/periods.ts';
import { command } from '../../cli/dispatch/command.ts';
import {
  MONEY_REPORT,
  periodReportFlags,
  reportDivision,
  reportOptions,
} from '../../desk/report/report-flags.ts';
import { REPORT_VIEW } from '../../desk/report/sum-views.ts';

interface Words {
  /** In a sentence: `in a month`. */
  when: string;
  /** The argument: its forms, and its default. */
  date: string;
  examples: readonly string[];
}

/** @returns the command `gw report KIND` */
export function periodReport(kind: PeriodKind, { when, date, examples }: Words) {
  return command({
    summary: `Show what was taken, refunded and declined ${when}`,
    description: MONEY_REPORT,
    prints: REPORT_VIEW,
    examples,
    args: { date: { description: date } },
    flags: periodReportFlags,

    async run(context, { args, flags }) {
      const { runPeriodReport } = await import('./run-money-report.ts');
      const options = reportOptions(flags, args.date);
      await runPeriodReport(context, kind, options, reportDivision(flags, args.date));
    },
  });
}
