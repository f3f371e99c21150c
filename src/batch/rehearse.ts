/**
 * A dry run of a batch: every guard that the run itself would ask, line by line, and nothing is sent,
 * looked up at the gateway or written to the journal.
 */
import { plural } from '../base/plural.ts';
import { targetOf } from '../contract/operations.ts';
import { Failure } from '../failure.ts';
import { isTooMuch } from '../journal/judge-intent.ts';
import { count, moneyOf, resultLine, tallyText } from './batch-report.ts';
import { openLines } from './conclude.ts';
import { emptyTally, type Line, type LineResult } from './engine/batch.ts';
import { linesOf } from './engine/preflight.ts';
import { addTotal, type Totals } from './engine/totals.ts';
import { resultOfFailure } from './line-result.ts';
import type { Prepared } from './prepared.ts';
import { lookUp } from './send-line.ts';

/**
 * Says of each line what is known of it, what would refuse it, or that it would be sent.
 * @returns the failure of the run itself when some would not be
 */
export async function rehearse(batch: Prepared): Promise<Failure | undefined> {
  const { host } = batch.context;
  const tally = emptyTally();
  const sent: Totals = new Map();
  const refused: Totals = new Map();
  /** What the lines before would give back, by purchase. */
  const planned = new Map<string, number>();
  for await (const line of linesOf(batch.source)) {
    host.interrupted.throwIfAborted();
    const known = (await lookUp(batch, line)) ?? (await tooMuch(batch, line, planned));
    tally[known?.outcome ?? 'not-started']++;
    if (known?.outcome === 'done') tally.doneEarlier++;
    else addTotal(known ? refused : sent, line.body);
    const result = known ?? { outcome: 'not-started', isEarlier: false, record: line.body };
    await host.stdout.write(resultLine({ line: line.number, ...result }));
  }
  const { 'not-started': wouldSend, done } = tally;
  const wouldNot = openLines(tally) - wouldSend;
  const { currency } = batch.gateway.profile;
  const money = (totals: Totals) => (totals.size === 0 ? '' : `, ${moneyOf(totals, currency)}`);
  const parts = [
    `Nothing was sent. ${count(wouldSend)} ${plural(wouldSend, 'line', 'lines')} would be sent${money(sent)}.`,
    done > 0 && `${count(done)} ${plural(done, 'is', 'are')} done already.`,
    wouldNot > 0 &&
      `${count(wouldNot)} would not be sent${money(refused)}: ${tallyText({ ...tally, done: 0, 'not-started': 0 })}.`,
  ];
  await host.stderr.write(`${parts.filter(Boolean).join('\n')}\n`);
  if (wouldNot === 0) return undefined;
  return new Failure(
    'incomplete',
    `${count(wouldNot)} ${plural(wouldNot, 'line', 'lines')} would not be sent.`,
    {
      code: 'batch-incomplete',
      next: 'Nothing was sent. Their results say why.',
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
  const balance = await gateway.balance(purchase);
  const amount = Number(body.amount);
  if (!balance) return undefined;
  const before = planned.get(purchase) ?? 0;
  balance.uncertain += before;
  if (before > 0 && isTooMuch(amount, balance)) {
    const refused = { kind: 'over-refund', balance } as const;
    return resultOfFailure(await gateway.refusal(refused, operation, { body }));
  }
  planned.set(purchase, before + amount);
  return undefined;
}
