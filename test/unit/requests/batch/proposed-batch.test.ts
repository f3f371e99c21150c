/** A batch is sent under the rule of two persons only if its file is the one that another person saw. */
import { expect, test } from 'vitest';
import type { GatewayConnection } from '../../../../src/client/connection/call.ts';
import { refundCreate } from '../../../../src/contract/resources/refund.ts';
import type { LedgerEntry } from '../../../../src/journal/ledger.ts';
import { approverOf, requestOfBatch } from '../../../../src/requests/batch/proposed-batch.ts';
import type { CheckedBatch } from '../../../../src/requests/batch/send-line.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { AT, REFUND } from '../../../helpers/money-request.ts';

const BATCH = {
  operation: refundCreate,
  options: { name: undefined },
  plan: {
    digest: 'd1',
    totals: new Map([['AUD', 60_000n]]),
    lines: [300, 59_700].map((amount, n) => ({
      ...{ number: n + 2, currency: 'AUD', body: { amount } },
      kept: { ...REFUND, amount, currency: 'AUD', reference: `R-${n}` },
    })),
  },
} as unknown as CheckedBatch;

const gateway = (twoPersonsAbove?: string[], released?: Partial<LedgerEntry>) =>
  ({
    profile: { name: 'shop', currency: 'AUD', twoPersonsAbove },
    ledger: { destination: async () => AT, note: null, releasedBatch: async () => released },
  }) as unknown as GatewayConnection;

test('a batch is proposed with its sums and its largest lines', async () => {
  const { amount, currency, target, body } = await requestOfBatch(BATCH, gateway());
  expect({ amount, currency, target }).toEqual({
    ...{ amount: 60_000, currency: 'AUD', target: 'sha256:d1' },
  });
  expect(body).toMatchObject({ lines: 2, totals: { AUD: '60000' }, same_target_again: 1 });
  expect(body.largest).toMatchObject([
    { line: 3, amount: 59_700 },
    { line: 2, amount: 300 },
  ]);
});

test.each([
  ['no rule', undefined],
  ['as much as one person may send', ['600.00']],
])('%s wants nobody', async (_, rule) => {
  expect(await approverOf(BATCH, gateway(rule))).toBeUndefined();
});

test('the rule wants a person who saw the same sums and lines', async () => {
  const { body } = await requestOfBatch(BATCH, gateway());
  const rule = ['599.99'];
  const saw = (released?: Partial<LedgerEntry>) => approverOf(BATCH, gateway(rule, released));
  expect(await saw({ body: JSON.parse(JSON.stringify(body)), resolvedBy: 'grace' })).toBe('grace');
  for (const released of [
    undefined,
    { body: { ...body, totals: { AUD: '100' } }, resolvedBy: 'grace' },
    { body: { ...body, largest: [] }, resolvedBy: 'grace' },
  ])
    expect(await failureOf(() => saw(released))).toMatchObject({
      code: 'approval-required',
      exitCode: 10,
    });
});

test('another currency is never less than the rule says', async () => {
  const failure = await failureOf(() => approverOf(BATCH, gateway(['9999.00 EUR'])));
  expect(failure.code).toBe('approval-required');
});
