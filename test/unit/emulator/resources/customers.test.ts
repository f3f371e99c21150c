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
});
