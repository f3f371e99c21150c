/** A row of a subscription says its state on the day, and not what the gateway calls it. */
import { expect, test } from 'vitest';
import { subscriptionView } from '../../../src/view/records/gateway-records.ts';

test.each([
  [{ is_active: true, end_date: '2026-02-28' }, 'ended'],
  [{ is_active: true, end_date: '2026-03-01' }, 'active'],
  [{ is_active: true, end_date: null }, 'active'],
  [{ is_active: false, end_date: '2026-02-28' }, 'stopped'],
  [{ is_active: 'perhaps' }, 'perhaps'],
  [{}, undefined],
])('on 2026-03-01 the state of %j is %s', (record, state) => {
  const { columns } = subscriptionView('2026-03-01');
  expect(columns.find(({ header }) => header === 'state')?.text(record)).toBe(state);
});
