/** What may still be given back of a purchase; of its own, since look-ups load it and judge no intent. */
import type { PurchaseBalance } from './ledger.ts';

/** @returns whether an amount is more than is left of a purchase; what is uncertain counts as given back */
export function isTooMuch(amount: number | null, balance: PurchaseBalance): boolean {
  return balance.refunded + balance.uncertain + (amount ?? 0) > balance.paid;
}

/** @returns what may still be given back, in minor units; what is uncertain counts as given back */
export function leftOf({ paid, refunded, uncertain }: PurchaseBalance): number {
  return Math.max(0, paid - refunded - uncertain);
}
