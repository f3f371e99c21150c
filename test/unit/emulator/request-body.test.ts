import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Dialect } from '../../../src/contract/local-account.ts';
import { allRows } from '../../../src/store/sql.ts';
import { type Bench, openBench } from './support.ts';

const CARD = {
  card_holder: 'Ann Example',
  card_number: '5123456789012346',
  card_expiry: '05/2031',
  cvv: '987',
};
const CUSTOMER = {
  first_name: 'Ann',
  last_name: 'Example',
  reference: 'cust-1',
  email: 'ann@example.com',
  card: { card_number: CARD.card_number, expiry_date: '05/2031', cvv: '987' },
};
const PLAN = { name: 'Gold', reference: 'gold', description: 'Weekly', amount: 1000 };

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const speak = (dialect: Dialect) => bench.store.write((tx) => tx.setDialect(dialect));
const post = (path: string, body: unknown) => bench.send('POST', `/v1.0/${path}`, body);

describe('the strict dialect names the field and the rule', () => {
  beforeEach(() => speak('strict'));

  test.each<[object, string[]]>([
    [
      { refrence: 'x', extra: {} },
      ['refrence is no field of this request', 'extra is no field of this request'],
    ],
    [
      { cvv: 12, amount: '0' },
      [
        'Cvv must be text, not a number',
        'Amount must be a whole number, not text',
        'Amount must be 1 or more',
        'Cvv is invalid',
      ],
    ],
  ])('a purchase with %j', async (fields, errors) => {
    const answer = await post('purchases', { ...CARD, amount: 1000, ...fields });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual(errors);
    const kept = bench.store.read((tx) => tx.do(allRows('SELECT id FROM purchases')));
    expect(kept).toEqual([]);
  });

  test('every answer names its dialect', async () => {
    const answer = await bench.send('GET', '/v1.0/plans.json');
    expect(answer.headers.get('x-gw-dialect')).toBe('strict');
    await speak('deployed');
    const unknown = await bench.send('GET', '/v1.0/nothing');
    expect(unknown.headers.get('x-gw-dialect')).toBe('deployed');
  });
});

describe('the deployed dialect', () => {
  test('finds the latest purchase and refund with a reference, of the own merchant', async () => {
    const ids: string[] = [];
    // In the deployed dialect no two purchases have one.
    await speak('strict');
    for (const amount of [1000, 2000]) {
      const { body } = await post('purchases', { ...CARD, amount, reference: 'INV-1' });
      ids.push(body.response.id);
      const transaction_id = body.response.id;
      await post('refunds', { transaction_id, amount: amount / 10, reference: 'RET-1' });
    }
    await speak('deployed');
    const latest = await bench.send('GET', '/v1.0/purchases/INV-1.json?null');
    expect(latest.body.response).toMatchObject({
      id: ids[1],
      transaction_id: ids[1],
      amount: 2000,
    });
    expect((await bench.send('GET', '/v1.0/refunds/RET-1')).body.response.amount).toBe(-200);
    expect((await bench.send('GET', '/v1.0/purchases/INV-1', undefined, 'OTHER')).status).toBe(404);
    const byReference = { transaction_id: 'INV-1', amount: 1, reference: 'RET-2' };
    expect((await post('refunds', byReference)).status).toBe(400);
  });

  test('keeps every digit of a long numeric reference', async () => {
    const sent = JSON.stringify({ ...CARD, amount: 1000 }).replace(
      '}',
      ',"reference":12345678901234567891}',
    );
    const { body } = await bench.send('POST', '/v1.0/purchases', sent);
    expect(body.response.reference).toBe('12345678901234567891');
  });

  test('masks a card number that is sent as a number in another field', async () => {
    const { body } = await post('purchases', {
      ...CARD,
      amount: 1000,
      reference: 5123456789012346,
    });
    expect(body.response.reference).toBe('512345XXXXXX2346');
  });
});

test('one answer names all faults', async () => {
  await post('plans', PLAN);
  await post('customers', CUSTOMER);
  const errorsOf = async (path: string, body: object) => (await post(path, body)).body.errors;
  expect(await errorsOf('purchases', {})).toEqual([
    "Amount can't be blank",
    "Card number can't be blank",
    "Card holder can't be blank",
    "Card expiry can't be blank",
  ]);
  expect(await errorsOf('purchases', { ...CARD, amount: 2500, card_token: 'ada' })).toEqual([
    'Card token cannot be combined with card details: send one or the other',
  ]);
  expect(
    await errorsOf('purchases', { amount: 'x', card_token: 'none', customer_ip: 'x' }),
  ).toEqual(['Amount is invalid', 'Customer ip is invalid', 'Card none could not be found']);
  expect(await errorsOf('plans', { ...PLAN, name: '', amount: 0 })).toEqual([
    "Name can't be blank",
    'Amount must be 1 or more',
    'Reference has already been taken',
  ]);
  expect(await errorsOf('customers', { ...CUSTOMER, email: ' ', card: {} })).toEqual([
    "Email can't be blank",
    "Card number can't be blank",
    "Expiry date can't be blank",
    "Cvv can't be blank",
    'Reference has already been taken',
  ]);
  expect(await errorsOf('customers', { ...CUSTOMER, reference: 'b', card: undefined })).toEqual([
    "Card can't be blank",
  ]);
  expect(
    await errorsOf('subscriptions', {
      customer: 'a',
      plan: 'b',
      frequency: 'c',
      end_date: '1999-01-01',
    }),
  ).toEqual([
    "Reference can't be blank",
    'Customer a could not be found',
    'Plan b could not be found',
    'Frequency is invalid',
    'End date is invalid',
  ]);
  expect(await errorsOf('refunds', {})).toEqual([
    "Transaction id can't be blank",
    "Amount can't be blank",
    "Reference can't be blank",
  ]);
  expect(await errorsOf('refunds', { transaction_id: 'a', amount: 0 })).toEqual([
    'Amount must be 1 or more',
    "Reference can't be blank",
    'Original transaction could not be found',
  ]);
});

test('a rejected record has valid dates or none', async () => {
  const expiryOf = async (card_expiry: unknown) =>
    (await post('purchases', { ...CARD, card_expiry, amount: 0 })).body.response.card_expiry;
  expect(await expiryOf('5/31')).toBe('2031-05-31');
  for (const expiry of ['13/2031', 'soon', 5, null, {}]) expect(await expiryOf(expiry)).toBeNull();
  const { body } = await post('subscriptions', { start_date: 'soon', end_date: '2027-1-1' });
  expect(body.response).toMatchObject({ start_date: null, end_date: '2027-01-01' });
});

test('a body may be nested, up to a depth, wherever it is sent', async () => {
  const nested = (levels: number) =>
    `{"metadata":${'{"a":'.repeat(levels - 1)}1${'}'.repeat(levels)}`;
  for (const path of ['credit_cards', 'purchases', 'refunds', 'plans', 'customers']) {
    const errorsOf = async (levels: number) => (await post(path, nested(levels))).body.errors;
    const TOO_DEEP = 'Request body is nested more than 100 levels deep';
    expect(await errorsOf(100)).not.toContain(TOO_DEEP);
    for (const levels of [101, 5300]) expect(await errorsOf(levels)).toEqual([TOO_DEEP]);
  }
});

test('a field that is there twice is refused by the strict dialect', async () => {
  const body = JSON.stringify({ ...CARD, amount: 100 }).replace('}', ',"amount":900}');
  expect((await post('purchases', body)).body.response.amount).toBe(900);
  bench.store.write((tx) => tx.setDialect('strict'));
  expect((await post('purchases', body)).body.errors).toEqual([
    expect.stringMatching(
      /^Request body has the field amount twice, the second time at character \d+$/,
    ),
  ]);
});
