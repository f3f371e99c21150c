import { describe, expect, test } from 'vitest';
import { openTimeZone } from '../../../../src/base/time-zone.ts';
import {
  comingDay,
  parseCardMonths,
  parseDaysOfAge,
  parseEnd,
  parseTime,
} from '../../../../src/cli/flags/parse-time.ts';
import { timeZoneOf } from '../../../../src/host/machine-zone.ts';
import { Capture } from '../../../helpers/capture.ts';
import { failureOf } from '../../../helpers/failure.ts';

/** A Tuesday. */
const NOW = new Date('2026-03-10T09:30:00.000Z');
const SYDNEY = openTimeZone('Australia/Sydney');

describe('the months in which cards expire', () => {
  test.each([
    ['2026-04', '2026-04-01', '2026-05-01'],
    ['04/26', '2026-04-01', '2026-05-01'],
    ['4/2026', '2026-04-01', '2026-05-01'],
    ['april', '2026-04-01', '2026-05-01'],
    ['march', '2026-03-01', '2026-04-01'],
    ['february', '2027-02-01', '2027-03-01'],
    ['last month', '2026-02-01', '2026-03-01'],
    ['next month', '2026-04-01', '2026-05-01'],
    ['15 april', '2026-04-01', '2026-05-01'],
    ['next 3 months', '2026-03-10', '2026-06-10'],
    ['q2', '2026-04-01', '2026-07-01'],
    ['2027', '2027-01-01', '2028-01-01'],
  ])('--expires %s is from %s until before %s', (text, first, next) => {
    expect(parseCardMonths(text, NOW)).toMatchObject({ first, next });
  });

  test('another word is refused', async () => {
    const { code, next } = await failureOf(() => parseCardMonths('frog', NOW));
    expect([code, next]).toEqual(['period-invalid', expect.stringContaining('april')]);
  });
});

describe('a time', () => {
  test.each([
    ['24h', '2026-03-09T09:30:00.000Z'],
    ['7d', '2026-03-03T09:30:00.000Z'],
    ['1w', '2026-03-03T09:30:00.000Z'],
    ['90min', '2026-03-10T08:00:00.000Z'],
    ['2y', '2024-03-10T09:30:00.000Z'],
    ['10y', '2016-03-10T09:30:00.000Z'],
    ['3m', '2025-12-10T09:30:00.000Z'],
    ['13m', '2025-02-10T09:30:00.000Z'],
    ['3 months', '2025-12-10T09:30:00.000Z'],
    ['3mo', '2025-12-10T09:30:00.000Z'],
    ['2 weeks ago', '2026-02-24T09:30:00.000Z'],
    ['2 Hours', '2026-03-10T07:30:00.000Z'],
    ['2026-03-01T10:00+10:00', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T10:00:05.5Z', '2026-03-01T10:00:05.500Z'],
    ['2026-03-01T10:00', '2026-02-28T23:00:00.000Z'],
    ['2026-03-01', '2026-02-28T13:00:00.000Z'],
    ['today', '2026-03-09T13:00:00.000Z'],
    ['yesterday', '2026-03-08T13:00:00.000Z'],
    ['2026-02', '2026-01-31T13:00:00.000Z'],
    ['last month', '2026-01-31T13:00:00.000Z'],
    ['tuesday', '2026-03-02T13:00:00.000Z'],
    ['2026', '2025-12-31T13:00:00.000Z'],
  ])('--since %s is %s', (text, time) => {
    expect(parseTime('since', text, NOW, SYDNEY)).toBe(time);
  });

  test.each([
    ['2h', '2026-03-10T07:30:00.000Z'],
    ['2026-03-01T10:00', '2026-02-28T23:00:00.000Z'],
    ['yesterday', '2026-03-09T13:00:00.000Z'],
    ['2026-02', '2026-02-28T13:00:00.000Z'],
    ['last week', '2026-03-08T13:00:00.000Z'],
    ['2026-q1', '2026-03-31T13:00:00.000Z'],
  ])('--until %s ends at %s', (text, time) => {
    expect(parseEnd('until', text, NOW, SYDNEY)).toBe(time);
  });

  test.each([
    '',
    'someday',
    'last-hour',
    '2026-W54',
    '1000m',
    '3mi',
    '1.5h',
    'ago',
    '1h30min',
    '10000w',
    '3s',
    '2026-13-01',
    '2026-03-01 10:00',
    '2026-03-01T25:00',
    '-1h',
    '100y',
    '100000h',
  ])('cannot be %j', async (text) => {
    for (const parse of [parseTime, parseEnd]) {
      const failure = await failureOf(() => parse('since', text, NOW, SYDNEY));
      expect(failure).toMatchObject({ kind: 'usage', code: 'time-invalid' });
    }
  });

  test('is in the time zone of this machine if it names none', () => {
    const host = { env: {}, stderr: new Capture() };
    const midnight = new Date('2026-03-01T00:00').toISOString();
    expect(parseTime('since', '2026-03-01', NOW, timeZoneOf(host, undefined))).toBe(midnight);
  });
});

test.each([
  ['400d', 400],
  ['57w', 399],
  ['2y', 730],
  ['3m', 92],
  ['12 months', 365],
  ['48h', 2],
])('an age of %s has %i days', (text, days) => {
  expect(parseDaysOfAge('keep', text)).toBe(days);
});

test.each(['', '0d', '90min', '1440min', '36h', '3', '1000m', '2026-03'])(
  'an age of %j has no whole number of days',
  async (text) => {
    const failure = await failureOf(() => parseDaysOfAge('keep', text));
    expect(failure).toMatchObject({ kind: 'usage', code: 'age-invalid' });
  },
);

test.each([
  ['tomorrow', '2026-03-11'],
  ['friday', '2026-03-13'],
  ['next tuesday', '2026-03-17'],
  ['1 march', '2027-03-01'],
  ['+14d', '2026-03-24'],
  ['+1m', '2026-04-10'],
  ['next month', undefined],
  ['whenever', undefined],
])('%s is the day %s ahead', (text, day) => {
  expect(comingDay(text, NOW, openTimeZone('UTC'))).toBe(day);
});
