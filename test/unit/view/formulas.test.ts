import { describe, expect, test } from 'vitest';
import { withoutFormula } from '../../../src/view/formulas.ts';

describe('a cell', () => {
  test.each([
    '=1+1',
    '=HYPERLINK("http://evil.example","x")',
    '@SUM(A1)',
    '+1+1',
    '+61 412 345 678',
    '-A1',
    '-SUM(1)',
    "-2+3+cmd|' /C calc'!D2",
    ' =1+1',
    '＝1+1',
    '－A1',
  ])('that begins like a formula becomes a text: %s', (cell) => {
    expect(withoutFormula(cell)).toBe(`'${cell}`);
  });

  test.each(['', '-10.00', '-2500', '-1,234.50', '-', '25.00', 'a=b', 'Ada', '0412-345-678', '#1'])(
    'without a formula stays unchanged: %j',
    (cell) => {
      expect(withoutFormula(cell)).toBe(cell);
    },
  );
});
