/** The rows of reports on charges are shown in the time zone of the report. */
import { expect, test } from 'vitest';
import { openTimeZone } from '../../../../src/base/time-zone.ts';
import { DOUBLES_VIEW, MOVEMENTS_VIEW } from '../../../../src/desk/report/report-view.ts';

const zone = openTimeZone('Australia/Sydney');

test.each([
  ['2026-10-31T20:00:00Z', '2026-11-01', '2026-11-01 07:00'],
  ['2026-10-31T09:00:00+00:00', '2026-10-31', '2026-10-31 20:00'],
  ['2026-11-01T07:00:00+11:00', '2026-11-01', '2026-11-01 07:00'],
  ['2026-11-01', '2026-11-01', '2026-11-01'],
])('a payment at %s is shown on %s, or at %s', (at, day, time) => {
  expect(MOVEMENTS_VIEW.columns[0]?.shorten?.(at, zone)).toBe(day);
  expect(DOUBLES_VIEW.columns[0]?.shorten?.(at, zone)).toBe(time);
});
