/** Whether a record is an answer to what was asked. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { differencesOf, sayDifferences } from '../../../../src/client/exchange/compare.ts';
import type { CallInput } from '../../../../src/client/exchange/wire-request.ts';
import type { Operation } from '../../../../src/contract/operation.ts';
import { tokenize } from '../../../../src/contract/resources/card.ts';
import { customerGet, customerUpdate } from '../../../../src/contract/resources/customer.ts';
import { planGet, planUpdate } from '../../../../src/contract/resources/plan.ts';
import { purchaseCreate, purchaseGet } from '../../../../src/contract/resources/purchase.ts';
import { refundCreate, refundGet } from '../../../../src/contract/resources/refund.ts';
import {
  subscriptionCreate,
  subscriptionGet,
  subscriptionUpdate,
} from '../../../../src/contract/resources/subscription.ts';

const CARD = '5123456789012346';
const body = (sent: JsonObject): CallInput => ({ body: sent });

type Row = [Operation, CallInput, record: JsonObject];
const named = (rows: Row[]) =>
  rows.map(([row, input, record]) => [row.name, input, record, row] as const);

test.each(
  named([
    [purchaseCreate, body({ amount: 1000 }), { amount: 1000 }],
    [purchaseCreate, body({ amount: 1000 }), { amount: '1000' }],
    [purchaseCreate, body({ amount: 1000 }), { amount: '1000.00' }],
    [purchaseCreate, body({ amount: 1000 }), { amount: 1e3 }],
    [purchaseCreate, body({ amount: '1000' }), { amount: 1000 }],
    [refundCreate, body({ amount: 1000 }), { amount: -1000 }],
    [refundCreate, body({ amount: 1000 }), { amount: '-1000' }],
    [purchaseCreate, body({ currency: 'AUD' }), { currency: 'aud' }],
    [purchaseCreate, body({ reference: 'INV-1' }), { reference: ' INV-1 ' }],
    [
      purchaseCreate,
      body({ reference: 'Stra\u00dfe \u00e9' }),
      { reference: 'Stra\u00dfe e\u0301' },
    ],
    [purchaseCreate, body({ card_number: CARD }), { card_number: '512345XXXXXX2346' }],
    [purchaseCreate, body({ card_number: CARD }), { card_number: '512345...346' }],
    [purchaseCreate, body({ card_number: CARD }), { card_number: '5123 45** **** 2346' }],
    [purchaseCreate, body({ card_number: CARD }), { card_number: 'XXXXXXXXXXXX2346' }],
    [purchaseCreate, body({ card_number: CARD }), { card_number: '2346' }],
    [purchaseCreate, body({ card_number: CARD }), { card_number: CARD }],
    [purchaseCreate, body({ card_number: '512345XXXXXX2346' }), { card_number: 'XXXX2346' }],
    [tokenize, body({ alias: 'Ada' }), { alias: 'ada' }],
    // A gateway that does not know the field.
    [tokenize, body({ alias: 'Ada' }), { alias: null }],
    [tokenize, body({}), { alias: 'made by the gateway' }],
    [purchaseCreate, body({ card_token: 'lz11nqa6o1ih' }), { card_token: 'lz11nqa6o1ih' }],
    // An alias is answered with the token.
    [purchaseCreate, body({ card_token: 'ada' }), { card_token: 'lz11nqa6o1ih' }],
    [purchaseCreate, body({ card_token: 'customer4711' }), { card_token: 'lz11nqa6o1ih' }],
    [purchaseCreate, body({ card_token: '471147114711' }), { card_token: 'lz11nqa6o1ih' }],
    [refundCreate, body({ transaction_id: '071-P-1' }), { id: '071-R-1' }],
    [refundCreate, body({ transaction_id: '071-P-1' }), { id: 'r', transaction_id: '071-P-1' }],
    [
      refundCreate,
      body({ transaction_id: '071-P-1' }),
      { id: '071-R-1', transaction_id: '071-R-1' },
    ],
    [refundCreate, body({ transaction_id: 'INV-1' }), { transaction_id: '071-P-1' }],
    [subscriptionCreate, body({ plan: 'GOLD' }), { plan: '071-PL-1' }],
    [subscriptionCreate, body({ customer: '071-C-1' }), { customer: '071-C-1' }],
    [subscriptionCreate, body({ customer: 'CUST-1' }), { customer: '071-C-1' }],
    [subscriptionCreate, body({ frequency: 'Weekly' }), { frequency: 'weekly' }],
    [subscriptionUpdate, { id: '071-S-1', body: { is_active: false } }, { is_active: false }],
    [subscriptionUpdate, { id: '071-S-1', body: { is_active: false } }, { is_active: 'false' }],
    [purchaseGet, { id: '071-P-1' }, { id: '071-P-1' }],
    [purchaseGet, { id: ' 071-p-1 ' }, { id: '071-P-1' }],
    [purchaseGet, { id: '071-P-1' }, { amount: 5 }],
    [purchaseGet, { id: '7' }, { id: 7 }],
    [purchaseGet, { id: 'INV-1' }, { id: '071-P-1', reference: 'INV-1' }],
    [planGet, { id: 'GOLD' }, { id: '071-PL-1', reference: 'GOLD' }],
    [customerGet, { id: 'cust-1' }, { id: '071-C-1', reference: 'CUST-1' }],
    [subscriptionGet, { id: 'SUB-1' }, { id: '071-S-1', reference: 'SUB-1' }],
    [subscriptionGet, { id: 'SUB-1' }, { id: '071-S-1' }],
    [subscriptionGet, { id: '071-S-1' }, { id: '071-S-1', reference: 'SUB-1' }],
    [subscriptionGet, { id: '071-S-1' }, { reference: 'SUB-1' }],
    [
      planUpdate,
      { id: 'GOLD', body: { reference: 'SILVER' } },
      { id: '071-PL-1', reference: 'SILVER' },
    ],
    [planUpdate, { id: 'GOLD', body: { amount: 900 } }, { reference: 'GOLD', amount: 900 }],
    [
      customerUpdate,
      { id: '071-C-1', body: { first_name: 'Ann' } },
      { id: '071-C-1', first_name: 'ANN' },
    ],
    [purchaseCreate, body({ amount: 1000, reference: 'A', currency: 'AUD' }), { amount: null }],
  ]),
)('%s %j is answered by %j', (_, input, record, operation) => {
  expect(differencesOf(operation, input, record)).toEqual([]);
});

test.each(
  named([
    [purchaseCreate, body({ amount: 1000 }), { amount: 999_999 }],
    [purchaseCreate, body({ amount: 1000 }), { amount: 0 }],
    [purchaseCreate, body({ amount: 1000 }), { amount: 10 }],
    [purchaseCreate, body({ amount: 1000 }), { amount: 1000.5 }],
    [purchaseCreate, body({ amount: 1000 }), { amount: '10.00' }],
    [purchaseCreate, body({ amount: 1000 }), { amount: '' }],
    [purchaseCreate, body({ amount: 1000 }), { amount: true }],
    [purchaseCreate, body({ amount: 1000 }), { amount: {} }],
    [purchaseCreate, body({ amount: 1000 }), { amount: [1000] }],
    [purchaseCreate, body({ amount: 2 ** 53 - 1 }), { amount: '9007199254740993' }],
    [purchaseCreate, body({ currency: 'AUD' }), { currency: 'JPY' }],
    [purchaseCreate, body({ currency: 'AUD' }), { currency: '' }],
    [purchaseCreate, body({ reference: 'INV-1' }), { reference: 'INV-10' }],
    [purchaseCreate, body({ reference: 'INV-1' }), { reference: ['INV-1'] }],
    [purchaseCreate, body({ card_number: CARD }), { card_number: '512345XXXXXX9999' }],
    [purchaseCreate, body({ card_number: CARD }), { card_number: '411111XXXXXX2346' }],
    [purchaseCreate, body({ card_number: CARD }), { card_number: '4111111111111111' }],
    [purchaseCreate, body({ card_number: CARD }), { card_number: '1111' }],
    [tokenize, body({ alias: 'ada' }), { alias: 'bob' }],
    [tokenize, body({ alias: 'ada' }), { alias: '' }],
    [purchaseCreate, body({ card_token: 'lz11nqa6o1ih' }), { card_token: 'ab12cd34ef56' }],
    [purchaseCreate, body({ card_token: 'tok_1' }), { card_token: 'tok_2' }],
    [
      refundCreate,
      body({ transaction_id: '071-P-1' }),
      { id: '071-R-1', transaction_id: '071-P-2' },
    ],
    [refundCreate, body({ reference: 'RET-1' }), { reference: 'RET-2' }],
    [subscriptionCreate, body({ plan: '071-PL-1' }), { plan: '071-PL-2' }],
    [subscriptionCreate, body({ customer: '071-C-1' }), { customer: '071-C-2' }],
    [subscriptionCreate, body({ frequency: 'Weekly' }), { frequency: 'Daily' }],
    [subscriptionUpdate, { id: '071-S-1', body: { is_active: false } }, { is_active: true }],
    [subscriptionUpdate, { id: '071-S-1', body: { is_active: false } }, { id: '071-S-2' }],
    [purchaseGet, { id: '071-P-1' }, { id: '071-P-2' }],
    [purchaseGet, { id: '071-P-1' }, { id: '071-P-2', reference: 'INV-1' }],
    [purchaseGet, { id: 'INV-1' }, { reference: 'INV-2' }],
    [purchaseGet, { id: 'null' }, { id: '071-P-2', reference: null }],
    [refundGet, { id: '071-R-1' }, { id: '071-R-2' }],
    [planGet, { id: 'GOLD' }, { id: '071-PL-1', reference: 'SILVER' }],
    // A gateway that takes name and description only, as row 9 of section 4 has it, and says nothing.
    [planUpdate, { id: '071-PL-1', body: { amount: 900 } }, { id: '071-PL-1', amount: 500 }],
    [planUpdate, { id: '071-PL-1', body: { reference: 'B' } }, { id: '071-PL-1', reference: 'A' }],
    [subscriptionGet, { id: 'SUB-1' }, { id: '071-S-1', reference: 'SUB-2' }],
    [subscriptionGet, { id: '071-S-1' }, { id: '071-S-2', reference: 'SUB-1' }],
    [customerUpdate, { id: '071-C-1', body: {} }, { id: '071-C-2' }],
  ]),
)('%s %j is not answered by %j', (_, input, record, operation) => {
  expect(differencesOf(operation, input, record)).toHaveLength(1);
});

test('both values are shown, without card numbers', () => {
  const differences = differencesOf(purchaseCreate, body({ amount: 1000, card_number: CARD }), {
    amount: 999_999,
    card_number: '4111111111111111',
  });
  expect(sayDifferences(differences)).toBe(
    'its amount is 999999, not 1000 as requested, and its card_number is 411111XXXXXX1111, not 512345XXXXXX2346 as requested',
  );
});
