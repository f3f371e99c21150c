import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Bench, CARD, openBench } from '../support.ts';

const REFUSED = {
  id: null,
  authorization: null,
  amount: null,
  refunded: null,
  message: null,
  card_holder: null,
  card_number: null,
  card_expiry: null,
  card_type: null,
  successful: false,
  transaction_date: null,
};

test('a refused refund of an unknown purchase has no card', async () => {
  const bench = await openBench();
  const refund = { transaction_id: '071-P-NONE', amount: 1, reference: 'r' };
  const { body } = await bench.send('POST', '/v1.0/refunds', refund);
  expect(body.response).toEqual(REFUSED);
  await bench.close();
});

test('refunds never exceed their purchase, in whatever order they come', async () => {
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

async function purchaseOf(bench: Bench, amount: number): Promise<string> {
  const { body } = await bench.send('POST', '/v1.0/purchases', { ...CARD, amount });
  return body.response.id;
}
