import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TEST_CARDS } from '../../../../src/contract/cards/test-cards.ts';
import { allRows, onlyRow } from '../../../../src/store/sql.ts';
import { type Bench, CARD, MASKED, openBench } from '../support.ts';

const DECLINED = { card_number: TEST_CARDS.declined.card_number };

describe('purchases', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(() => bench.close());
  const purchase = (body: unknown) => bench.send('POST', '/v1.0/purchases', body);

  test('a refused purchase shows the requested currency', async () => {
    const { body } = await purchase({ card_token: 'nobody', amount: 2500, currency: 'EUR' });
    expect(body.response).toMatchObject({ id: null, card_token: 'nobody', currency: 'EUR' });
  });

  test('a card number sent as a token is not repeated', async () => {
    const { body } = await purchase({ card_token: CARD.card_number, amount: 1 });
    expect(body.errors).toEqual([`Card ${MASKED} could not be found`]);
    expect(JSON.stringify(body)).not.toContain(CARD.card_number);
  });
});

describe('a purchase with a used reference', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(() => bench.close());
  const purchase = (body: object, as?: string) =>
    bench.send('POST', '/v1.0/purchases', { ...CARD, amount: 2500, ...body }, as);

  test('does not count as a transaction of the card', async () => {
    const { card_token } = (await purchase({ reference: 'INV-1' })).body.response;
    const byToken = { card_token, amount: 100 };
    const again = await bench.send('POST', '/v1.0/purchases', { ...byToken, reference: 'INV-1' });
    expect(again.body.response).toMatchObject({ card_token, successful: false, message: null });
    const count = bench.store.read((tx) =>
      tx.do(onlyRow('SELECT transaction_count FROM cards WHERE token = ?', [card_token])),
    );
    expect(count).toEqual({ transaction_count: 1 });
  });

  test.each<[what: string, first: object, second: object, as?: string]>([
    ['a missing reference', {}, {}],
    ['a blank reference', { reference: '' }, { reference: '' }],
    ['a reference in other letters', { reference: 'INV-1' }, { reference: 'inv-1' }],
    ['the reference of a declined purchase', { ...DECLINED, reference: 'A' }, { reference: 'A' }],
    ['the reference of another account', { reference: 'A' }, { reference: 'A' }, 'OTHER'],
  ])('%s does not count as used', async (_, first, second, as) => {
    await purchase(first);
    expect((await purchase(second, as)).body).toMatchObject({ successful: true, errors: [] });
  });

  test('is approved in the strict dialect', async () => {
    bench.store.write((tx) => tx.setDialect('strict'));
    const body = { reference: 'INV-1' };
    for (const { successful } of [(await purchase(body)).body, (await purchase(body)).body])
      expect(successful).toBe(true);
  });
});

describe('a refused purchase', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(() => bench.close());

  test.each([
    [{ ...CARD, amount: -1 }, ['Amount must be 1 or more']],
    [{ ...CARD, amount: '0.50' }, ['Amount is invalid']],
    [{ ...CARD, amount: '9'.repeat(40) }, ['Amount is above 999999999999999']],
    [{ ...CARD, amount: 1e15 }, ['Amount is above 999999999999999']],
    [{ ...CARD, amount: 1e20 }, ['Amount is above 999999999999999']],
    [{ ...CARD, amount: -1e30 }, ['Amount must be 1 or more']],
    [{ ...CARD, amount: 1, customer_ip: 'here' }, ['Customer ip is invalid']],
    [{ ...CARD, amount: 1, card_expiry: '00/2031' }, ['Card expiry is invalid']],
  ])('with %j has the errors %j', async (body, errors) => {
    const answer = await bench.send('POST', '/v1.0/purchases', body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual(errors);
  });

  test('stores nothing', async () => {
    await bench.send('POST', '/v1.0/purchases', { ...CARD, amount: 0 });
    const cards = bench.store.read((tx) => tx.do(allRows('SELECT * FROM cards')));
    expect(cards).toEqual([]);
  });
});

describe('the outcome of a test card', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(() => bench.close());
  const outcome = async (card_number: string, amount: number, card_expiry = '05/2031') => {
    const { status, body } = await bench.send('POST', '/v1.0/purchases', {
      ...CARD,
      card_number,
      card_expiry,
      amount,
    });
    expect(status).toBe(200);
    return [body.response.successful, body.response.message];
  };

  test('an amount below ten ends in a zero and its digit', async () => {
    const number = TEST_CARDS['by-amount'].card_number;
    expect(await outcome(number, 5)).toEqual([false, 'Refer to Card Issuer']);
  });

  test('any other valid number is approved', async () => {
    expect(await outcome('4532015112830366', 51)).toEqual([true, 'Approved']);
  });

  test("a card is valid to the end of its last month, by the gateway's clock", async () => {
    const number = TEST_CARDS.approved.card_number;
    expect(await outcome(number, 100, '02/2026')).toEqual([false, 'Expired Card']);
    bench.clock.time = new Date('2026-03-31T23:59:59Z');
    expect(await outcome(number, 100, '03/2026')).toEqual([true, 'Approved']);
    bench.clock.time = new Date('2026-04-01T00:00:00Z');
    expect(await outcome(number, 100, '03/2026')).toEqual([false, 'Expired Card']);
  });

  test.each([
    ['AUD', 2501, 25.01],
    ['CLF', 25001, 2.5001],
    ['AUD', 999_999_999_999_999, 9999999999999.99],
    ['CLF', 999_999_999_999_999, 99999999999.9999],
  ])('a decimal amount in %s has its decimals', async (currency, amount, decimal_amount) => {
    const { body } = await bench.send('POST', '/v1.0/purchases', { ...CARD, currency, amount });
    expect(body.response).toMatchObject({ currency, amount, decimal_amount });
  });

  test('an amount whose decimal no double holds is refused, with the decimal as it is', async () => {
    const amount = Number.MAX_SAFE_INTEGER;
    expect(String(Number('90071992547409.91'))).toBe('90071992547409.9');
    const card_holder = '{"decimal_amount":"1"}';
    const sent = { ...CARD, amount, card_holder };
    const { status, text, body } = await bench.send('POST', '/v1.0/purchases', sent);
    expect(status).toBe(400);
    expect(text).toContain(`"amount":${amount},"decimal_amount":90071992547409.91,`);
    expect(body).toMatchObject({
      response: { card_holder },
      errors: ['Amount is above 999999999999999'],
    });
  });

  test.each([
    [{ amount: 0 }, 0],
    [{ amount: -1 }, -0.01],
    [{ amount: 250, currency: 'JPY' }, 250],
    [{ amount: 1.5 }, null],
  ])('a refusal of %j has the decimal %s', async (sent, decimal_amount) => {
    const refused = { ...CARD, card_holder: '', ...sent };
    const { body } = await bench.send('POST', '/v1.0/purchases', refused);
    expect(body.response).toMatchObject({ decimal_amount });
  });
});
