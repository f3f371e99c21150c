/** Cards: what is sent (section 2.2 and the card details group of 2.3), and what comes back. */
import * as z from 'zod/mini';
import { isCardNumber } from './card-number.ts';
import { parseExpiry } from './expiry.ts';
import { text } from './field-schemas.ts';
import { lazily } from './lazily.ts';

export const cardNumber = lazily(() =>
  z
    .string()
    .check(
      z.refine(isCardNumber, 'is not a valid card number'),
      z.describe('Card number, digits only.'),
    ),
);
export const cardHolder = lazily(() => text('Name on the card.'));
export const cardExpiry = lazily(() =>
  z.string().check(
    z.refine(
      (value) => /^\d{2}\/\d{4}$/.test(value) && parseExpiry(value) !== undefined,
      'is not MM/YYYY',
    ),
    z.describe('Last month in which the card is valid, MM/YYYY.'),
  ),
);
export const cvv = lazily(() =>
  z.string().check(
    z.refine((value) => /^\d{3,4}$/.test(value), 'is not three or four digits'),
    z.describe('Card verification value. Never stored.'),
  ),
);

/** Tokenization body (section 2.2). */
export const tokenizeRequest = lazily(() =>
  z.looseObject({
    card_number: cardNumber(),
    card_holder: cardHolder(),
    card_expiry: cardExpiry(),
    cvv: z.optional(cvv()),
  }),
);
