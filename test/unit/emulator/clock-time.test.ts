/** Times of the gateway's clock as they are typed. */
import { expect, test } from 'vitest';
import { clockTime, later } from '../../../src/emulator/clock-time.ts';

test.each([
  ['1d', '2026-02-01T09:00:00.000Z'],
  ['2w', '2026-02-14T09:00:00.000Z'],
  ['1m', '2026-02-28T09:00:00.000Z'],
  ['3m', '2026-04-30T09:00:00.000Z'],
  ['3 months', '2026-04-30T09:00:00.000Z'],
  ['1y', '2027-01-31T09:00:00.000Z'],
  ['36h', '2026-02-01T21:00:00.000Z'],
  ['90min', '2026-01-31T10:30:00.000Z'],
])('%s after the last day of January is %s', (text, expected) => {
  expect(later(new Date('2026-01-31T09:00:00Z'), text).toISOString()).toBe(expected);
});

test.each(['0d', '1', 'd', '1.5d', '-1d', '1d ago', '3mi', '100y', '100000d'])(
  'the length of time %j is refused',
  (text) => {
    expect(() => later(new Date('2026-01-31T09:00:00Z'), text)).toThrow('is not a duration');
  },
);

test.each([
  ['2012-06-01', '2012-06-01T00:00:00.000Z'],
  ['2012-02-29', '2012-02-29T00:00:00.000Z'],
  ['2012-06-01T09:30:15Z', '2012-06-01T09:30:15.000Z'],
  ['2012-06-01T09:30:15.123456Z', '2012-06-01T09:30:15.123Z'],
  ['2012-06-01T09:30:00+10:00', '2012-05-31T23:30:00.000Z'],
  ['1970-01-01', '1970-01-01T00:00:00.000Z'],
  ['2999-12-31', '2999-12-31T00:00:00.000Z'],
])('the time %s is %s', (text, expected) => {
  expect(clockTime('--clock', text).toISOString()).toBe(expected);
});

test.each([
  '',
  'tomorrow',
  '3d',
  '2012-06',
  '01/06/2012',
  '2012-6-1',
  '2013-02-29',
  '2012-02-30T00:00:00Z',
  '2012-06-01T00:00:00',
  '2012-06-01T24:00:00Z',
  '2012-06-01 09:30Z',
  '2012-06-01\n',
  '1338508800',
  '1969-12-31',
  '3000-01-01',
])('the time %j is refused, and the message shows the right form', (text) => {
  expect(() => clockTime('--to', text)).toThrow('--to takes a day (YYYY-MM-DD) or a time');
});
