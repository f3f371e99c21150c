/** Every JSON value that the interface text shows or implies parses, and comes back whole. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { recordSchema } from '../../../src/contract/field-schemas.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { OPERATIONS } from '../../../src/contract/operations.ts';
import { oddFields, type RecordKind } from '../../../src/contract/record.ts';
import { EVENT_PAYLOADS } from '../../../src/contract/webhook-payloads.ts';
import { EVENT_NAMES, type EventName } from '../../../src/contract/webhooks/names.ts';

const rows: readonly Operation[] = OPERATIONS;

function schemaOf(kind: RecordKind) {
  const row = rows.find((operation) => operation.kind === kind);
  if (!row) throw new Error(`no operation of kind ${kind}`);
  return recordSchema(row.response);
}

const purchase = {
  id: '001-P-KLT9J8W7',
  authorization: '582',
  card_number: '512345XXXXXX2346',
  card_holder: 'Ada Lovelace',
  card_expiry: '2031-05-31',
  card_token: 'k6bq2mfd',
  amount: 2500,
  decimal_amount: 25.0,
  successful: true,
  message: 'Approved',
  reference: 'INV-1001',
  currency: 'AUD',
  settlement_date: '2026-07-30',
  transaction_date: '2026-07-29T10:24:11+10:00',
};
const refund = {
  id: '001-R-KLT9J8W7',
  authorization: '1234',
  amount: -2500,
  refunded: 'Approved',
  message: 'Approved',
  card_holder: 'Ada Lovelace',
  card_number: '512345XXXXXX2346',
  card_expiry: '2031-05-31',
  card_type: 'MasterCard',
  successful: true,
  transaction_date: '2026-07-29T10:24:11Z',
  response_code: '00',
};
const plan = { id: '001-PL-1', name: 'Gold', reference: 'gold', description: 'All', amount: 990 };
const customer = {
  id: '001-C-1',
  email: 'ada@example.com',
  reference: 'ADA',
  first_name: 'Ada',
  last_name: 'Lovelace',
  created_at: '2026-07-29T10:24:11Z',
  card_token: 'k6bq2mfd',
};
const subscription = {
  id: '001-S-1',
  customer: '001-C-1',
  plan: '001-PL-1',
  frequency: 'Weekly',
  start_date: '2026-08-01',
  end_date: null,
  next_billing_date: '2026-08-01',
  reference: 'SUB-1',
  last_status: 'Scheduled',
  is_active: true,
};
const { id: _id, ...subscriptionWithoutId } = subscription;

const RECORDS: [RecordKind, string, JsonObject][] = [
  [
    'card',
    'newly tokenized',
    {
      token: 'k6bq2mfd',
      card_holder: 'Ada Lovelace',
      card_number: '512345XXXXXX2346',
      card_expiry: '2031-05-31T23:59:59+10:00',
      card_type: 'MasterCard',
      card_category: 'Credit',
      card_subcategory: 'Standard',
      card_issuer: 'A bank',
      card_country: 'Australia',
      authorized: true,
      transaction_count: 0,
    },
  ],
  ['card', 'with an alias', { token: 'k6bq2mfd', alias: 'customer-7' }],
  ['card', 'without one', { token: 'k6bq2mfd', alias: null }],
  ['purchase', 'approved', purchase],
  ['purchase', 'with an integer authorization', { ...purchase, authorization: 582 }],
  ['purchase', 'with an expiry as sent', { ...purchase, card_expiry: '05/2031' }],
  [
    'purchase',
    'declined when paid by token',
    {
      id: null,
      authorization_id: null,
      authorized: false,
      message: 'Declined',
      amount: 2500,
      decimal_amount: 25,
    },
  ],
  ['purchase', 'made by a subscription', { ...purchase, source: 'Recurring' }],
  [
    'purchase',
    'of a failed request',
    { id: null, authorization: null, card_token: null, successful: false },
  ],
  ['refund', 'approved', refund],
  ['refund', 'with a positive amount', { ...refund, amount: 2500 }],
  [
    'refund',
    'of a failed request: nulls but for the card',
    {
      ...{ id: null, authorization: null, amount: null, refunded: null, message: null },
      ...{
        card_holder: 'Ada',
        card_number: '512345XXXXXX2346',
        card_expiry: '2031-05-31',
        card_type: 'Visa',
      },
      successful: false,
    },
  ],
  ['plan', 'created', plan],
  ['plan', 'listed', { ...plan, currency: 'AUD', subscription_count: 0 }],
  ['plan', 'of a failed request', { ...plan, id: null, description: '' }],
  ['customer', 'read', customer],
  [
    'customer',
    'created',
    {
      ...customer,
      address: {
        address: '12 St James Square',
        city: 'London',
        state: null,
        postcode: 'SW1Y 4JH',
        country: 'GB',
      },
    },
  ],
  ['customer', 'of a failed request', { ...customer, id: null, created_at: null, first_name: '' }],
  ['subscription', 'created', subscription],
  ['subscription', 'without an id', subscriptionWithoutId],
  ['subscription', 'retrying', { ...subscription, last_status: 'Failed (2), Pending' }],
  [
    'subscription',
    'ended',
    {
      ...subscription,
      end_date: '2026-12-31',
      next_billing_date: null,
      is_active: false,
      last_status: 'Failed (3), Aborted',
    },
  ],
  [
    'subscription',
    'of a failed request',
    { ...subscription, id: null, is_active: false, reference: '' },
  ],
];

describe('records', () => {
  test.each(RECORDS)('a %s, %s', (kind, _, record) => {
    expect(schemaOf(kind).parse(record)).toEqual(record);
  });

  // zod drops a field called __proto__, which would change what the object is.
  const fieldName = fc.string().filter((name) => name !== '__proto__');

  test.each(rows.map((row) => [row.name, row] as const))(
    'of %s may lack any field, have nulls and have other fields',
    (_, row) => {
      const names = Object.keys(row.response);
      expect(oddFields(row.response, {})).toEqual([]);
      const nulls = Object.fromEntries(names.map((name) => [name, null]));
      expect(oddFields(row.response, nulls)).toEqual([]);
      fc.assert(
        fc.property(fc.dictionary(fieldName, fc.jsonValue()), (fields) => {
          const others = Object.fromEntries(
            Object.entries(fields).filter(([name]) => !names.includes(name)),
          );
          expect(oddFields(row.response, others as JsonObject)).toEqual([]);
        }),
        { numRuns: 30 },
      );
    },
  );
});

describe('a field of another type', () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(0, 1.5, 2 ** 53, 'x', true, null, [], {}, { city: 1 }, { city: 'Perth' }),
  ) as fc.Arbitrary<Json>;

  test.each(rows.map((row) => [row.name, row] as const))('is named, in %s', (_, { response }) => {
    const schema = recordSchema(response);
    const record = fc.record(
      Object.fromEntries(Object.keys(response).map((name) => [name, value])),
      { requiredKeys: [] },
    ) as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(record, (record) => {
        const result = schema.safeParse(record);
        const issues = result.error?.issues.map(({ path }) => path.join('.')) ?? [];
        expect(oddFields(response, record)).toEqual(issues);
      }),
    );
  });
});

describe('events', () => {
  const owner = {
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    reference: 'ADA',
    id: '001-C-1',
  };
  const billed = {
    id: '001-S-1',
    frequency: 'Weekly',
    start_date: '2026-08-01',
    end_date: null,
    reference: 'SUB-1',
    customer: owner,
  };
  const charge = (successful: boolean, last_status?: string) => ({
    subscription: last_status === undefined ? billed : { ...billed, last_status },
    response: {
      successful,
      response: { ...purchase, successful, source: 'Recurring' },
      errors: [],
      test: true,
    },
  });
  const PAYLOADS: [EventName, string, JsonObject][] = [
    ['charge:pending', 'queued', billed],
    ['charge:successful', 'charged', charge(true)],
    ['charge:retry', 'declined', charge(false, 'Failed (2), Pending')],
    ['charge:failed', 'abandoned', charge(false, 'Failed (3), Aborted')],
    [
      'charge:failed',
      'with one error as text',
      { response: { successful: false, response: null, errors: 'Declined' } },
    ],
    ['charge:failed', 'without an envelope', { subscription: null, response: null }],
    ['card:expiring', 'soon', owner],
    ['card:expired', 'done', { ...owner, extra: { any: 1 } }],
  ];

  test.each(PAYLOADS)('%s, %s', (event, _, element) => {
    expect(EVENT_PAYLOADS[event].parse(element)).toEqual(element);
  });

  test('are the six of section 6', () => {
    expect(Object.keys(EVENT_PAYLOADS)).toEqual(EVENT_NAMES);
    expect(EVENT_NAMES).toEqual([
      'charge:pending',
      'charge:successful',
      'charge:retry',
      'charge:failed',
      'card:expiring',
      'card:expired',
    ]);
  });
});
