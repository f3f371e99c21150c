import { describe, expect, test } from 'vitest';
import { readSeed } from '../../../src/emulator/seed.ts';
import { openState } from '../../../src/emulator/state.ts';
import { Failure } from '../../../src/failure.ts';
import { CARD, openBench, testClock } from './support.ts';

const PLAN = { name: 'Gold', reference: 'gold', description: 'All', amount: 500 };
const CUSTOMER = {
  first_name: 'Ann',
  last_name: 'Example',
  reference: 'ann',
  email: 'ann@example.com',
  card: { card_number: CARD.card_number, expiry_date: '05/2031' },
};
const SUBSCRIPTION = { customer: 'ann', plan: 'gold', frequency: 'Daily', reference: 'sub' };

const seedOf = (value: unknown) => readSeed(JSON.stringify(value), 'seed.json');

test('a seed adds to a built-in merchant and makes others', async () => {
  const { cvv: _, ...card } = CARD;
  const seed = seedOf({
    seed: 'demo',
    start: '2026-01-01T10:00:00+10:00',
    merchants: [
      {
        username: 'TEST',
        cards: [{ ...card, alias: 'ann' }],
        plans: [PLAN],
        customers: [CUSTOMER],
        subscriptions: [SUBSCRIPTION],
      },
      { username: 'SHOP', api_token: 'SHOP', prefix: '101', currency: 'EUR', plans: [PLAN] },
      { username: 'CAFE', api_token: 'CAFE' },
    ],
  });
  const bench = await openBench('in process', { seed });

  const subscription = await bench.send('GET', '/v1.0/subscriptions/sub.json');
  expect(subscription.body.response).toMatchObject({ start_date: '2026-01-01', is_active: true });
  const plans = await bench.send('GET', '/v1.0/plans.json');
  expect(plans.body.response).toMatchObject([{ ...PLAN, currency: 'AUD', subscription_count: 1 }]);
  const shop = await bench.send('GET', '/v1.0/plans.json', undefined, 'SHOP');
  expect(shop.body.response).toMatchObject([{ ...PLAN, currency: 'EUR' }]);
  expect(shop.body.response[0].id).toMatch(/^101-PL-/);

  const bought = await bench.send('POST', '/v1.0/purchases', { card_token: 'ann', amount: 100 });
  expect(bought.body.response.transaction_date).toBe('2026-01-01T00:00:00+00:00');
  const cafe = await bench.send('POST', '/v1.0/purchases', { ...CARD, amount: 100 }, 'CAFE');
  expect(cafe.body.response.id).toMatch(/^073-P-/);
  await bench.close();
});

test('the seed text decides the ids', async () => {
  const ids = [];
  for (const seed of ['one', 'two', 'one']) {
    const bench = await openBench('in process', { seed: seedOf({ seed }) });
    const { body } = await bench.send('POST', '/v1.0/purchases', { ...CARD, amount: 100 });
    ids.push(body.response.id);
    await bench.close();
  }
  expect(ids[0]).toBe(ids[2]);
  expect(ids[0]).not.toBe(ids[1]);
});

describe('an invalid seed is refused, and the message names the place', () => {
  const merchant = (fields: object) => ({ merchants: [{ username: 'TEST', ...fields }] });
  test.each([
    ['{', 'is not valid JSON'],
    [[], 'the file must be of type object'],
    [{ sed: 'x' }, 'the file has an unknown field "sed"'],
    [{ start: 'yesterday' }, 'start is invalid'],
    [{ merchants: [{}] }, 'merchants[0].username is missing'],
    [{ merchants: [{ username: 'a:b', api_token: 'x' }] }, 'must not contain spaces or colons'],
    [{ merchants: [{ username: 'SHOP' }] }, 'merchants[0].api_token is missing'],
    [merchant({ api_token: 'x' }), 'merchants[0].api_token cannot be set: TEST is built in'],
    [
      {
        merchants: [{ username: 'A', api_token: 'x', prefix: '071' }],
      },
      'merchants[0].prefix already belongs to another merchant',
    ],
    [
      {
        merchants: [
          { username: 'A', api_token: 'x' },
          { username: 'A', api_token: 'x' },
        ],
      },
      'merchants[1].username is given twice',
    ],
    [
      { merchants: [{ username: 'A', api_token: 'x', prefix: '7' }] },
      'merchants[0].prefix must be three digits',
    ],
    [
      merchant({ plans: [PLAN, { ...PLAN, amount: 'x' }] }),
      'plans[1].amount must be of type number',
    ],
    [merchant({ plans: [{ ...PLAN, amount: 1e15 }] }), 'plans[0].amount is above 999999999999999'],
    [merchant({ plans: [{ ...PLAN, amount: 0 }] }), 'plans[0].amount is not above 0'],
    [merchant({ plans: [{ ...PLAN, name: '' }] }), "merchants[0].plans[0].name can't be blank"],
    [
      merchant({ plans: [PLAN, PLAN] }),
      'merchants[0].plans[1] is refused: Reference has already been taken',
    ],
    [
      merchant({ customers: [{ ...CUSTOMER, card: { ...CUSTOMER.card, card_number: '4111' } }] }),
      'merchants[0].customers[0].card.card_number is not a valid card number',
    ],
    [
      merchant({ cards: [CARD, CARD].map((card) => ({ ...card, alias: 'a' })) }),
      'merchants[0].cards[1].alias is refused: Alias has already been taken',
    ],
    [
      merchant({ subscriptions: [SUBSCRIPTION] }),
      'merchants[0].subscriptions[0] is refused: Customer ann could not be found',
    ],
  ])('the seed %j is refused: %s', (value, problem) => {
    const open = () => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      openState({ path: ':memory:', clock: testClock(), seed: readSeed(text, 'seed.json') });
    };
    expect(open).toThrow(Failure);
    expect(open).toThrow('Seed file seed.json');
    expect(open).toThrow(problem);
  });
});
