/** The records that the interface answers with, by kind: their fields and what each may be. */
import type { RecordFields } from './record.ts';

/** Section 2.2. */
export const cardRecord = {
  token: 'text',
  card_holder: 'text',
  card_number: 'text',
  card_expiry: 'text',
  card_type: 'text',
  card_category: 'text',
  card_subcategory: 'text',
  card_issuer: 'text',
  card_country: 'text',
  authorized: 'flag',
  transaction_count: 'integer',
  alias: 'text',
} as const satisfies RecordFields;

/** Section 2.3. */
export const purchaseRecord = {
  id: 'text',
  authorization: 'text or integer',
  card_number: 'text',
  card_holder: 'text',
  card_expiry: 'text',
  card_token: 'text',
  amount: 'integer',
  decimal_amount: 'number',
  successful: 'flag',
  authorized: 'flag',
  message: 'text',
  reference: 'text',
  currency: 'text',
  settlement_date: 'text',
  transaction_date: 'text',
  source: 'text',
} as const satisfies RecordFields;

/** Section 2.4. */
export const refundRecord = {
  id: 'text',
  authorization: 'text',
  amount: 'integer',
  refunded: 'text',
  message: 'text',
  card_holder: 'text',
  card_number: 'text',
  card_expiry: 'text',
  card_type: 'text',
  successful: 'flag',
  transaction_date: 'text',
  response_code: 'text',
} as const satisfies RecordFields;

/** Section 2.5. */
export const planRecord = {
  id: 'text',
  name: 'text',
  reference: 'text',
  description: 'text',
  amount: 'integer',
  currency: 'text',
  subscription_count: 'integer',
} as const satisfies RecordFields;

/** Section 2.6. */
export const customerRecord = {
  id: 'text',
  first_name: 'text',
  last_name: 'text',
  reference: 'text',
  email: 'text',
  created_at: 'text',
  card_token: 'text',
  address: {
    address: 'text',
    city: 'text',
    state: 'text',
    postcode: 'text',
    country: 'text',
  },
} as const satisfies RecordFields;

/** Section 2.7. */
export const subscriptionRecord = {
  id: 'text',
  customer: 'text',
  plan: 'text',
  frequency: 'text',
  start_date: 'text',
  end_date: 'text',
  next_billing_date: 'text',
  reference: 'text',
  last_status: 'text',
  is_active: 'flag',
} as const satisfies RecordFields;
