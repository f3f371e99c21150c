/** Reads one row of the books. */
import type { Json, JsonObject } from '../../base/json.ts';
import { quotedText } from '../../base/shell.ts';
import { holdsCardNumber } from '../../contract/cards/find-card-numbers.ts';
import { currencyExponent } from '../../contract/currency.ts';
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
  'currency',
  'successful',
  'authorized',
  'state',
  'message',
  'is_active',
];

/**
 * @param currency of decimals if the row names none
 * @returns the fields of the row, and all of its faults
 */
export function readBookRow(
  { fields, isText }: Pick<InputRow, 'fields' | 'isText'>,
  currency: string | undefined,
): { row: BookRow; problems: readonly string[] } {
  const cells = new Cells(fields, isText);
  const named = readName(cells);
  const money = readMoney(cells, currency);
  const outcome = readOutcome(cells);
  const row: BookRow = { ...named, ...money, ...outcome, isActive: cells.flag('is_active') };
  if (isNegative(row) && (row.kind ?? 'refund') !== 'refund')
    cells.problem(`amount is negative, which is allowed only for a refund`);
  return { row, problems: cells.problems };
}

function readName(cells: Cells): Pick<BookRow, 'kind' | 'id' | 'reference'> {
  const given = Object.entries(ID_COLUMNS).flatMap(([column, kind]) => {
    const id = cells.text(column);
    return id === undefined ? [] : [{ column, kind, id }];
  });
  const reference = cells.text('reference');
  const [first, second] = given;
  if (first && second)
    cells.problem(`names its record by both ${first.column} and ${second.column}`);
  if (!first && reference === undefined) cells.problem('has neither an id nor a reference');
  const names = [first?.id, reference].filter((name) => name !== undefined);
  if (names.some(holdsCardNumber)) cells.problem('has a column name that looks like a card number');
  const kind = first && (first.kind ?? kindOfId(first.id));
  return { kind, id: first?.id, reference };
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

type Money = Pick<BookRow, 'amount' | 'currency' | 'decimal'>;

/** The record says the currency later. Until then, an amount may have as many decimals as the currency with the most. */
function readMoney(cells: Cells, usual: string | undefined): Money {
  const currency = cells.text('currency')?.toUpperCase();
  if (currency !== undefined && currencyExponent(currency) === undefined)
    cells.problem(`${quotedText(currency)} is not an ISO 4217 currency code`);
  const decimal = cells.text('decimal_amount');
  const amount = cells.amount('amount');
  if (decimal === undefined) return { amount, currency };
  if (cells.has('amount')) cells.problem('has both amount and decimal_amount');
  const minor = readSigned(decimal, currency ?? usual);
  const money = { currency, decimal: currency === undefined ? decimal : undefined };
  if (typeof minor === 'number') return { ...money, amount: minor };
  const isForAny = money.decimal !== undefined && isReadable(decimal);
  // An unknown currency is already reported as a problem.
  if (minor.code !== 'currency-unknown' && !isForAny) cells.problem(minor.what);
  return { ...money, amount: undefined };
}

/** The CLF has the most decimals of all currencies. */
const isReadable = (decimal: string) => typeof readSigned(decimal, 'CLF') === 'number';

/** @returns the id of the row, or its reference; empty if it has neither */
export function nameOf({ id, reference }: Pick<BookRow, 'id' | 'reference'>): string {
  return id ?? reference ?? '';
}

/** @returns the fields of a JSON row that are not columns of books */
export function strangeFields(fields: JsonObject): string[] {
  return Object.keys(fields).filter((name) => !BOOK_COLUMNS.includes(name));
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

/**
 * `state` takes the words above. `message` is the gateway's: Approved and Declined give the outcome. Any other text,
 * such as a reason, is compared.
 */
function readOutcome(cells: Cells): {
  outcome: SaidOutcome | undefined;
  message: string | undefined;
} {
  const flags = FLAGS.map((field) => saidOf(field, cells.flag(field)));
  const state = cells.text('state');
  const message = cells.text('message');
  const words = [wordOf('state', state), wordOf('message', message)];
  if (state !== undefined && !words[0])
    cells.problem(
      `state is ${JSON.stringify(state)}, which is not one of ${[...APPROVED, ...DECLINED].join(', ')}`,
    );
  const all = [...flags, ...words].filter((one) => one !== undefined);
  const [outcome] = all;
  if (all.some(({ isApproved }) => isApproved !== outcome?.isApproved))
    cells.problem('says that it was approved and also that it was not');
  return { outcome, message: words[1] ? undefined : message };
}

function saidOf(
  field: SaidOutcome['field'],
  isApproved: boolean | undefined,
): SaidOutcome | undefined {
  return isApproved === undefined ? undefined : { field, isApproved, said: isApproved };
}

function wordOf(field: SaidOutcome['field'], text: string | undefined): SaidOutcome | undefined {
  const word = text?.toLowerCase();
  if (text === undefined || word === undefined) return undefined;
  if (field === 'message' && word !== 'approved' && word !== 'declined') return undefined;
  if (APPROVED.includes(word)) return { field, isApproved: true, said: text };
  return DECLINED.includes(word) ? { field, isApproved: false, said: text } : undefined;
}
