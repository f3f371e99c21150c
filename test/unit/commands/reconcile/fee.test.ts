/** The fee that explains lower deposits. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Fee, feeOf, isBy, type Shortfall } from '../../../../src/commands/reconcile/fee.ts';

const short = (missing: number, ...amounts: number[]): Shortfall => ({
  missing,
  records: amounts.map((amount, n) => ({
    ...{ kind: 'purchase', id: `071-P-${n}`, reference: null },
    amount,
  })),
});

test.each<[string, Shortfall[], number, Fee | undefined]>([
  ['a share', [short(175, 10_000), short(88, 5_000)], 2, { of: 'payments', share: 175, each: 0 }],
  [
    'a share of payments, where refunds give nothing back',
    [short(200, 10_000, -4_000), short(100, 5_000), short(60, 3_000, -1_000)],
    3,
    { of: 'payments', share: 200, each: 0 },
  ],
  [
    'the same for each payment',
    [short(90, 900, 7_000, 50), short(30, 12_345)],
    2,
    { of: 'payments', share: 0, each: 30 },
  ],
  [
    'a share, and a wrong amount',
    [short(175, 10_000), short(5_000, 5_000), short(35, 2_000)],
    3,
    { of: 'payments', share: 175, each: 0 },
  ],
  ['one deposit', [short(175, 10_000)], 1, undefined],
  ['two of many', [short(175, 10_000), short(88, 5_000)], 5, undefined],
  ['two that differ', [short(175, 10_000), short(100, 5_000)], 2, undefined],
  ['deposits that are too high', [short(-175, 10_000), short(-88, 5_000)], 2, undefined],
  ['none', [], 3, undefined],
])('%s', (_, shortfalls, deposits, fee) => {
  expect(feeOf(shortfalls, deposits)).toEqual(fee);
});

test('any share that is taken of days, or rounded for each payment, is found', () => {
  const day = fc.array(fc.integer({ min: 1_000, max: 5_000_000 }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(
      fc.array(day, { minLength: 2, maxLength: 20 }),
      fc.integer({ min: 50, max: 500 }),
      fc.boolean(),
      (days, share, isEach) => {
        const take = (amount: number) => Math.round((amount * share) / 10_000);
        const shortfalls = days.map((amounts) => {
          const all = amounts.reduce((sum, one) => sum + one, 0);
          const parts = amounts.reduce((sum, one) => sum + take(one), 0);
          return short(isEach ? parts : take(all), ...amounts);
        });
        const fee = feeOf(shortfalls, shortfalls.length);
        // A rate nearby may take the same of small amounts.
        if (
          Math.min(...days.map((amounts) => amounts.reduce((sum, one) => sum + one, 0))) > 100_000
        )
          expect(Math.abs((fee?.share ?? 0) - share)).toBeLessThanOrEqual(2);
      },
    ),
  );
});

test('a share with an amount for each transaction is found, whatever is wrong beside it', () => {
  const day = fc.array(fc.integer({ min: 500, max: 90_000 }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(
      fc.array(day, { minLength: 12, maxLength: 30 }),
      fc.constantFrom([290, 30], [175, 10], [140, 20], [349, 49], [99, 150]),
      (days, [share = 0, each = 0]) => {
        const take = (amount: number) => Math.round((amount * share) / 10_000) + each;
        const shortfalls = days.map((amounts, n) => {
          const fees = amounts.reduce((sum, one) => sum + take(one), 0);
          return short(n === 4 ? 2_000 : fees, ...amounts);
        });
        const fee = feeOf(shortfalls, shortfalls.length);
        expect(fee).toMatchObject({ each });
        // A share nearby takes the same of small amounts.
        expect(Math.abs((fee?.share ?? 0) - share)).toBeLessThanOrEqual(1);
      },
    ),
  );
});

test('a fee that is rounded up, down or to the next is the agreed one', () => {
  const days = Array.from({ length: 12 }, (_, day) =>
    Array.from({ length: 5 + day }, (__, n) => 300 + ((day * 7 + n * 13) % 40) * 115),
  );
  for (const round of [Math.ceil, Math.floor, Math.round]) {
    const shortfalls = days.map((amounts) => {
      const fees = amounts.reduce((sum, one) => sum + round(one * 0.029 + 30), 0);
      return short(fees, ...amounts, -200);
    });
    expect(feeOf(shortfalls, days.length)).toEqual({ of: 'payments', share: 290, each: 30 });
  }
});

test('two deposits show no fee of a share and an amount', () => {
  expect(feeOf([short(59, 1_000), short(117, 3_000)], 2)).toBeUndefined();
  const fee = { of: 'payments', share: 290, each: 30 };
  expect(feeOf([short(59, 1_000), short(117, 3_000), short(146, 4_000)], 3)).toEqual(fee);
});

test('a deposit that is wrong by two cents is not lower by the fee', () => {
  const fee: Fee = { of: 'net', share: 175, each: 0 };
  expect([175, 176, 177].map((missing) => isBy(fee, short(missing, 10_000)))).toEqual([
    true,
    true,
    false,
  ]);
});
