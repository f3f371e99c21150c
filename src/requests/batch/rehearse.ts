/**
 * A dry run of a batch: asks every guard that the run would ask, line by line. Nothing is sent, looked up at the
 * gateway or written to the journal.
 */

import type { JsonObject } from '../../base/json.ts';
import { count, counted, plural } from '../../base/text.ts';
import type { GatewayConnection } from '../../client/connection/call.ts';
import { targetOf } from '../../client/exchange/said-money.ts';
import { Failure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { redactJson } from '../../host/redaction/redact.ts';
import { isTooMuch } from '../../journal/balance.ts';
import { tallyText, totalsText } from './batch-report.ts';
import { openLines } from './conclude.ts';
import { countIn, emptyTally, type Line, type LineResult } from './engine/batch.ts';
import { addTotal, type Totals } from './engine/totals.ts';
import { resultOfFailure } from './line-result.ts';
import type { Results } from './results.ts';
import type { BatchSender, CheckedBatch } from './send-line.ts';

interface Rehearsal {
  batch: CheckedBatch;
  gateway: GatewayConnection;
  sender: BatchSender;
  host: Host;
}

/**
 * For each line, prints its known result, the refusal it would meet, or that it would be sent.
 * @returns the failure that the run would end with, if some lines would not be sent
 */
export async function rehearse(
  { batch, gateway, sender, host }: Rehearsal,
  results: Results,
): Promise<Failure | undefined> {
  const tally = emptyTally();
  const sent: Totals = new Map();
  const refused: Totals = new Map();
  /** The amount that the lines before would refund, by purchase. */
  const planned = new Map<string, number>();
  for (const line of batch.plan.lines) {
    host.interrupted.throwIfAborted();
    const known = (await sender.known(line)) ?? (await tooMuch(batch, gateway, line, planned));
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
  const { 'not-started': wouldSend, done } = tally;
  const wouldNot = openLines(tally) - wouldSend;
  const money = (totals: Totals) => (totals.size === 0 ? '' : `, ${totalsText(totals)}`);
  const inTotal = sent.size === 0 ? '' : `${money(sent)} in total`;
  const before = done === 0 ? 'none' : count(done);
  const lines = [
    `Nothing was sent. ${count(wouldSend)} to send${inTotal}; ${before} sent before.`,
    wouldNot > 0 &&
      `${count(wouldNot)} would not be sent${money(refused)}: ${tallyText({ ...tally, done: 0, 'not-started': 0 })}.`,
  ];
  await host.stderr.write(`${lines.filter(Boolean).join('\n')}\n`);
  if (wouldNot === 0) return undefined;
  return new Failure('incomplete', `${counted(wouldNot, 'line', 'lines')} would not be sent.`, {
    code: 'batch-incomplete',
    next: `See ${plural(wouldNot, 'its result', 'their results')} for the reason.`,
    sent: false,
  });
}

/** @returns the result of a line that refunds more than is left after the lines before it */
async function tooMuch(
  { operation, options }: CheckedBatch,
  { ledger }: Pick<GatewayConnection, 'ledger'>,
  line: Line,
  planned: Map<string, number>,
): Promise<LineResult | undefined> {
  const { body } = line;
  const purchase = operation.money?.givesBack ? targetOf(operation, { body }) : null;
  if (purchase === null || !options.request.refusesOverRefunds) return undefined;
  const balance = await ledger.balance(purchase);
  const amount = Number(body.amount);
  if (!balance) return undefined;
  const before = planned.get(purchase) ?? 0;
  balance.uncertain += before;
  if (before > 0 && isTooMuch(amount, balance)) {
    const refused = { kind: 'over-refund', balance } as const;
    return resultOfFailure(line, await ledger.refusal(refused, operation, { body }));
  }
  planned.set(purchase, before + amount);
  return undefined;
}
