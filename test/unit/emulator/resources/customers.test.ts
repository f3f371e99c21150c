import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Bench, DOORS, idOf, openBench, token } from '../support.ts';

const ANN = {
  first_name: 'Ann',
  last_name: 'Example',
  reference: 'ann-1',
  email: 'ann@example.com',
  ip_address: '203.0.113.7',
  card: { card_number: '4005550000000001', expiry_date: '05/2031', cvv: '987' },
  address: { address: '1 High St', city: 'Sydney', country: 'Australia' },
};

const RECORD = {
  id: idOf('C'),
  email: 'ann@example.com',
  reference: 'ann-1',
  first_name: 'Ann',
  last_name: 'Example',
  created_at: '2026-03-10T09:30:00+00:00',
  card_token: token,
};

const ADDRESS = {
  address: '1 High St',
  city: 'Sydney',
  state: null,
  postcode: null,
  country: 'Australia',
};

describe.each(DOORS)('customers, %s', (door) => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench(door);
  });
  afterEach(() => bench.close());
  const create = (body: object = ANN, as?: string) =>
    bench.send('POST', '/v1.0/customers', body, as);
  const request = (method: string, key: string, body?: object, as?: string) =>
    bench.send(method, `/v1.0/customers/${key}.json`, body, as);

  test('a customer is created with 201 and its address, and found without it', async () => {
    const made = await create();
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      successful: true,
      response: { ...RECORD, address: ADDRESS },
      errors: [],
      test: true,
    });
    const { address: _, ...record } = made.body.response;
    for (const path of [record.id, `${record.id}.json`, 'ann-1.json']) {
      const found = await bench.send('GET', `/v1.0/customers/${path}`);
      expect(found.status).toBe(200);
      expect(found.body.response).toEqual(record);
    }
  });

  test('its token pays; the holder is the customer unless the card says otherwise', async () => {
    const pay = async (customer: object) => {
      const made = await create(customer);
      const { card_token } = made.body.response;
      const bought = await bench.send('POST', '/v1.0/purchases', { card_token, amount: 100 });
      return bought.body.response;
    };
    expect(await pay(ANN)).toMatchObject({ card_holder: 'Ann Example', successful: true });
    const card = { ...ANN.card, card_holder: 'Bob Payer' };
    expect(await pay({ ...ANN, reference: 'b', card })).toMatchObject({ card_holder: 'Bob Payer' });
  });

  test('a duplicate reference is refused, id and created_at are null', async () => {
    await create();
    const { status, body } = await create();
    expect(status).toBe(400);
    expect(body).toEqual({
      successful: false,
      response: { ...RECORD, id: null, created_at: null, card_token: null, address: ADDRESS },
      errors: ['Reference has already been taken'],
      test: true,
    });
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

  test('some fields change, the others stay', async () => {
    const made = await create();
    const { address: _, ...record } = made.body.response;
    const { status, body } = await request('PUT', record.id, { first_name: 'Anna' });
    expect(status).toBe(200);
    expect(body.response).toEqual({ ...record, first_name: 'Anna' });
    expect((await request('GET', record.id)).body.response).toEqual(body.response);
  });

  test('a new card gets a new token', async () => {
    const made = await create();
    const { id, card_token } = made.body.response;
    const card = { ...ANN.card, card_number: '5313581000123430' };
    const { body } = await request('PUT', id, { card });
    expect(body.response.card_token).not.toBe(card_token);
    const bought = await bench.send('POST', '/v1.0/purchases', {
      card_token: body.response.card_token,
      amount: 100,
    });
    expect(bought.body.response).toMatchObject({ successful: false, message: 'Declined' });
  });

  test('a blank change is refused: returned with the blank value, and not saved', async () => {
    const made = await create();
    const { address: _, ...record } = made.body.response;
    const blank = await request('PUT', record.id, { first_name: '', last_name: 'New' });
    expect(blank.status).toBe(400);
    expect(blank.body).toEqual({
      successful: false,
      response: { ...record, first_name: '', last_name: 'New' },
      errors: ["First name can't be blank"],
      test: true,
    });
    expect((await request('GET', record.id)).body.response).toEqual(record);
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

  test('a deleted customer is returned once and gone, its reference free again', async () => {
    const made = await create();
    const { address: _, ...record } = made.body.response;
    const deleted = await request('DELETE', record.id);
    expect(deleted.status).toBe(200);
    expect(deleted.body.response).toEqual(record);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await request(method, record.id, method === 'PUT' ? {} : undefined);
      expect(answer.status).toBe(404);
      expect(answer.body.errors).toEqual(['Record not found']);
      expect(answer.body.response).toBeNull();
    }
    const again = await create();
    expect(again.status).toBe(201);
    expect(again.body.response.id).not.toBe(record.id);
  });

  test("another merchant's customer is refused", async () => {
    const made = await create();
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { first_name: 'Eve' } : undefined;
      const answer = await request(method, made.body.response.id, body, 'OTHER');
      expect(answer.status).toBe(403);
      expect(answer.body.errors).toEqual(['You do not have permissions to access this record']);
    }
    expect((await request('GET', 'ann-1', undefined, 'OTHER')).status).toBe(404);
    expect((await request('GET', made.body.response.id)).status).toBe(200);
  });
});
