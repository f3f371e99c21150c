/**
 * Banks write amounts on a debit and on a credit side, without signs. A bank books money that its customer receives as
 * credit, and a merchant's own books have the same money as debit. So the records that rows name decide.
 */
import { count, quantity } from '../../base/text.ts';
import { amountOf } from '../../contract/normal.ts';
import { type BookRow, inCurrency, isNegative } from './book-row.ts';
import type { DebitIs, FoundRecord } from './compare.ts';

/** @returns the row with the sign of its side. The side stays, because then the sign is compared too. */
export function signedBy(row: BookRow, debitIs: DebitIs | undefined): BookRow {
  const { side, amount, decimal } = row;
  if (side === undefined || debitIs === undefined) return row;
  const isIn = (side === 'debit') === (debitIs === 'in');
  if (isIn) return row;
  return {
    ...row,
    amount: amount === undefined ? undefined : -amount,
    decimal: decimal === undefined ? undefined : `-${decimal}`,
  };
}

/** The facts that the record of one row shows. */
export interface DebitEvidence {
  is: DebitIs;
  /** Whether the row has the amount of its record. */
  isSame: boolean;
}

/** @returns what a debit is if the row and its record are of one sign; undefined if the row has no side */
export function debitBy(
  row: BookRow,
  { kind, record, currency }: FoundRecord,
): DebitEvidence | undefined {
  const { side, amount } = inCurrency(row, currency);
  const isMoney = kind === 'purchase' || kind === 'refund';
  if (side === undefined || amount === undefined || !isMoney) return undefined;
  return {
    is: (kind === 'purchase') === (side === 'debit') ? 'in' : 'out',
    isSame: Math.abs(amountOf(record) ?? 0) === amount,
  };
}

/** @returns whether a row that names no kind has a record of the other sign, and its side tells so */
export function isOtherSide(row: BookRow, { kind }: FoundRecord): boolean {
  if (row.side === undefined || row.kind !== undefined || row.id !== undefined) return false;
  return kind === (isNegative(row) ? 'purchase' : 'refund');
}

/** @returns a sentence about what gw takes a debit for */
export function debitText(debit: { is: DebitIs; by: number; of: number } | undefined): string {
  if (!debit)
    return 'Note: the records do not show whether a debit is money in or out, so no amount on a side is compared. Say it with --debit-is in or --debit-is out.\n';
  const { is, by, of } = debit;
  const other = is === 'in' ? 'out' : 'in';
  return `Note: a debit is money ${is}, as ${count(by)} of ${quantity(of, 'record shows', 'records show')}. If it is not, add --debit-is ${other}.\n`;
}
