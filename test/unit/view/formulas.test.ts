import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellAsItWas, withoutFormula } from '../../../src/view/formulas.ts';

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
    "'=1+1",
    "''+61 412",
    "' =1",
  ])('that begins like a formula becomes a text, and is read as it was: %s', (cell) => {
    expect(withoutFormula(cell)).toBe(`'${cell}`);
    expect(cellAsItWas(`'${cell}`)).toBe(cell);
  });

  test.each([
    ...['', '-10.00', '-2500', '-1,234.50', '-', '25.00', 'a=b', 'Ada', '0412-345-678', '#1'],
    ...["'", "''", "'-10.00", "'777", "'t Hooft", "O'Neill", "'a=b"],
  ])('without a formula stays unchanged, also when it is read: %j', (cell) => {
    expect(withoutFormula(cell)).toBe(cell);
    expect(cellAsItWas(cell)).toBe(cell);
  });

  test('is read as it was, whatever it is', () => {
    const text = fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '1', '.', ' ', 'a') });
    fc.assert(fc.property(text, (cell) => cellAsItWas(withoutFormula(cell)) === cell));
  });
});
