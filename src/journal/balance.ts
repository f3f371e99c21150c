/** What is left to refund of a purchase. */

/** What the ledger knows of a purchase and its refunds, in minor units. */
export interface PurchaseBalance {
  paid: number;
  refunded: number;
  /** Refunds whose outcome is unknown. They count as refunded. */
  uncertain: number;
}

/** @returns whether a refund of the amount is more than is left */
export function isTooMuch(
  amount: number | null,
  { paid, refunded, uncertain }: PurchaseBalance,
): boolean {
  return refunded + uncertain + (amount ?? 0) > paid;
}

/** @returns what may still be refunded, in minor units */
export function leftOf({ paid, refunded, uncertain }: PurchaseBalance): number {
  return Math.max(0, paid - refunded - uncertain);
}
