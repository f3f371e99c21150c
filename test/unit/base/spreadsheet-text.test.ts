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
  ["''007", "'007", '007'],
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
  ['2026-03-01T10:00:00Z', '2026/03/01 10:00:00', '03/01/26 10:00 AM'],
  ['2026-03-01T10:00:00.123Z', '2026/03/01 10:00:00.123', '2026-03-01T10:00:00.120'],
  ['2026-03-01T10:00:00.123456Z', '2026/03/01 10:00:00.123'],
  ['2026-03-01T10:00:00.9999Z', '2026/03/01 10:00:01'],
  ['2026-03-01T10:00Z', '2026/03/01 10:00:00'],
  ['2026-03-01T00:00:00Z', '2026/03/01'],
  ['20260301T100000Z', '2026/03/01 10:00:00'],
  ['20260301T1000Z', '2026/03/01 10:00:00'],
  ['2026-03-01 10:00', '2026-03-01 10:00:00', '2026/03/01 10:00:00'],
  ['3/1/2026 9:05 PM', '2026/03/01 21:05:00', '03/01/26 09:05 PM'],
  ['1 Mar 2026 10am', '2026/03/01 10:00:00'],
  ['Sun Mar 1 2026', '03/01/26'],
  ['10am', '10:00:00', '10:00:00 AM'],
  ['12am', '00:00:00', '12:00:00 AM'],
  ['10 PM', '22:00:00', '10:00:00 PM'],
  ['9:05 PM', '21:05:00', '09:05:00 PM'],
  ['00:30', '12:30:00 AM', '00:30:00'],
  ['100:30', '100:30:00'],
  ['12:30:05.5', '12:30:05.500', '12:30:05.50'],
  ['12:30:05.996', '12:30:06.00'],
  ['12:30:05.9996', '12:30:06'],
  ['1:2:3.5', '01:02:03.500', '01:02:03.50'],
  ['10:00.5', '10:00.50', '00:10:00.500'],
  ['-1:00', '23:00:00', '-01:00:00'],
  ['+1:00', '01:00:00', '01:00:00 AM'],
  ['0.12345678901234567', '0.123456789012346'],
  ['-0.12345678901234567', '-0.123456789012346'],
  ['0.00012345678901234567', '0.000123456789012346'],
  ['0.123456789012345678901234567', '0.123456789012346'],
  ['12345.67890123456789', '12345.6789012346', '12345,6789012346'],
  ['123456789012345.67', '123456789012346'],
  ['1234567890123456.7', '1234567890123460'],
  ['99999.99999999999999', '100000'],
  ['0.1000000000000000055', '0.1'],
  ['0.30000000000000004', '0.3'],
  ['1e-400', '0'],
  ['1 1/2', '1.5'],
  ['-1 1/2', '-1.5'],
  ['3 3/4', '3.75'],
  ['2 1/3', '2.3333333333333333333'],
  ['12 11/12', '12.916666666666666667'],
  ['1 10/3', '4 1/3'],
  ['١٢٣', '123'],
  ['٠٠٧', '7'],
  ['१२:३०', '12:30:00'],
  ['٢٠٢٦-٠٣-٠١', '2026/03/01'],
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
  // Times that follow each other.
  ['2026-03-01T10:00:00Z', '2026-03-01T10:00:01Z'],
  ['2026-03-01T10:00:00.123Z', '2026-03-01T10:00:00.124Z'],
  ['2026-03-01T10:00:00.123456Z', '2026-03-01T10:00:00.123457Z'],
  ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00+02:00'],
  ['2026-03-01T10:00:00Z', '2026-03-02T10:00:00Z'],
  ['2026-03-01T10:00:00Z', '10:00:00'],
  ['20260301T100000Z', '20260301T100001Z'],
  ['9:05 AM', '9:05 PM'],
  ['10am', '10pm'],
  ['10am', '10'],
  ['2026', '20:26'],
  ['1:00', '-1:00'],
  ['100:30', '10:30'],
  // Long numbers that follow each other.
  ['0.12345678901234567', '0.12345678901234568'],
  ['0.123456789012345', '0.123456789012346'],
  ['1.10', '1.2'],
  ['10-2', '10-3'],
  ['1 1/2', '1 1/3'],
  ['1 1/2', '1/2'],
  ['1 1/0', '1 2/0'],
  ['١٢٣', '124'],
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
  expect(isMadeInSpreadsheet('12:30', '12:30:00')).toBe(false);
});

test('references that follow each other are no two names of one, and few are looked up together', () => {
  const instants = Array.from({ length: 60 }, (_, n) => new Date(1_772_359_200_000 + n * 37_000));
  const sequences = [
    (n: number) => String(1001 + n),
    (n: number) => `INV-${1001 + n}`,
    (n: number) => `10-${n}`,
    (n: number) => (n / 100).toFixed(2),
    (n: number) => `20261128${String(n).padStart(12, '0')}`,
    (n: number) => `9223372036854${String(775_000 + n)}`,
    (n: number) => String((n * 0.736_482_195_018_472_6) % 1),
    (n: number) => `550e8400-e29b-41d4-a716-446655440${100 + n}`,
    (n: number) => instants[n - 1]?.toISOString() ?? '',
    (n: number) =>
      instants[n - 1]?.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').concat('Z') ?? '',
    (n: number) => instants[n - 1]?.toISOString().slice(11, 19) ?? '',
    (n: number) => new Date(n * 86_400_000).toISOString().slice(0, 10),
    (n: number) => `${instants[n - 1]?.toISOString().slice(0, 20)}${String(100_003 + n * 1117)}Z`,
  ];
  for (const sequence of sequences) {
    const texts = instants.map((_, n) => sequence(n + 1));
    for (const [n, text] of texts.entries()) {
      const alike = texts.filter((other) => isSameInSpreadsheet(text, other));
      expect(alike, texts[n]).toEqual([text]);
    }
    const keys = texts.map(spreadsheetKey);
    const most = Math.max(...keys.map((key) => keys.filter((other) => other === key).length));
    expect(most, texts[0]).toBeLessThan(50);
  }
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
