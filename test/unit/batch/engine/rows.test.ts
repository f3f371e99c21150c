import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Row, readRows } from '../../../../src/batch/engine/rows.ts';

async function rowsOf(text: string): Promise<{ rows: Row[]; columns: readonly string[] }> {
  async function* lines() {
    yield* text.split('\n');
  }
  const rows: Row[] = [];
  let columns: readonly string[] = [];
  for await (const row of readRows(lines(), (header) => {
    columns = header.columns;
  })) {
    rows.push(row);
  }
  return { rows, columns };
}

test('CSV: names from the header, blank cells left out, lines numbered as an editor does', async () => {
  const { rows, columns } = await rowsOf('\n Amount , reference\n\n100,A\n,"B, C"\n');
  expect(columns).toEqual(['amount', 'reference']);
  expect(rows).toEqual([
    { line: 4, fields: { amount: '100', reference: 'A' }, isText: true, text: '100,A' },
    { line: 5, fields: { reference: 'B, C' }, isText: true, text: ',"B, C"' },
  ]);
});

test('CSV: a quoted cell may go over lines; its row is where it begins', async () => {
  const { rows } = await rowsOf('a,b\n"x\ny ""z""",1\n2,3');
  expect(rows.map(({ line, fields }) => [line, fields])).toEqual([
    [2, { a: 'x\ny "z"', b: '1' }],
    [4, { a: '2', b: '3' }],
  ]);
});

test('CSV: one broken row is one problem, and reading goes on', async () => {
  const { rows } = await rowsOf('a,b\n"x"y,1\n1\n2,3\n"4,5');
  expect(rows.map(({ line, problem }) => [line, problem])).toEqual([
    [2, 'is not valid CSV: check its quotes'],
    [3, 'has 1 cell where the header has 2'],
    [4, undefined],
    [5, 'opens a quote that nothing closes; what comes after it was not read'],
  ]);
});

test('JSON lines: objects, and what is wrong with the others', async () => {
  const { rows } = await rowsOf('{"a":1}\n\n[1]\n{"a":}\n');
  expect(rows.map(({ line, fields, problem }) => [line, fields, problem])).toEqual([
    [1, { a: 1 }, undefined],
    [3, {}, 'is JSON, but not an object'],
    [4, {}, 'is not valid JSON: a value is missing at column 6'],
  ]);
});

test.each([
  ['{"amount":25.00}', 'has the amount 25.00: amounts are whole minor units'],
  ['{"amount":1E2}', 'has the amount 1E2: amounts are whole minor units'],
  ['{"\\u0061mount":1.0}', 'has the amount 1.0: amounts are whole minor units'],
  ['{"amount":1,"amount":2}', 'has the field amount twice, the second time at column 13'],
  ['{"a":{"b":1,"b":1}}', 'has the field b twice, the second time at column 13'],
  ['{"x":12345678901234567890}', 'has a number, x, that would not arrive as it is written'],
  ['{"x":[1e400]}', 'has a number that would not arrive as it is written'],
  [`{"x":${'['.repeat(100)}${']'.repeat(100)}}`, 'is nested more than 100 levels deep'],
])('JSON lines: %s is a problem of its line', async (text, problem) => {
  const { rows } = await rowsOf(`{"a":1}\n${text}\n{"a":2}`);
  expect(rows.map(({ line, problem }) => [line, problem])).toEqual([
    [1, undefined],
    [2, problem],
    [3, undefined],
  ]);
});

test.each(['amount,Amount', 'amount, amount ', '"amount","AMOUNT"', 'amount,\u00a0amount'])(
  'CSV: the columns %j are one name, and a header tells of both',
  async (header) => {
    expect((await rowsOf(`${header}\n1,2`)).columns).toEqual(['amount', 'amount']);
  },
);

test('any table comes back from CSV as it was written', async () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.trim());
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 }),
      async (table) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const csv = ['a,b', ...table.map((row) => row.map(quoted).join(','))].join('\n');
        const { rows } = await rowsOf(csv);
        expect(rows.map(({ fields }) => [fields.a ?? '', fields.b ?? ''])).toEqual(table);
      },
    ),
  );
});
