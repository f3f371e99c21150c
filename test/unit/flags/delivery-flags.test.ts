import { describe, expect, test } from 'vitest';
import { parseSeconds, parseTarget, parseTime } from '../../../src/flags/delivery-flags.ts';
import { failureOf } from '../../helpers/failure.ts';

const NOW = new Date('2026-03-10T09:30:00.000Z');

describe('times', () => {
  test.each([
    ['30m', '2026-03-10T09:00:00.000Z'],
    ['1w', '2026-03-03T09:30:00.000Z'],
    ['2026-03-01T10:00+10:00', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T10:00:05.5Z', '2026-03-01T10:00:05.500Z'],
    ['2026-03-01', new Date('2026-03-01T00:00').toISOString()],
  ])('--since %s is %s', (text, time) => {
    expect(parseTime('since', text, NOW)).toBe(time);
  });
  test.each(['', 'yesterday', '2026-13-01', '2026-03-01 10:00', '-1h', '1y'])(
    'not %j',
    async (text) => {
      expect((await failureOf(() => parseTime('since', text, NOW))).kind).toBe('usage');
    },
  );
});

test('seconds have a limit', async () => {
  expect(parseSeconds('delay', '0.25', 10)).toBe(250);
  for (const text of ['11', '-1', '1e3', 'x', '']) {
    expect((await failureOf(() => parseSeconds('delay', text, 10))).kind).toBe('usage');
  }
});

test('a target is an address without credentials', async () => {
  expect(parseTarget('to', 'http://localhost:3000/a?b=1#c').href).toBe(
    'http://localhost:3000/a?b=1',
  );
  for (const text of ['localhost:3000', 'file:///etc/passwd', 'https://u:p@x/', '']) {
    expect((await failureOf(() => parseTarget('to', text))).kind).toBe('usage');
  }
});
