import { expect, test } from 'vitest';
import { dateTime, dayOf, virtualNow } from '../../../src/emulator/gateway-clock.ts';

const outer = { now: () => new Date('2026-03-10T23:59:59.999Z') };

test('the time is that of the outer clock plus the offset', () => {
  expect(virtualNow(outer, { frozen_at: null, offset_ms: 0 })).toEqual(outer.now());
  expect(virtualNow(outer, { frozen_at: null, offset_ms: 1 })).toEqual(new Date('2026-03-11'));
});

test('frozen time stands still', () => {
  const state = { frozen_at: '2030-01-01T00:00:00.000Z', offset_ms: 5 };
  expect(virtualNow(outer, state)).toEqual(new Date('2030-01-01'));
});

test('days are days of UTC, date-times have an offset and whole seconds', () => {
  expect(dayOf(outer.now())).toBe('2026-03-10');
  expect(dateTime(outer.now())).toBe('2026-03-10T23:59:59+00:00');
});
