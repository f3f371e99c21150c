/** Compares the deposits of a file with the days that the gateway settled. It has no effects and knows no ledger. */
import { addDays } from '../../base/calendar.ts';
import { formatDecimal, moneyText } from '../../contract/money.ts';
import { type BookRow, inCurrency } from './book-row.ts';
import type { DebitIs } from './compare.ts';
import { type Alignment, align, type Dated, MAX_FEE, type Paid } from './deposits.ts';
import { type Fee, feeOf, isBy } from './fee.ts';
import {
  NOT_RECONCILED,
  RECONCILED_OUTCOMES,
  type Reconciled,
  type ReconciledOutcome,
} from './reconciled-row.ts';
import type { SettledDay } from './settled-days.ts';
import { signedBy } from './side.ts';
import { addSide, type ClassSums } from './totals.ts';

/** A row of the file with its line. */
export interface NumberedRow {
  line: number;
  row: BookRow;
}

export interface DayRules {
  withinDays: number;
  /** undefined if the amounts have to show it. */
  debitIs: DebitIs | undefined;
  /** The currency of rows that name none; undefined if nobody knows. */
  currency: string | undefined;
  /** The days that the user asked for, `YYYY-MM-DD`. */
  asked: { first?: string | undefined; last?: string | undefined };
}

export interface DayResult {
  /** In the order of the file; then the days without a deposit. */
  results: readonly Reconciled[];
  tally: Readonly<Record<ReconciledOutcome, number>>;
  sums: ClassSums;
  /** The direction that a debit was taken for; undefined if no row has a side, or nothing shows it. */
  debitIs: DebitIs | undefined;
  /** The fee of each currency. */
  fees: readonly FeeFound[];
}

/** A fee, and the deposits that it explains. */
export interface FeeFound {
  text: string;
  /** Minor units that it took of them. */
  total: number;
  currency: string;
  explained: number;
  /** The lines of deposits that differ otherwise. */
  others: readonly number[];
  /** Whether the deposits of this fee count as right. */
  isAgreed: boolean;
}

/** Two numbers explain any two deposits, so fewer than three show no fee. */
const LEAST_FOR_FEE = 3;

/** A row that can be compared. */
interface Deposit extends Dated {
  line: number;
  /** The words of its texts, without numbers, by which a bank names the payer. */
  payer: string;
  /** The words of the row, as the bank wrote them; null for none. */
  text: string | null;
}

interface Currency {
  currency: string;
  deposits: Deposit[];
  days: SettledDay[];
}

/**
 * @param rows of the file, in its order
 * @param days in the order of time
 */
export function reconcileDays(
  rows: readonly NumberedRow[],
  days: readonly SettledDay[],
  rules: DayRules,
): DayResult {
  const isSided = rows.some(({ row }) => row.side !== undefined);
  const debitIs = rules.debitIs ?? (isSided ? debitByDays(rows, days, rules) : undefined);
  const currencies = byCurrency(rows, days, { ...rules, debitIs });
  const compared = new Map<number, Reconciled>();
  const missing: Reconciled[] = [];
  const fees: FeeFound[] = [];
  const sums: ClassSums = new Map();
  for (const one of currencies) {
    const { fee, paid, alone, unpaid, unrelated } = compareCurrency(one, rules);
    for (const result of [...paid, ...alone, ...unrelated]) compared.set(result.line ?? 0, result);
    missing.push(...unpaid);
    if (fee) fees.push(fee);
    addSums(sums, one, [...paid, ...alone, ...unrelated, ...unpaid]);
  }
  const results = [
    ...rows.map(({ line, row }) => compared.get(line) ?? uncompared(line, row)),
    ...missing,
  ];
  const tally = Object.fromEntries(RECONCILED_OUTCOMES.map((name) => [name, 0]));
  for (const { outcome } of results) tally[outcome] = (tally[outcome] ?? 0) + 1;
  return { results, tally: tally as DayResult['tally'], sums, debitIs, fees };
}

function addSums(
  sums: ClassSums,
  { currency, deposits }: Currency,
  results: readonly Reconciled[],
): void {
  const amounts = new Map(deposits.map(({ line, amount }) => [line, amount]));
  for (const { line, outcome, settlement } of results) {
    const name = line !== null && settlement ? 'compared' : outcome;
    const file = line === null ? undefined : amounts.get(line);
    if (file !== undefined) addSide(sums, [name, 'file'], { currency, net: BigInt(file) });
    if (settlement) addSide(sums, [name, 'gateway'], { currency, net: BigInt(settlement.net) });
  }
}

/** @returns what a debit is, by which the deposits and the days agree better; undefined if both agree equally */
function debitByDays(
  rows: readonly NumberedRow[],
  days: readonly SettledDay[],
  rules: DayRules,
): DebitIs | undefined {
  const [ifIn, ifOut] = (['in', 'out'] as const).map((debitIs) =>
    byCurrency(rows, days, { ...rules, debitIs })
      .map((one) => align(one.deposits, one.days, rules.withinDays).cost)
      .reduce((sum, cost) => sum + cost, 0),
  ) as [number, number];
  if (ifIn === ifOut) return undefined;
  return ifIn < ifOut ? 'in' : 'out';
}

function byCurrency(
  rows: readonly NumberedRow[],
  days: readonly SettledDay[],
  { debitIs, currency: usual }: DayRules,
): Currency[] {
  const currencies = new Map<string, Currency>();
  const at = (currency: string) => {
    const known = currencies.get(currency) ?? { currency, deposits: [], days: [] };
    currencies.set(currency, known);
    return known;
  };
  for (const { line, row } of rows) {
    const currency = row.currency ?? usual ?? '';
    const { amount, side, dates } = signedBy(inCurrency(row, currency), debitIs);
    const [day] = dates ?? [];
    const isOpen = side !== undefined && debitIs === undefined;
    if (amount !== undefined && day !== undefined && !isOpen)
      at(currency).deposits.push({ line, day, amount, payer: payerOf(row), text: textOf(row) });
  }
  for (const day of days) if (day.amount !== 0) at(day.currency).days.push(day);
  for (const one of currencies.values()) inTime(one.deposits);
  return [...currencies.values()];
}

function textOf({ texts = [] }: BookRow): string | null {
  return texts.length === 0 ? null : texts.join(' ');
}

function payerOf({ reference = '', texts = [] }: BookRow): string {
  const words = [reference, ...texts].join(' ').toLowerCase().split(/\s+/);
  return words.filter((word) => !/\d/.test(word)).join(' ');
}

/** Sorts deposits by their day. Many banks write the newest first, and so those of one day too. */
function inTime(deposits: Deposit[]): void {
  const [first, last] = [deposits[0], deposits.at(-1)];
  if (first && last && first.day > last.day) deposits.reverse();
  deposits.sort((one, other) => (one.day === other.day ? 0 : one.day < other.day ? -1 : 1));
}

function compareCurrency({ currency, deposits, days }: Currency, { withinDays, asked }: DayRules) {
  const first = pairsOf(deposits, days, withinDays);
  const payers = payersOf(first, deposits);
  const own = deposits.filter(({ payer }) => payers.size === 0 || payers.has(payer));
  const { alignment, pairs, fee } =
    own.length === deposits.length ? first : pairsOf(own, days, withinDays);
  const found = fee && foundFee(fee, currency, pairs);
  const paid = pairs.map((pair) => paidResult(pair, currency, found && { ...found, fee }));
  const done = new Set(alignment.paid.map(({ deposit }) => deposit));
  const alone = own
    .filter((_, n) => !done.has(n))
    .map((one) => aloneResult(one, currency, firstAlike(one, pairs)));
  const unrelated = deposits
    .filter((one) => !own.includes(one))
    .map((one) => ({
      ...aloneResult(one, currency, undefined),
      ...{ kind: null, outcome: 'unrelated' as const },
    }));
  const settled = new Set(alignment.paid.flatMap((one) => one.days));
  const covered = coveredDays(deposits, alignment, asked);
  const unpaid = days
    .filter(({ day }, n) => !settled.has(n) && day >= covered.first && day <= covered.last)
    .map((day) => ({
      ...NOT_RECONCILED,
      ...shownOf([day], currency, null),
      line: null,
      outcome: 'missing-in-file' as const,
    }));
  return { paid, alone, unpaid, unrelated, fee: found };
}

/**
 * The deposits of a fee count as right if there are three of them, and none was paid without the fee: it is one rate for
 * all then. Those that it does not explain differ, and so do all if it takes more than any bank does.
 */
function foundFee(fee: Fee, currency: string, pairs: readonly Pair[]): FeeFound {
  const short = pairs.filter(({ missing }) => missing !== 0);
  const by = short.filter((pair) => isBy(fee, pair));
  const [total, net] = (['missing', 'net'] as const).map((part) =>
    by.reduce((sum, pair) => sum + pair[part], 0),
  ) as [number, number];
  const isForAll = pairs.every((pair) => pair.missing !== 0 || isBy(fee, pair));
  return {
    text: feeText(fee, currency),
    ...{ total, currency },
    explained: by.length,
    others: short.flatMap((pair) => (by.includes(pair) ? [] : pair.deposit.line)),
    isAgreed: isForAll && by.length >= LEAST_FOR_FEE && total <= MAX_FEE * net,
  };
}

/** @returns deposits with their days, those of them that have another amount, and the fee that explains most of these */
function pairsOf(deposits: readonly Deposit[], days: readonly SettledDay[], withinDays: number) {
  const alignment = align(deposits, days, withinDays);
  const pairs = alignment.paid.map((paid) => pairOf(paid, deposits, days));
  const short = pairs.filter(({ missing }) => missing !== 0);
  return { alignment, pairs, fee: feeOf(short, pairs.length) };
}

/**
 * A bank has other payments too, such as rent and wages. Those of the gateway have the words of deposits that pay what
 * was settled; if no deposit does, of those that mostly pay nearly that.
 */
function payersOf(
  { pairs, fee }: ReturnType<typeof pairsOf>,
  deposits: readonly Deposit[],
): ReadonlySet<string> {
  const isSure = (pair: Pair) => pair.missing === 0 || (fee !== undefined && isBy(fee, pair));
  const sure = new Set(pairs.filter(isSure).map(({ deposit }) => deposit.payer));
  if (sure.size > 0) return sure;
  const near = pairs.filter(({ missing, net }) => Math.abs(missing) <= MAX_FEE * Math.abs(net));
  const countIn = (all: readonly Deposit[], one: string) =>
    all.filter(({ payer }) => payer === one).length;
  const nearby = near.map(({ deposit }) => deposit);
  const payers = nearby.map(({ payer }) => payer);
  return new Set(payers.filter((one) => 2 * countIn(nearby, one) >= countIn(deposits, one)));
}

/** A deposit, its days, and what is missing in it. */
interface Pair {
  deposit: Deposit;
  days: readonly SettledDay[];
  net: number;
  missing: number;
  records: SettledDay['records'];
}

function pairOf(
  { deposit: place, days: places }: Paid,
  deposits: readonly Deposit[],
  settled: readonly SettledDay[],
): Pair {
  const deposit = deposits[place] as Deposit;
  const days = places.map((n) => settled[n] as SettledDay);
  const net = days.reduce((sum, day) => sum + day.amount, 0);
  const records = days.flatMap((day) => day.records);
  return { deposit, days, net, missing: net - deposit.amount, records };
}

function paidResult(
  pair: Pair,
  currency: string,
  found: (FeeFound & { fee: Fee }) | undefined,
): Reconciled {
  const { deposit, days, net, missing } = pair;
  const isFee = found !== undefined && missing !== 0 && isBy(found.fee, pair);
  const outcome = isFee && found.isAgreed ? 'after-fee' : 'differs';
  return {
    ...NOT_RECONCILED,
    ...shownOf(days, currency, isFee ? found.text : null),
    ...{ line: deposit.line, text: deposit.text },
    outcome: missing === 0 ? 'matches' : outcome,
    differences: missing === 0 ? [] : [{ field: 'amount', file: deposit.amount, gateway: net }],
  };
}

function aloneResult(
  { line, amount, day, text }: Deposit,
  currency: string,
  repeats: number | undefined,
): Reconciled {
  return {
    ...NOT_RECONCILED,
    ...{ line, kind: 'deposit', amount, currency: currency || null, date: day, text },
    outcome: repeats === undefined ? 'not-found' : 'repeats',
    repeats: repeats ?? null,
  };
}

/** @returns the line of a deposit of the same day and amount, which pays a day */
function firstAlike({ day, amount }: Deposit, pairs: readonly Pair[]): number | undefined {
  return pairs.find(({ deposit }) => deposit.day === day && deposit.amount === amount)?.deposit
    .line;
}

function shownOf(days: readonly SettledDay[], currency: string, fee: string | null) {
  const net = days.reduce((sum, day) => sum + day.amount, 0);
  return {
    kind: 'deposit',
    amount: net,
    currency: currency || null,
    date: days.at(-1)?.day ?? null,
    settlement: {
      days: days.map(({ day }) => day),
      net,
      fee,
      records: days.flatMap(({ records }) => records),
    },
  };
}

function uncompared(line: number, row: BookRow): Reconciled {
  const { amount = null, currency = null, dates, side } = row;
  const isWritten = amount !== null || row.decimal !== undefined;
  const why =
    (!isWritten && 'the row has no amount') ||
    (dates?.[0] === undefined && 'the row has no date') ||
    (side !== undefined && 'gw cannot tell whether a debit is money in or out') ||
    'the currency of the row is not known';
  return {
    ...NOT_RECONCILED,
    ...{ line, kind: 'deposit', amount, currency, date: dates?.[0] ?? null, text: textOf(row) },
    outcome: 'not-compared',
    unchecked: ['amount'],
    uncompared: why,
  };
}

/** @returns the days whose deposits the file should have: those asked for, or from the first deposit to the last */
function coveredDays(
  deposits: readonly Deposit[],
  { usualLag }: Alignment,
  { first, last }: DayRules['asked'],
): { first: string; last: string } {
  const [earliest, latest] = [deposits[0], deposits.at(-1)];
  return {
    first: first ?? (earliest ? addDays(earliest.day, -usualLag) : '9999-12-31'),
    last: last ?? (latest ? addDays(latest.day, -usualLag) : '0000-01-01'),
  };
}

/** @returns for example `1.75% of the net`, or `2.90% of the payments and 0.30 AUD for each payment` */
function feeText({ of, share, each }: Fee, currency: string): string {
  const what = of === 'net' ? 'transaction' : 'payment';
  const parts = [
    share > 0 && `${formatDecimal(share, 2)}% of the ${of}`,
    each > 0 && `${moneyText(each, currency)} for each ${what}`,
  ];
  return parts.filter(Boolean).join(' and ');
}
