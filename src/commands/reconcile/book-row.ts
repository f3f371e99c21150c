/** Reads one row of the books. */

import type { DateColumn } from '../../base/date-column.ts';
import type { Json } from '../../base/json.ts';
import { quotedText } from '../../base/shell.ts';
import { holdsCardNumber } from '../../contract/cards/find-card-numbers.ts';
import { currencyExponent } from '../../contract/currency.ts';
import { type CellNumber, type NumberColumn, sideOf } from '../../contract/number-column.ts';
import { kindOfId, type RecordKind } from '../../contract/record.ts';
import { readDecimalCell } from '../../requests/batch/decimal-cell.ts';
import type { InputRow } from '../../requests/batch/engine/rows.ts';
import { Cells } from './cells.ts';

/** The kinds of records in books. */
export const RECONCILED_KINDS = ['purchase', 'refund', 'subscription'] as const;

/** The fields of a row. Missing fields are not compared. */
export interface BookRow {
  /** The kind, by the column or the form of the id. */
  kind: RecordKind | undefined;
  id: string | undefined;
  reference: string | undefined;
  /** Minor units; for a refund, of either sign. */
  amount: number | undefined;
  /** The amount as it is written, if that is a decimal in the currency of the record. */
  decimal?: string | undefined;
  currency: string | undefined;
  /** The decimal that was refunded of a purchase, without a sign, if the row says it. */
  refunded?: string | undefined;
  /** Where a bank has two columns, or a mark such as DR, the side on which the amount stands. The amount has no sign then. */
  side?: 'debit' | 'credit' | undefined;
  /** The days that the row names, `YYYY-MM-DD`. */
  dates?: readonly string[] | undefined;
  /** The kind of the row as a processor says it, such as `Settled` or `Payout`. */
  type?: string | undefined;
  /** Cells in which an id or a reference may stand among other words. */
  texts?: readonly string[] | undefined;
  outcome: SaidOutcome | undefined;
  /** The expected message of the gateway, if it says more than Approved or Declined. */
  message: string | undefined;
  isActive: boolean | undefined;
}

/** The columns with an id of a record, and the kind of each. */
const ID_COLUMNS: Readonly<Record<string, RecordKind | undefined>> = {
  id: undefined,
  purchase: 'purchase',
  refund: 'refund',
  subscription: 'subscription',
  transaction_id: undefined,
};

/** Every column that gw knows. */
export const BOOK_COLUMNS: readonly string[] = [
  ...Object.keys(ID_COLUMNS),
  'reference',
  'amount',
  'decimal_amount',
  'debit',
  'credit',
  'mark',
  'type',
  'amount_refunded',
  'currency',
  'date',
  'value_date',
  'successful',
  'authorized',
  'state',
  'message',
  'is_active',
];

/** The readers of the columns of a file. */
export interface ColumnForms {
  /** The reader of each field with decimals. Without one, a decimal has a point, and nothing around it. */
  numbers: ReadonlyMap<string, NumberColumn>;
  /** The reader of each field with days. */
  dates: ReadonlyMap<string, DateColumn>;
  /** The places of the cells in which an id or a reference may stand among other words. */
  texts: readonly number[];
  /** Whether somebody else made the file, such as a bank: it has other payments too, and amounts of zero. */
  isForeign: boolean;
  /** Whether some row of such a file names its record: one that names none is another payment then, and no fault. */
  hasNames: boolean;
  /** Whether the amounts are what was refunded. */
  areRefunds: boolean;
  /** Whether a credit is money given back: Braintree calls it so beside sales, and a bank calls money that comes in so. */
  creditsAreRefunds: boolean;
}

const NO_FORMS: ColumnForms = {
  numbers: new Map(),
  dates: new Map(),
  texts: [],
  isForeign: false,
  hasNames: false,
  areRefunds: false,
  creditsAreRefunds: false,
};

/** @returns the fields of the row, all of its faults, and the columns whose cells look like card numbers */
export function readBookRow(
  { fields, isText, cells: written = [] }: Pick<InputRow, 'fields' | 'isText' | 'cells'>,
  currency: string | undefined,
  forms = NO_FORMS,
): { row: BookRow; problems: readonly string[]; cardLike: readonly string[] } {
  const cells = new Cells(fields, isText);
  const { cardLike, ...named } = readName(cells);
  const money = readMoney(cells, currency, forms);
  const outcome = readOutcome(cells);
  const dates = readDates(cells, forms);
  const texts = named.id === undefined ? textsIn(written, forms) : undefined;
  const type = cells.text('type');
  const isCredit = forms.creditsAreRefunds && /^credit$/i.test(type ?? '');
  const isRefund = forms.areRefunds || isCredit || isRefundWord(type ?? '');
  // Written out, because there are many rows, and a spread takes longer than all the rest.
  const row: BookRow = {
    kind: named.kind ?? (isRefund ? 'refund' : undefined),
    id: named.id,
    reference: named.reference,
    amount: money.amount,
    decimal: money.decimal,
    currency: money.currency,
    refunded: readRefunded(cells, forms),
    side: money.side,
    dates,
    type,
    texts,
    outcome: outcome.outcome,
    message: outcome.message,
    isActive: cells.flag('is_active'),
  };
  const isDeposit = dates !== undefined && (money.amount ?? money.decimal) !== undefined;
  if (nameOf(row) === '' && !texts && !isDeposit && !forms.hasNames)
    cells.problem('has neither an id nor a reference');
  if (!forms.isForeign && isNegative(row) && (row.kind ?? 'refund') !== 'refund')
    cells.problem(`amount is negative, which is allowed only for a refund`);
  return { row, problems: cells.problems, cardLike };
}

function readName(cells: Cells): Pick<BookRow, 'kind' | 'id' | 'reference'> & {
  cardLike: readonly string[];
} {
  const given = Object.entries(ID_COLUMNS).flatMap(([column, kind]) => {
    const id = cells.text(column);
    return id === undefined ? [] : [{ column, kind, id }];
  });
  const reference = cells.text('reference');
  const [first, second] = given;
  if (first && second)
    cells.problem(`names its record by both ${first.column} and ${second.column}`);
  const names = [...given.map(({ column, id }) => [column, id]), ['reference', reference ?? '']];
  const cardLike = names.flatMap(([column = '', name = '']) =>
    holdsCardNumber(name) ? [column] : [],
  );
  const kind = first && (first.kind ?? kindOfId(first.id));
  return { kind, id: first?.id, reference, cardLike };
}

/** @returns the days of the row, that of the transaction first; undefined if it has none */
function readDates(cells: Cells, { dates }: ColumnForms): string[] | undefined {
  const days = ['date', 'value_date'].flatMap((field) => {
    const text = cells.text(field);
    if (text === undefined) return [];
    const day = dates.get(field)?.read(text) ?? (DAY.test(text) ? text : undefined);
    if (day === undefined) cells.problem(`${field} is ${quotedText(text)}, which is no day`);
    return day ?? [];
  });
  return days.length > 0 ? days : undefined;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function textsIn(written: readonly string[], { texts }: ColumnForms): string[] | undefined {
  const given = texts.flatMap((place) => written[place] || []);
  return given.length > 0 ? given : undefined;
}

/** @returns whether the amount is below zero, in whatever currency it is read */
export function isNegative({ amount = 0, decimal = '' }: Partial<BookRow>): boolean {
  return amount < 0 || decimal.startsWith('-');
}

/** @returns the row of a record in that currency: its decimal is read in it, and without an amount if it cannot be */
export function inCurrency(row: BookRow, currency: string | undefined): BookRow {
  if (row.decimal === undefined || currency === undefined) return row;
  const minor = readSigned(row.decimal, currency);
  return { ...row, amount: typeof minor === 'number' ? minor : undefined };
}

function readSigned(decimal: string, currency: string | undefined) {
  const minor = readDecimalCell(decimal.replace(/^-/, ''), currency);
  return typeof minor === 'number' && decimal.startsWith('-') ? -minor : minor;
}

type Money = Pick<BookRow, 'amount' | 'currency' | 'decimal' | 'side'>;

/** The record says the currency later. Until then, an amount may have as many decimals as the currency with the most. */
function readMoney(cells: Cells, usual: string | undefined, forms: ColumnForms): Money {
  const written = writtenAmount(cells, forms);
  const currency = readCurrency(cells, written?.currency);
  const amount = cells.amount('amount');
  if (!written) return { amount, currency, ...markOf(cells, amount) };
  const { decimal, side, field } = written;
  const money = { currency, ...(side && { side }) };
  if (forms.isForeign && ZERO.test(decimal)) return { ...money, amount: 0 };
  const minor = readSigned(decimal, currency ?? usual);
  const open = { decimal: currency === undefined ? decimal : undefined };
  if (typeof minor === 'number') {
    if (amount !== undefined && amount !== minor)
      cells.problem(`has an amount and a ${field} that is another amount`);
    return { ...money, ...open, amount: minor };
  }
  const isForAny = open.decimal !== undefined && isReadable(decimal);
  // An unknown currency is already reported as a problem.
  if (minor.code !== 'currency-unknown' && !isForAny) cells.problem(minor.what);
  return { ...money, ...open, amount: undefined };
}

function readRefunded(cells: Cells, forms: ColumnForms): string | undefined {
  const text = cells.text('amount_refunded');
  return text === undefined
    ? undefined
    : numberOf('amount_refunded', text, forms).decimal.replace(/^-/, '');
}

/** @returns the minor units that the row says were refunded; undefined if it does not, or in another form */
export function refundedIn(
  { refunded }: BookRow,
  currency: string | undefined,
): number | undefined {
  if (refunded === undefined) return undefined;
  const minor = ZERO.test(refunded) ? 0 : readSigned(refunded, currency);
  return typeof minor === 'number' ? minor : undefined;
}

/** @param beside the currency that the cell of the amount names */
function readCurrency(cells: Cells, beside: string | undefined): string | undefined {
  const currency = cells.text('currency')?.toUpperCase();
  if (currency !== undefined && currencyExponent(currency) === undefined)
    cells.problem(`${quotedText(currency)} is not an ISO 4217 currency code`);
  if (currency !== undefined && beside !== undefined && currency !== beside)
    cells.problem(`has the currency ${currency} and an amount in ${beside}`);
  return currency ?? beside;
}

/** An amount as it is written, with a point before its decimals. */
type WrittenAmount = CellNumber & { field: string };

const DECIMAL_COLUMNS = ['decimal_amount', 'debit', 'credit'] as const;
const ZERO = /^[-.0]*$/;
const OTHER_SIDE = { debit: 'credit', credit: 'debit' } as const;

/** @returns the amount of the column with decimals that has one; without a sign if it is on a side */
function writtenAmount(cells: Cells, forms: ColumnForms): WrittenAmount | undefined {
  let amount: WrittenAmount | undefined;
  for (const field of DECIMAL_COLUMNS) {
    const text = cells.text(field);
    if (text === undefined) continue;
    const number = numberOf(field, text, forms);
    // Banks write zero in the column that has no amount.
    const isAbove = !ZERO.test(number.decimal);
    if (amount && isAbove && !ZERO.test(amount.decimal))
      cells.problem(`has both ${amount.field} and ${field}`);
    else if (!amount || isAbove) amount = number;
  }
  if (!amount) return undefined;
  const column = forms.numbers.get(amount.field);
  const { side = column?.hasSign ? undefined : markOf(cells, 1).side, decimal } = amount;
  if (!side || !decimal.startsWith('-')) return { ...amount, side };
  // A sign in every cell of a side repeats the side; in some of them it takes a payment back.
  const isRepeated = amount.side === amount.field && column?.isBelow;
  return { ...amount, decimal: decimal.slice(1), side: isRepeated ? side : OTHER_SIDE[side] };
}

function numberOf(field: string, text: string, { numbers }: ColumnForms): WrittenAmount {
  const number = numbers.get(field)?.read(text);
  const side = field === 'debit' || field === 'credit' ? field : number?.side;
  // Zeros that some programs write after the decimals of any currency.
  const decimal = number?.decimal.replace(/(\.\d\d)0+$/, '$1') ?? text;
  return { field, decimal, side, currency: number?.currency };
}

/** @returns the side that the row's mark names; none for an amount with a sign, or without an amount */
function markOf(cells: Cells, amount: number | undefined): Pick<BookRow, 'side'> {
  const mark = cells.text('mark');
  const side = mark === undefined ? undefined : sideOf(mark);
  if (mark !== undefined && !side) cells.problem(`mark is ${quotedText(mark)}, not DR or CR`);
  return side && amount !== undefined && amount > 0 ? { side } : {};
}

/** The CLF has the most decimals of all currencies. */
const isReadable = (decimal: string) => typeof readSigned(decimal, 'CLF') === 'number';

/** @returns the id of the row, or its reference; empty if it has neither */
export function nameOf({ id, reference }: Pick<BookRow, 'id' | 'reference'>): string {
  return id ?? reference ?? '';
}

/** Whether the row says that it was approved, and in which column. */
interface SaidOutcome {
  field: 'successful' | 'authorized' | 'state' | 'message';
  isApproved: boolean;
  /** The value as the file has it. */
  said: Json;
}

const FLAGS = ['successful', 'authorized'] as const;
const APPROVED = ['approved', 'successful', 'succeeded', 'authorized'];
const DECLINED = ['declined', 'unsuccessful', 'failed', 'refused', 'rejected'];

const REFUND = /refund|erstattung|rembours|reembols|rimbors|terugbetaling/i;
const NOT_MADE = /fail|revers|cancel|declin|reject/i;

/** @returns whether a type of payments such as `Refund` or `charge_refunded` is that of money given back */
export function isRefundWord(type: string): boolean {
  return REFUND.test(type) && !NOT_MADE.test(type);
}

/** @returns whether a cell alone says that something was approved, or that it was not */
export function isOutcomeWord(cell: string): boolean {
  return [...APPROVED, ...DECLINED].includes(cell.toLowerCase());
}

/**
 * `state` takes the words above. `message` is the gateway's: Approved and Declined give the outcome. Any other text,
 * such as a reason, is compared.
 */
function readOutcome(cells: Cells): {
  outcome: SaidOutcome | undefined;
  message: string | undefined;
} {
  const all: SaidOutcome[] = [];
  for (const field of FLAGS) {
    const said = cells.flag(field);
    if (said !== undefined) all.push({ field, isApproved: said, said });
  }
  const state = cells.text('state');
  if (state !== undefined && isOutcomeWord(state))
    all.push({ field: 'state', isApproved: APPROVED.includes(state.toLowerCase()), said: state });
  else if (state !== undefined)
    cells.problem(
      `state is ${JSON.stringify(state)}, which is not one of ${[...APPROVED, ...DECLINED].join(', ')}`,
    );
  const message = cells.text('message');
  const word = message?.toLowerCase();
  const isWord = word === 'approved' || word === 'declined';
  if (isWord)
    all.push({ field: 'message', isApproved: word === 'approved', said: message as string });
  const [outcome] = all;
  if (all.some(({ isApproved }) => isApproved !== outcome?.isApproved))
    cells.problem('says that it was approved and also that it was not');
  return { outcome, message: isWord ? undefined : message };
}
