import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runSql } from '../../../../src/store/sql.ts';
import { type Bench, openBench } from '../support.ts';

describe('subscriptions', () => {
  let bench: Bench;
  let customer: string;
  let plan: string;
  beforeEach(async () => {
    bench = await openBench();
    ({ customer, plan } = await prepare(bench));
  });
  afterEach(() => bench.close());
  const base = () => ({ customer, plan, frequency: 'Monthly', reference: 'sub-1' });
  const create = (body: object, as?: string) => bench.send('POST', '/v1.0/subscriptions', body, as);
  const update = (key: string, body: object) =>
    bench.send('PUT', `/v1.0/subscriptions/${key}.json`, body);

  test.each([
    [{}, '2026-03-10', '2026-03-10'],
    [{ start_date: '2026-01-31' }, '2026-01-31', '2026-03-31'],
    [{ start_date: '2026-01-10' }, '2026-01-10', '2026-03-10'],
    [{ start_date: '2020-02-29', frequency: 'Annually' }, '2020-02-29', '2027-02-28'],
    [{ start_date: '2026-01-31', end_date: '2026-03-30' }, '2026-01-31', null],
    [{ start_date: '2026-04-30', end_date: '2026-04-30' }, '2026-04-30', '2026-04-30'],
  ])(
    'a subscription with %j starts on %s and is next billed on %s',
    async (body, start_date, next_billing_date) => {
      const { status, body: answer } = await create({ ...base(), ...body });
      expect(status).toBe(201);
      expect(answer.response).toMatchObject({ start_date, next_billing_date });
    },
  );

  test('another merchant may use the same reference', async () => {
    await create(base());
    const others = await prepare(bench, 'OTHER');
    expect((await create({ ...base(), ...others }, 'OTHER')).status).toBe(201);
  });

  test('resuming never bills a due date again', async () => {
    const made = await create({ ...base(), start_date: '2026-03-10' });
    bench.store.write((tx) =>
      tx.do(runSql("UPDATE subscriptions SET is_active = 0, next_billing_date = '2026-04-10'")),
    );
    const { body } = await update(made.body.response.id, { is_active: true });
    expect(body.response.next_billing_date).toBe('2026-04-10');
  });

  test('resuming an active subscription keeps its waiting retry', async () => {
    const { body } = await create(base());
    bench.store.write((tx) =>
      tx.do(
        runSql("UPDATE subscriptions SET last_status = 'Failed (2), Pending', retries_used = 2"),
      ),
    );
    const unchanged = await update(body.response.id, { is_active: true });
    expect(unchanged.body.response.last_status).toBe('Failed (2), Pending');
  });

  test('a subscription whose end is past is resumed with nothing due', async () => {
    const made = await create({ ...base(), start_date: '2026-01-01', end_date: '2026-02-01' });
    await update('sub-1', { is_active: false });
    const { status, body } = await update('sub-1', { is_active: true });
    expect(status).toBe(200);
    expect(body.response).toEqual({ ...made.body.response, next_billing_date: null });
  });

  test('a subscription can be resumed until the last day of its card', async () => {
    await create({ ...base(), is_active: false });
    bench.clock.time = new Date('2031-05-31T23:59:59Z');
    const resumed = await update('sub-1', { is_active: true });
    expect(resumed.status).toBe(200);
    await update('sub-1', { is_active: false });
    bench.clock.time = new Date('2031-06-01T00:00:00Z');
    const refused = await update('sub-1', { is_active: true });
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toEqual([
      "Card expired in 05/2031: update the customer's card first",
    ]);
    expect(refused.body.response).toEqual({ ...resumed.body.response, is_active: false });
  });
});

async function prepare(bench: Bench, as = 'TEST'): Promise<{ customer: string; plan: string }> {
  const customer = {
    first_name: 'Ann',
    last_name: 'Example',
    reference: 'ann',
    email: 'ann@example.com',
    card: { card_number: '4005550000000001', expiry_date: '05/2031', cvv: '987' },
  };
  const plan = { name: 'Gold', reference: 'gold', description: 'All of it', amount: 5000 };
  const madeCustomer = await bench.send('POST', '/v1.0/customers', customer, as);
  const madePlan = await bench.send('POST', '/v1.0/plans', plan, as);
  return { customer: madeCustomer.body.response.id, plan: madePlan.body.response.id };
}
