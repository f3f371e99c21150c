import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  areBelow,
  markOfColumn,
  readDecimalCell,
  withoutSign,
} from '../../../../src/requests/batch/decimal-cell.ts';

const MARKS = [
  { decimals: '.', groups: ',' },
  { decimals: '.', groups: ' ' },
  { decimals: '.', groups: '’' },
  { decimals: ',', groups: '.' },
  { decimals: ',', groups: ' ' },
] as const;

const amount = fc.record({ whole: fc.integer({ min: 1, max: 99_999_999 }), cents: fc.nat(99) });

test('a column whose cells prove the separators has the same amounts as one without them', () => {
  fc.assert(
    fc.property(
      fc.array(amount),
      fc.constantFrom(...MARKS),
      fc.constantFrom('', '$', 'AUD '),
      (all, { decimals, groups }, unit) => {
        const written = all.map(({ whole, cents }) => {
          const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, groups);
          const fraction = cents === 0 ? '' : decimals + String(cents).padStart(2, '0');
          return unit + grouped + fraction;
        });
        const mark = markOfColumn([...written, `12${decimals}50`]);
        expect(written.map((cell) => readDecimalCell(cell, 'AUD', mark))).toEqual(
          all.map(({ whole, cents }) => whole * 100 + cents),
        );
      },
    ),
  );
});

test('a separator of thousands that may be that of decimals is refused while no cell tells', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 999 }),
      fc.nat(999),
      fc.constantFrom('AUD', 'JPY', 'BHD'),
      (high, low, currency) => {
        const cell = `${high},${String(low).padStart(3, '0')}`;
        const mark = markOfColumn([cell, '45']);
        expect(mark).toBeUndefined();
        expect(readDecimalCell(cell, currency, mark)).toMatchObject({
          what: expect.stringContaining('and nothing tells which'),
        });
      },
    ),
  );
});

test.each([
  ['1.006', 'BHD', ',', 'may be 1.006 or 1006'],
  ['1,250', 'BHD', ',', 'not an amount'],
  ['1.006', 'BHD', undefined, 1006],
  ['1.006', 'AUD', ',', 100_600],
  ['12,50', 'AUD', undefined, 1250],
  ['1,006.40', 'AUD', undefined, 100_640],
  ['-12.50', 'AUD', '.', 'without a sign'],
  ['(1,006.40)', 'AUD', '.', 'not an amount'],
  ['€1,006.40', 'AUD', '.', 'is in EUR'],
  ['12,5', 'JPY', ',', 'no decimals'],
] as const)(
  '%s of %s in a column with %s before decimals: %s',
  (text, currency, mark, expected) => {
    const read = readDecimalCell(text, currency, mark);
    if (typeof expected === 'number') expect(read).toBe(expected);
    else expect(read).toMatchObject({ what: expect.stringContaining(expected) });
  },
);

test.each([
  ['all below zero', ['-1.00', '(2.00)', '3.00-', '−4.00'], true],
  ['both signs', ['-1.00', '2.00'], false],
  ['a cell that is no number', ['-1.00', 'total'], false],
  ['no cell', [], false],
])('a column with %s', (_, cells, isBelow) => {
  expect(areBelow(cells)).toBe(isBelow);
  expect(cells.map(withoutSign).join(' ')).not.toMatch(/[-()−]/);
});
