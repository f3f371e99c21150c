/**
 * Texts of a batch for stderr: problems of its input, its tally, and the totals of its lines.
 *
 * Tests: test/scripts/commands/batch-sheet.script
 */

import type { Json } from '../../base/json.ts';
import { capitalised, count, plural, quantity } from '../../base/text.ts';
import { moneyText } from '../../contract/money.ts';
import { usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { redactJson } from '../../host/redaction/redact.ts';
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

/** @returns what the sheet says of a line and its request does not, for whoever compares the two; null for what it lacks */
export function saidOf({ row, body, kept }: Line) {
  const { fields } = row;
  const { transaction_id: purchase = null, customer = null } = fields;
  return redactJson({
    purchase_reference: purchase === (body.transaction_id ?? null) ? null : purchase,
    customer,
    note: kept?.note ?? null,
  }) as Record<'purchase_reference' | 'customer' | 'note', Json>;
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
  const ofRun =
    now.size === 0 ? '. This run sent none of it' : `, of which this run did ${totalsText(now)}`;
  const part = tally.doneEarlier === 0 ? '' : ofRun;
  const money = done.size === 0 ? '' : ` Total done: ${totalsText(done)}${part}.`;
  return `${subject}, ${quantity(lines, 'line', 'lines')}: ${tallyText(tally)}.${money}`;
}

/**
 * @param name of the input, `-` for stdin
 * @param meant the whole command that reads unknown columns as they seem to be meant, if there is one
 * @throws Failure usage if the input has problems, after printing all of them on stderr
 */
export async function refuseProblems(
  { stderr }: Pick<Host, 'stderr'>,
  name: string,
  plan: Plan,
  meant?: string,
): Promise<void> {
  const { problems, problemCount } = plan;
  if (problemCount === 0) return;
  const source = name === '-' ? 'stdin' : name;
  const lines = problems.map(({ line, problem, also }) =>
    line === undefined ? `${source}: ${problem}` : `${source}:${line}: ${problem}${alsoText(also)}`,
  );
  if (problemCount > MAX_PROBLEMS) lines.push(`… and ${count(problemCount - MAX_PROBLEMS)} more`);
  await stderr.write(lines.map((text) => `${neutralise(text)}\n`).join(''));
  throw usage(
    'input-invalid',
    `${quantity(problemCount, 'problem was', 'problems were')} found in ${source}.`,
    meant === undefined
      ? `Correct ${plural(problemCount, 'it', 'them')}, then run the command again.`
      : `If the columns are meant so, run \`${meant}\`${name === '-' ? ' with the same input' : ''}${problemCount > 1 ? '; otherwise correct the lines' : ''}.`,
  );
}

/** The most lines that are named for one problem. */
const MOST_LINES = 10;

/** @param also the further lines with the same problem. @returns for example ` (also in lines 3, 4 and 9 more)` */
function alsoText(also: readonly number[] = []): string {
  if (also.length === 0) return '';
  const more = also.length > MOST_LINES ? ` and ${count(also.length - MOST_LINES)} more` : '';
  const named = also.slice(0, MOST_LINES).join(', ');
  return ` (also in ${plural(also.length, 'line', 'lines')} ${named}${more})`;
}
