/** Says how much of a purchase can still be refunded. */

/** A purchase and its refunds as the ledger knows them, in minor units. */
export interface PurchaseBalance {
  /** The captured amount; 0 if the purchase was only authorised, or voided, when gw last saw it. */
  paid: number;
  refunded: number;
  /** Refunds with an unknown outcome; they count as done. */
  uncertain: number;
}

/** @returns the amount that can still be refunded, in minor units */
export function leftOf({ paid, refunded, uncertain }: PurchaseBalance): number {
  return Math.max(0, paid - refunded - uncertain);
}
