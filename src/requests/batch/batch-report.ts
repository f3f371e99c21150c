/** Texts of a batch for stderr: problems of its input, its tally, and the totals of its lines. */

import { capitalised, count, plural, quantity } from '../../base/text.ts';
import { moneyText } from '../../contract/money.ts';
import { usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { LINE_CLASSES, type Line, type LineClass, linesIn, type Tally } from './engine/batch.ts';
import { MAX_PROBLEMS, type Plan } from './engine/preflight.ts';
import type { Totals } from './engine/totals.ts';

export const WORDS: Readonly<Record<LineClass, string>> = {
  done: 'done',
  declined: 'declined',
  rejected: 'rejected',
  refused: 'refused here',
  conflict: 'in conflict',
  'not-sent': 'not sent',
  unknown: 'unknown',
  elsewhere: 'left to another gw',
  'not-started': 'not started',
};

/** @returns for example `1,980 done (500 of them earlier), 3 rejected, 17 unknown` */
export function tallyText(tally: Tally): string {
  const parts = LINE_CLASSES.filter((name) => tally[name] > 0).map((name) => {
    const earlier = name === 'done' ? earlierText(tally) : '';
    return `${count(tally[name])} ${WORDS[name]}${earlier}`;
  });
  return parts.length > 0 ? parts.join(', ') : 'nothing';
}

function earlierText({ done, doneEarlier }: Tally): string {
  if (doneEarlier === 0) return '';
  return done === doneEarlier ? ' (earlier)' : ` (${count(doneEarlier)} of them earlier)`;
}

/** @returns for example `25.00 AUD and 300 JPY` */
export function totalsText(totals: Readonly<Totals>): string {
  return [...totals].map(([code, total]) => moneyText(total, code)).join(' and ');
}

/** @returns the amount that a line asks for; undefined if it has none */
export function lineMoneyText({
  body,
  currency,
}: Pick<Line, 'body' | 'currency'>): string | undefined {
  const { amount } = body;
  return typeof amount === 'number' ? moneyText(amount, currency) : undefined;
}

/** @returns the state of the run so far, for example `1,190 done, 10 failed` */
export function progressText(tally: Tally): string {
  const failed = linesIn(tally) - tally.done - tally['not-started'];
  return `${count(tally.done)} done${failed > 0 ? `, ${count(failed)} failed` : ''}`;
}

/**
 * @param done the totals of the lines that are done
 * @param now those of them that this run did
 * @returns for example `Refund batch, 3 lines: 2 done, 1 declined. Total done: 50.00 AUD.`
 */
export function summaryText(
  kind: string,
  tally: Tally,
  { done, now }: Record<'done' | 'now', Readonly<Totals>>,
): string {
  const lines = linesIn(tally);
  const subject = `${capitalised(kind)} batch`;
  const ofRun = now.size === 0 ? 'nothing' : totalsText(now);
  const part = tally.doneEarlier === 0 ? '' : `, of which this run did ${ofRun}`;
  const money = done.size === 0 ? '' : ` Total done: ${totalsText(done)}${part}.`;
  return `${subject}, ${quantity(lines, 'line', 'lines')}: ${tallyText(tally)}.${money}`;
}

/**
 * @param name of the input, `-` for stdin
 * @throws Failure usage if the input has problems, after printing all of them on stderr
 */
export async function refuseProblems(
  { stderr }: Pick<Host, 'stderr'>,
  name: string,
  plan: Plan,
): Promise<void> {
  const { problems, problemCount } = plan;
  if (problemCount === 0) return;
  const source = name === '-' ? 'stdin' : name;
  const lines = problems.map(({ line, problem }) =>
    line === undefined ? `${source}: ${problem}` : `${source}:${line}: ${problem}`,
  );
  if (problemCount > MAX_PROBLEMS) lines.push(`… and ${count(problemCount - MAX_PROBLEMS)} more`);
  await stderr.write(lines.map((text) => `${neutralise(text)}\n`).join(''));
  throw usage(
    'input-invalid',
    `${quantity(problemCount, 'problem was', 'problems were')} found in ${source}.`,
    `Correct ${plural(problemCount, 'it', 'them')}, then run the command again.`,
  );
}
