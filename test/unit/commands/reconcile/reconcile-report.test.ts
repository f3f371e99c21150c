import { expect, test } from 'vitest';
import { openTimeZone } from '../../../../src/base/time-zone.ts';
import { coverageText } from '../../../../src/commands/reconcile/reconcile-report.ts';
import type { Reconciliation } from '../../../../src/commands/reconcile/reconciliation.ts';

const MARCH = { since: '2026-03-01T00:00:00Z', until: '2026-04-01T00:00:00Z' };

test.each([
  ['web orders.csv', "`gw reconcile 'web orders.csv' --within 5d --without-subscriptions`"],
  // Nothing is left to read again of a pipe.
  ['-', '--without-subscriptions'],
])('a file of other sales, %s, comes with what leaves subscriptions out: %s', (source, how) => {
  const found = {
    sums: new Map([['missing-in-file', new Map([['AUD', { file: 0n, gateway: 900n }]])]]),
    tally: { 'missing-in-file': 3 },
    charges: { found: 0, missing: 3 },
  } as unknown as Reconciliation;
  const options = {
    zone: openTimeZone('UTC'),
    isWithoutSubscriptions: false,
    batch: { typed: { within: '5d' } },
  } as unknown as Parameters<typeof coverageText>[2]['options'];
  const text = coverageText(found, MARCH, { source, options });
  expect(text).toContain(`If the file is of other sales alone, ${how} leaves them out.`);
});
