/**
 * Lets the records of this ledger answer which columns of a file have its amounts. Processors and shops write several
 * sums of a sale, and only one of them is what the card was charged.
 *
 * Tests: test/unit/commands/reconcile/proven-reading.test.ts
 */
import { quotedText } from '../../base/shell.ts';
import { count, quantity } from '../../base/text.ts';
import { currencyExponent } from '../../contract/currency.ts';
import type { TableLine } from '../../requests/batch/engine/rows.ts';
import {
  type Choice,
  type GivenFlag,
  isSame,
  numberIn,
  type OpenQuestion,
} from './column-roles.ts';
import type { NamedRecord } from './known-names.ts';

/** The rows that are compared: enough to tell columns apart. */
const MAX_ROWS = 1_000;

/** One record alone would be called a match by a reading that was chosen because it matches. */
const LEAST = 2;

/** The rows that a question is about, and the cells in which the names of their records stand. */
export interface AskedTable {
  rows: readonly TableLine[];
  /** Places of cells. */
  names: readonly number[];
}

export interface ProvenReading {
  flag: GivenFlag;
  /** The columns with the amounts. */
  columns: readonly string[];
  isMinor: boolean;
  /** The number of records with that amount, and of all that rows name. */
  by: number;
  of: number;
}

/**
 * @param named tells for each name in some texts the records that this ledger knows by it
 * @returns the choice whose amounts are those of most records, and of more than with any other choice; undefined if
 *   there is none, or a choice is about something else
 */
export async function provenReading(
  named: (texts: readonly string[]) => Promise<(readonly NamedRecord[])[]>,
  { choices }: OpenQuestion,
  { rows, names }: AskedTable,
): Promise<ProvenReading | undefined> {
  if (choices.some(({ amount }) => amount === undefined)) return undefined;
  const hits = choices.map(() => 0);
  let of = 0;
  // A further item of an order has no sums.
  const summed = rows.filter(({ cells }) => choices.some((choice) => sizeIn(choice, cells) > 0));
  for (const { cells } of summed.slice(0, MAX_ROWS)) {
    const record = amountOfOne(await named(names.flatMap((place) => cells[place] || [])));
    if (record) of++;
    for (const [at, choice] of choices.entries())
      if (record && hasAmount(choice, cells, record)) hits[at] = (hits[at] ?? 0) + 1;
  }
  const by = Math.max(...hits);
  const [best, other] = choices.filter((_, at) => hits[at] === by);
  if (!best || other || by < LEAST || by * 2 <= of) return undefined;
  const columns = (best.amount?.columns ?? []).map(({ name }) => name);
  return { flag: best.flag, columns, isMinor: best.amount?.isMinor === true, by, of };
}

/** An amount in minor units, and as a number of its currency. */
interface TwoForms {
  minor: number;
  decimal: number;
}

function hasAmount(choice: Choice, cells: TableLine['cells'], { minor, decimal }: TwoForms) {
  return isSame(sizeIn(choice, cells), choice.amount?.isMinor ? minor : decimal);
}

/** @returns the sum of the numbers without their signs */
function sizeIn({ amount }: Choice, cells: TableLine['cells']): number {
  const sizes = (amount?.columns ?? []).map((column) => Math.abs(numberIn(column, cells)));
  return sizes.reduce((all, each) => all + each, 0);
}

/** @returns the amount of the only purchase among the records */
function amountOfOne(named: readonly (readonly NamedRecord[])[]): TwoForms | undefined {
  const purchases = named.flat().filter(({ kind }) => kind === 'purchase');
  const [one] = purchases;
  if (!one?.amount || !one.currency || purchases.some(({ id }) => id !== one.id)) return undefined;
  return { minor: one.amount, decimal: one.amount / 10 ** (currencyExponent(one.currency) ?? 2) };
}

/** @returns a sentence about the columns that are taken for the amounts */
export function provenText({ columns, isMinor, by, of }: ProvenReading): string {
  const names = columns.map(quotedText).join(' and ');
  const what = isMinor ? `${names} has minor units` : `the amounts are those of ${names}`;
  return `Note: ${what}, as ${count(by)} of ${quantity(of, 'record shows', 'records show')}. If not, name the column with --map decimal_amount=COLUMN.\n`;
}
