/**
 * `gw reconcile --by settlement-day`: compares each deposit of a bank with what was settled on a day, by what this ledger
 * knows. It asks the gateway for nothing, because the gateway lists no days.
 *
 * Tests: test/scripts/commands/reconcile-matches.script
 */
import { addDays } from '../../base/calendar.ts';
import { count, quantity } from '../../base/text.ts';
import type { GatewayConnection } from '../../client/connection/call.ts';
import { moneyText } from '../../contract/money.ts';
import type { Host } from '../../host/host.ts';
import type { InputRow } from '../../requests/batch/engine/rows.ts';
import type { FailedRows } from '../../requests/batch/failed-rows.ts';
import type { PageText } from '../../view/print-records.ts';
import type { Printer } from '../../view/printer.ts';
import type { Book } from './book.ts';
import { daysAsked } from './book-facts.ts';
import {
  type DayResult,
  type FeeFound,
  type NumberedRow,
  reconcileDays,
} from './day-reconciliation.ts';
import { MAX_DAYS } from './deposits.ts';
import { keptLedger } from './known-account.ts';
import { OtherUnits } from './other-units.ts';
import type { ReconcileOptions } from './reconcile-options.ts';
import { hiddenText, reconciledText, tallyWords } from './reconcile-report.ts';
import { NO_FAULTS, type ReconciledOutcome } from './reconciled-row.ts';
import { type SettledDays, settledDays } from './settled-days.ts';

/** The most days from a transaction to its settlement. */
const SETTLES_IN_DAYS = 10;

export interface ByDay {
  host: Host;
  gateway: GatewayConnection;
  options: ReconcileOptions;
  printer: Printer;
  /** The text of the page, if the results go to one. */
  said: PageText;
  failed: FailedRows | undefined;
  /** The path of the file, or `-`. */
  source: string;
  book: Book;
}

/** A row of the file as it was read, and as it is written in the file. */
export interface DepositRow extends NumberedRow {
  input: InputRow;
}

/** @returns how many results have which outcome. @throws Failure if results cannot be printed or stored */
export async function runByDay(
  run: ByDay,
  rows: readonly DepositRow[],
): Promise<Readonly<Record<ReconciledOutcome, number>>> {
  const { host, options, printer, failed, gateway } = run;
  const settled = await settledIn(run);
  const currencies = new Set(settled.days.map(({ currency }) => currency));
  const { zone, since, until, withinDays, debitIs } = options;
  const result = reconcileDays(rows, settled.days, {
    ...{ withinDays, debitIs },
    currency: gateway.profile.currency ?? (currencies.size === 1 ? [...currencies][0] : undefined),
    asked: daysAsked(zone, { since, until }),
  });
  const { results, tally } = result;
  const open = results.slice(0, rows.length).flatMap(({ outcome }, n) => {
    const row = rows[n]?.input;
    return !NO_FAULTS.includes(outcome) && row ? [{ row, outcome, reason: '' }] : [];
  });
  await failed?.add(open);
  const isShown = (outcome: ReconciledOutcome) => options.shown?.includes(outcome) ?? true;
  for (const one of results) if (isShown(one.outcome)) await printer.add(options.view.record(one));
  const summary = summaryOf(result, settled, run);
  run.said.notes = summary.trimEnd().split('\n');
  await printer.end();
  await host.stderr.write(summary);
  return tally;
}

async function settledIn({ host, gateway, options, book }: ByDay): Promise<SettledDays> {
  const ledger = await keptLedger(host, gateway);
  const { since, until, zone, withinDays } = options;
  const { first, last } = book.facts;
  const from = first && addDays(first, -withinDays - MAX_DAYS - SETTLES_IN_DAYS);
  const to = last && addDays(last, withinDays + SETTLES_IN_DAYS);
  if (!ledger || !from || !to) return { days: [], uncertain: [] };
  const period = {
    since: since !== undefined && since < from ? since : from,
    until: until !== undefined && until > to ? until : to,
    scope: await gateway.ledger.destination(),
  };
  return settledDays(ledger.things, period, { zone, usual: gateway.profile.currency });
}

function summaryOf(
  { tally, sums, debitIs, fees, results }: DayResult,
  { uncertain }: SettledDays,
  { source, book, options }: Pick<ByDay, 'source' | 'book' | 'options'>,
): string {
  // Nothing depends on what a debit is in a file that has none.
  const { debits, sided } = book.facts;
  const isDebitSaid = debits > 0 || (sided > 0 && debitIs === undefined);
  const compared = results.filter(({ line, settlement }) => line !== null && settlement).length;
  const lines = [
    `reconcile: ${tallyWords(tally)}.`,
    `${quantity(compared, 'deposit was', 'deposits were')} compared with what this ledger knows of the days.`,
    ...fees.map(feeLine),
    ...(isDebitSaid && options.debitIs === undefined ? [debitLine(debitIs)] : []),
    ...(uncertain.length > 0
      ? [
          `${count(uncertain.length)} more may have moved money around these days, and are not counted: gw report charges lists them.`,
        ]
      : []),
  ];
  const units = new OtherUnits();
  for (const result of results) units.add(result);
  const otherUnits = units.text(source, book, options);
  return `${lines.join('\n')}\n${hiddenText(tally, options)}${otherUnits}${reconciledText(sums)}`;
}

/** @returns for example `Fees: 2.90% of the payments = 275.11 AUD, which explains 20 deposits.` and what it does not explain */
function feeLine({ text, total, currency, explained, others, isAgreed }: FeeFound): string {
  const by = quantity(explained, 'deposit', 'deposits');
  const lines = `${others.length === 1 ? 'line' : 'lines'} ${others.join(', ')}`;
  const rest = others.length === 0 ? '' : ` It does not explain ${lines}.`;
  const stays = isAgreed
    ? ''
    : ' They still differ: a fee counts if it explains three deposits, and none was paid without it.';
  return `Fees: ${text} = ${moneyText(total, currency)}, which explains ${by}.${rest}${stays}`;
}

function debitLine(debitIs: DayResult['debitIs']): string {
  return debitIs === undefined
    ? 'gw cannot tell whether a debit is money in or out. Say it with --debit-is.'
    : `A debit is money ${debitIs}, because the days agree better then.`;
}
