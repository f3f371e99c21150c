/** Where a row's request has its card: field names differ between a purchase and a customer. */
export interface CardPlace {
  /** Path of the object that has the fields; empty for the body itself. */
  path: readonly string[];
  expiry: 'card_expiry' | 'expiry_date';
}

export const CARD_IN_BODY: CardPlace = { path: [], expiry: 'card_expiry' };
export const CARD_IN_CUSTOMER: CardPlace = { path: ['card'], expiry: 'expiry_date' };
