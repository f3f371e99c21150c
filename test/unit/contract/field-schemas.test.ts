import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { bodySchema } from '../../../src/contract/field-schemas.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { OPERATIONS, type OperationName } from '../../../src/contract/operations.ts';
import { planList } from '../../../src/contract/resources/plan.ts';

function schemaOf(name: OperationName) {
  const row = (OPERATIONS as readonly Operation[]).find((operation) => operation.name === name);
  if (!row?.body) throw new Error(`${name} has no body`);
  return bodySchema(row.body);
}

/** @returns the fields at fault, or none when the body may be sent */
function faults(name: OperationName, body: JsonObject): string[] {
  const result = schemaOf(name).safeParse(body);
  return result.success ? [] : result.error.issues.map((issue) => issue.path.join('.'));
}

const details = {
  card_holder: 'Ada Lovelace',
  card_number: '5123456789012346',
  card_expiry: '05/2031',
  cvv: '123',
};
const purchase = {
  ...details,
  amount: 2500,
  reference: 'INV-1001',
  customer_ip: '203.0.113.7',
  currency: 'AUD',
};
const byToken = { card_token: 'k6bq2mfd', amount: 2500, currency: 'AUD' };
const refund = { transaction_id: '001-P-1', amount: 2500, reference: 'RF-1' };
const plan = { name: 'Gold', amount: 990, reference: 'gold', description: 'All' };
const customer = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  reference: 'ADA',
  email: 'ada@example.com',
  card: { card_number: '5123456789012346', expiry_date: '05/2031', cvv: '123' },
};
const subscription = {
  customer: '001-C-1',
  plan: 'gold',
  frequency: 'Weekly',
  start_date: '2026-08-01',
  reference: 'SUB-1',
  is_active: true,
};

const without = (body: JsonObject, field: string): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));

describe('what may be sent', () => {
  test.each<[OperationName, string, JsonObject]>([
    ['tokenize', 'a card', details],
    ['purchase create', 'card details', purchase],
    [
      'purchase create',
      'no optional field',
      without(without(purchase, 'reference'), 'customer_ip'),
    ],
    ['purchase create', 'a token', byToken],
    ['purchase create', 'a token and a CVV', { ...byToken, cvv: '123' }],
    ['purchase create', 'an IPv6 address', { ...purchase, customer_ip: '2001:db8::7' }],
    ['purchase create', 'a field of its own', { ...purchase, metadata: { a: 1 } }],
    ['refund create', 'a refund', refund],
    ['plan create', 'a plan', plan],
    ['plan update', 'a name', { name: 'Silver' }],
    ['plan update', 'a description', { description: 'Less' }],
    ['customer create', 'a customer', customer],
    [
      'customer create',
      'everything',
      {
        ...customer,
        ip_address: '203.0.113.7',
        card: { ...customer.card, card_holder: 'A. Lovelace' },
        address: {
          address: '12 St James Square',
          city: 'London',
          state: 'x',
          postcode: 'SW1Y',
          country: 'GB',
        },
      },
    ],
    ['customer update', 'one field', { first_name: 'Augusta' }],
    ['subscription create', 'a subscription', subscription],
    ['subscription create', 'another frequency', { ...subscription, frequency: 'Every Tuesday' }],
    ['subscription update', 'a stop', { is_active: false }],
  ])('%s takes a body with %s', (name, _, body) => {
    expect(faults(name, body)).toEqual([]);
    expect(schemaOf(name).parse(body)).toEqual(body);
  });
});

describe('what is refused before it is sent', () => {
  test.each<[OperationName, JsonObject, string[]]>([
    ['purchase create', { ...purchase, amount: 0 }, ['amount']],
    ['purchase create', { ...purchase, amount: -1 }, ['amount']],
    ['purchase create', { ...purchase, amount: 25.5 }, ['amount']],
    ['purchase create', { ...purchase, amount: '2500' }, ['amount']],
    ['purchase create', { ...purchase, amount: 1e20 }, ['amount']],
    ...[0, -0.5, 25.5, 1e20, '2500'].map((amount): [OperationName, JsonObject, string[]] => [
      'purchase create',
      { ...without(purchase, 'card_holder'), amount },
      ['amount', 'card_holder'],
    ]),
    ['purchase create', { ...purchase, currency: 'QQQ' }, ['currency']],
    ['purchase create', { ...purchase, card_number: '5123456789012345' }, ['card_number']],
    ['purchase create', { ...purchase, card_expiry: '13/2031' }, ['card_expiry']],
    ['purchase create', { ...purchase, cvv: '12' }, ['cvv']],
    ['purchase create', { ...purchase, customer_ip: 'localhost' }, ['customer_ip']],
    ['purchase create', { ...purchase, customer_ip: '256.1.1.1' }, ['customer_ip']],
    ['purchase create', { ...purchase, reference: '  ' }, ['reference']],
    ['purchase create', { ...purchase, card_token: 'k6bq2mfd' }, ['card_token']],
    ['purchase create', { amount: 2500 }, ['card_number', 'card_holder', 'card_expiry']],
    ['purchase create', without(purchase, 'card_holder'), ['card_holder']],
    ['refund create', without(refund, 'amount'), ['amount']],
    ['refund create', { ...refund, reference: '' }, ['reference']],
    ['refund create', without(refund, 'transaction_id'), ['transaction_id']],
    ['plan create', { ...plan, description: '' }, ['description']],
    ['plan create', { ...plan, amount: 9.9 }, ['amount']],
    ['plan update', { name: '' }, ['name']],
    ['customer create', without(customer, 'card'), ['card']],
    [
      'customer create',
      { ...customer, card: { ...customer.card, expiry_date: '2031-05-31' } },
      ['card.expiry_date'],
    ],
    ['customer create', { ...customer, card: without(customer.card, 'cvv') }, ['card.cvv']],
    ['customer create', { ...customer, address: { city: ' ' } }, ['address.city']],
    ['customer update', { first_name: '' }, ['first_name']],
    ['subscription create', without(subscription, 'reference'), ['reference']],
    ['subscription create', { ...subscription, is_active: 'yes' }, ['is_active']],
    ['subscription update', {}, ['is_active']],
  ])('%s with %j names the fields %j', (name, body, fields) => {
    expect(faults(name, body)).toEqual(fields);
  });

  test('both a token and card details are named when the amount is wrong too', () => {
    expect(faults('purchase create', { ...purchase, card_token: 'k', amount: 0 })).toContain(
      'amount',
    );
  });
});

describe('a date', () => {
  const fault = (start_date: string) =>
    faults('subscription create', { ...subscription, start_date });

  test.each(['2026-02-28', '2028-02-29', '2000-02-29', '2026-12-31', '2026-01-01'])(
    '%s exists',
    (day) => {
      expect(fault(day)).toEqual([]);
    },
  );

  test.each([
    ...[
      '2026-02-30',
      '2026-02-29',
      '1900-02-29',
      '2026-04-31',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
    ],
    ...[
      '2026-1-1',
      '26-01-01',
      '01/02/2026',
      '2026-01-01T00:00:00Z',
      ' 2026-01-01',
      '',
      'tomorrow',
    ],
  ])('%j does not', (day) => {
    expect(fault(day)).toEqual(['start_date']);
  });

  test('of any day of the calendar exists', () => {
    const days = fc.date({
      min: new Date('1970-01-01'),
      max: new Date('2999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(fc.property(days, (day) => fault(day.toISOString().slice(0, 10)).length === 0));
  });
});

test('text takes any Unicode, and comes back as it was', () => {
  const schema = schemaOf('refund create');
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('🎉'.repeat(5_000), '"\'\\\n\r\t', '\u0000', 'x'.repeat(10_000)),
  );
  fc.assert(
    fc.property(texts, (reference) => {
      fc.pre(reference.trim() !== '');
      expect(schema.parse({ ...refund, reference })).toEqual({ ...refund, reference });
    }),
  );
});

test('paging takes whole numbers from 1', () => {
  const query = bodySchema({ fields: planList.query });
  expect(query.safeParse({ limit: 20, offset: 1 }).success).toBe(true);
  expect(query.safeParse({}).success).toBe(true);
  for (const wrong of [
    { limit: 0 },
    { offset: 0 },
    { limit: 1.5 },
    { offset: -1 },
    { limit: '20' },
  ]) {
    expect(query.safeParse(wrong).success).toBe(false);
  }
});
