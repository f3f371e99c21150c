import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TEST_CARDS } from '../../../../src/contract/test-cards.ts';
import {
  authorization,
  type Bench,
  CARD,
  CARD_FIELDS,
  DOORS,
  idOf,
  openBench,
} from '../support.ts';

const REFUSED = {
  id: null,
  authorization: null,
  amount: null,
  refunded: null,
  message: null,
  successful: false,
  transaction_date: null,
};
const NO_CARD = { card_holder: null, card_number: null, card_expiry: null, card_type: null };

describe.each(DOORS)('refunds, %s', (door) => {
  let bench: Bench;
  let transaction_id: string;
  beforeEach(async () => {
    bench = await openBench(door);
    transaction_id = await purchaseOf(bench, 1000);
  });
  afterEach(() => bench.close());
  const refund = (body: object) => bench.send('POST', '/v1.0/refunds', body);

  test('a part of a purchase: a record with a negative amount, found again', async () => {
    const made = await refund({ transaction_id, amount: 400, reference: 'R-1' });
    expect(made.status).toBe(200);
    expect(made.body).toEqual({
      successful: true,
      response: {
        id: idOf('R'),
        authorization,
        amount: -400,
        refunded: 'Approved',
        message: 'Approved',
        ...CARD_FIELDS,
        card_type: 'MasterCard',
        successful: true,
        transaction_date: '2026-03-10T09:30:00+00:00',
        response_code: '00',
      },
      errors: [],
      test: true,
    });
    for (const suffix of ['', '.json']) {
      const found = await bench.send('GET', `/v1.0/refunds/${made.body.response.id}${suffix}`);
      expect(found.status).toBe(200);
      expect(found.body).toEqual(made.body);
    }
  });

  test('a blank reference: the fields of the record are null, those of the card filled', async () => {
    const { status, body } = await refund({ transaction_id, amount: 100, reference: '' });
    expect(status).toBe(400);
    expect(body).toEqual({
      successful: false,
      response: { ...REFUSED, ...CARD_FIELDS, card_type: 'MasterCard' },
      errors: ["Reference can't be blank"],
      test: true,
    });
  });

  test('no more than what is left', async () => {
    expect((await refund({ transaction_id, amount: 1001, reference: 'r' })).status).toBe(400);
    expect((await refund({ transaction_id, amount: 600, reference: 'r' })).status).toBe(200);
    const tooMuch = await refund({ transaction_id, amount: 401, reference: 'r' });
    expect(tooMuch.status).toBe(400);
    expect(tooMuch.body.errors).toEqual(['Amount is more than the 400 that can still be refunded']);
    expect(tooMuch.body.response).toEqual({ ...REFUSED, ...CARD_FIELDS, card_type: 'MasterCard' });
    expect((await refund({ transaction_id, amount: 400, reference: 'r' })).status).toBe(200);
    expect((await refund({ transaction_id, amount: 1, reference: 'r' })).status).toBe(400);
  });

  test('an unknown purchase, and a declined one', async () => {
    const unknown = await refund({ transaction_id: '071-P-NONE', amount: 1, reference: 'r' });
    expect(unknown.status).toBe(400);
    expect(unknown.body.errors).toEqual(['Purchase 071-P-NONE could not be found']);
    expect(unknown.body.response).toEqual({ ...REFUSED, ...NO_CARD });

    const declined = await purchaseOf(bench, 1000, TEST_CARDS.declined.card_number);
    const refused = await refund({ transaction_id: declined, amount: 1, reference: 'r' });
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toEqual([
      `Purchase ${declined} was declined and cannot be refunded`,
    ]);
  });

  test('everything that is blank, in the order of the fields', async () => {
    const { status, body } = await refund({});
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      "Transaction id can't be blank",
      "Amount can't be blank",
      "Reference can't be blank",
    ]);
  });

  test("another merchant's purchase and refund are refused", async () => {
    const made = await refund({ transaction_id, amount: 1, reference: 'r' });
    const create = await bench.send(
      'POST',
      '/v1.0/refunds',
      { transaction_id, amount: 1, reference: 'r' },
      'OTHER',
    );
    const get = await bench.send(
      'GET',
      `/v1.0/refunds/${made.body.response.id}`,
      undefined,
      'OTHER',
    );
    for (const { status, body } of [create, get]) {
      expect(status).toBe(403);
      expect(body.errors).toEqual(['You do not have permissions to access this record']);
    }
  });

  test('a refund that is not there says Purchase not found', async () => {
    const { status, body } = await bench.send('GET', '/v1.0/refunds/071-R-NOTTHERE');
    expect(status).toBe(404);
    expect(body.errors).toEqual(['Purchase not found']);
  });
});

test('no order of refunds ever takes more than the purchase', async () => {
  const bench = await openBench();
  const amounts = fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 2000 }), amounts, async (total, parts) => {
      const transaction_id = await purchaseOf(bench, total);
      let left = total;
      for (const amount of parts) {
        const body = { transaction_id, amount, reference: 'r' };
        const { status } = await bench.send('POST', '/v1.0/refunds', body);
        expect(status).toBe(amount <= left ? 200 : 400);
        if (status === 200) left -= amount;
      }
      expect(left).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 40 },
  );
  await bench.close();
});

async function purchaseOf(
  bench: Bench,
  amount: number,
  card_number = CARD.card_number,
): Promise<string> {
  const { body } = await bench.send('POST', '/v1.0/purchases', { ...CARD, card_number, amount });
  return body.response.id;
}
