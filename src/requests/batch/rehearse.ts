/**
 * A dry run of a batch: asks every guard that the run would ask, line by line. Nothing is sent, looked up at the
 * gateway or written to the journal.
 */

import type { JsonObject } from '../../base/json.ts';
import { count, plural, quantity } from '../../base/text.ts';
import { Failure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { redactJson } from '../../host/redaction/redact.ts';
import { tallyText, totalsText } from './batch-report.ts';
import { openLines } from './conclude.ts';
import { countIn, emptyTally, type Tally } from './engine/batch.ts';
import { addTotal, type Totals } from './engine/totals.ts';
import type { Results } from './results.ts';
import type { BatchSender, CheckedBatch } from './send-line.ts';

interface Rehearsal {
  batch: CheckedBatch;
  sender: BatchSender;
  host: Pick<Host, 'interrupted' | 'stderr'>;
}

/**
 * For each line, prints its known result, the refusal it would meet, or that it would be sent.
 * @returns the failure that the run would end with, if some lines would not be sent
 */
export async function rehearse(
  { batch, sender, host }: Rehearsal,
  results: Results,
): Promise<Failure | undefined> {
  const tally = emptyTally();
  const sent: Totals = new Map();
  const refused: Totals = new Map();
  /** The amount that the lines before would refund, by purchase. */
  const planned = new Map<string | null, number>();
  for (const line of batch.plan.lines) {
    host.interrupted.throwIfAborted();
    const { refundOf = null, amount = 0 } = line.kept ?? {};
    const taken = planned.get(refundOf) ?? 0;
    const known = await sender.known(line, taken);
    if (!known) planned.set(refundOf, taken + (amount ?? 0));
    if (known?.outcome !== 'done') addTotal(known ? refused : sent, line.body, line.currency);
    const wouldSend = {
      line,
      outcome: 'not-started',
      isEarlier: false,
      record: redactJson(line.body) as JsonObject,
    } as const;
    const result = known ?? wouldSend;
    countIn(tally, result);
    await results.print([result]);
  }
  await results.end();
  const wouldNot = openLines(tally) - tally['not-started'];
  await host.stderr.write(summaryOf(tally, wouldNot, sent, refused));
  if (wouldNot === 0) return undefined;
  return new Failure(
    'batch-incomplete',
    `${quantity(wouldNot, 'line', 'lines')} would not be sent.`,
    `See ${plural(wouldNot, 'its result', 'their results')} for the reason.`,
    { sent: false },
  );
}

function summaryOf(tally: Tally, wouldNot: number, sent: Totals, refused: Totals): string {
  const { 'not-started': wouldSend, done } = tally;
  const money = (totals: Totals) => (totals.size === 0 ? '' : `, ${totalsText(totals)}`);
  const inTotal = sent.size === 0 ? '' : `${money(sent)} in total`;
  const before = done === 0 ? 'none' : count(done);
  const summary = `Nothing was sent. ${count(wouldSend)} to send${inTotal}; ${before} sent before.\n`;
  if (wouldNot === 0) return summary;
  const others = tallyText({ ...tally, done: 0, 'not-started': 0 });
  return `${summary}${count(wouldNot)} would not be sent${money(refused)}: ${others}.\n`;
}
