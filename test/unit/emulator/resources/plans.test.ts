import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Bench, CARD, DOORS, idOf, openBench } from '../support.ts';

const GOLD = { name: 'Gold', reference: 'gold', description: 'All of it', amount: 5000 };

describe.each(DOORS)('plans, %s', (door) => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench(door);
  });
  afterEach(() => bench.close());
  const create = (body: object = GOLD, as?: string) => bench.send('POST', '/v1.0/plans', body, as);
  const update = (key: string, body: object) => bench.send('PUT', `/v1.0/plans/${key}`, body);

  test('a plan is created with 201, and found by id or reference', async () => {
    const made = await create();
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      successful: true,
      response: { id: idOf('PL'), ...GOLD },
      errors: [],
      test: true,
    });
    for (const key of [made.body.response.id, `${made.body.response.id}.json`, 'gold']) {
      const found = await bench.send('GET', `/v1.0/plans/${key}`);
      expect(found.status).toBe(200);
      expect(found.body.response).toEqual(made.body.response);
    }
  });

  test('blank fields are refused with a null id', async () => {
    const { status, body } = await create({ ...GOLD, description: '' });
    expect(status).toBe(400);
    expect(body).toEqual({
      successful: false,
      response: { id: null, ...GOLD, description: '' },
      errors: ["Description can't be blank"],
      test: true,
    });
    const empty = await create({});
    expect(empty.body.errors).toEqual([
      "Name can't be blank",
      "Reference can't be blank",
      "Description can't be blank",
      "Amount can't be blank",
    ]);
  });

  test('a reference is taken once per merchant', async () => {
    await create();
    const again = await create();
    expect(again.status).toBe(400);
    expect(again.body.errors).toEqual(['Reference has already been taken']);
    expect(again.body.response).toEqual({ id: null, ...GOLD });
    expect((await create(GOLD, 'OTHER')).status).toBe(201);
  });

  test("unknown is 404, another merchant's id 403, its reference 404", async () => {
    const made = await create();
    const missing = await bench.send('GET', '/v1.0/plans/071-PL-NOTTHERE');
    expect(missing.status).toBe(404);
    expect(missing.body).toEqual({
      successful: false,
      response: null,
      errors: ['Record not found'],
      test: true,
    });
    for (const method of ['GET', 'PUT']) {
      const body = method === 'PUT' ? { name: 'x' } : undefined;
      const path = `/v1.0/plans/${made.body.response.id}`;
      const foreign = await bench.send(method, path, body, 'OTHER');
      expect(foreign.status).toBe(403);
      expect(foreign.body.errors).toEqual(['You do not have permissions to access this record']);
    }
    expect((await bench.send('GET', '/v1.0/plans/gold', undefined, 'OTHER')).status).toBe(404);
  });

  test('a list has records with currency and subscription_count, and its counts', async () => {
    const made = await create();
    await create({ ...GOLD, reference: 'foreign' }, 'OTHER');
    for (const path of ['/v1.0/plans.json', '/v1.0/plans']) {
      const list = await bench.send('GET', path);
      expect(list.status).toBe(200);
      expect(list.body).toEqual({
        successful: true,
        response: [{ ...made.body.response, currency: 'AUD', subscription_count: 0 }],
        errors: [],
        test: true,
        records: 1,
        total_records: 1,
        pages: 1,
        current_page: 1,
      });
    }
  });

  test('name and description change; the record comes with currency and count', async () => {
    const made = await create();
    const { id } = made.body.response;
    const { status, body } = await update(id, { name: 'Silver', description: 'Less' });
    expect(status).toBe(200);
    expect(body.response).toEqual({
      ...GOLD,
      id,
      name: 'Silver',
      description: 'Less',
      currency: 'AUD',
      subscription_count: 0,
    });
    expect((await bench.send('GET', `/v1.0/plans/${id}`)).body.response.name).toBe('Silver');
  });

  test('an invalid update is 501 with the record unchanged', async () => {
    const made = await create();
    const { id } = made.body.response;
    const { status, body } = await update(id, { name: '', description: 'x' });
    expect(status).toBe(501);
    expect(body).toEqual({
      successful: false,
      response: { id, ...GOLD, currency: 'AUD', subscription_count: 0 },
      errors: ["Name can't be blank"],
      test: true,
    });
    expect((await bench.send('GET', `/v1.0/plans/${id}`)).body.response).toEqual({ id, ...GOLD });
  });

  test('amount and reference change until the plan is in use, and not after', async () => {
    const made = await create();
    const { id } = made.body.response;
    const changed = await update(id, { amount: 7000, reference: 'platinum' });
    expect(changed.body.response).toMatchObject({ amount: 7000, reference: 'platinum' });

    await subscribe(bench, id);
    const frozen = await update(id, { name: 'New', amount: 1, reference: 'gold' });
    expect(frozen.status).toBe(501);
    expect(frozen.body.errors).toEqual([
      'Amount cannot be changed once the plan is in use',
      'Reference cannot be changed once the plan is in use',
    ]);
    const record = { ...GOLD, id, amount: 7000, reference: 'platinum' };
    expect(frozen.body.response).toEqual({ ...record, currency: 'AUD', subscription_count: 1 });
    const same = await update(id, { name: 'New', amount: 7000, reference: 'platinum' });
    expect(same.status).toBe(200);
    expect(same.body.response).toMatchObject({ ...record, name: 'New', subscription_count: 1 });
  });

  test('a reference that another plan has cannot be taken by an update', async () => {
    await create();
    const other = await create({ ...GOLD, reference: 'silver' });
    const { status, body } = await update(other.body.response.id, { reference: 'gold' });
    expect(status).toBe(501);
    expect(body.errors).toEqual(['Reference has already been taken']);
  });
});

describe('pages of the list', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
    for (let n = 1; n <= 105; n++)
      await bench.send('POST', '/v1.0/plans', { ...GOLD, reference: `plan-${n}` });
  });
  afterEach(() => bench.close());

  test.each([
    ['', { records: 20, pages: 6, current_page: 1 }, 'plan-1'],
    ['?limit=10&offset=11', { records: 5, pages: 11, current_page: 11 }, 'plan-101'],
    ['?offset=2', { records: 20, pages: 6, current_page: 2 }, 'plan-21'],
    ['?offset=7', { records: 0, pages: 6, current_page: 7 }, undefined],
    ['?limit=100000', { records: 100, pages: 2, current_page: 1 }, 'plan-1'],
  ])('%s', async (query, counts, first) => {
    const { status, body } = await bench.send('GET', `/v1.0/plans.json${query}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...counts, total_records: 105 });
    expect(body.response[0]?.reference).toBe(first);
    expect(body.response).toHaveLength(counts.records);
  });

  test.each([
    ['?limit=0', ['Limit is invalid']],
    ['?limit=ten&offset=-1', ['Limit is invalid', 'Offset is invalid']],
    ['?offset=1.5', ['Offset is invalid']],
    ['?offset=99999999999999999999', ['Offset is invalid']],
  ])('%s is refused', async (query, errors) => {
    const { status, body } = await bench.send('GET', `/v1.0/plans.json${query}`);
    expect(status).toBe(400);
    expect(body.errors).toEqual(errors);
  });

  test('an empty list has no pages', async () => {
    const { body } = await bench.send('GET', '/v1.0/plans.json', undefined, 'OTHER');
    expect(body).toMatchObject({ records: 0, total_records: 0, pages: 0, current_page: 1 });
  });
});

test('references are taken exactly once, whatever text they are', async () => {
  const bench = await openBench();
  const taken = new Set<string>();
  const reference = fc.string({ unit: 'grapheme', maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(reference, async (text) => {
      const { status, body } = await bench.send('POST', '/v1.0/plans', {
        ...GOLD,
        reference: text,
      });
      if (text.trim() === '') expect(body.errors).toEqual(["Reference can't be blank"]);
      else expect(status).toBe(taken.has(text) ? 400 : 201);
      if (status === 201) taken.add(text);
    }),
    { numRuns: 300 },
  );
  await bench.close();
});

async function subscribe(bench: Bench, plan: string): Promise<void> {
  const { card_number, card_expiry, cvv } = CARD;
  const customer = await bench.send('POST', '/v1.0/customers', {
    first_name: 'Ann',
    last_name: 'Example',
    reference: 'ann',
    email: 'ann@example.com',
    card: { card_number, expiry_date: card_expiry, cvv },
  });
  await bench.send('POST', '/v1.0/subscriptions', {
    customer: customer.body.response.id,
    plan,
    frequency: 'Daily',
    reference: 'sub',
  });
}
