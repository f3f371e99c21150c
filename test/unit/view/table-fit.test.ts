import { describe, expect, test } from 'vitest';
import type { Column } from '../../../src/view/columns.ts';
import { fitColumns } from '../../../src/view/table-fit.ts';

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
    brief: (cells) => cells.map((cell) => cell.slice(0, 10)),
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
