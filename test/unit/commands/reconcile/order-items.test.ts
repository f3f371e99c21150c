/** Rows of a shop's export that are further items of an order. */
import { expect, test } from 'vitest';
import { readTable } from '../../../../src/commands/reconcile/read-table.ts';

const SETTINGS = {
  columns: { mapped: new Map(), ignored: [] },
  decimalMark: undefined,
  dateOrder: undefined,
};

/** @returns the lines that are rows of the table */
function linesOf(text: string): number[] {
  const read = { settings: SETTINGS, currency: 'AUD', zone: 'UTC', today: '2026-04-02' };
  const table = readTable(text, read);
  if ('question' in table) throw new Error(table.question.what);
  return table.rows.map(({ line }) => line);
}

test.each<[string, string, number[]]>([
  [
    'an item without the amount of its order',
    'Name,Total,Lineitem name\n#1,45.00,Paper\n#1,,Ink\n#2,12.00,Ink\n',
    [2, 4],
  ],
  [
    'an item beside the same amount again',
    'Order,Date,Total,Product\nA-1,2026-01-15,45.00,Paper\nA-1,2026-01-15,45.00,Ink\nA-2,2026-01-15,12.00,Ink\n',
    [2, 4],
  ],
  [
    'a row that is there twice, which may be a payment that was booked twice',
    'Order,Date,Total,Product\nA-1,2026-01-15,45.00,Paper\nA-1,2026-01-15,45.00,Paper\nA-2,2026-01-15,12.00,Ink\n',
    [2, 3, 4],
  ],
  [
    'another amount of the order',
    'Order,Date,Total,Product\nA-1,2026-01-15,45.00,Paper\nA-1,2026-01-15,5.00,Ink\nA-2,2026-01-15,12.00,Ink\n',
    [2, 3, 4],
  ],
  [
    'a file without items',
    'Order,Date,Total,Note\nA-1,2026-01-15,45.00,Paper\nA-1,2026-01-15,45.00,Ink\nA-2,2026-01-15,12.00,Ink\n',
    [2, 3, 4],
  ],
])('%s', (_, text, lines) => {
  expect(linesOf(text)).toEqual(lines);
});
