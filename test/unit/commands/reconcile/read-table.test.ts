/** gw reads the files of banks, processors and shops, and asks where they are open. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BookRow } from '../../../../src/commands/reconcile/book-row.ts';
import {
  type FileSettings,
  guessedReference,
  type ReadTable,
  readTable,
  withFlag,
} from '../../../../src/commands/reconcile/read-table.ts';
import { readingText } from '../../../../src/commands/reconcile/reading-report.ts';
import { BANK_FILES, type BankRow } from './bank-files.ts';

const SETTINGS: FileSettings = {
  columns: { mapped: new Map(), ignored: [] },
  decimalMark: undefined,
  dateOrder: undefined,
};

const read = (text: string, currency = 'AUD', settings = SETTINGS, zone = 'UTC') =>
  readTable(text, { ...{ settings, currency, zone }, today: '2026-04-02' });

function rowsOf(table: ReturnType<typeof read>): BookRow[] {
  if ('question' in table) throw new Error(table.question.what);
  expect(table.rows.map(({ problem }) => problem)).toEqual(table.rows.map(() => undefined));
  return table.rows.map((row) => table.book.written(row));
}

async function problemsOf(table: ReturnType<typeof read>) {
  if ('question' in table) throw new Error(table.question.what);
  const problems = await table.book.read(table.rows.filter(({ problem }) => problem === undefined));
  return [
    ...table.book.columns.problems(),
    ...table.rows.flatMap(({ problem }) => problem ?? []),
    ...problems.flatMap((row) => row.problems),
  ];
}

const shown = ({ amount, side, dates, reference, texts = [] }: BookRow, name: string): BankRow => [
  dates?.[0],
  side === undefined ? String(amount) : `${side} ${amount}`,
  [reference, ...texts].some((text) => text?.includes(name))
    ? name
    : `none of ${reference}, ${texts}`,
];

describe('the file of', () => {
  test.each(Object.entries(BANK_FILES))('%s is read without a question', async (_, file) => {
    const table = read(file.text, file.currency);
    const rows = rowsOf(table);
    const wanted = file.rows.map(([day, amount, name]) => [day, amount, name]);
    expect(rows.map((row, n) => shown(row, file.rows[n]?.[2] ?? ''))).toEqual(wanted);
    expect(await problemsOf(table)).toEqual([]);
  });
});

describe('what leaves a file open is a question', () => {
  test.each([
    [
      'a mark of decimals',
      'Reference,Betrag\nINV-1,"25,000"\nINV-2,"1,234"',
      'decimal-mark point',
      'decimal-mark comma',
    ],
    [
      'an order of day and month',
      'Date,Reference,Betrag\n01/02/2026,INV-1,25.00',
      'date-order dmy',
      'date-order mdy',
    ],
    [
      'two amounts',
      'Reference,Amount,Local amount\nINV-1,25.00,16.50',
      'map decimal_amount=Amount',
      'map decimal_amount=Local amount',
    ],
    [
      'money without a known name',
      'Reference,Amount,Zork\nINV-1,25.00,16.50',
      'map decimal_amount=Amount',
      'map decimal_amount=Zork',
    ],
    [
      'money beside two sides',
      'Reference,Debit,Credit,Zork\nINV-1,,25.00,16.50',
      'map debit=Debit',
      'map decimal_amount=Zork',
    ],
    [
      'minor units',
      'Reference,Betrag\nINV-1,2500',
      'map amount=Betrag',
      'map decimal_amount=Betrag',
    ],
    [
      'two columns without names',
      '01/13/2026,25.00,16.50,INV-1',
      'map decimal_amount=column 2',
      'map decimal_amount=column 3',
    ],
  ])('%s', (_, text, ...flags) => {
    const table = read(text);
    if (!('question' in table)) throw new Error('gw guessed');
    const { choices } = table.question;
    expect(choices.map(({ flag }) => flag.join(' '))).toEqual(flags);
    for (const { flag } of choices) {
      const again = read(text, 'AUD', withFlag(SETTINGS, flag));
      expect('question' in again).toBe(false);
    }
  });

  test.each<[string, string[], string, (string | undefined)[] | undefined]>([
    ['Australia/Sydney', ['01/02/2026'], 'the day stands first', ['2026-02-01']],
    ['America/New_York', ['01/02/2026', '3/4/26'], 'the month', ['2026-01-02', '2026-03-04']],
    ['America/New_York', ['01/02/2026', '13/02/2026'], '', ['2026-02-01', '2026-02-13']],
    ['Europe/London', ['2026-01-02'], '', ['2026-01-02']],
    ['Europe/London', ['01/02/2026,2026-02-01'], 'the day', ['2026-02-01']],
    ['UTC', ['01/02/2026'], '', undefined],
    ['Asia/Tokyo', ['01/02/2026'], '', undefined],
  ])('of days, in %s the zone answers %j', (zone, days, said, meant) => {
    const rows = days.map((day, n) => `${day},INV-${n},25.00`).join('\n');
    const names = days[0]?.includes(',') ? 'Date,Value Date' : 'Date';
    const table = read(`${names},Reference,Amount\n${rows}`, 'AUD', SETTINGS, zone);
    expect('question' in table).toBe(meant === undefined);
    if ('question' in table) return;
    expect(rowsOf(table).map(({ dates }) => dates?.[0])).toEqual(meant);
    const words = readingText('bank.csv', table);
    expect(words.includes('stands first')).toBe(said !== '');
    expect(words).toContain(said);
  });

  test('each answer is another reading', () => {
    const text = 'Reference,Betrag\nINV-1,"25,000"';
    const amounts = (['decimal-mark point', 'decimal-mark comma'] as const).map((words) => {
      const [flag = '', value = ''] = words.split(' ');
      return rowsOf(read(text, 'AUD', withFlag(SETTINGS, [flag, value])))[0]?.amount;
    });
    expect(amounts).toEqual([2_500_000, 2500]);
  });

  test.each([
    ['a currency without decimals', 'Reference,Betrag\nINV-1,"25,000"', 'JPY', 25_000],
    [
      'a balance that tells the mark',
      'Reference,Betrag,Saldo\nINV-1,25.000,"12,50"',
      'EUR',
      2_500_000,
    ],
    [
      'another day that tells the order',
      'Date,Value Date,Reference,Betrag\n01/02/2026,13/02/2026,INV-1,25.00',
      'EUR',
      2500,
    ],
    ['decimals elsewhere', 'Reference,Betrag,Saldo\nINV-1,25,100.50', 'EUR', 2500],
  ])('unless there is %s', (_, text, currency, amount) => {
    expect(rowsOf(read(text, currency))[0]?.amount).toBe(amount);
  });
});

describe('a column of money', () => {
  test.each([
    ['Date,Reference,Debit,Credit,Balance\n31/03/2026,RET-1,999.00,,101.00', 'debit', 99_900],
    ['Date,Reference,Money Out,Money In\n31/03/2026,INV-1,,25.00', 'credit', 2500],
    ['Date,Reference,Withdrawals,Deposits\n31/03/2026,INV-1,,25.00', 'credit', 2500],
    ['Reference;Soll;Haben\nINV-1;;25,00', 'credit', 2500],
    ['Reference;Betrag\nINV-1;26,00', undefined, 2600],
  ])('is read, and never left out: %s', (text, side, amount) => {
    const [row] = rowsOf(read(text));
    expect(row).toMatchObject({ amount });
    expect(row?.side).toBe(side);
  });

  test('that takes a payment back has the other side', () => {
    const rows = rowsOf(read('Reference,Debit,Credit\nA,20.00,\nB,-5.00,\nC,,-7.00\nD,,1.00'));
    expect(rows.map(({ side, amount }) => [side, amount])).toEqual([
      ['debit', 2000],
      ['credit', 500],
      ['debit', 700],
      ['credit', 100],
    ]);
  });
});

describe('gw says', () => {
  const said = (text: string) => readingText('bank.csv', read(text) as ReadTable);

  test('what it took, what it did not compare, and which lines it did not read', () => {
    const text =
      'Konto;1\nDatum;Betrag;Text;BLZ;Saldo\n31.03.2026;25,00;INV-1;100;1,50\n30.03.2026;2,00;INV-2;100;1,50\nSumme;27,00\n';
    expect(said(text)).toBe(
      [
        'bank.csv: date is "Datum", decimal_amount is "Betrag".',
        'bank.csv: references are looked for in "Text".',
        'bank.csv: not compared: "BLZ" (numbers), "Saldo" (a balance).',
        'bank.csv: dates are read as day/month/year.',
        'bank.csv: not read: line 1 (above the names), line 5 (a total).',
        '',
      ].join('\n'),
    );
  });

  test.each([
    ['31/03/2026', 'day/month/year'],
    ['03/31/2026', 'month/day/year'],
    ['2026-03-31', undefined],
    ['31 Mar 2026', undefined],
  ])('how it read a date such as %s: %s', (day, order) => {
    const line = `dates are read as ${order}.`;
    expect(said(`Date,Order,Gross\n${day},INV-1,25.00\n`)).toEqual(
      order === undefined
        ? expect.not.stringContaining('dates are')
        : expect.stringContaining(line),
    );
  });

  test('what the fees of a processor add up to', () => {
    const text =
      'Date,Order,Gross,Fee\n2026-03-31,INV-1,25.00,-1.03\n2026-03-30,INV-2,2.00,-0.36\n';
    expect(said(text)).toContain('not compared: "Fee" (a fee, -1.39 in all).');
  });

  test('nothing of a table of the merchant’s own', () => {
    expect(said('reference,decimal_amount,currency\nINV-1,25.00,AUD')).toBe('');
  });

  test('which line of such a table has a total', () => {
    const text = 'reference,decimal_amount\nINV-1,25.00\nINV-2,45.00\nTotal,70.00';
    expect(said(text)).toBe('bank.csv: not read: line 4 (a total).\n');
    expect(rowsOf(read(text))).toHaveLength(2);
  });

  test('which cell looks like a card number, which is no fault', async () => {
    const table = read('reference,decimal_amount\n4000000000000002,25.00') as ReadTable;
    expect(await problemsOf(table)).toEqual([]);
    expect(readingText('bank.csv', table)).toBe(
      'bank.csv: line 2, reference: 400000XXXXXX0002 looks like a card number.\n',
    );
  });
});

test.each([
  [
    'a row that is longer than the names',
    'Date,Reference,Betrag\n31/03/2026,INV-1,25,00',
    'has a value in column 4',
  ],
  [
    'a last row that was cut',
    'Date,Reference,Betrag\n31/03/2026,INV-1,25.00\n31/03/2026,INV-2',
    'has 2 cells',
  ],
  [
    'an amount that is none',
    'Reference,Debit,Credit\nINV-1,,25.00\nINV-2,,\nINV-3,1.00,2.00',
    'has both debit and credit',
  ],
  [
    'an amount in words',
    'Date,Reference,Betrag\n31/03/2026,INV-1,25.00\n31/03/2026,INV-2,pending',
    'decimal_amount "pending" is not an amount',
  ],
  [
    'two currencies',
    'Reference,Betrag,Currency\nINV-1,EUR 25.00,AUD',
    'has the currency AUD and an amount in EUR',
  ],
  ['nothing that names a record', 'When,What\n31/03/2026,CARD', 'cannot be compared'],
])('%s is a fault', async (_, text, problem) => {
  const problems = await problemsOf(read(text));
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(problem);
});

test("a table of the merchant's own keeps its rules", async () => {
  expect(rowsOf(read('reference,amount\nINV-1,2500'))[0]?.amount).toBe(2500);
  expect(rowsOf(read('Reference,Amount\nINV-1,25.00'))[0]?.amount).toBe(2500);
  expect(await problemsOf(read('reference,amount\nINV-1,25.00\nINV-2,25'))).toHaveLength(1);
});

/** @returns a text where the amount of one payment, in the form of the file, is a cent more */
const withWrongAmount = (text: string) =>
  text
    .split('\n')
    .map((line) => (line.includes('INV-1042') ? line.replace(/(79[.,]0)0(?!\d)/, '$11') : line))
    .join('\n');

test.each(Object.entries(BANK_FILES).filter(([, { text }]) => withWrongAmount(text) !== text))(
  'a wrong amount in the file of %s is another amount of its row, or a question',
  (_, { text, currency, rows }) => {
    const table = read(withWrongAmount(text), currency);
    if ('question' in table) return;
    const amounts = rowsOf(table).map(({ amount, side }) => `${side ?? ''} ${amount}`.trim());
    const right = rows.map(([, amount]) => amount);
    expect(amounts).toHaveLength(right.length);
    expect(amounts.filter((amount, n) => amount !== right[n])).toHaveLength(1);
  },
);

test.each(Object.entries(BANK_FILES))('a doubled row in the file of %s is two rows', (_, file) => {
  const lines = file.text.split('\n');
  const place = lines.findLastIndex((line) => /INV-/.test(line));
  if (lines[place]?.split('"').length === 2 || !/\d[.,]\d\d|\d;/.test(lines[place] ?? '')) return;
  const table = read(lines.toSpliced(place, 0, lines[place] ?? '').join('\n'), file.currency);
  if (!('question' in table)) expect(rowsOf(table)).toHaveLength(file.rows.length + 1);
});

test('a file with any amounts in any form is read back, or is a question', () => {
  const ledgers = fc.array(fc.integer({ min: -9_999_999, max: 9_999_999 }), {
    minLength: 1,
    maxLength: 5,
  });
  const forms = fc.record({
    mark: fc.constantFrom('.', ','),
    group: fc.constantFrom('', ' ', "'", 'other'),
    separator: fc.constantFrom(';', '\t', '|'),
    isPair: fc.boolean(),
    hasBalance: fc.boolean(),
    sign: fc.constantFrom('-', '\u2212', '()'),
    hasZeros: fc.boolean(),
  });
  fc.assert(
    fc.property(ledgers, forms, (ledger, form) => {
      const other = form.mark === '.' ? ',' : '.';
      const group = form.group === 'other' ? other : form.group;
      const written = (minor: number) => {
        const [whole = '', cents = ''] = (Math.abs(minor) / 100).toFixed(2).split('.');
        const fraction = form.hasZeros ? cents : cents.replace(/0+$/, '');
        return whole.replaceAll(/\B(?=(?:\d{3})+$)/g, group) + (fraction && form.mark + fraction);
      };
      const signed = (minor: number) => {
        if (minor >= 0) return written(minor);
        return form.sign === '()' ? `(${written(minor)})` : form.sign + written(minor);
      };
      let balance = 0;
      const rows = ledger.map((minor, n) => {
        balance += minor;
        const sides = minor < 0 ? [written(minor), ''] : ['', written(minor)];
        const amounts = form.isPair ? sides : [signed(minor)];
        return [
          `2026-03-${10 + n}`,
          `INV-${n}`,
          ...amounts,
          ...(form.hasBalance ? [signed(balance)] : []),
        ];
      });
      const names = ['Day', 'Ref', ...(form.isPair ? ['Soll', 'Haben'] : ['Betrag'])];
      const all = [form.hasBalance ? [...names, 'Saldo'] : names, ...rows];
      const table = read(all.map((cells) => cells.join(form.separator)).join('\n'), 'EUR');
      if ('question' in table) return;
      const amounts = rowsOf(table).map(({ amount = 0, side }) =>
        side === 'debit' ? -amount : amount,
      );
      expect(amounts.map((amount) => amount + 0)).toEqual(ledger.map((minor) => minor + 0));
    }),
    { numRuns: 1_000 },
  );
});

const SETTLED = `Psp Reference,Merchant Reference,Type,Gross Credit
071-P-IE49OSAF,INV-1,Settled,45.00
,,Payout,-44.21`;

test('a line of a processor that names no record is no fault, and may be named by its words', async () => {
  const table = read(SETTLED);
  expect(await problemsOf(table)).toEqual([]);
  const [paid, payout] = rowsOf(table);
  expect(paid).toMatchObject({ id: '071-P-IE49OSAF', reference: 'INV-1' });
  expect(paid?.texts).toBeUndefined();
  expect(payout).toMatchObject({ id: undefined, reference: undefined, texts: ['Payout'] });
});

test('without words beside the names, such a line is no fault either, unless no line has a name', async () => {
  const named = 'Order,Total,Fee\nINV-1,45.00,0.79\n,-44.21,0.00';
  expect(await problemsOf(read(named))).toEqual([]);
  const none = named.replace('INV-1', '');
  const problem = 'has neither an id nor a reference';
  expect(await problemsOf(read(none))).toContain(problem);
});

test('references of which this ledger knows none are not compared, and the reading says so', () => {
  const text = 'Order Number,Transaction ID,Total\n1001,071-P-IE49OSAF,45.00';
  const [guessed, told] = [[], ['Order Number']].map(
    (unknown) =>
      readTable(text, {
        ...{ settings: SETTINGS, currency: 'AUD', zone: 'UTC' },
        ...{ today: '2026-04-02', unknown },
      }) as ReadTable,
  ) as [ReadTable, ReadTable];
  expect(guessedReference(guessed, SETTINGS)?.reference.name).toBe('Order Number');
  expect(guessedReference(told, SETTINGS)).toBeUndefined();
  expect(rowsOf(told)).toMatchObject([{ id: '071-P-IE49OSAF', reference: undefined }]);
  expect(readingText('shop.csv', told)).toContain(
    'not compared: "Order Number" (this ledger knows none of its cells as a reference).',
  );
  const mapped = new Map([['reference', 'Order Number']]);
  const given = { ...SETTINGS, columns: { mapped, ignored: [] } };
  expect(guessedReference(read(text, 'AUD', given) as ReadTable, given)).toBeUndefined();
});

describe('a type beside amounts without a sign', () => {
  const rowsOfTypes = (types: readonly string[]) =>
    rowsOf(
      read(
        `Date,Type,Amount,Description\n${types
          .map((type, n) => `2026-03-3${n % 2},${type},${n + 1}.50,INV-${n}`)
          .join('\n')}\n`,
      ),
    );
  const kindsOf = (...types: string[]) => rowsOfTypes(types).map(({ kind }) => kind);

  test.each<[string, string[], (string | undefined)[]]>([
    ['of a processor', ['Payment', 'Refund'], [undefined, 'refund']],
    ['of a processor with credits', ['sale', 'credit'], [undefined, 'refund']],
    ['of a bank', ['Credit', 'Debit'], [undefined, undefined]],
    ['of a bank with fees', ['Credit', 'Debit', 'Fee'], [undefined, undefined, undefined]],
    [
      'of a failed refund',
      ['Payment', 'Refund', 'refund_failure'],
      [undefined, 'refund', undefined],
    ],
  ])('%s', (_, types, kinds) => {
    expect(kindsOf(...types)).toEqual(kinds);
  });

  test('of a bank is the side of the row', () => {
    expect(rowsOfTypes(['Credit', 'Debit']).map(({ side }) => side)).toEqual(['credit', 'debit']);
  });
});
