/** Sums in a row for each group say what the sums below each other say. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupRows } from '../../../../src/desk/report/group-rows.ts';
import type { ReportRow } from '../../../../src/desk/report/report-view.ts';
import { FRAME } from '../support.ts';

const WHAT = ['purchases', 'charges', 'refunds', 'net', 'declines', 'other', 'unknown', 'heard'];

const rows = fc.array(
  fc.record({
    what: fc.constantFrom(...(WHAT as ReportRow['what'][])),
    group: fc.constantFrom('gold', 'weekend', 'no plan'),
    currency: fc.constantFrom('AUD', 'JPY', null),
    count: fc.integer({ min: 0, max: 99 }),
    amount: fc.bigInt({ min: 0n, max: 99_999n }),
  }),
);

const sum = (some: readonly bigint[]) => some.reduce((all, one) => all + one, 0n);

test('the groups add up to the rows, one for each group and currency', () => {
  fc.assert(
    fc.property(rows, (some) => {
      const all = some.map((row): ReportRow => ({ ...FRAME, reason: null, ...row }));
      const groups = groupRows(all, undefined, 'plan');
      const of = (what: string) => all.filter((row) => row.what === what);
      const amounts = (what: string) => sum(of(what).map(({ amount }) => amount ?? 0n));
      expect(sum(groups.map(({ charged }) => charged))).toBe(amounts('charges'));
      expect(sum(groups.map(({ refunded }) => refunded))).toBe(amounts('refunds'));
      expect(sum(groups.map(({ amount }) => amount))).toBe(amounts('net'));
      expect(sum(groups.map(({ declined }) => declined))).toBe(amounts('declines'));
      const counted = groups.map((one) => one.purchases + one.notCounted);
      const apart = ['purchases', 'other', 'unknown', 'heard'].flatMap(of);
      expect(counted.reduce((n, one) => n + one, 0)).toBe(
        apart.reduce((n, { count }) => n + (count ?? 0), 0),
      );
      const names = groups.map(({ plan, currency }) => `${plan} ${currency}`);
      expect(names).toEqual([...new Set(names)]);
    }),
  );
});
