/** Purchases (section 2.3). */
import * as z from 'zod/mini';
import { cardExpiry, cardHolder, cardNumber, cvv } from './card.ts';
import { amount, currency, text } from './field-schemas.ts';
import { lazily } from './lazily.ts';

const ipAddress = lazily(() => z.union([z.ipv4(), z.ipv6()], { error: 'is not an IP address' }));

/** Either the card details group or `card_token`; a CVV may accompany both. */
export const purchaseRequest = lazily(() =>
  z
    .looseObject({
      amount: amount().check(z.describe('Amount in minor currency units: 2500 is 25.00 AUD.')),
      currency: z.optional(currency().check(z.describe('ISO 4217 currency code.'))),
      reference: z.optional(text('Your own reference for the purchase.')),
      card_token: z.optional(
        text('Token, or alias, of a stored card, in place of the card details.'),
      ),
      card_number: z.optional(cardNumber()),
      card_holder: z.optional(cardHolder()),
      card_expiry: z.optional(cardExpiry()),
      cvv: z.optional(cvv()),
      customer_ip: z.optional(ipAddress().check(z.describe("The customer's IP address."))),
    })
    .check(
      z.superRefine((body, context) => {
        const details = ['card_number', 'card_holder', 'card_expiry'] as const;
        const given = details.filter((field) => body[field] !== undefined);
        if (body.card_token !== undefined && given.length > 0) {
          context.addIssue({
            code: 'custom',
            path: ['card_token'],
            message: 'is given together with card details',
          });
        }
        if (body.card_token !== undefined) return;
        for (const field of details) {
          if (body[field] === undefined) {
            context.addIssue({ code: 'custom', path: [field], message: "can't be blank" });
          }
        }
      }),
    ),
);
