/** One row of the books as it is understood. */
import type { Json, JsonObject } from '../../base/json.ts';
import { quotedText } from '../../base/shell.ts';
import { holdsCardNumber } from '../../contract/cards/find-card-numbers.ts';
import { currencyExponent } from '../../contract/currency.ts';
import { kindOfId, type RecordKind } from '../../contract/record-id.ts';
import { readDecimalCell } from '../../requests/batch/decimal-cell.ts';
import type { InputRow } from '../../requests/batch/engine/rows.ts';
import { Cells } from './cells.ts';

/** Kinds of records that books are about. */
export const RECONCILED_KINDS = ['purchase', 'refund', 'subscription'] as const;

/** The fields of a row. Fields that it leaves out are not compared. */
export interface BookRow {
  /** The kind that its column or the form of its id tells. */
  kind: RecordKind | undefined;
  id: string | undefined;
  reference: string | undefined;
  /** Minor units; a refund may have it below zero or above. */
  amount: number | undefined;
  currency: string | undefined;
  outcome: SaidOutcome | undefined;
  /** The expected message of the gateway, if it says more than Approved or Declined. */
  message: string | undefined;
  isActive: boolean | undefined;
}

/** The columns that name a record by its id, and the kind that they say it has. */
const ID_COLUMNS: Readonly<Record<string, RecordKind | undefined>> = {
  id: undefined,
  purchase: 'purchase',
  refund: 'refund',
  subscription: 'subscription',
  transaction_id: undefined,
};

/** Every column that is understood. */
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
 * @param currency in which a decimal is read where the row names none
 * @returns what the row says, and all that is wrong with it
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
  if (row.amount !== undefined && row.amount < 0 && (row.kind ?? 'refund') !== 'refund')
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

function readMoney(cells: Cells, usual: string | undefined): Pick<BookRow, 'amount' | 'currency'> {
  const currency = cells.text('currency')?.toUpperCase();
  if (currency !== undefined && currencyExponent(currency) === undefined)
    cells.problem(`${quotedText(currency)} is not an ISO 4217 currency code`);
  const decimal = cells.text('decimal_amount');
  const amount = cells.amount('amount');
  if (decimal === undefined) return { amount, currency };
  if (cells.has('amount')) cells.problem('has both amount and decimal_amount');
  const isNegative = decimal.startsWith('-');
  const minor = readDecimalCell(isNegative ? decimal.slice(1) : decimal, currency ?? usual);
  if (typeof minor === 'number') return { amount: isNegative ? -minor : minor, currency };
  // A currency that is none has been named as a problem of its own.
  if (minor.code !== 'currency-unknown') cells.problem(minor.what);
  return { amount: undefined, currency };
}

/** @returns what the row says, in the words of its columns, for whoever reads the result */
export function nameOf({ id, reference }: Pick<BookRow, 'id' | 'reference'>): string {
  return id ?? reference ?? '';
}

/** @returns the fields of a JSON row that are no columns of books */
export function strangeFields(fields: JsonObject): string[] {
  return Object.keys(fields).filter((name) => !BOOK_COLUMNS.includes(name));
}

/** Whether it was approved, and by which column the row says so. */
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
 * `state` takes the words above. `message` is the gateway's: Approved and Declined say the outcome, and
 * anything else is a text to be compared, such as a reason.
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
