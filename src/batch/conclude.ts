/** How a batch ends. */
import { plural } from '../base/plural.ts';
import { Failure } from '../failure.ts';
import { count } from './batch-report.ts';
import type { Tally } from './engine/batch.ts';
import type { RunReport } from './engine/run.ts';

/** @throws Failure unless every line is done, and nothing else is wrong with the batch */
export function conclude({ tally, stoppedBy }: RunReport, isInterrupted: boolean): void {
  if (isInterrupted) {
    throw new Failure('interrupted', 'Interrupted; what was in flight has been seen through.', {
      code: 'interrupted',
      next: 'Run the same command again: what is done is not sent again.',
    });
  }
  const open = openLines(tally);
  if (open === 0 && stoppedBy?.code === undefined) return;
  const next = [
    stoppedBy?.next,
    'Run the same command again: it sends what certainly did not happen, and nothing twice.',
    tally.conflict > 0 &&
      'Lines that were done before with another amount are not sent: their results say which.',
    tally.unknown > 0 &&
      '`gw journal resolve` finds out what became of those whose outcome is unknown; they are not sent again.',
  ];
  throw new Failure('incomplete', messageOf(open, stoppedBy?.why), {
    code: stoppedBy?.code ?? 'batch-incomplete',
    next: next.filter(Boolean).join(' '),
  });
}

function messageOf(open: number, why: string | undefined): string {
  const left = `${count(open)} ${plural(open, 'line is', 'lines are')} not done.`;
  if (why === undefined) return left;
  return open === 0 ? `All lines are done, but ${why}.` : `${left} No more were started: ${why}.`;
}

/** @returns how many lines are not done */
export function openLines(tally: Tally): number {
  const { doneEarlier: _, done: __, ...open } = tally;
  return Object.values(open).reduce((sum, n) => sum + n, 0);
}
