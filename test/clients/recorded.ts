/**
 * The table of forms in which deployments were recorded to answer what the text leaves open. It has shapes and no
 * bodies. Every answer of the deployed dialect is checked against it (answers.ts).
 */
import { expect } from 'vitest';

const id = (kind: string) => expect.stringMatching(new RegExp(`^\\d{3}-${kind}-`));
const DAY = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
const DIGITS_OF_BANKS = expect.stringMatching(/^\d{12}$/);

export const RECORDED = {
  /** Beside the fields of section 2.3. The purchase's own id repeats as `transaction_id`. */
  purchase: {
    response_code: expect.stringMatching(/^\d\d$/),
    captured: expect.any(Boolean),
    captured_amount: expect.any(Number),
    transaction_id: expect.anything(),
    card_type: expect.stringMatching(/^(?:VISA|MasterCard|AMEX|JCB|Discover)$/),
    card_category: expect.any(String),
    card_subcategory: expect.any(String),
    cvv_match: 'U',
    metadata: expect.any(Object),
    addendum_data: expect.any(Object),
  },
  captured: { settlement_date: DAY, rrn: DIGITS_OF_BANKS },
  /** Only authorised, declined or rejected. */
  'not captured': { captured: false, captured_amount: 0, settlement_date: null },
  /** With status 200 and a message: nobody asked the card's issuer. */
  'rejected purchase': {
    ...{ id: id('P'), successful: false, message: null, response_code: '99' },
    ...{ authorization: null, transaction_date: null, rrn: null },
  },
  'list of purchases': {
    records: expect.any(Number),
    total_records: expect.any(Number),
    page: expect.any(Number),
    total_pages: expect.any(Number),
  },
  /** Beside the fields of section 2.4. The refund's own id, and not the purchase's, is `transaction_id`. */
  refund: {
    reference: expect.any(String),
    transaction_id: id('R'),
    currency: expect.stringMatching(/^[A-Z]{3}$/),
    settlement_date: DAY,
    standalone: false,
    rrn: DIGITS_OF_BANKS,
    metadata: expect.any(Object),
  },
  /** Beside the fields of section 2.6. */
  customer: {
    card_number: expect.stringMatching(/^\d{6}X+\d{4}$/),
    bank_account: null,
    metadata: expect.any(Object),
  },
} as const;
