import { expect, test } from 'vitest';
import { parseSeconds } from '../../../../src/cli/flags/parse-seconds.ts';
import { failureOf } from '../../../helpers/failure.ts';

test.each([
  ['0', 0],
  ['0.25', 250],
  ['0.0006', 1],
  ['90', 90_000],
])('%s seconds are %i milliseconds', (text, ms) => {
  expect(parseSeconds('delay', text, { min: 0, max: 90 })).toBe(ms);
});

test.each(['0', '0.0', '91', '-1', '1e1', 'soon', '', '1s', 'Infinity', 'NaN'])(
  '%j is not taken for seconds from 1 to 90',
  async (text) => {
    const failure = await failureOf(() => parseSeconds('delay', text, { min: 1, max: 90 }));
    expect(failure).toMatchObject({ kind: 'usage', code: 'duration-invalid' });
    expect(failure.message).toContain('--delay takes seconds from 1 to 90, not ');
  },
);
