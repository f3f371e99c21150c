/**
 * A dry run of a batch: every guard that the run itself would ask, line by line, and nothing is sent,
 * looked up at the gateway or written to the journal.
 */
import { plural } from '../../base/plural.ts';
import { targetOf } from '../../client/exchange/said-money.ts';
import { Failure } from '../../failure.ts';
import { isTooMuch } from '../../journal/balance.ts';
import { count, moneyOf, tallyText } from './batch-report.ts';
import { openLines } from './conclude.ts';
import { emptyTally, type Line, type LineResult } from './engine/batch.ts';
import { addTotal, type Totals } from './engine/totals.ts';
import { resultOfFailure } from './line-result.ts';
import type { Results } from './results.ts';
import { lookUp, type Prepared } from './send-line.ts';

/**
 * Says of each line what is known of it, what would refuse it, or that it would be sent.
 * @returns the failure of the run itself when some would not be
 */
export async function rehearse(batch: Prepared, results: Results): Promise<Failure | undefined> {
  const { host } = batch.context;
  const tally = emptyTally();
  const sent: Totals = new Map();
  const refused: Totals = new Map();
  /** What the lines before would give back, by purchase. */
  const planned = new Map<string, number>();
  for (const line of batch.plan.lines) {
    host.interrupted.throwIfAborted();
    const known = (await lookUp(batch, line)) ?? (await tooMuch(batch, line, planned));
    tally[known?.outcome ?? 'not-started']++;
    if (known?.outcome === 'done') tally.doneEarlier++;
    else addTotal(known ? refused : sent, line.body, line.currency);
    const result = known ?? { outcome: 'not-started', isEarlier: false, record: line.body };
    const { number, body, row, currency } = line;
    await results.print([{ line: number, body, row, currency, ...result }]);
  }
  await results.end();
  const { 'not-started': wouldSend, done } = tally;
  const wouldNot = openLines(tally) - wouldSend;
  const money = (totals: Totals) => (totals.size === 0 ? '' : `, ${moneyOf(totals)}`);
  const inTotal = sent.size === 0 ? '' : `${money(sent)} in total`;
  const before = done === 0 ? 'none' : count(done);
  const lines = [
    `Nothing was sent. ${count(wouldSend)} to send${inTotal}; ${before} sent before.`,
    wouldNot > 0 &&
      `${count(wouldNot)} would not be sent${money(refused)}: ${tallyText({ ...tally, done: 0, 'not-started': 0 })}.`,
  ];
  await host.stderr.write(`${lines.filter(Boolean).join('\n')}\n`);
  if (wouldNot === 0) return undefined;
  return new Failure(
    'incomplete',
    `${count(wouldNot)} ${plural(wouldNot, 'line', 'lines')} would not be sent.`,
    {
      code: 'batch-incomplete',
      next: `${plural(wouldNot, 'Its result says', 'Their results say')} why.`,
      sent: false,
    },
  );
}

/** @returns the result of a line that gives back more than is left when those before it are sent */
async function tooMuch(
  { gateway, operation, options }: Prepared,
  { body }: Line,
  planned: Map<string, number>,
): Promise<LineResult | undefined> {
  const purchase = operation.money?.givesBack ? targetOf(operation, { body }) : null;
  if (purchase === null || !options.request.refusesOverRefunds) return undefined;
  const balance = await gateway.ledger.balance(purchase);
  const amount = Number(body.amount);
  if (!balance) return undefined;
  const before = planned.get(purchase) ?? 0;
  balance.uncertain += before;
  if (before > 0 && isTooMuch(amount, balance)) {
    const refused = { kind: 'over-refund', balance } as const;
    return resultOfFailure(await gateway.ledger.refusal(refused, operation, { body }));
  }
  planned.set(purchase, before + amount);
  return undefined;
}
