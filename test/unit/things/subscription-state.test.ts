/** The state of one subscription, by itself. How its customer changes it: subscription-state-cases.ts. */
import { expect, test } from 'vitest';
import { isBilled, subscriptionState } from '../../../src/things/subscription-state.ts';
import type { ThingOutcome } from '../../../src/things/thing.ts';
import { panelAlone } from '../../../src/view/panels/panel-of.ts';
import { subscriptionRow } from '../../../src/view/panels/words.ts';

const TODAY = '2026-03-12';
const NOW = new Date(`${TODAY}T09:30:00Z`);

test.each([
  [true, null, '2026-04-01', 'active', true, 'Active  Monthly  next billing 2026-04-01'],
  [true, '2026-05-15', '2026-04-01', 'active', true, 'Active  Monthly  next billing 2026-04-01'],
  // It is active until its last day, and charged no more.
  [true, TODAY, null, 'active', false, 'Active  Monthly  ends 2026-03-12'],
  [true, '2026-03-11', null, 'ended', false, 'Monthly  ended 2026-03-11'],
  // It was last seen before its last charge.
  [true, '2026-03-11', '2026-03-01', 'ended', false, 'Monthly  ended 2026-03-11'],
  [false, '2026-03-11', null, 'stopped', false, 'STOPPED  Monthly'],
  [false, null, '2026-04-01', 'stopped', false, 'STOPPED  Monthly'],
  [null, null, '2026-04-01', undefined, false, 'Subscription  Monthly  next billing 2026-04-01'],
] as const)('active %j, end %j, next %j', (isActive, end, next, state, billed, head) => {
  expect(subscriptionState({ isActive, end }, TODAY)).toBe(state);
  const outcome: ThingOutcome | null = isActive === null ? null : isActive ? 'active' : 'stopped';
  const dates = { start: '2026-01-01', end, next };
  const sources = { requests: {}, events: [], record: { seenAt: NOW.toISOString(), dates } };
  expect(isBilled({ outcome, sources }, TODAY)).toBe(billed);
  const fields = { end_date: end, next_billing_date: next, frequency: 'Monthly' };
  const record = { ...fields, ...(isActive !== null && { is_active: isActive }) };
  expect(panelAlone('subscription', record, NOW).head).toBe(head);
  const seen = { kind: 'subscription', id: 'SUB-1', record, seenAt: null } as const;
  const moment = { since: NOW.toISOString(), now: NOW, today: TODAY };
  const { text } = subscriptionRow(seen, moment);
  expect(text.includes('active')).toBe(state === 'active');
  expect(text.includes('ended')).toBe(state === 'ended');
  const started = { ...seen, record: { ...record, start_date: '2026-01-01' } };
  expect(subscriptionRow(started, moment).text).toContain('Monthly from 2026-01-01');
});
