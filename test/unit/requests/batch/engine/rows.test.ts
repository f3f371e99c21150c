import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { trimText } from '../../../../../src/base/clean-text.ts';
import {
  type ColumnOptions,
  FieldColumns,
} from '../../../../../src/requests/batch/engine/columns.ts';
import {
  type InputRow,
  readRows,
  tableLines,
} from '../../../../../src/requests/batch/engine/rows.ts';
import { cellAsItWas } from '../../../../../src/view/formulas.ts';

const FIELDS = ['amount', 'decimal_amount', 'reference', 'a', 'b', 'card.number'];

function rowsOf(
  text: string,
  options: Partial<ColumnOptions> = {},
): { rows: InputRow[]; columns: FieldColumns } {
  const columns = new FieldColumns({
    ...{
      fields: FIELDS,
      ignored: [],
      mapped: new Map(),
      isNot: { one: 'is not a field here', many: 'are not fields here' },
    },
    ...options,
  });
  return { rows: [...readRows(text, columns)], columns };
}

test("CSV: the header names fields, blank cells are left out, and lines have an editor's numbers", async () => {
  const { rows, columns } = rowsOf('\n Amount , reference\n\n100,A\n,"B, C"\n');
  expect(columns.names).toEqual(['amount', 'reference']);
  expect(rows).toEqual([
    {
      line: 4,
      fields: { amount: '100', reference: 'A' },
      isText: true,
      cells: ['100', 'A'],
    },
    { line: 5, fields: { reference: 'B, C' }, isText: true, cells: ['', 'B, C'] },
  ]);
});

test('CSV: lines above the names are left out, unless one of them may be a row', async () => {
  const titled = 'Refunds of April;;\n\nTotal;3,00;\nBetrag;Reference;a\n1,00;A;x\n2,00;B;y';
  const { rows, columns } = rowsOf(titled);
  expect(columns.header).toMatchObject({ line: 4, delimiter: ';', above: [1, 3] });
  expect(rows.map(({ line, fields }) => [line, fields])).toEqual([
    [5, { decimal_amount: '1,00', reference: 'A', a: 'x' }],
    [6, { decimal_amount: '2,00', reference: 'B', a: 'y' }],
  ]);
  const sorted = rowsOf('1.00,Q-1,x\namount,reference,a\n2.00,Q-2,y').columns;
  expect(sorted.header).toMatchObject({ line: 1 });
  expect(sorted.isNameless).toBe(true);
});

test('CSV: a row that has the names again is a problem', async () => {
  const { rows } = rowsOf('amount,reference\n100,A\namount,reference\n200,B');
  expect(rows.map(({ problem }) => problem)).toEqual([
    undefined,
    'repeats the names of the columns: remove it',
    undefined,
  ]);
});

test('CSV: a quoted cell may have line breaks, and its row has the number of its first line', async () => {
  const { rows } = rowsOf('a,b\n"x\ny ""z""",1\n2,3');
  expect(rows.map(({ line, fields }) => [line, fields])).toEqual([
    [2, { a: 'x\ny "z"', b: '1' }],
    [4, { a: '2', b: '3' }],
  ]);
});

test('CSV: a broken row is one problem, and the next rows are read', async () => {
  const { rows } = rowsOf('a,b\n1\n2,3\n "4",5\n"6,7\n8,9');
  expect(rows.map(({ line, problem }) => [line, problem])).toEqual([
    [2, 'has 1 cell where the first row has 2'],
    [3, undefined],
    [4, 'is not valid CSV: check its quotes'],
    [5, 'opens a quote that is never closed; what follows was not read'],
  ]);
  expect(rowsOf('a,b\n"x"y,1\n2,3').rows[0]?.problem).toMatch(/quote/);
});

test('JSON lines: each line is an object, or a problem with its reason', async () => {
  const { rows } = rowsOf('{"a":1}\n\n[1]\n{"a":}\n');
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
  ['{"x":12345678901234567890}', 'has a number, x, that cannot be sent exactly'],
  ['{"x":[1e400]}', 'has a number that cannot be sent exactly'],
  [
    `{"x":${'['.repeat(100)}${']'.repeat(100)}}`,
    'is nested more than 100 levels deep at column 105',
  ],
])('JSON lines: %s is a problem of its line', async (text, problem) => {
  const { rows } = rowsOf(`{"a":1}\n${text}\n{"a":2}`);
  expect(rows.map(({ line, problem }) => [line, problem])).toEqual([
    [1, undefined],
    [2, problem],
    [3, undefined],
  ]);
});

test.each(['amount,Amount', 'amount, amount ', '"amount","AMOUNT"', 'amount,\u00a0amount'])(
  'CSV: the columns %j have one name, and the problem names both',
  async (header) => {
    const { columns } = rowsOf(`${header}\n1,2`);
    expect(columns.names).toEqual(['amount', 'amount']);
    expect(columns.problems()).toEqual([
      expect.stringMatching(
        /^has 2 columns for amount, "amount", "amount": remove or rename one$/i,
      ),
    ]);
  },
);

test('any table survives CSV unchanged, but for what gw adds for spreadsheets, and what cannot be seen at the ends of a cell', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({ unit: fc.constantFrom("'", '=', '@', '"', '0', 'a'), maxLength: 6 }),
  );
  const cell = text.map(trimText);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 }),
      async (table) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const csv = ['a,b', ...table.map((row) => row.map(quoted).join(','))].join('\n');
        const { rows } = rowsOf(csv);
        expect(rows.map(({ fields }) => [fields.a ?? '', fields.b ?? ''])).toEqual(
          table
            .filter((row) => row.some((one) => one !== ''))
            .map((row) => row.map((one) => trimText(cellAsItWas(one)))),
        );
      },
    ),
  );
});

describe('spreadsheets', () => {
  const read = async (text: string, options?: Partial<ColumnOptions>) => {
    const { rows, columns } = rowsOf(text, options);
    const problems = [...columns.problems(), ...rows.flatMap(({ problem }) => problem ?? [])];
    return { fields: rows.map(({ fields }) => fields), problems };
  };
  const TWO = [
    { amount: '100', reference: 'A' },
    { amount: '200', reference: 'B, b' },
  ];

  test.each([
    ['commas', 'amount,reference\n100,A\n200,"B, b"'],
    ['semicolons', 'amount;reference\n100;A\n200;B, b'],
    ['tabs', 'amount\treference\n100\tA\n200\t"B, b"'],
    ['bars', 'amount|reference\n100|A\n200|B, b'],
    ["Excel's own line", 'sep=;\namount;reference\n100;A\n200;B, b'],
    ['names in other letters', 'Amount ; REFERENCE\n100;A\n200;B, b'],
    ['line ends of another system', 'amount,reference\r100,A\r200,"B, b"\r'],
    ['line ends of two characters', 'amount,reference\r\n100,A\r\n\r\n200,"B, b"\r\n'],
    ['empty columns and rows at the end', 'amount;reference;;\n100;A;;\n200;B, b\n;;;\n;\n\n'],
    ['an empty column between', 'amount;;reference\n100;;A\n200;;B, b'],
    ['columns of gw', 'amount;reference;gw_line;gw_reason\n100;A;2;No\n200;B, b;3;'],
  ])('%s are read', async (_, text) => {
    expect(await read(text)).toEqual({ fields: TWO, problems: [] });
  });

  test('the separator is found even if another one occurs more often', async () => {
    const mapped = new Map([['amount', 'Betrag, brutto, in AUD']]);
    expect((await read('Betrag, brutto, in AUD;Reference\n1;A', { mapped })).fields).toEqual([
      { amount: '1', reference: 'A' },
    ]);
  });

  test('--map renames columns, even to the name of another column', async () => {
    const mapped = new Map([
      ['decimal_amount', 'amount'],
      ['reference', 'Rechnung Nr'],
    ]);
    expect(await read('Amount,rechnung-nr\n1.00,A', { mapped })).toEqual({
      fields: [{ decimal_amount: '1.00', reference: 'A' }],
      problems: [],
    });
    expect((await read('{"Rechnung Nr":"A","gw_line":3}', { mapped })).fields).toEqual([
      { reference: 'A' },
    ]);
    expect((await read('amount\n1', { mapped })).problems).toEqual([
      'has no column "Rechnung Nr", which --map names',
    ]);
    const both = new Map([
      ['amount', 'Betrag'],
      ['decimal_amount', 'betrag'],
    ]);
    await expect(read('Betrag\n12', { mapped: both })).rejects.toMatchObject({
      message: '--map reads the column "betrag" as two fields, amount and decimal_amount.',
    });
    const wrong = () => read('a\n1', { mapped: new Map([['amuont', 'a']]) });
    await expect(wrong()).rejects.toMatchObject({ code: 'map-invalid' });
  });

  test('a column may have the name of a nested field', async () => {
    expect((await read('Number,a\n12,3')).fields).toEqual([{ 'card.number': '12', a: '3' }]);
  });

  test('quotes and spaces around a cell do not change it', async () => {
    for (const delimiter of [',', ';', '\t'])
      for (const row of [
        ['100', 'A '],
        ['"100"', '"A "'],
        ['100 ', '" A"'],
      ])
        expect((await read(`amount${delimiter}reference\n${row.join(delimiter)}`)).fields).toEqual([
          { amount: '100', reference: 'A' },
        ]);
  });

  test('the names in an object are read like those of columns', async () => {
    const text =
      '{"Amount":100,"REFERENCE":"A","Number":"12"}\n{"card":{"x":1},"number":"3","other":4}';
    expect(await read(text)).toEqual({
      fields: [
        { amount: 100, reference: 'A', card: { number: '12' } },
        { card: { x: 1, number: '3' }, other: 4 },
      ],
      problems: [],
    });
    const twice = ['{"amount":1,"Amount":2}', '{"card":{"number":"1"},"Number":"2"}'].join('\n');
    expect((await read(twice)).problems).toEqual(['has "amount" twice', 'has "card.number" twice']);
  });

  test('a decimal amount is refused under any name of the column', async () => {
    const mapped = new Map([['amount', 'Betrag']]);
    const read25 = await read('{"betrag":25.00}\n{"reference":25.5}', { mapped });
    expect(read25.fields).toEqual([{}, { reference: 25.5 }]);
    expect(read25.problems).toContain('has the amount 25.00: amounts are whole minor units');
    expect((await read('{"Amount":25.00}')).problems).toHaveLength(1);
  });

  test('a header without names is refused, and so is a value without a column', async () => {
    expect((await read('071-P-1;100;R-1\n071-P-2;100;R-2')).problems[0]).toBe(
      'the first row has no column names: add a row with names above it (amount;decimal_amount;reference;a;b;number; not all are needed)',
    );
    expect((await read('a,b,\n1,2,3')).problems).toEqual([
      'has a value in column 3, which has no name in the first row',
    ]);
  });

  test.each([
    ['a,Order No,Customer\n1,2,3', "add --map reference='Order No' --ignore-columns Customer"],
    ['a,Betrag\n1,2', 'add --map decimal_amount=Betrag'],
    ['amount,Total\n1,2', '--map FIELD=Total says which field it is'],
  ])('the columns of %j: %s', async (text, proposed) => {
    expect((await read(text)).problems.join()).toContain(proposed);
  });

  test.each([
    ['amount,Amount,x\n1,2,3', '"amount", "Amount": remove or rename one'],
    ['card.number,Number\n1,2', '"card.number", "Number": --ignore-columns Number leaves one out'],
  ])('columns of one field are named: %j', async (text, problem) => {
    expect((await read(text)).problems.join()).toContain(problem);
  });

  test("a message cannot run a cell's content if it is pasted into a shell", async () => {
    const { problems } = await read('a,$(id),`id`\n1,2,3');
    expect(problems).toEqual([
      `has the columns '$(id)', '\`id\`', which are not fields here (the fields are amount, decimal_amount, reference, a, b, number); --map FIELD='$(id)' says which field it is, and --ignore-columns '$(id),\`id\`' leaves them out`,
    ]);
  });
});

test('a JSON array is refused, and the message says how to convert it', () => {
  expect(() => rowsOf(' [{"a":1},\n{"a":2}]')).toThrow(
    'The input is a JSON array, and gw reads a JSON object on each line.',
  );
});

test('a carriage return in a quoted cell stays', () => {
  const { rows } = rowsOf('a,b\r\n"x\ry","z"\r\n1,"2"\r\n');
  expect(rows.map(({ line, fields }) => [line, fields])).toEqual([
    [2, { a: 'x\ry', b: 'z' }],
    [3, { a: '1', b: '2' }],
  ]);
});

test("CSV: an apostrophe before a formula is gw's own, and the cell stays as it was written", () => {
  const { rows } = rowsOf(
    `a,reference\n'+61 412,'=R-1\n"'@x",'-R\nx,''=R\n'-5,'777\n,"'=HYPERLINK(""x"")"\n`,
  );
  expect(rows.map(({ fields }) => fields)).toEqual([
    { a: '+61 412', reference: '=R-1' },
    { a: '@x', reference: '-R' },
    { a: 'x', reference: "'=R" },
    { a: "'-5", reference: "'777" },
    { reference: '=HYPERLINK("x")' },
  ]);
  expect(rows[0]).toMatchObject({ cells: ["'+61 412", "'=R-1"], safe: ['a', 'reference'] });
  expect(rows[3]).not.toHaveProperty('safe');
  expect(rowsOf(`{"a":"'=1","reference":"'+R"}`).rows[0]?.fields).toEqual({
    ...{ a: "'=1", reference: "'+R" },
  });
});

test('a table is read alike, wherever the parts end in which it is parsed', async () => {
  const cell = fc.oneof(
    fc.constantFrom('', 'x', '"a"', '"a,b"', '"a\nb"', '"a""b"', '"a" ', ' "a"', '"a"b', '"', '\r'),
    fc.nat({ max: 9_000 }).map((length) => `"${'long\n'.repeat(length / 5)}"`),
  );
  const text = fc
    .array(fc.tuple(cell, cell), { minLength: 1, maxLength: 40 })
    .chain((rows) =>
      fc.tuple(fc.constant(rows), fc.nat({ max: 9_000 }), fc.constantFrom('\n', '\r\n', '')),
    )
    .map(
      ([rows, filler, end]) =>
        `a,b\n${'1,2\n'.repeat(filler / 4)}${rows.map((cells) => cells.join(',')).join('\n')}${end}`,
    );
  fc.assert(
    fc.property(text, (written) => {
      const { data, errors } = Papa.parse<string[]>(written, { delimiter: ',', newline: '\n' });
      const faulty = new Set(errors.map(({ row }) => row));
      let line = 1;
      const whole = data.map((cells, row) => {
        const begin = line;
        line += 1 + cells.join('').split('\n').length - 1;
        return { line: begin, cells: cells.map(trimText), isFaulty: faulty.has(row) };
      });
      const read = [...tableLines(written, ',')];
      expect(read.map(({ line: begin, cells }) => [begin, cells])).toEqual(
        whole
          .filter(({ cells, isFaulty }) => isFaulty || cells.some((one) => one !== ''))
          .map(({ line: begin, cells }) => [begin, cells]),
      );
      const found = read.filter(({ fault }) => fault !== undefined);
      expect(found.map(({ line: begin }) => begin)).toEqual(
        expect.arrayContaining(whole.filter(({ isFaulty }) => isFaulty).map((one) => one.line)),
      );
    }),
    { numRuns: 50 },
  );
});
