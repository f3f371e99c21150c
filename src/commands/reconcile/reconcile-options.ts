/** Reads the flags of a reconciliation. */
import type { TimeZone } from '../../base/time-zone.ts';
import { checkOrder, parseDaysOfAge, parseEnd, parseTime } from '../../cli/flags/parse-time.ts';
import { readOutcomes } from '../../cli/flags/search-flags.ts';
import { sheetOutput } from '../../cli/flags/sheet-flags.ts';
import type { Host } from '../../host/host.ts';
import { timeZoneOf } from '../../host/machine-zone.ts';
import { type BatchOptions, batchOptions } from '../../requests/batch/batch-options.ts';
import type { OwnView } from '../../view/columns.ts';
import { isSheet, isTable } from '../../view/print-records.ts';
import type { DebitIs } from './compare.ts';
import { type FileSettings, markNamed, orderNamed } from './read-table.ts';
import {
  BRIEF,
  RECONCILED_OUTCOMES,
  RECONCILED_SHEET,
  RECONCILED_VIEW,
  type Reconciled,
  type ReconciledOutcome,
} from './reconciled-row.ts';

/** Banks book money up to a weekend later. */
const DEFAULT_WITHIN = '3d';

type PeriodFlag = 'since' | 'until' | 'time-zone' | 'within' | 'by';
type FileFlag = 'decimal-mark' | 'date-order' | 'debit-is' | 'as' | 'save';
type ReconcileFlags = Parameters<typeof batchOptions>[1] &
  Parameters<typeof sheetOutput>[0] &
  Partial<Record<PeriodFlag | FileFlag, string | undefined>> & {
    outcome?: readonly string[] | undefined;
    'without-subscriptions'?: boolean | undefined;
  };

export interface ReconcileOptions {
  batch: BatchOptions;
  /** The view of the results: that of a spreadsheet, if they are for one. */
  view: OwnView<Reconciled>;
  /** The settings that the user gave for the file. */
  file: FileSettings;
  /** The name of a form of a file that was saved, and the name under which to save this one. */
  as: string | undefined;
  save: string | undefined;
  /** Whether a debit is money that comes in or goes out, if the user said so. */
  debitIs: DebitIs | undefined;
  /** ISO 8601, UTC: the beginning of the period, and the first instant after it. */
  since: string | undefined;
  until: string | undefined;
  /** The time zone of the days that the file covers. */
  zone: TimeZone;
  /** Whether charges of subscriptions are not missing in the file. */
  isWithoutSubscriptions: boolean;
  /** The file for the rows that need attention. */
  failed: string | undefined;
  /** The most days between the date of a row and that of its record. */
  withinDays: number;
  /** Compare deposits with what the gateway settled on a day, and not rows with records. */
  byDay: boolean;
  /** Print only results with these outcomes; without them, all. */
  shown: readonly ReconciledOutcome[] | undefined;
  /** Whether results that nobody has to look at are only counted: on a terminal, unless the user chose outcomes. */
  isBrief: boolean;
}

/** @throws Failure usage if a number or a time is wrong */
export function reconcileOptions(host: Host, flags: ReconcileFlags): ReconcileOptions {
  const now = host.clock.now();
  const zone = timeZoneOf(host, flags['time-zone']);
  const since = flags.since === undefined ? undefined : parseTime('since', flags.since, now, zone);
  const until = flags.until === undefined ? undefined : parseEnd('until', flags.until, now, zone);
  if (flags.since && flags.until && since && until)
    checkOrder({ since, until }, { since: flags.since, until: flags.until });
  const batch = { ...batchOptions(host, flags), output: sheetOutput(flags) };
  const isFile = (batch.output.workbook ?? batch.output.page) !== undefined;
  const chosen = readOutcomes(flags.outcome, RECONCILED_OUTCOMES);
  const isListed = host.stdout.isTerminal && !isFile && isTable(host, batch.output);
  const isBrief = chosen === undefined && isListed;
  return {
    batch,
    view: isSheet(batch.output) ? RECONCILED_SHEET : RECONCILED_VIEW,
    file: {
      columns: batch.columns,
      decimalMark: markNamed(flags['decimal-mark']),
      dateOrder: orderNamed(flags['date-order']),
    },
    as: flags.as,
    save: flags.save,
    debitIs: flags['debit-is'] as DebitIs | undefined,
    since,
    until,
    zone,
    isWithoutSubscriptions: flags['without-subscriptions'] ?? false,
    failed: flags.failed,
    withinDays: parseDaysOfAge('within', flags.within ?? DEFAULT_WITHIN),
    byDay: flags.by === 'settlement-day',
    shown: isBrief ? RECONCILED_OUTCOMES.filter((name) => !BRIEF.includes(name)) : chosen,
    isBrief,
  };
}
