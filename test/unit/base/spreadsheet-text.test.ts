import { describe, expect, test } from 'vitest';
import {
  isFragile,
  isMadeInSpreadsheet,
  isOnlyOfSpreadsheets,
  isSameInSpreadsheet,
  spreadsheetKey,
  spreadsheetKeys,
} from '../../../src/base/spreadsheet-text.ts';

/** A text, and what LibreOffice 7.4, gnumeric 1.12 or Excel write in its place, in English or in German. */
const SAME: readonly [text: string, ...made: string[]][] = [
  ['00777', '777'],
  ["'00777", '00777', '777'],
  ["'INV-501", 'INV-501'],
  ['="00777"', '00777'],
  ['000', '0'],
  ['1E5', '100000', '1.00E+05'],
  ['2E5', '200000', '2.00E+05', '2,00E+05'],
  ['1E-5', '0.00001', '1E-05'],
  ['1e400', '1E+400'],
  ['5e1234', '5E+1234'],
  ['1234567890123456', '1234567890123460', '1234567890123450'],
  ['1234567890123112', '1234567890123110'],
  ['1999999999999999', '2000000000000000', '1999999999999990'],
  ['123456789012345678', '123456789012346000'],
  ['012345678901234567890', '12345678901234567890'],
  ['1.10', '1.1', '1,1'],
  ['100.', '100'],
  ['.5', '0.5'],
  ['+5', '5'],
  ['(5)', '-5'],
  ['－5', '-5'],
  ['5%', '0.05', '5.00%'],
  ['$5', '5', '$5.00'],
  ['€5', '5', '5.00 €'],
  ['1,5', '1.5'],
  ['1,234', '1234', '1.234'],
  ['1,234.50', '1234.5'],
  ['3-4', '2026/03/04', '04/03/26', '4-Mar', '03. Apr'],
  ['1/2', '2026/01/02', '01/02/26', '2-Jan', '01. Feb'],
  ['2026-03', '2026/03/01', 'Mar-26', 'Mrz 26'],
  ['2026-03-01', '2026/03/01', '3/1/2026'],
  ['3/4/2026', '03/04/26', '2026/03/04'],
  ['01.02.2026', '2026/01/02', '02/01/26'],
  ['Mar-26', '2026/03/26', '03/01/26'],
  ['5 Mar', '2026/03/05'],
  ['MAR1', '1-Mar', '01. Mrz'],
  ['Jan 2026', '2026/01/01', '01/01/26'],
  ['12:30', '12:30:00', '12:30:00 PM'],
  ['2026-03-01T12:30:00', '2026-03-01 12:30:00'],
  ['true', 'TRUE', 'WAHR'],
  ['FALSE', 'FALSCH'],
];

const DIFFERENT: readonly [string, string][] = [
  ['00777', '778'],
  ['INV-501', 'INV-502'],
  ['INV-501', 'INV-0501'],
  ['A7', 'A07'],
  ['1', '10'],
  ['5', '-5'],
  ['1.1', '11'],
  ['2E5', '2E6'],
  ['1', '1E400'],
  ['0x10', '16'],
  // Order numbers that follow each other.
  ['20261128000000000001', '20261128000000000002'],
  ['1234567890123456', '1234567890123457'],
  ['2026-0001', '2026-0002'],
  ['2026-03', '2026-04'],
  ['2026-03', '2026-03-15'],
  ['JAN26', 'JAN27'],
  ['01/02/2026', '02/01/2026'],
  // Parts of an order.
  ['3-4', '4-3'],
  ['1-2', '1-2-3'],
  ['12-1', '12-1-1'],
  ['1-2-3', '3-2-1'],
  ['12:30', '12:31:00'],
  ['TRUE', 'FALSE'],
];

describe('texts that are the same in a spreadsheet', () => {
  test.each(SAME)('%s', (text, ...all) => {
    expect(isFragile(text)).toBe(true);
    for (const made of all) {
      expect(isMadeInSpreadsheet(made, text), made).toBe(true);
      expect(isSameInSpreadsheet(text, made), made).toBe(true);
      // Whichever was stored first is found by the other.
      expect(spreadsheetKeys(made), made).toContain(spreadsheetKey(text));
      expect(spreadsheetKeys(text), made).toContain(spreadsheetKey(made));
    }
  });

  test('a number with too many digits is found by what became of it', () => {
    const [text, made] = ['1234567890123456789', '1.23456789012346E+018'];
    expect(isSameInSpreadsheet(text, made)).toBe(true);
    expect(spreadsheetKeys(text)).toContain(spreadsheetKey(made));
  });

  test('few keys are looked up, whatever the text', () => {
    expect(spreadsheetKeys('INV-501')).toEqual(['INV-501']);
    for (const text of ['1', '9'.repeat(500), '1E999999999', `1${'0'.repeat(17)}`, '-', '1-1-1'])
      expect(spreadsheetKeys(text).length).toBeLessThanOrEqual(1_501);
  });
});

test.each(DIFFERENT)('%s is not %s', (one, other) => {
  expect(isSameInSpreadsheet(one, other)).toBe(false);
});

test.each([
  ...[
    '777',
    '0',
    '-3',
    '1.5',
    '20260301',
    'INV-501',
    'a00777',
    '007-1',
    'R-1',
    '2026-0001',
    'Ünlü',
  ],
  ...['550e8400-e29b-41d4-a716-446655440000', '12 345-6', '1 234'],
])('no spreadsheet changes %s', (text) => {
  expect(isFragile(text)).toBe(false);
});

test('what a person restores is not taken for what a spreadsheet made', () => {
  expect(isMadeInSpreadsheet('2026-03', '2026/03/01')).toBe(false);
  expect(isMadeInSpreadsheet('1/2', '01/02/26')).toBe(false);
});

test.each([
  ...['1.23457E+15', '1,23457E+15', '1.23456789012346E+018', '1.79769313486232E+308', '1E+400'],
  ...['1.00E+05', '1.00E-05', '-2.5e+10', '="00077"', '=1+1', '=A1', '#NUM!', '#N/A', '#NV'],
  ...['#WERT!', '#DIV/0!', '#NAME?', '#REF!', 'Err:502', '###', '########'],
])('only a spreadsheet writes %s', (text) => {
  expect(isOnlyOfSpreadsheets(text)).toBe(true);
});

test.each([
  ...['INV-501', '1E5', '2E5', '5e1234', '1E-05', '12345678901234567890', '+5', '00777', "'00777"],
  ...['#1', '#12345', '##', '#A', '#wow', 'A=1', 'N/A', 'Err', 'a1b2c3d4e5f6', '1.10', '2026-03'],
  ...['550e8400-e29b-41d4-a716-446655440000', 'dGVzdA==', 'ORDER+15', 'E+15', '=> 7', '= 7'],
])('a system of the merchant may write %s', (text) => {
  expect(isOnlyOfSpreadsheets(text)).toBe(false);
});
