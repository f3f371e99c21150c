import { expect, test } from 'vitest';
import { GATEWAY_STATE_VIEW } from '../../../../src/commands/emulator/gateway-state.ts';
import type { StateDescription } from '../../../../src/emulator/state.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

const clockAt = (offsetMs: number, frozen = false) => {
  const state: StateDescription = {
    path: 'x.db',
    seed: 'gw',
    dialect: 'deployed',
    clock: { now: new Date(0), frozen, offsetMs },
    billingDay: '1970-01-01',
    hooks: 0,
    queued: 0,
    merchants: [],
  };
  return GATEWAY_STATE_VIEW.record(state).clock;
};

test.each([
  [0, "runs like this machine's"],
  [29 * SECOND, "runs like this machine's"],
  [-29 * SECOND, "runs like this machine's"],
  [-31 * SECOND, 'runs, 1 minute behind'],
  [2 * HOUR, 'runs, 2 hours ahead'],
  [-(HOUR + 61 * SECOND), 'runs, 1 hour and 1 minute behind'],
  // An advance takes a moment.
  [DAY - 20, 'runs, 1 day ahead'],
  [92 * DAY - 3 * SECOND, 'runs, 92 days ahead'],
  [1.5 * DAY, 'runs, 1 day and 12 hours ahead'],
  [-4711 * DAY, 'runs, 4,711 days behind'],
  [-(4711 * DAY + 25 * 60 * SECOND), 'runs, 4,711 days behind'],
  [-(4711 * DAY + 23.6 * HOUR), 'runs, 4,712 days behind'],
])('a clock that is %d ms off: %s', (offsetMs, text) => {
  expect(clockAt(offsetMs)).toBe(text);
});

test('a clock that is stopped', () => {
  expect(clockAt(0, true)).toBe('stands still');
});
