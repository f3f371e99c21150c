import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Bench, openBench } from '../support.ts';

const ANN = {
  first_name: 'Ann',
  last_name: 'Example',
  reference: 'ann-1',
  email: 'ann@example.com',
  ip_address: '203.0.113.7',
  card: { card_number: '4005550000000001', expiry_date: '05/2031', cvv: '987' },
  address: { address: '1 High St', city: 'Sydney', country: 'Australia' },
};

describe('customers', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(() => bench.close());
  const create = (body: object = ANN, as?: string) =>
    bench.send('POST', '/v1.0/customers', body, as);
  const request = (method: string, key: string, body?: object, as?: string) =>
    bench.send(method, `/v1.0/customers/${key}.json`, body, as);

  test('a customer is found by its reference, but not by another merchant', async () => {
    const made = await create();
    const found = await request('GET', 'ann-1');
    expect(found.body.response.id).toBe(made.body.response.id);
    expect((await request('GET', 'ann-1', undefined, 'OTHER')).status).toBe(404);
    expect((await create(ANN, 'OTHER')).status).toBe(201);
  });

  test('blank fields are refused in the order of the fields', async () => {
    const { status, body } = await create({ first_name: '', card: { cvv: '12345' } });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      "First name can't be blank",
      "Last name can't be blank",
      "Reference can't be blank",
      "Email can't be blank",
      "Card number can't be blank",
      "Expiry date can't be blank",
      'Cvv is invalid',
    ]);
    expect(body.response).toEqual({
      id: null,
      email: null,
      reference: null,
      first_name: '',
      last_name: null,
      created_at: null,
      card_token: null,
      address: null,
    });
    expect((await create({ ...ANN, card: undefined })).body.errors).toEqual([
      "Card can't be blank",
    ]);
    const bad = await create({ ...ANN, card: { ...ANN.card, card_number: '4005550000000002' } });
    expect(bad.body.errors).toEqual(['Invalid Card Number']);
  });

  test("a deleted customer's card stays: its token is charged, its purchases are found and refunded", async () => {
    const made = await create();
    const { card_token, id } = made.body.response;
    const charge = (reference: string) =>
      bench.send('POST', '/v1.0/purchases', { card_token, amount: 500, reference });
    const before = (await charge('inv')).body.response;
    expect((await request('DELETE', id)).body.response).toMatchObject({ id, card_token });
    expect((await request('GET', id)).status).toBe(404);

    expect((await charge('inv-2')).body.response).toMatchObject({ successful: true, card_token });
    expect((await bench.send('GET', `/v1.0/purchases/${before.id}`)).body.response).toEqual(before);
    const refund = { transaction_id: before.id, amount: 500, reference: 'back' };
    expect((await bench.send('POST', '/v1.0/refunds', refund)).status).toBe(200);
    expect((await create()).body.response.card_token).not.toBe(card_token);
  });

  test("another customer's reference cannot be taken by a change", async () => {
    await create();
    const other = await create({ ...ANN, reference: 'other' });
    const { id } = other.body.response;
    const { status, body } = await request('PUT', id, { reference: 'ann-1' });
    expect(status).toBe(400);
    expect(body.errors).toEqual(['Reference has already been taken']);
    expect(body.response).toMatchObject({ id, reference: 'ann-1' });
    expect((await request('PUT', id, { reference: 'other' })).status).toBe(200);
  });

  test('an expiry alone changes the stored card, which keeps its token; what was paid keeps the card as it was', async () => {
    const { id, card_token } = (await create()).body.response;
    const pay = async () =>
      (await bench.send('POST', '/v1.0/purchases', { card_token, amount: 100 })).body.response;
    const before = await pay();
    const change = await request('PUT', id, { card: { expiry_date: '09/2035', cvv: '123' } });
    expect([change.status, change.body.response.card_token]).toEqual([200, card_token]);
    expect((await pay()).card_expiry).toBe('2035-09-30');
    await request('PUT', id, { card: { card_holder: 'A. Example' } });
    expect(await pay()).toMatchObject({ card_expiry: '2035-09-30', card_holder: 'A. Example' });
    const kept = await bench.send('GET', `/v1.0/purchases/${before.id}`);
    expect(kept.body.response).toEqual(before);
    const watch = bench.store.read((tx) =>
      tx.one<{ card_watch: string }>('SELECT card_watch FROM customers WHERE id = ?', id),
    );
    expect(watch.card_watch).toBe('2035-08-31');
  });

  test('a date that is past is taken, and the card has expired', async () => {
    const { id, card_token } = (await create()).body.response;
    expect((await request('PUT', id, { card: { expiry_date: '01/2020' } })).status).toBe(200);
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
    const { status, body } = await request('PUT', id, { card });
    expect([status, body.errors]).toEqual([400, errors]);
  });
});
