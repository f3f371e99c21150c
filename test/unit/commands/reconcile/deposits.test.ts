/** Which days a deposit pays. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, dayNumber } from '../../../../src/base/calendar.ts';
import { align, type Dated, MAX_DAYS } from '../../../../src/commands/reconcile/deposits.ts';

/** @param money `day amount, …`, each day of January 2026 */
const dated = (money: string): Dated[] =>
  money.split(', ').map((one) => {
    const [day = '', amount] = one.split(' ');
    return { day: `2026-01-${day.padStart(2, '0')}`, amount: Number(amount) };
  });

const paidBy = (deposits: Dated[], days: Dated[], withinDays = 3) =>
  align(deposits, days, withinDays)
    .paid.map((one) => `${one.deposit}: ${one.days.join('+')}`)
    .join(', ');

test.each<[string, string, string, string]>([
  ['deposits on their days', '5 100, 6 200', '5 100, 6 200', '0: 0, 1: 1'],
  ['deposits a day later', '6 100, 7 200', '5 100, 6 200', '0: 0, 1: 1'],
  ['a weekend in one deposit', '5 600, 6 70', '3 100, 4 200, 5 300, 6 70', '0: 0+1+2, 1: 3'],
  ['Easter', '7 1500, 8 60', '3 100, 4 200, 5 300, 6 400, 7 500, 8 60', '0: 0+1+2+3+4, 1: 5'],
  ['a fee on each day', '5 98, 6 196, 7 49', '5 100, 6 200, 7 50', '0: 0, 1: 1, 2: 2'],
  ['a fee on a weekend', '5 588, 6 69', '3 100, 4 200, 5 300, 6 70', '0: 0+1+2, 1: 3'],
  ['a wrong amount', '5 100, 6 999, 7 300', '5 100, 6 200, 7 300', '0: 0, 1: 1, 2: 2'],
  ['a deposit that is missing', '5 100, 7 300', '5 100, 6 200, 7 300', '0: 0, 1: 2'],
  [
    'the one of equal days',
    '2 100, 3 100, 5 100',
    '1 100, 2 100, 3 100, 4 100',
    '0: 0, 1: 1, 2: 3',
  ],
  ['a deposit that is there twice', '5 100, 5 100, 6 200', '5 100, 6 200', '0: 0, 2: 1'],
  ['rent', '5 100, 5 -900, 6 200', '5 100, 6 200', '0: 0, 2: 1'],
  ['rent instead of a deposit', '5 100, 6 -900, 7 300', '5 100, 6 200, 7 300', '0: 0, 2: 2'],
  ['a day of refunds', '5 100, 6 -40, 7 300', '5 100, 6 -40, 7 300', '0: 0, 1: 1, 2: 2'],
  ['another month', '25 100', '5 100', ''],
  ['a deposit long after its day', '9 100', '5 100', ''],
  ['a deposit three days after its day', '8 100', '5 100', '0: 0'],
  ['days further apart than a long weekend', '9 300', '3 100, 9 200', '0: 1'],
])('%s', (_, deposits, days, paid) => {
  expect(paidBy(dated(deposits), dated(days))).toBe(paid);
});

test('no deposits, or no days, pay nothing', () => {
  expect(paidBy([], dated('5 100'))).toBe('');
  expect(paidBy(dated('5 100'), [])).toBe('');
});

/** Days with amounts that differ by a fifth, and a bank that books nothing on some weekdays and pays after some days. */
const bank = fc
  .record({
    steps: fc.uniqueArray(fc.nat(59), { minLength: 3, maxLength: 60 }),
    lag: fc.integer({ min: 0, max: 2 }),
    first: fc.integer({ min: 0, max: 6 }),
    feeShare: fc.constantFrom(0, 0.0175, 0.03),
  })
  .map(({ steps, lag, first, feeShare }) => {
    // If two days have almost the same net, nothing tells which of them a deposit with a fee pays.
    const amounts = steps.map((step) => Math.round(10_000 * 1.2 ** step));
    const days = amounts.map((amount, n) => ({ day: addDays('2025-12-20', first + n), amount }));
    const deposits: Dated[] = [];
    const wanted: number[][] = [];
    let open: number[] = [];
    for (const [n, { day }] of days.entries()) {
      open.push(n);
      // 1970-01-01 was a Thursday. Nothing is booked on the two days of a weekend.
      const weekday = (dayNumber(day) + lag + 4) % 7;
      if (weekday === 0 || weekday === 6) continue;
      const net = open.reduce((sum, one) => sum + (amounts[one] ?? 0), 0);
      deposits.push({ day: addDays(day, lag), amount: net - Math.round(net * feeShare) });
      wanted.push(open);
      open = [];
    }
    return { days, deposits, wanted };
  });

describe('a bank that books no weekends', () => {
  test('is understood, whatever it pays after and takes', () => {
    fc.assert(
      fc.property(bank, ({ days, deposits, wanted }) => {
        // A single deposit shows no fee.
        fc.pre(deposits.length > 3);
        const { paid } = align(deposits, days, 3);
        expect(paid.map((one) => one.days)).toEqual(wanted);
      }),
    );
  });

  test('is understood without one of its deposits', () => {
    fc.assert(
      fc.property(bank, fc.nat(), ({ days, deposits, wanted }, at) => {
        // Without the first or the last deposit, nothing says when the bank pays.
        fc.pre(deposits.length > 3);
        const lost = 1 + (at % (deposits.length - 2));
        const { paid } = align(deposits.toSpliced(lost, 1), days, 3);
        expect(paid.map((one) => one.days)).toEqual(wanted.toSpliced(lost, 1));
      }),
    );
  });
});

test('a year of deposits in a thousand days is aligned in the order of time', () => {
  const days = Array.from({ length: 1_000 }, (_, n) => ({
    day: addDays('2025-01-01', n),
    amount: 100 + (n % 7),
  }));
  const deposits = days.slice(300, 665);
  const { paid, usualLag, cost } = align(deposits, days, 3);
  expect([paid.length, usualLag, cost]).toEqual([365, 0, 6_350]);
  expect(paid.every(({ deposit, days: [day] }) => day === deposit + 300)).toBe(true);
  expect(MAX_DAYS).toBe(5);
});
