/** Refunds (section 2.4). */
import * as z from 'zod/mini';
import { amount, text } from './field-schemas.ts';
import { lazily } from './lazily.ts';

export const refundRequest = lazily(() =>
  z.looseObject({
    transaction_id: text('Id of the purchase to refund.'),
    amount: amount().check(
      z.describe(
        'Amount in minor currency units. There is no default: a full refund is spelled out.',
      ),
    ),
    reference: text('Your own reference for the refund.'),
  }),
);
