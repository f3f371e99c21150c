import fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysInMonth } from '../../../../src/base/calendar.ts';
import { FREQUENCIES } from '../../../../src/contract/resources/subscription.ts';
import { dueDate, firstDueFrom } from '../../../../src/emulator/rules/schedule.ts';

test.each([
  ['Daily', '2026-02-28', 1, '2026-03-01'],
  ['Weekly', '2026-12-28', 1, '2027-01-04'],
  ['Fortnightly', '2024-02-15', 1, '2024-02-29'],
  ['Monthly', '2026-01-31', 1, '2026-02-28'],
  ['Monthly', '2026-01-31', 2, '2026-03-31'],
  ['Monthly', '2024-01-31', 1, '2024-02-29'],
  ['Quarterly', '2026-11-30', 1, '2027-02-28'],
  ['Bi-Annually', '2026-08-31', 1, '2027-02-28'],
  ['Annually', '2024-02-29', 1, '2025-02-28'],
  ['Annually', '2024-02-29', 4, '2028-02-29'],
] as const)('%s from %s, %d periods on: %s', (frequency, start, n, due) => {
  expect(dueDate(start, frequency, n)).toBe(due);
});

const day = fc
  .date({ min: new Date('1999-01-01'), max: new Date('2101-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

test('the first due date from a day on is the least due date that is not before it', () => {
  fc.assert(
    fc.property(day, fc.constantFrom(...FREQUENCIES), day, (start, frequency, from) => {
      const due = firstDueFrom(start, frequency, from);
      expect(due >= from && due >= start).toBe(true);
      let n = 0;
      while (dueDate(start, frequency, n) < from) n++;
      expect(due).toBe(dueDate(start, frequency, n));
    }),
    { numRuns: 60 },
  );
});

test('due dates rise and are calendar days', () => {
  fc.assert(
    fc.property(day, fc.constantFrom(...FREQUENCIES), fc.nat(400), (start, frequency, n) => {
      const due = dueDate(start, frequency, n);
      expect(new Date(`${due}T00:00:00Z`).toISOString().slice(0, 10)).toBe(due);
      expect(dueDate(start, frequency, n + 1) > due).toBe(true);
    }),
  );
});

test('months have the days of the Gregorian calendar', () => {
  for (const year of [1900, 2000, 2023, 2024]) {
    for (let month = 1; month <= 12; month++) {
      expect(daysInMonth(year, month)).toBe(new Date(Date.UTC(year, month, 0)).getUTCDate());
    }
  }
});
