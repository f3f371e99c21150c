import { describe, expect, test } from 'vitest';
import type { Column } from '../../../../src/view/columns.ts';
import { fitColumns } from '../../../../src/view/formats/table-fit.ts';

const measure = (text: string) => text.length;

function sized(header: string, rows: readonly string[], column: Partial<Column> = {}) {
  const cells = [header, ...rows];
  return {
    column: { header, text: () => undefined, ...column },
    cells,
    width: Math.max(...cells.map(measure)),
  };
}

const TABLE = [
  sized('ID', ['1', '2', '3']),
  sized('NONE', ['-', '-', '-']),
  sized('WHAT', ['one two', 'three four', 'five'], { cuttable: true }),
  sized('CITY', ['Rome', 'Rome', 'Rome']),
  sized('WHEN', ['2026-01-01 10:00', '2026-01-02 10:00', '2026-01-03'], {
    brief: [(cells) => cells.map((cell) => cell.slice(0, 10))],
    drop: 'last',
  }),
  sized('LATE', ['7', '8', '9'], { drop: 'late' }),
  sized('EARLY', ['4', '5', '6'], { drop: 'early' }),
];

const shown = (columns: number, isPicked = false) => {
  const fitted = fitColumns(TABLE, { columns, measure, isPicked });
  return fitted?.columns.map(({ cells: [header], width }) => `${header} ${width}`).join(', ');
};

describe('a table gives up, in this order', () => {
  test.each([
    [62, 'ID 2, NONE 4, WHAT 10, CITY 4, WHEN 16, LATE 4, EARLY 5'],
    [56, 'ID 2, WHAT 10, CITY 4, WHEN 16, LATE 4, EARLY 5'],
    [48, 'ID 2, WHAT 10, CITY 4, WHEN 16, LATE 4'],
    [43, 'ID 2, WHAT 10, WHEN 16, LATE 4'],
    [37, 'ID 2, WHAT 10, WHEN 10, LATE 4'],
    [31, 'ID 2, WHAT 7, WHEN 10, LATE 4'],
    [30, 'ID 2, WHAT 10, WHEN 10'],
    [20, 'ID 2, WHAT 10'],
    [12, undefined],
  ])('at %i columns', (columns, expected) => {
    expect(shown(columns)).toBe(expected);
  });

  test('what was asked for by name does not go for being empty or the same', () => {
    expect(shown(62, true)).toContain('NONE 4');
    expect(shown(43, true)).toBe('ID 2, NONE 4, WHAT 7, CITY 4, WHEN 10, LATE 4');
    expect(shown(20, true)).toBeUndefined();
  });

  test('what every row says is told', () => {
    const fitted = fitColumns(TABLE, { columns: 43, measure });
    expect(fitted?.same.map(({ cells }) => cells.slice(0, 2))).toEqual([['CITY', 'Rome']]);
  });
});

describe('what a row is found by', () => {
  const DOCUMENTS = [
    sized('WHEN', ['2026-01-01', '2026-01-02'], { drop: 'last' }),
    sized('OUTCOME', ['declined: no funds', 'approved'], { cuttable: true, tinted: true }),
    sized('AMOUNT', ['25.00 AUD', '3.00 AUD'], { align: 'right', isVital: true }),
    sized('WHAT', ['one two three four', 'five'], { cuttable: true }),
    sized('ID', ['071-P-1', '071-P-2'], { isVital: true }),
  ];
  const documents = (columns: number) =>
    fitColumns(DOCUMENTS, { columns, measure })?.columns.map(({ cells: [name] }) => name);

  test('stays while anything else can go', () => {
    expect(documents(55)).toEqual(['WHEN', 'OUTCOME', 'AMOUNT', 'WHAT', 'ID']);
    expect(documents(40)).toEqual(['OUTCOME', 'AMOUNT', 'WHAT', 'ID']);
    expect(documents(30)).toEqual(['OUTCOME', 'AMOUNT', 'ID']);
    expect(documents(20)).toEqual(['OUTCOME', 'ID']);
  });

  test('is not cut within the word that says what came of it', () => {
    const abandoned = sized('OUTCOME', ['abandoned: no funds'], { cuttable: true, tinted: true });
    const fitted = fitColumns([sized('ID', ['1']), abandoned], { columns: 14, measure });
    expect(fitted?.columns[1]?.width).toBe('abandoned…'.length);
  });
});

test('a long form comes back where there is room for it after all', () => {
  const times = [(cells: readonly string[]) => cells.map((cell) => cell.slice(0, 10))];
  const table = [
    sized('ID', ['1', '2']),
    sized('WHEN', ['2026-01-01 10:00', '2026-01-02 10:00'], { brief: times }),
    sized('LATE', ['a long word or two', '-'], { drop: 'late' }),
  ];
  const widths = (columns: number) =>
    fitColumns(table, { columns, measure })?.columns.map(({ width }) => width);
  expect(widths(34)).toEqual([2, 10, 18]);
  expect(widths(32)).toEqual([2, 16]);
});
