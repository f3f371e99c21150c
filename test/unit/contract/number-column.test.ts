import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDecimal } from '../../../src/contract/money.ts';
import {
  bothReadings,
  type DecimalMark,
  NumberColumn,
  sideOf,
} from '../../../src/contract/number-column.ts';

const columnOf = (cells: readonly string[], exponent?: number) => {
  const column = new NumberColumn();
  for (const cell of cells) column.add(cell, exponent);
  return column;
};
const decimals = (cells: readonly string[], exponent?: number) => {
  const column = columnOf(cells, exponent);
  return cells.map((cell) => column.read(cell)?.decimal);
};

test.each([
  ['79.00', '79.00'],
  ['-79.00', '-79.00'],
  ['+79.00', '79.00'],
  ['79.00-', '-79.00'],
  ['(20.00)', '-20.00'],
  ['($20.00)', '-20.00'],
  ['\u221220.00', '-20.00'],
  ['- 20.00', '-20.00'],
  ['$79.00', '79.00'],
  ['-$79.00', '-79.00'],
  ['$-79.00', '-79.00'],
  ['79,00 €', '79.00'],
  ['79,00\u00a0€', '79.00'],
  ['1,045.00', '1045.00'],
  ['1.045,00', '1045.00'],
  ['1 045,00', '1045.00'],
  ['1\u00a0045,00', '1045.00'],
  ['1\u202f045,00', '1045.00'],
  ["1'045.00", '1045.00'],
  ['1’045.00', '1045.00'],
  ['1,00,000.00', '100000.00'],
  ['1,00,000', '100000'],
  ['12,34,567', '1234567'],
  ['Rs.500', '500'],
  ['Rs 500.50', '500.50'],
  ['1 234 kr', '1234'],
  ['.50', '0.50'],
  ['$.50', '0.50'],
  ['0,123', '0.123'],
  ['1.234.567', '1234567'],
])('a column with %j has %s', (cell, decimal) => {
  expect(decimals([cell])).toEqual([decimal]);
});

test.each([
  'INV-1042',
  'CR1042',
  'FR1042',
  'C1042',
  '2026-03-31',
  '31.03.2026',
  '12:30',
  '12%',
  '1,23,45',
  '1.234.56',
  "1'23",
  '--5',
  '(5',
  '5)',
  '-(5)',
  '1 2',
  'EUR USD 5',
  '',
  'abc',
  '€',
])('%j is no number', (cell) => {
  expect(columnOf([]).add(cell)).toBe(false);
  expect(columnOf([cell]).read(cell)).toBeUndefined();
});

test.each([
  ['A$79.00', 'AUD', undefined],
  ['EUR 79.00', 'EUR', undefined],
  ['EUR -79.00', 'EUR', undefined],
  ['79.00 chf', 'CHF', undefined],
  ['79,00 €', 'EUR', undefined],
  ['$79.00', undefined, undefined],
  ['79.00 DR', undefined, 'debit'],
  ['79.00 Cr.', undefined, 'credit'],
  ['79,00 H', undefined, 'credit'],
  ['79.00 USD DR', 'USD', 'debit'],
])('%j is in the currency %s, on the side %s', (cell, currency, side) => {
  expect(columnOf([cell]).read(cell)).toMatchObject({ currency, side });
});

describe('where the mark of the decimals is open', () => {
  test.each([['25,000'], ['1.234'], ['1,234', '500']])('%s stays so', (...cells) => {
    const column = columnOf(cells);
    expect(column.open).toBe(cells[0]);
    expect(column.read(cells[0] ?? '')).toBeUndefined();
    expect(bothReadings(cells[0] ?? '')).toHaveLength(2);
  });

  test('another cell decides, before or after it', () => {
    expect(decimals(['25,000', '12.50'])).toEqual(['25000', '12.50']);
    expect(decimals(['12,5', '25,000'])).toEqual(['12.5', '25.000']);
  });

  test('somebody decides', () => {
    const column = columnOf(['25,000']);
    column.decide(',');
    expect([column.open, column.read('25,000')?.decimal]).toEqual([undefined, '25.000']);
  });

  test('a currency without decimals decides, and one with three does not', () => {
    expect(decimals(['25,000', '500'], 0)).toEqual(['25000', '500']);
    expect(decimals(['1.234'], 3)).toEqual([undefined]);
    expect(decimals(['1.234', '0.500'], 3)).toEqual(['1.234', '0.500']);
    expect(decimals(['JPY 25,000'])).toEqual(['25000']);
  });

  test('cells that contradict each other decide nothing', () => {
    const column = columnOf(['12,50', '12.50', '1.234']);
    expect(column.open).toBe('1.234');
    expect(decimals(['12,50', '12.50', '1.234'])).toEqual(['12.50', '12.50', undefined]);
  });
});

test.each([
  ['DR', 'debit'],
  ['Cr.', 'credit'],
  ['S', 'debit'],
  ['Haben', 'credit'],
  ['constructor', undefined],
])('the mark %s names the side %s', (mark, side) => {
  expect(sideOf(mark)).toBe(side);
});

/** Every way to write a number, of a column that keeps to it. */
const forms = fc.record({
  mark: fc.constantFrom<DecimalMark>('.', ','),
  group: fc.constantFrom('', '.', ',', "'", '’', ' ', '\u00a0', '\u202f', 'indian'),
  sign: fc.constantFrom<(text: string) => string>(
    (text) => `-${text}`,
    (text) => `(${text})`,
    (text) => `${text}-`,
    (text) => `\u2212${text}`,
  ),
  unit: fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => `$${text}`,
    (text) => `${text} €`,
    (text) => `EUR ${text}`,
    (text) => `${text}\u00a0kr`,
  ),
  hasZeros: fc.boolean(),
});

function grouped(whole: string, group: string): string {
  if (group !== 'indian') return whole.replaceAll(/\B(?=(?:\d{3})+$)/g, group);
  return whole.replaceAll(/\B(?=(?:\d\d)*\d{3}$)/g, ',');
}

test('any ledger in any of these forms is read back, or not at all', () => {
  const amounts = fc.oneof(
    fc.integer({ min: -99_999_999, max: 99_999_999 }),
    fc.integer({ min: -99, max: 99 }).map((thousands) => thousands * 1_000_000),
    fc.integer({ min: -999_999, max: 999_999 }),
  );
  const ledgers = fc.array(amounts, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(ledgers, forms, fc.constantFrom(0, 2, 3), (ledger, form, exponent) => {
      const { mark, group, sign, unit, hasZeros } = form;
      fc.pre(group !== mark && !(group === 'indian' && mark === ','));
      const cells = ledger.map((minor) => {
        const [whole = '', fraction = ''] = formatDecimal(Math.abs(minor), exponent).split('.');
        const kept = hasZeros ? fraction : fraction.replace(/0+$/, '');
        const digits = grouped(whole, group) + (kept === '' ? '' : mark + kept);
        return minor < 0 ? sign(unit(digits)) : unit(digits);
      });
      const column = columnOf(cells, exponent);
      for (const [place, cell] of cells.entries()) {
        const read = column.read(cell)?.decimal;
        if (read !== undefined)
          expect(Number(read) * 10 ** exponent).toBeCloseTo(ledger[place] ?? 0, 3);
      }
      const isOpen = cells.some((cell) => column.read(cell) === undefined);
      expect(column.open !== undefined).toBe(isOpen);
    }),
    { numRuns: 2_000 },
  );
});
