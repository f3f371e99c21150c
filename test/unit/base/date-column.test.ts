import { describe, expect, test } from 'vitest';
import { DateColumn } from '../../../src/base/date-column.ts';

const columnOf = (cells: readonly string[], takesNumbers = false) => {
  const column = new DateColumn({ today: '2026-04-02', takesNumbers });
  const areDays = cells.every((cell) => column.add(cell));
  return { column, areDays, days: cells.map((cell) => column.read(cell)) };
};

test.each([
  ['31/03/2026', '2026-03-31'],
  ['03/31/2026', '2026-03-31'],
  ['31.03.26', '2026-03-31'],
  ['31.3.2026', '2026-03-31'],
  ['31. 3. 2026', '2026-03-31'],
  ['01.02.2026', '2026-02-01'],
  ['31-03-26', '2026-03-31'],
  ['26-03-31', '2026-03-31'],
  ['2026-03-31', '2026-03-31'],
  ['2026/3/1', '2026-03-01'],
  ['31 Mar 2026', '2026-03-31'],
  ['31-Mar-26', '2026-03-31'],
  ['Mar 31, 2026', '2026-03-31'],
  ['Tue, 31st March 2026', '2026-03-31'],
  ['31. März 2026', '2026-03-31'],
  ['31. Mrz 26', '2026-03-31'],
  ['1 févr. 2026', '2026-02-01'],
  ['31 de marzo de 2026', '2026-03-31'],
  ['5 maj 2026', '2026-05-05'],
  ['1 giugno 2026', '2026-06-01'],
  ['15 mei 2026', '2026-05-15'],
  ['2026-03-31T23:30:00+02:00', '2026-03-31'],
  ['2026-03-31 23:30:00.123 UTC', '2026-03-31'],
  ['31/03/2026 9:30 PM', '2026-03-31'],
  ['Mar 31, 2026, 9:30 PM', '2026-03-31'],
  ['2026-03-31+01:00', '2026-03-31'],
  ['29/02/2024', '2024-02-29'],
])('a column with %j has the day %s', (cell, day) => {
  expect(columnOf([cell]).days).toEqual([day]);
});

test.each([
  '29/02/2026',
  '31/04/2026',
  '2026-13-01',
  '2026-03',
  '12:30',
  '45747',
  '20260331',
  '31 Foo 2026',
  'May',
  'PAYMENT 31 MAR 2026',
  'Mar 31 Apr 2026',
  '1.234.567',
  '79.00',
  '10.20.30.40',
])('%j is no day', (cell) => {
  expect(columnOf([cell]).areDays).toBe(false);
});

test.each([
  ['45747', '2025-03-31'],
  ['46112.75', '2026-03-31'],
  ['20260331', '2026-03-31'],
])('in a column of days, the number %s is the day %s', (cell, day) => {
  expect(columnOf([cell], true)).toMatchObject({ areDays: true, days: [day] });
});

describe('where the order is open', () => {
  test('it stays so, with the days that are left', () => {
    const { column, days } = columnOf(['01/02/2026', '03/02/2026']);
    expect(column.open).toBe('01/02/2026');
    expect(days).toEqual([undefined, undefined]);
    expect(column.readings('01/02/2026')).toEqual([
      { order: 'dmy', day: '2026-02-01' },
      { order: 'mdy', day: '2026-01-02' },
    ]);
  });

  test('another cell decides, before or after it', () => {
    expect(columnOf(['01/02/2026', '13/02/2026']).days).toEqual(['2026-02-01', '2026-02-13']);
    expect(columnOf(['02/13/2026', '01/02/2026']).days).toEqual(['2026-02-13', '2026-01-02']);
  });

  test('somebody decides, but not against the cells', () => {
    const { column } = columnOf(['01/02/2026']);
    column.decide('mdy');
    expect([column.open, column.read('01/02/2026')]).toEqual([undefined, '2026-01-02']);
    const { column: decided } = columnOf(['13/02/2026']);
    decided.decide('mdy');
    expect(decided.order).toBe('dmy');
  });

  test('a day that is the same in every order is read', () => {
    const { column, days } = columnOf(['02/02/2026']);
    expect([column.open, ...days]).toEqual([undefined, '2026-02-02']);
  });
});

test('cells that contradict each other are no days', () => {
  expect(columnOf(['13/02/2026', '02/13/2026']).areDays).toBe(false);
});
