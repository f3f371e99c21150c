import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { firstRow } from '../../../../src/store/sql.ts';
import { type Bench, CARD, openBench } from '../support.ts';

describe('cards', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(() => bench.close());
  const tokenize = (body: unknown) => bench.send('POST', '/v1.0/credit_cards', body);

  test.each([
    [{ ...CARD, card_holder: true }, ['Card holder is invalid']],
    [{ ...CARD, card_expiry: '2031-13' }, ['Card expiry is invalid']],
    [{ ...CARD, cvv: '12' }, ['Cvv is invalid']],
    [{ ...CARD, card_number: '5123 4567 8901 2345' }, ['Invalid Card Number']],
  ])('the card %j is refused', async (body, errors) => {
    const answer = await tokenize(body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual(errors);
  });

  test('a refusal shows the alias and does not use it up', async () => {
    await tokenize({ ...CARD, alias: 'ann' });
    const { status, body } = await tokenize({ ...CARD, alias: 'bob', card_expiry: '13/2031' });
    expect([status, body.errors]).toEqual([400, ['Card expiry is invalid']]);
    expect(body.response).toMatchObject({ token: null, alias: 'bob' });
    expect((await tokenize({ ...CARD, alias: 'bob' })).status).toBe(200);
  });

  test.each([
    [{ card_expiry: '06/2032' }, 'ann', '2032-06-30'],
    [{ alias: 'ann', card_expiry: '06/2032' }, 'ann', '2032-06-30'],
    [{ alias: 'eve' }, 'eve', '2031-05-31'],
    [{ alias: 'bob' }, 'bob', '2031-05-31'],
  ])('a stored card takes %j', async (body, alias, card_expiry) => {
    const { response } = (await tokenize({ ...CARD, alias: 'ann' })).body;
    await tokenize({ ...CARD, alias: 'bob' });
    const path = `/v1.0/credit_cards/${response.token}`;
    const changed = await bench.send('PUT', path, body);
    expect(changed.body.errors).toEqual([]);
    expect(changed.body.response).toMatchObject({ alias, card_expiry });
  });

  test('a card counts its purchases', async () => {
    const { body } = await tokenize({ ...CARD, alias: 'ann' });
    const card_token = body.response.token;
    for (const reference of [card_token, 'ann', card_token])
      await bench.send('POST', '/v1.0/purchases', { card_token: reference, amount: 100 });
    const count = bench.store.read((tx) =>
      tx.do(
        firstRow<{ n: number }>('SELECT transaction_count AS n FROM cards WHERE token = ?', [
          card_token,
        ]),
      ),
    );
    expect(count?.n).toBe(3);
  });
});

test.each([
  ['30569309025904', 'Diners Club'],
  ['6250947000000014', 'UnionPay'],
  ['9999999999999995', 'Unknown'],
])('%s is of type %s', async (card_number, card_type) => {
  const bench = await openBench();
  const { body } = await bench.send('POST', '/v1.0/credit_cards', { ...CARD, card_number });
  expect(body.response.card_type).toBe(card_type);
  await bench.close();
});
