/** A receipt for the payer: a purchase and its refunds. */
import type { Outcome } from '../../contract/normal.ts';
import { fieldColumn, ownView } from '../../view/columns.ts';
import { amountText } from '../../view/values.ts';

export interface Receipt {
  /** The name at its head; null if none is known. */
  merchant: string | null;
  id: string;
  reference: string | null;
  /** The gateway's date; null if it gives none. */
  date: string | null;
  outcome: Outcome | 'voided';
  /** Minor units; null if the gateway gives none. */
  amount: number | null;
  currency: string | null;
  /** The name on the card; null if the gateway gives none. */
  payer: string | null;
  cardBrand: string | null;
  lastFour: string | null;
  /** The refunds, oldest first. */
  refunds: readonly ReceiptRefund[];
  /** The amount that is left; null if it is uncertain, or nothing was paid. */
  left: number | null;
  /** true if no money moves, as the gateway says, or else the profile: a sandbox, or the test gateway. */
  isTest: boolean;
  /** A sentence, if the profile says otherwise than the gateway. */
  warning: string | null;
}

export interface ReceiptRefund {
  id: string | null;
  reference: string | null;
  date: string;
  /** Minor units, without a sign. */
  amount: number;
}

/** @returns the total of the refunds, in minor units */
export function refundedOf({ refunds }: Pick<Receipt, 'refunds'>): number {
  return refunds.reduce((sum, { amount }) => sum + amount, 0);
}

export const RECEIPT_VIEW = ownView({
  name: 'receipt',
  plural: 'receipts',
  mayHave: [
    'merchant',
    'id',
    'reference',
    'date',
    'outcome',
    'amount',
    'currency',
    'card_brand',
    'last_four',
    'refunded',
    'left',
    'is_test',
    'warning',
    'refunds',
    'payer',
  ],
  columns: [
    fieldColumn('date'),
    fieldColumn('outcome'),
    { header: 'amount', text: amountText, align: 'right' },
    fieldColumn('card_brand'),
    fieldColumn('last_four'),
    fieldColumn('reference'),
    fieldColumn('id'),
    fieldColumn('payer'),
  ],
  computed: (receipt: Receipt) => ({ refunded: refundedOf(receipt) }),
});
