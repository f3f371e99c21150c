import { expect, test } from 'vitest';
import { timeoutMsOf } from '../../../../src/cli/flags/parse-timeout.ts';
import { failureOf } from '../../../helpers/failure.ts';

test.each([
  ['1', 1000],
  ['0.25', 250],
  ['90', 90_000],
  ['600', 600_000],
])('--timeout %s', (text, ms) => {
  expect(timeoutMsOf(text)).toBeCloseTo(ms);
});

test.each(['0', '0.0', '-1', '601', '1e9', 'soon', '', '1s', 'Infinity', 'NaN'])(
  '--timeout %j is refused',
  async (text) => {
    expect((await failureOf(() => timeoutMsOf(text))).kind).toBe('usage');
  },
);
