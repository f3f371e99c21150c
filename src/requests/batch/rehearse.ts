/**
 * A dry run of a batch: asks every guard that the run would ask. Nothing is sent, looked up at the
 * gateway or written to the journal.
 */

import type { JsonObject } from '../../base/json.ts';
import { count, plural, quantity } from '../../base/text.ts';
import { Failure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { redactJson } from '../../host/redaction/redact.ts';
import { tallyText, totalsText } from './batch-report.ts';
import { openLines } from './conclude.ts';
import { countIn, emptyTally, type Line, type LineResult, type Tally } from './engine/batch.ts';
import { Distinct } from './engine/distinct.ts';
import { addTotal, type Totals } from './engine/totals.ts';
import type { Results } from './results.ts';
import type { BatchSender, CheckedBatch } from './send-line.ts';

/** The most lines that the ledger is asked about at once. */
const ASKED_AT_ONCE = 32;

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
  const purchases = new Distinct();
  /** The amount that the lines before would refund, by the number of the purchase. */
  const planned: number[] = [];
  for (const lines of stretchesOf(batch.plan.lines)) {
    host.interrupted.throwIfAborted();
    const places = lines.map(({ kept }) => purchases.add(kept?.refundOf ?? '', purchases.size));
    const taken = places.map((place) => planned[place] ?? 0);
    const known = await sender.known(lines, taken);
    const shown = lines.map((line, n): LineResult => {
      const result = known[n];
      const { body, currency, kept } = line;
      if (!result) planned[places[n] ?? 0] = (taken[n] ?? 0) + (kept?.amount ?? 0);
      if (result?.outcome !== 'done') addTotal(result ? refused : sent, body, currency);
      const record = redactJson(body) as JsonObject;
      return result ?? { line, outcome: 'not-started', isEarlier: false, record };
    });
    for (const result of shown) countIn(tally, result);
    await results.print(shown);
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

/** @returns lines that are asked about together, in their order: no two refund the same purchase */
function* stretchesOf(lines: Iterable<Line>): Generator<Line[]> {
  let stretch: Line[] = [];
  for (const line of lines) {
    const { refundOf = null } = line.kept ?? {};
    const isAgain = refundOf !== null && stretch.some(({ kept }) => kept?.refundOf === refundOf);
    if (isAgain || stretch.length === ASKED_AT_ONCE) {
      yield stretch;
      stretch = [];
    }
    stretch.push(line);
  }
  if (stretch.length > 0) yield stretch;
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
