import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TEST_CARDS } from '../../../../src/contract/cards/test-cards.ts';
import {
  authorization,
  type Bench,
  CARD,
  CARD_FIELDS,
  idOf,
  MASKED,
  openBench,
  token,
} from '../support.ts';

const APPROVED = {
  id: idOf('P'),
  authorization,
  ...CARD_FIELDS,
  card_token: token,
  amount: 2500,
  decimal_amount: 25,
  successful: true,
  message: 'Approved',
  reference: 'INV-1',
  currency: 'AUD',
  settlement_date: '2026-03-10',
  transaction_date: '2026-03-10T09:30:00+00:00',
  response_code: '00',
  captured: true,
  transaction_id: idOf('P'),
  card_type: 'MasterCard',
};

const DECLINED = { card_number: TEST_CARDS.declined.card_number };

describe('purchases', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(() => bench.close());
  const purchase = (body: unknown, as?: string) => bench.send('POST', '/v1.0/purchases', body, as);
  const tokenOf = async (card: object) =>
    (await bench.send('POST', '/v1.0/credit_cards', { ...CARD, ...card })).body.response.token;

  test('every card transaction stores the card: its token pays the next one', async () => {
    const first = await purchase({ ...CARD, amount: 100 });
    const { card_token } = first.body.response;
    const second = await purchase({ card_token, amount: 2500, reference: 'INV-1', cvv: '123' });
    expect(second.body.response).toEqual({ ...APPROVED, card_token });
    expect(second.body.response.id).not.toBe(first.body.response.id);
  });

  test('a refused purchase repeats the currency that was asked for', async () => {
    const { body } = await purchase({ card_token: 'nobody', amount: 2500, currency: 'EUR' });
    expect(body.response).toMatchObject({ id: null, card_token: 'nobody', currency: 'EUR' });
  });

  test("another merchant's token is unknown", async () => {
    const card_token = await tokenOf({ alias: 'ann' });
    for (const text of [card_token, 'ann']) {
      const { status, body } = await purchase({ card_token: text, amount: 1 }, 'OTHER');
      expect(status).toBe(400);
      expect(body.errors).toEqual([`Card ${text} could not be found`]);
    }
  });

  test('a card number sent as a token is not repeated', async () => {
    const { body } = await purchase({ card_token: CARD.card_number, amount: 1 });
    expect(body.errors).toEqual([`Card ${MASKED} could not be found`]);
    expect(JSON.stringify(body)).not.toContain(CARD.card_number);
  });

  test('a bad card number is refused, masked and without the CVV', async () => {
    const { body } = await purchase({ ...CARD, card_number: '4111111111111112', amount: 2500 });
    expect(body.errors).toEqual(['Invalid Card Number']);
    expect(body.response).toMatchObject({ id: null, card_number: '411111XXXXXX1112' });
    expect(body.response).not.toHaveProperty('cvv');
  });
});

describe('a purchase whose reference another purchase has', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(() => bench.close());
  const purchase = (body: object, as?: string) =>
    bench.send('POST', '/v1.0/purchases', { ...CARD, amount: 2500, ...body }, as);
  const get = (name: string) => bench.send('GET', `/v1.0/purchases/${name}`);

  test('is rejected as deployments do it: 200, and a record that says that it came to nothing', async () => {
    const first = await purchase({ reference: 'INV-1' });
    const { status, body } = await purchase({ reference: 'INV-1', amount: 100 });
    expect(status).toBe(200);
    const { id } = body.response;
    expect(body).toEqual({
      successful: false,
      errors: ['Reference is already taken'],
      test: true,
      response: {
        ...APPROVED,
        id,
        transaction_id: id,
        authorization: null,
        amount: 100,
        decimal_amount: 1,
        successful: false,
        message: null,
        settlement_date: null,
        transaction_date: null,
        response_code: '99',
        captured: false,
      },
    });
    expect(id).toMatch(/^071-P-/);
    expect(id).not.toBe(first.body.response.id);

    expect((await get(id)).body).toMatchObject({ successful: true, response: body.response });
    expect((await get('INV-1')).body.response.id).toBe(first.body.response.id);
    const refund = { transaction_id: id, amount: 1, reference: 'RET-1' };
    expect((await bench.send('POST', '/v1.0/refunds', refund)).body).toMatchObject({
      successful: false,
      errors: [`Purchase ${id} was rejected and cannot be refunded`],
    });
  });

  test('counts no transaction of the card, and leaves the reference with the one that has it', async () => {
    const { card_token } = (await purchase({ reference: 'INV-1' })).body.response;
    const byToken = { card_token, amount: 100 };
    const again = await bench.send('POST', '/v1.0/purchases', { ...byToken, reference: 'INV-1' });
    expect(again.body.response).toMatchObject({ card_token, successful: false, message: null });
    const count = bench.store.read((tx) =>
      tx.one('SELECT transaction_count FROM cards WHERE token = ?', card_token),
    );
    expect(count).toEqual({ transaction_count: 1 });
  });

  test.each<[what: string, first: object, second: object, as?: string]>([
    ['none', {}, {}],
    ['a blank one', { reference: '' }, { reference: '' }],
    ['one in other letters', { reference: 'INV-1' }, { reference: 'inv-1' }],
    ['that of one that was declined', { ...DECLINED, reference: 'A' }, { reference: 'A' }],
    ["that of another account's", { reference: 'A' }, { reference: 'A' }, 'OTHER'],
  ])('is not one with %s', async (_, first, second, as) => {
    await purchase(first);
    expect((await purchase(second, as)).body).toMatchObject({ successful: true, errors: [] });
  });

  test('is taken by the strict dialect: the text says nothing of it', async () => {
    bench.store.write((tx) => tx.setDialect('strict'));
    const body = { reference: 'INV-1' };
    for (const { successful } of [(await purchase(body)).body, (await purchase(body)).body])
      expect(successful).toBe(true);
  });
});

describe('what is refused', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(() => bench.close());

  test.each([
    [{ ...CARD }, ["Amount can't be blank"]],
    [{ ...CARD, amount: 0 }, ['Amount must be 1 or more']],
    [{ ...CARD, amount: -1 }, ['Amount must be 1 or more']],
    [{ ...CARD, amount: 25.5 }, ['Amount is invalid']],
    [{ ...CARD, amount: '2,500' }, ['Amount is invalid']],
    [{ ...CARD, amount: '-25' }, ['Amount is invalid']],
    [{ ...CARD, amount: '0.50' }, ['Amount must be 1 or more']],
    [{ ...CARD, amount: '9'.repeat(40) }, ['Amount is above 999999999999999']],
    [{ ...CARD, amount: 1e15 }, ['Amount is above 999999999999999']],
    [{ ...CARD, amount: 1e20 }, ['Amount is above 999999999999999']],
    [{ ...CARD, amount: -1e30 }, ['Amount must be 1 or more']],
    [{ ...CARD, amount: 1, currency: 'XXX' }, ['Currency is invalid']],
    [{ ...CARD, amount: 1, customer_ip: 'here' }, ['Customer ip is invalid']],
    [{ ...CARD, amount: 1, card_expiry: '00/2031' }, ['Card expiry is invalid']],
  ])('the purchase %j is refused: %j', async (body, errors) => {
    const answer = await bench.send('POST', '/v1.0/purchases', body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual(errors);
  });

  test('a refused purchase leaves nothing behind', async () => {
    await bench.send('POST', '/v1.0/purchases', { ...CARD, amount: 0 });
    const cards = bench.store.read((tx) => tx.all('SELECT * FROM cards'));
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
  const named = Object.entries(TEST_CARDS);
  const numbersOf = (behaviour: string) =>
    named.filter(([, card]) => card.behaviour === behaviour).map(([, card]) => card.card_number);

  test.each(numbersOf('approve'))('%s is always approved', async (number) => {
    for (const amount of [1, 51, 2599])
      expect(await outcome(number, amount)).toEqual([true, 'Approved']);
  });

  test.each(numbersOf('decline'))('%s is always declined', async (number) => {
    for (const amount of [100, 108])
      expect(await outcome(number, amount)).toEqual([false, 'Declined']);
  });

  test.each(numbersOf('by-amount'))('%s answers by the amount', async (number) => {
    const messages: Record<string, string> = {
      '00': 'Approved',
      '01': 'Refer to Card Issuer',
      '02': 'Refer to Card Issuer',
      '03': 'Declined',
      '04': 'Refer to Card Issuer',
      '05': 'Refer to Card Issuer',
      '06': 'Declined',
      '07': 'Refer to Card Issuer',
      '08': 'Approved',
      '10': 'Approved',
      '11': 'Approved',
      '14': 'Invalid Card Number',
      '16': 'Approved',
      '33': 'Expired Card',
      '51': 'Insufficient Funds',
      '54': 'Expired Card',
      '90': 'Declined - Please Retry',
      '99': 'Declined',
    };
    for (const [code, message] of Object.entries(messages))
      expect(await outcome(number, Number(`25${code}`))).toEqual([message === 'Approved', message]);
    expect(await outcome(number, 5)).toEqual([false, 'Refer to Card Issuer']);
  });

  test('any other valid number is approved', async () => {
    expect(await outcome('4532015112830366', 51)).toEqual([true, 'Approved']);
  });

  test("a card is good to the end of its last month, by the gateway's clock", async () => {
    const number = TEST_CARDS.approved.card_number;
    expect(await outcome(number, 100, '02/2026')).toEqual([false, 'Expired Card']);
    bench.clock.time = new Date('2026-03-31T23:59:59Z');
    expect(await outcome(number, 100, '03/2026')).toEqual([true, 'Approved']);
    bench.clock.time = new Date('2026-04-01T00:00:00Z');
    expect(await outcome(number, 100, '03/2026')).toEqual([false, 'Expired Card']);
  });

  test.each([
    ['JPY', 2500, 2500],
    ['AUD', 2501, 25.01],
    ['BHD', 2501, 2.501],
    ['CLF', 25001, 2.5001],
    ['AUD', 999_999_999_999_999, 9999999999999.99],
    ['CLF', 999_999_999_999_999, 99999999999.9999],
  ])('a decimal amount in %s has its decimals', async (currency, amount, decimal_amount) => {
    const { body } = await bench.send('POST', '/v1.0/purchases', { ...CARD, currency, amount });
    expect(body.response).toMatchObject({ currency, amount, decimal_amount });
  });
});
