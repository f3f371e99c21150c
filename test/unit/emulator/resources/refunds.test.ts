import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Bench, CARD, CARD_FIELDS, openBench } from '../support.ts';

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

describe('refunds', () => {
  let bench: Bench;
  let transaction_id: string;
  beforeEach(async () => {
    bench = await openBench();
    transaction_id = await purchaseOf(bench, 1000);
  });
  afterEach(() => bench.close());
  const refund = (body: object) => bench.send('POST', '/v1.0/refunds', body);

  test('a refund of more than is left has the card, and no record', async () => {
    const { body } = await refund({ transaction_id, amount: 1001, reference: 'r' });
    expect(body.response).toEqual({ ...REFUSED, ...CARD_FIELDS, card_type: 'MasterCard' });
  });

  test('a refund of an unknown purchase has no card either', async () => {
    const { body } = await refund({ transaction_id: '071-P-NONE', amount: 1, reference: 'r' });
    expect(body.response).toEqual({ ...REFUSED, ...NO_CARD });
  });

  test('everything that is blank is told of, in the order of the fields', async () => {
    const { status, body } = await refund({});
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      "Transaction id can't be blank",
      "Amount can't be blank",
      "Reference can't be blank",
    ]);
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
