/** How a reconciliation ends. */
import { plural } from '../../base/plural.ts';
import { Failure } from '../../failure.ts';
import { count } from '../../requests/batch/batch-report.ts';
import type { StopReason } from '../../requests/batch/engine/stop.ts';
import type { ReconciledOutcome } from '../../view/records/reconciled-row.ts';

interface End {
  tally: Readonly<Record<ReconciledOutcome, number>>;
  /** Why rows were not asked, if the run stopped. */
  stoppedBy: StopReason | undefined;
  /** Where the rows that need a person are, and how many. */
  failed: { path: string; count: number } | undefined;
}

/** @throws Failure unless every row matches and nothing is missing */
export function conclude({ tally, stoppedBy, failed }: End, isInterrupted: boolean): void {
  const handed =
    failed !== undefined &&
    failed.count > 0 &&
    `${count(failed.count)} ${plural(failed.count, 'row that needs attention is', 'rows that need attention are')} in ${failed.path}.`;
  if (isInterrupted) {
    const next = ['Nothing was changed. Run the same command again.', handed];
    throw new Failure('interrupted', 'Interrupted. The results so far are printed.', {
      code: 'interrupted',
      next: next.filter(Boolean).join(' '),
    });
  }
  const { matches: _, ...others } = tally;
  const open = Object.values(others).reduce((sum, n) => sum + n, 0);
  if (open === 0) return;
  const message = `The file and the gateway differ: ${count(open)} ${plural(open, 'record needs', 'records need')} attention.`;
  const next = [
    stoppedBy?.next,
    handed,
    tally['not-asked'] > 0 &&
      'Run it again for the rows that were not checked: their results say why.',
    !handed && tally['not-asked'] === 0 && 'The results say what differs.',
  ];
  throw new Failure(
    'incomplete',
    stoppedBy ? `The reconciliation stopped: ${stoppedBy.why}.` : message,
    {
      code: stoppedBy?.code ?? 'reconcile-differs',
      next: next.filter(Boolean).join(' '),
    },
  );
}
