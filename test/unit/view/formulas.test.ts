import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellAsItWas, textCell, withoutFormula } from '../../../src/view/formulas.ts';

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

describe('a text for a spreadsheet', () => {
  test.each([
    ...['0077', '1234567890123456', '2E5', '12345', '-5', '+5', '+61412345678', '5-', '1.10'],
    ...['2026-03', '2026-03-01', '3-4', '1/2', '12:30', '26:', 'MAR1', 'May 531', '10am', 'true'],
    ...[
      '5%',
      '$5',
      '1,234',
      'R501',
      'kr 5',
      '1CHF-',
      '#N/A',
      'Err:502',
      '1.23457E+15',
      '١٢',
      "'007",
    ],
  ])('that one may read as something else is a constant: %s', (text) => {
    expect(textCell(text)).toBe(`="${text}"`);
    expect(cellAsItWas(`="${text}"`)).toBe(text);
  });

  test.each([
    ...['', 'INV-501', 'WEB-3054', '071-P-Q5JLLUJB', 'Ann Reader', 'ann@example.com', 'Order 1042'],
    ...['*0001', '512345*2346', 'Approved', "O'Neill", 'a"5'],
  ])('that all leave alone stays as it is: %s', (text) => {
    expect(textCell(text)).toBe(text);
    expect(cellAsItWas(text)).toBe(text);
  });

  test.each(['=1+1', '=HYPERLINK("x")', '@SUM(A1)', '+1+1', '="0077"', "'=1"])(
    'that begins like a formula has an apostrophe: %s',
    (text) => {
      expect(textCell(text)).toBe(`'${text}`);
      expect(cellAsItWas(`'${text}`)).toBe(text);
    },
  );

  test('is read as it was, whatever it is', () => {
    const unit = fc.constantFrom("'", '"', '=', '+', '-', '@', '1', '0', '.', ' ', 'a', 'E');
    fc.assert(fc.property(fc.string({ unit }), (text) => cellAsItWas(textCell(text)) === text));
  });
});
