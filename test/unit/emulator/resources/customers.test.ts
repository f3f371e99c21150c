import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { allRows, onlyRow } from '../../../../src/store/sql.ts';
import { type Bench, openBench } from '../support.ts';

const ANN = {
  first_name: 'Ann',
  last_name: 'Example',
  reference: 'ann-1',
  email: 'ann@example.com',
  card: { card_number: '4005550000000001', expiry_date: '05/2031', cvv: '987' },
};

describe('customers', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(() => bench.close());
  const create = () => bench.send('POST', '/v1.0/customers', ANN);
  const update = (id: string, body: object) =>
    bench.send('PUT', `/v1.0/customers/${id}.json`, body);

  test('a new expiry changes the stored card and keeps its token, and earlier purchases keep the old expiry', async () => {
    const { id, card_token } = (await create()).body.response;
    const pay = async () =>
      (await bench.send('POST', '/v1.0/purchases', { card_token, amount: 100 })).body.response;
    const before = await pay();
    const change = await update(id, { card: { expiry_date: '09/2035', cvv: '123' } });
    expect([change.status, change.body.response.card_token]).toEqual([200, card_token]);
    expect((await pay()).card_expiry).toBe('2035-09-30');
    await update(id, { card: { card_holder: 'A. Example' } });
    expect(await pay()).toMatchObject({ card_expiry: '2035-09-30', card_holder: 'A. Example' });
    const kept = await bench.send('GET', `/v1.0/purchases/${before.id}`);
    expect(kept.body.response).toEqual(before);
    const watch = bench.store.read((tx) =>
      tx.do(onlyRow<{ card_watch: string }>('SELECT card_watch FROM customers WHERE id = ?', [id])),
    );
    expect(watch.card_watch).toBe('2035-08-31');
  });

  test('a new expiry is watched for every customer with the card', async () => {
    const { id, card_token } = (await create()).body.response;
    const other = { ...ANN, reference: 'ann-2', card: undefined, card_token };
    const second = (await bench.send('POST', '/v1.0/customers', other)).body.response;
    expect(second.card_token).toBe(card_token);
    await update(id, { card: { expiry_date: '09/2027' } });
    const watched = bench.store.read((tx) => tx.do(allRows('SELECT card_watch FROM customers')));
    expect(watched).toEqual([{ card_watch: '2027-08-31' }, { card_watch: '2027-08-31' }]);
  });

  test('an expiry in the past is accepted, and the card has expired', async () => {
    const { id, card_token } = (await create()).body.response;
    expect((await update(id, { card: { expiry_date: '01/2020' } })).status).toBe(200);
    const paid = await bench.send('POST', '/v1.0/purchases', { card_token, amount: 100 });
    expect(paid.body.response.message).toBe('Expired Card');
  });

  test.each([
    [{ card_number: '4005550000000001' }, ["Expiry date can't be blank", "Cvv can't be blank"]],
    [{ card_number: '4005550000000001', expiry_date: '05/2031' }, ["Cvv can't be blank"]],
    [{ cvv: '12' }, ['Cvv is invalid']],
    [{ expiry_date: '13/2031' }, ['Expiry date is invalid']],
  ])('a change of the card to %j is refused: %j', async (card, errors) => {
    const { id } = (await create()).body.response;
    const { status, body } = await update(id, { card });
    expect([status, body.errors]).toEqual([400, errors]);
  });
});
