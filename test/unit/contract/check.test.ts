/** Faults of a body, found before it is sent. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { checkRequest, problemsOf } from '../../../src/contract/check.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { tokenize } from '../../../src/contract/resources/card.ts';
import { customerCreate, customerUpdate } from '../../../src/contract/resources/customer.ts';
import { planCreate, planUpdate } from '../../../src/contract/resources/plan.ts';
import { purchaseCreate, purchaseGet } from '../../../src/contract/resources/purchase.ts';
import { refundCreate } from '../../../src/contract/resources/refund.ts';
import {
  subscriptionCreate,
  subscriptionUpdate,
} from '../../../src/contract/resources/subscription.ts';
import { failureOf } from '../../helpers/failure.ts';

const token = { card_token: 'tok', amount: 1 };
const plan = { name: 'n', reference: 'r', description: 'd', amount: 1 };
const card = { card_number: '5123456789012346', card_holder: 'A', card_expiry: '05/2031' };
const subscription = { customer: 'c', plan: 'p', frequency: 'Daily', reference: 'r' };

const PROBLEMS: [Operation, JsonObject, string][] = [
  [purchaseCreate, { card_token: 'tok' }, 'amount is missing'],
  [purchaseCreate, { ...token, amount: 0 }, 'amount is not above 0'],
  [purchaseCreate, { ...token, amount: -5 }, 'amount is not above 0'],
  [purchaseCreate, { ...token, amount: 25.5 }, 'amount is not a whole number'],
  [purchaseCreate, { ...token, amount: '25' }, 'amount is not a number'],
  [purchaseCreate, { ...token, amount: null }, 'amount is not a number'],
  [purchaseCreate, { ...token, amount: 1e20 }, 'amount is above 999999999999999'],
  [
    purchaseCreate,
    { card_number: card.card_number, card_expiry: card.card_expiry, amount: -0.5 },
    "amount is not above 0; card_holder can't be blank",
  ],
  [
    purchaseCreate,
    { ...token, currency: 'AUS' },
    'currency is not an ISO 4217 currency code such as AUD or USD',
  ],
  [
    purchaseCreate,
    { ...token, currency: 'HRK' },
    'currency is HRK, which ISO 4217 withdrew in 2023-01: EUR replaced it',
  ],
  [
    purchaseCreate,
    { ...token, currency: 'EUR', currencyCode: 'bgn' },
    'currencyCode does not say the same as currency',
  ],
  [
    purchaseCreate,
    { ...token, currency_code: 'bgn' },
    'currency_code is BGN, which ISO 4217 withdrew in 2026-01: EUR replaced it',
  ],
  [purchaseCreate, { ...token, customer_ip: '1.2.3' }, 'customer_ip is not an IP address'],
  [purchaseCreate, { ...token, reference: ' ' }, "reference can't be blank"],
  [purchaseCreate, { ...token, reference: 7 }, 'reference is not text'],
  [
    purchaseCreate,
    { ...token, ...card },
    'card_token cannot be combined with card details: send one or the other',
  ],
  [
    purchaseCreate,
    { amount: 1 },
    "card_number can't be blank; card_holder can't be blank; card_expiry can't be blank",
  ],
  [
    tokenize,
    { ...card, card_number: '5123456789012345' },
    'card_number is not a valid card number',
  ],
  [
    purchaseCreate,
    { ...token, amount: 2500, currency: 'AUD', decimal_amount: 24.99, CurrencyCode: 'usd' },
    'decimal_amount does not say the same as amount; CurrencyCode does not say the same as currency',
  ],
  [
    refundCreate,
    { transaction_id: 'x', amount: 1000, reference: 'r', decimalAmount: '0.07' },
    'decimalAmount does not say the same as amount',
  ],
  [tokenize, { ...card, card_expiry: '5/31' }, 'card_expiry must be MM/YYYY'],
  [tokenize, { ...card, card_expiry: '13/2031' }, 'card_expiry must be MM/YYYY'],
  [tokenize, { ...card, cvv: '12' }, 'cvv must be three or four digits'],
  [refundCreate, { transaction_id: 'x', amount: 1 }, 'reference is missing'],
  [refundCreate, { amount: 1, reference: 'r' }, 'transaction_id is missing'],
  [planUpdate, { name: '' }, "name can't be blank"],
  [
    customerCreate,
    { first_name: 'a', last_name: 'b', reference: 'r', email: 'e', address: { city: ' ' } },
    "card is missing; address.city can't be blank",
  ],
  [planCreate, { ...plan, amount: 1e15 }, 'amount is above 999999999999999'],
  [planCreate, { ...plan, amount: 2 ** 53 }, 'amount is above 999999999999999'],
  [
    customerCreate,
    { first_name: 'a', last_name: 'b', reference: 'r', email: 'e', card: { cvv: '1' } },
    'card.card_number is missing; card.expiry_date is missing; card.cvv must be three or four digits',
  ],
  [
    customerUpdate,
    { card: { card_number: '5123456789012346' } },
    'card.expiry_date is required with card_number; card.cvv is required with card_number',
  ],
  [
    subscriptionCreate,
    { ...subscription, start_date: '2026-02-30' },
    'start_date is not a date that exists (YYYY-MM-DD)',
  ],
  [subscriptionUpdate, { is_active: 'no' }, 'is_active is not true or false'],
  [subscriptionUpdate, {}, 'is_active is missing'],
];

test.each(PROBLEMS.map(([operation, ...rest]) => [operation.name, ...rest, operation] as const))(
  '%s with %j',
  async (_, body, message, operation) => {
    const failure = await failureOf(() => checkRequest(operation, body));
    expect(failure).toMatchObject({ kind: 'usage', exitCode: 2, message: `${message}.` });
  },
);

test('unknown fields are allowed', () => {
  const body = { ...token, custom_field: { deep: [1] }, decimal_amount: 0.01, currency_code: 'x' };
  expect(problemsOf(purchaseCreate.body, body)).toEqual([]);
});

test('a field of the interface in another spelling is refused', () => {
  const body = { Amount: 1, cardToken: 'T', 'card-token': 'T', amounts: 1 };
  expect(
    problemsOf(purchaseCreate.body, body).map(({ field, problem }) => [field, problem]),
  ).toEqual(
    expect.arrayContaining([
      ['Amount', 'has to be written amount'],
      ['cardToken', 'has to be written card_token'],
      ['card-token', 'has to be written card_token'],
    ]),
  );
  expect(problemsOf(purchaseCreate.body, body).map(({ field }) => field)).not.toContain('amounts');
});

test('an operation without a body is not checked', () => {
  expect(() => checkRequest(purchaseGet, {})).not.toThrow();
});
