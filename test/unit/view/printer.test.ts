import fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { ADVANCED_DAY_VIEW } from '../../../src/commands/emulator/advanced-day.ts';
import { LOCAL_MOVEMENTS_VIEW } from '../../../src/desk/report/report-view.ts';
import { Failure } from '../../../src/failure.ts';
import type { Jq } from '../../../src/host/host.ts';
import { redactText } from '../../../src/host/redaction/redact.ts';
import { neutralise } from '../../../src/host/redaction/safe.ts';
import { PLAIN_VIEW } from '../../../src/view/columns.ts';
import { parseFields } from '../../../src/view/picked-fields.ts';
import { createPrinter } from '../../../src/view/printer.ts';
import { VIEWS } from '../../../src/view/records/gateway-records.ts';
import { listView } from '../../../src/view/records/listed-record.ts';
import { anyRecord, anyText, DANGEROUS } from '../../helpers/arbitraries.ts';
import {
  approved,
  Capture,
  card,
  customer,
  declined,
  plan,
  print,
  subscription,
  terminal,
} from '../../helpers/capture.ts';
import { testJq } from '../../helpers/jq.ts';
import { parseCsv } from './parse-csv.ts';

/** A value as JSON keeps it: -0 becomes 0. */
const throughJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

describe('text, the format of a pipe', () => {
  test('a declined purchase: one line, columns between tabs, no header, no colour', async () => {
    const output = new Capture({ color: true });
    const { stdout } = await print([declined], { kind: 'purchase', single: true, output });
    expect(stdout).toBe(
      '\tDECLINED: Insufficient Funds\t25.00 AUD\t512345XXXXXX2346\tINV-1002\t2026-07-29T10:24:11+10:00\tk6bq2mfd\t\n',
    );
  });

  test.each([
    ['card', card, 'k6bq2mfd\tApproved\t512345XXXXXX2346\t05/2031\tMasterCard\tAda Lovelace\t\n'],
    ['plan', plan, '001-PL-GOLD0001\tGold\tgold\t990 JPY\t3\n'],
    [
      'customer',
      customer,
      '001-C-LOVELACE\tAda Lovelace\tada@example.com\tADA\t2026-07-29T10:24:11+10:00\tk6bq2mfd\n',
    ],
    [
      'subscription',
      subscription,
      '\tSUB-1\tstopped\tFailed (3), Aborted\t001-PL-GOLD0001\t2026-08-01\t001-C-LOVELACE\tWeekly\n',
    ],
  ] as const)('a %s', async (kind, record, golden) => {
    expect((await print([record], { kind })).stdout).toBe(golden);
  });

  test('any text stays on its line and in its column', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { minLength: 1, maxLength: 3 }), async (names) => {
        const records = names.map((name) => ({ id: 'x', name }));
        const { stdout } = await print(records, { kind: 'plan' });
        const lines = stdout.split('\n');
        expect(lines).toHaveLength(names.length + 1);
        for (const line of lines.slice(0, -1)) {
          expect(line.split('\t')).toHaveLength(VIEWS.plan.columns.length);
          expect(line.replaceAll('\t', '')).not.toMatch(DANGEROUS);
        }
      }),
    );
  });
});

describe('json', () => {
  test('a missing single record prints nothing', async () => {
    expect((await print([], { format: 'json', single: true })).stdout).toBe('');
  });

  test('a second single record is a defect', async () => {
    await expect(print([plan, plan], { format: 'json', single: true })).rejects.toThrow('second');
  });

  test('any record comes back unchanged, without dangerous characters', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRecord, { maxLength: 3 }), async (records) => {
        const json = (await print(records, { format: 'json' })).stdout;
        expect(JSON.parse(json)).toEqual(throughJson(records));
        expect(json.replaceAll('\n', '')).not.toMatch(DANGEROUS);

        const lines = (await print(records, { format: 'jsonl' })).stdout.split('\n');
        expect(lines.pop()).toBe('');
        expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(throughJson(records));

        for (const record of records) {
          const single = await print([record], { format: 'json', single: true });
          expect(JSON.parse(single.stdout)).toEqual(throughJson(record));
        }
      }),
    );
  });

  test('a value that is nested too deeply is hidden', async () => {
    const depth = 50_000;
    const deep = JSON.parse(
      `{"id":"x","a":${'['.repeat(depth)}${']'.repeat(depth)}}`,
    ) as JsonObject;
    const { stdout } = await print([deep], { format: 'jsonl' });
    expect(JSON.parse(stdout)).toMatchObject({ id: 'x' });
  });
});

describe('csv', () => {
  test('the header has the fields of the interface, then other fields of the first record', async () => {
    const { stdout, stderr } = await print(
      [
        { id: '1', colour: 'red', amount: 5 },
        { id: '2', description: 'a "b", c\nd' },
      ],
      { format: 'csv', kind: 'plan' },
    );
    expect(stdout).toBe(`\
id,name,reference,description,amount,decimal_amount,currency,subscription_count,colour
1,,,,5,,,,red
2,,,"a ""b"", c\\nd",,,,,
`);
    expect(stderr).toBe('');
  });

  test.each([
    [{ amount: 2500, currency: 'AUD' }, 'amount,decimal_amount,currency\n2500,25.00,AUD\n'],
    [{ amount: -5, currency: 'AUD' }, 'amount,decimal_amount,currency\n-5,-0.05,AUD\n'],
    [{ amount: 2500, currency: 'JPY' }, 'amount,decimal_amount,currency\n2500,2500,JPY\n'],
    [
      { amount: '90071992547409930', currency: 'KWD' },
      'amount,decimal_amount,currency\n90071992547409930,90071992547409.930,KWD\n',
    ],
    // Nobody knows the decimals of these.
    [{ amount: 2500, currency: null }, 'amount,decimal_amount,currency\n2500,,\n'],
    [{ amount: 2500, currency: 'QQQ' }, 'amount,decimal_amount,currency\n2500,,QQQ\n'],
    [{ amount: null, currency: 'AUD' }, 'amount,decimal_amount,currency\n,,AUD\n'],
    [
      { amount: 2500, decimal_amount: 25, currency: 'AUD' },
      'amount,decimal_amount,currency\n2500,25.00,AUD\n',
    ],
    // The gateway's own word stays, if it is another amount or nobody knows the decimals.
    [
      { amount: 2500, decimal_amount: 2.5, currency: 'AUD' },
      'amount,decimal_amount,currency\n2500,2.5,AUD\n',
    ],
    [
      { amount: 2500, decimal_amount: 2.5, currency: null },
      'amount,decimal_amount,currency\n2500,2.5,\n',
    ],
    [
      { left: { amount: 1, currency: 'NZD' }, currency: 'AUD' },
      'left.amount,left.decimal_amount,left.currency,currency\n1,0.01,NZD,AUD\n',
    ],
  ])('each amount has its decimal beside it: %j', async (record, text) => {
    expect((await print([record], { format: 'csv' })).stdout).toBe(text);
  });

  test('only picked columns are there, and a decimal may be picked', async () => {
    const record = { amount: 2500, currency: 'AUD' };
    const of = async (...fields: string[]) =>
      (await print([record], { format: 'csv', fields })).stdout;
    expect(await of('amount')).toBe('amount\n2500\n');
    expect(await of('decimal_amount')).toBe('decimal_amount\n25.00\n');
  });

  test.each([
    [[{ a: 1, b: 2 }], '\uFEFFa,b\n1,2\n'],
    [[], '\uFEFF'],
  ])('for Excel, %j begin with the mark', async (records, text) => {
    expect((await print(records, { format: 'csv', isForExcel: true })).stdout).toBe(text);
  });

  test('for Excel, separators and decimals are those of the language', async () => {
    const german = vi.spyOn(Intl, 'NumberFormat').mockImplementation(
      class {
        format = () => '0,5';
      } as never,
    );
    onTestFinished(() => german.mockRestore());
    const record = { amount: 2550, decimal_amount: '25.50', currency: 'AUD', reference: 'A;B' };
    expect((await print([record], { format: 'csv', isForExcel: true })).stdout).toBe(
      '\uFEFFdecimal_amount;currency;reference\n25,50;AUD;"A;B"\n',
    );
    const { stdout } = await print([record], { format: 'csv' });
    expect(stdout).toContain('2550,25.50,AUD,A;B');
  });

  test.each([
    ['LANG', 'de_DE.UTF-8', ';', '25,50'],
    ['LANG', 'en_AU.UTF-8', ',', '25.50'],
    ['LANG', 'C.UTF-8', ',', '25.50'],
    ['LC_ALL', 'POSIX', ',', '25.50'],
    ['LC_NUMERIC', 'sv_SE', ';', '25,50'],
    ['LC_NUMERIC', 'de_CH.UTF-8', ';', '25.50'],
    ['LC_NUMERIC', 'fr_CH', ';', '25.50'],
    ['LC_NUMERIC', 'it_CH@euro', ';', '25.50'],
    ['LC_NUMERIC', 'de_LI', ';', '25.50'],
    ['LC_NUMERIC', 'ar_EG', ';', '25.50'],
  ])('for Excel, %s=%s means %j and %s', async (name, value, delimiter, decimal) => {
    const record = { amount: 2550, decimal_amount: '25.50', currency: 'AUD', reference: 'A' };
    const host = { env: { LANG: 'en_US.UTF-8', [name]: value }, stderr: new Capture() };
    const { stdout } = await print([record], { format: 'csv', isForExcel: true, host });
    expect(stdout.trimEnd().split('\n')[1]).toBe([decimal, 'AUD', 'A'].join(delimiter));
  });

  test('for Excel, texts stay texts, and days, times and numbers are to be read', async () => {
    const moments = { day: 'day', time: 'time', from: 'date', month: 'date' } as const;
    const view = { ...PLAIN_VIEW, moments };
    const dates = { day: '2026-03-01', time: '10:00:00', from: '2026-03-01', month: '2026-03' };
    const record = { ...dates, reference: '2026-03', count: 7, id: '7', is_active: true };
    const { stdout } = await print([record], { format: 'csv', isForExcel: true, kind: view });
    expect(stdout).toContain(
      '\n2026-03-01,10:00:00,2026-03-01,"=""2026-03""","=""2026-03""",7,"=""7""",true\n',
    );
  });

  test('for Excel, instants are by the clock of the report, and sums of money are decimals', async () => {
    const view = { ...PLAIN_VIEW, moments: { from: 'date', at: 'time' }, sums: ['paid'] } as const;
    const record = { from: '2026-03-01T00:00:00.000Z', paid: 2550, currency: 'AUD' };
    const rows = [{ ...record, time_zone: 'Australia/Sydney' }, record];
    const host = { env: { TZ: 'UTC', LANG: 'en_AU.UTF-8' }, stderr: new Capture() };
    const { stdout } = await print(rows, { format: 'csv', isForExcel: true, kind: view, host });
    const [, ...lines] = stdout.trimEnd().split('\n');
    expect(lines).toEqual([
      '2026-03-01 11:00,25.50,AUD,Australia/Sydney',
      '2026-03-01 00:00,25.50,AUD,',
    ]);
  });

  test('stderr names fields that only later records have', async () => {
    const { stdout, stderr } = await print(
      [{ id: '1' }, { id: '2', 'new\u001b': 1, nested: { a: 1 } }],
      { format: 'csv' },
    );
    expect(stdout).toBe('id\n1\n2\n');
    expect(stderr).toBe(
      'Warning: the CSV has no column for these fields of later records: new\\u001b, nested.a\n' +
        'Name the columns with --fields, or use --output jsonl.\n',
    );
  });

  test('picked fields are the columns, without a warning about others', async () => {
    const { stdout, stderr } = await print([{ id: '1' }, customer], {
      format: 'csv',
      kind: 'customer',
      fields: ['address.city', 'id', 'nope'],
    });
    expect(stdout).toBe('address.city,id,nope\n,1,\nLondon,001-C-LOVELACE,\n');
    expect(stderr).toBe('');
  });

  test('a missing nested record adds no column of its own', async () => {
    const { stdout, stderr } = await print([{ id: '1', address: null }, customer], {
      format: 'csv',
      kind: 'customer',
    });
    const known = [...VIEWS.customer.fields, 'card_number', 'bank_account', 'metadata'];
    expect(stdout.split('\n')[0]).toBe(known.join(','));
    expect(stderr).toContain('loyalty.points, loyalty.tiers\n');
  });

  test('null is empty, an empty text is quoted, and values are those of the interface', async () => {
    const record = { a: null, b: '', c: false, d: 2500, e: [1], f: '007' };
    const { stdout } = await print([record], { format: 'csv' });
    expect(stdout).toBe('a,b,c,d,e,f\n,"",false,2500,[1],007\n');
  });

  test('any texts come back as separate cells without dangerous characters', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(anyText, anyText), { minLength: 1, maxLength: 4 }),
        async (rows) => {
          const records = rows.map(([a, b]) => ({ a, b }));
          const { stdout } = await print(records, { format: 'csv', fields: ['a', 'b'] });
          const safe = rows.map((row) => row.map((text) => neutralise(redactText(text))));
          expect(parseCsv(stdout)).toEqual([['a', 'b'], ...safe]);
        },
      ),
    );
  });

  test('formulas stay, and become texts with --no-formulas', async () => {
    const record = { '=a': '=1+1', b: '-10.00', c: '+1', d: '\t=1' };
    const { stdout } = await print([record], { format: 'csv' });
    expect(stdout).toBe('=a,b,c,d\n=1+1,-10.00,+1,\\t=1\n');
    const safe = await print([record], { format: 'csv', hasNoFormulas: true });
    expect(safe.stdout).toBe("'=a,b,c,d\n'=1+1,-10.00,'+1,\\t=1\n");
  });

  test('a terminal gets no dangerous characters', async () => {
    await fc.assert(
      fc.asyncProperty(anyRecord, async (record) => {
        const { stdout } = await print([record], { format: 'csv', output: terminal() });
        expect(stdout.replaceAll('\n', '')).not.toMatch(DANGEROUS);
      }),
    );
  });
});

describe('id', () => {
  test('prints a line for each record with an id', async () => {
    const { stdout } = await print([approved, declined, { id: 'a\nb' }], {
      format: 'id',
      kind: 'purchase',
    });
    expect(stdout).toBe('001-P-KLT9J8W7\na\\nb\n');
  });
});

describe('any format', () => {
  test.each(['json', 'jsonl', 'csv', 'id', 'tsv'] as const)(
    '%s is written as records come',
    async (format) => {
      const output = new Capture();
      const printer = createPrinter({ format, kind: 'plan', output, notes: new Capture() });
      await printer.add(plan);
      expect(output.text).toContain('001-PL-GOLD0001');
    },
  );

  test.each(['table', 'json', 'jsonl', 'csv', 'tsv'] as const)(
    '%s hides fields with names of secrets',
    async (format) => {
      const record = {
        id: '1',
        card_number: '5123456789012346',
        authorization: '123456',
        extra: { cvv: '987' },
      };
      const fields = ['id', 'card_number', 'authorization', 'extra.cvv'];
      const { stdout } = await print([record], { format, fields });
      expect(stdout).toContain('512345XXXXXX2346');
      expect(stdout).toContain('123456');
      expect(stdout).not.toContain('987');
      expect(stdout).not.toContain('5123456789012346');
    },
  );

  test('counts are on stderr below a table, and in other formats if the list is incomplete', async () => {
    const part = { records: 1, total_records: 134, pages: 7, current_page: 2 };
    const whole = { records: 1, total_records: 1, pages: 1, current_page: 1 };
    for (const format of ['table', 'json', 'jsonl', 'csv', 'id', 'tsv'] as const) {
      for (const [counts, said] of [
        [part, 'Page 2 of 7, 1 of 134 plans\n'],
        [whole, format === 'table' ? '1 plan\n' : ''],
        [undefined, ''],
      ] as const) {
        const notes = new Capture();
        const printer = createPrinter({ format, kind: 'plan', output: new Capture(), notes });
        await printer.add(plan);
        await printer.end(counts);
        expect(notes.text).toBe(said);
      }
    }
  });

  test.each([
    ['table', undefined, 'Make one.\n'],
    ['table', { records: 0, total_records: 0 }, 'Make one.\n'],
    ['table', { records: 0, total_records: 3 }, '0 of 3 plans\n'],
    ['json', undefined, ''],
    ['csv', undefined, 'Make one.\n'],
    ['tsv', undefined, 'Make one.\n'],
    ['id', undefined, ''],
  ] as const)(
    'what makes a record is said below an empty %s of %j',
    async (format, counts, said) => {
      const notes = new Capture();
      const output = new Capture();
      const printer = createPrinter({ format, kind: 'plan', output, notes, ifNone: 'Make one.' });
      await printer.end(counts);
      expect(notes.text).toBe(said);
    },
  );

  test('a list of one’s own brings its own view', async () => {
    const view = {
      name: 'profile',
      plural: 'profiles',
      columns: [{ header: 'profile', text: (record: JsonObject) => String(record.name) }],
      fields: ['name'],
      id: (record: JsonObject) => String(record.name),
    };
    const records = [{ name: 'sandbox' }, { name: 'live' }];
    const table = await print(records, { kind: view, output: terminal() });
    expect(table.stdout).toBe('PROFILE\nsandbox\nlive\n');
    expect((await print(records, { kind: view, format: 'id' })).stdout).toBe('sandbox\nlive\n');
  });
});

describe('parseFields', () => {
  const { purchase, customer, refund } = VIEWS;

  test('names keep their order, without repetitions and white space', () => {
    const names = parseFields('id, amount,address.city,id,risk?', {
      ...purchase,
      mayHave: ['address'],
    });
    expect(names).toEqual(['id', 'amount', 'address.city', 'risk']);
  });

  test.each([
    ['at', ['day', 'time']],
    ['id, at ,day', ['id', 'day', 'time']],
    ['time,amount', ['time', 'amount']],
  ])('for a spreadsheet, %s is %j: it reads no instant', (text, names) => {
    expect(parseFields(text, LOCAL_MOVEMENTS_VIEW)).toEqual(names);
  });

  test.each(['', ',', 'id,', 'id,,amount', ' '])('%j is refused', (text) => {
    expect(() => parseFields(text, purchase)).toThrow(Failure);
  });

  test.each([
    ['risk', purchase],
    ['email', purchase],
    ['id.x', purchase],
    ['evnts', ADVANCED_DAY_VIEW],
    ['constructor', LOCAL_MOVEMENTS_VIEW],
  ])('%s is not a field', (name, view) => {
    expect(() => parseFields(`id,${name}`.replace(/^id,ev/, 'ev'), view)).toThrow(
      `have no field ${JSON.stringify(name)}.`,
    );
  });

  test.each([
    ['currency', refund],
    ['address', customer],
    ['address.city', customer],
    ['events.charge:failed', ADVANCED_DAY_VIEW],
    ['anything', PLAIN_VIEW],
  ])('%s is a field', (name, view) => {
    expect(parseFields(name, view)).toEqual([name]);
  });
});

describe('the header of rows', () => {
  test.each([
    [undefined, true],
    [true, true],
    [false, false],
  ])('of other values, with --header %s', async (hasHeader, isHeaded) => {
    const { stdout } = await print([{ a: 1, b: { c: 'x' } }], { format: 'tsv', hasHeader });
    expect(stdout).toBe(isHeaded ? 'a\tb.c\n1\tx\n' : '1\tx\n');
  });

  test('of picked fields is printed with --header', async () => {
    const fields = ['id', 'address.city'];
    const options = { fields, format: 'tsv' as const };
    expect((await print([{ id: '1' }], options)).stdout).toBe('1\t\n');
    expect((await print([{ id: '1' }], { ...options, hasHeader: true })).stdout).toBe(
      'id\taddress.city\n1\t\n',
    );
  });

  test('is printed without rows if the columns are known', async () => {
    const fields = ['id', 'address.city'];
    const names =
      'id,name,reference,description,amount,decimal_amount,currency,subscription_count\n';
    expect((await print([], { format: 'csv', kind: 'plan' })).stdout).toBe(names);
    expect((await print([], { format: 'csv', fields })).stdout).toBe('id,address.city\n');
    expect((await print([], { format: 'csv' })).stdout).toBe('');
    expect((await print([], { format: 'csv', fields, hasHeader: false })).stdout).toBe('');
    const tsv = { format: 'tsv', fields } as const;
    expect((await print([], { ...tsv, hasHeader: true })).stdout).toBe('id\taddress.city\n');
    expect((await print([], tsv)).stdout).toBe('');
  });

  test('of a list in CSV is the same whatever the records have', async () => {
    const kind = listView('purchase', []);
    const headerOf = async (records: readonly JsonObject[]) =>
      (await print(records, { format: 'csv', kind })).stdout.split('\n')[0];
    const none = await headerOf([]);
    const sources = { record: null, requests: [], events: [7] };
    expect(none).toMatch(/,rrn,.*,sources\.record,sources\.requests,sources\.events,hearsay/);
    expect(await headerOf([{ id: '071-P-1', sources, hearsay: true }])).toBe(none);
    expect(await headerOf([{ id: '071-P-1', rrn: '9', sources, read_as: 'x' }])).toBe(none);
    expect(await headerOf([{ id: '071-P-1', sources, risk: { score: 3 } }])).toBe(
      `${none},risk.score`,
    );
  });

  test('of CSV and of a table can be left out', async () => {
    const { stdout } = await print([plan], { kind: 'plan', format: 'csv', hasHeader: false });
    expect(stdout).toBe('001-PL-GOLD0001,Gold,gold,Everything,990,990,JPY,3\n');
    const table = await print([plan], { kind: 'plan', output: terminal(), hasHeader: false });
    expect(table.stdout).not.toContain('NAME');
  });
});

describe('--jq', () => {
  let jq: Jq;
  beforeAll(async () => {
    jq = await testJq();
  });
  const filter = (expression: string) => ({
    expression,
    jq,
    interrupted: undefined,
    stderr: new Capture(),
  });

  test('reads what -o json prints', async () => {
    const options = {
      kind: 'plan',
      format: 'json',
      filter: filter('type, (.[0]? // .).id'),
    } as const;
    expect((await print([plan], { ...options, single: true })).stdout).toBe(
      'object\n001-PL-GOLD0001\n',
    );
    expect((await print([plan, plan], options)).stdout).toBe('array\n001-PL-GOLD0001\n');
    expect((await print([], { ...options, filter: filter('length') })).stdout).toBe('0\n');
  });

  test('reads one record after the other with -o jsonl', async () => {
    const options = { kind: 'plan', format: 'jsonl', fields: ['id'], filter: filter('.') } as const;
    expect((await print([plan, plan], options)).stdout).toBe(
      '{"id":"001-PL-GOLD0001"}\n{"id":"001-PL-GOLD0001"}\n',
    );
  });
});

describe('YAML', () => {
  test('is a map for one record, a sequence for several, and an empty sequence for none', async () => {
    const options = { kind: 'plan', fields: ['id', 'amount'], format: 'yaml' } as const;
    const one = 'id: "001-PL-GOLD0001"\namount: 990\n';
    expect((await print([plan], { ...options, single: true })).stdout).toBe(one);
    const item = '- id: "001-PL-GOLD0001"\n  amount: 990\n';
    expect((await print([plan, plan], options)).stdout).toBe(`${item}${item}`);
    expect((await print([], options)).stdout).toBe('[]\n');
  });
});

test('records without ids are not printed as ids, and the other formats are listed', async () => {
  const view = { ...PLAIN_VIEW, hasNoIds: true } as const;
  const printing = print([{ what: 'net' }], { format: 'id', kind: view });
  await expect(printing).rejects.toMatchObject({
    code: 'no-ids',
    next: 'Choose another --output: table, tsv, json, jsonl, yaml, csv.',
  });
});
