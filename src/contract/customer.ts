/** Customers (section 2.6). */
import * as z from 'zod/mini';
import { cardExpiry, cardHolder, cardNumber, cvv } from './card.ts';
import { text } from './field-schemas.ts';
import { lazily } from './lazily.ts';

const card = lazily(() =>
  z.looseObject({
    card_number: cardNumber(),
    card_holder: z.optional(cardHolder()),
    expiry_date: cardExpiry(),
    cvv: cvv(),
  }),
);

const address = lazily(() =>
  z.looseObject({
    address: z.optional(text('Street address.')),
    city: z.optional(text('City.')),
    state: z.optional(text('State or province.')),
    postcode: z.optional(text('Postcode.')),
    country: z.optional(text('Country.')),
  }),
);

const fields = lazily(() => ({
  first_name: text('First name.'),
  last_name: text('Last name.'),
  reference: text('Your own reference for the customer. Must be unique.'),
  email: text('Address that email receipts go to.'),
  ip_address: z.optional(text("The customer's IP address.")),
  card: card(),
  address: z.optional(address()),
}));

export const customerRequest = lazily(() => z.looseObject(fields()));

export const customerUpdate = lazily(() => z.partial(z.looseObject(fields())));
