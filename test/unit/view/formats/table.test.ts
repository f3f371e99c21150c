import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { RecordKind } from '../../../../src/contract/record.ts';
import { loadMeasure } from '../../../../src/view/text/width.ts';
import { anyRecord, anyText, DANGEROUS } from '../../../helpers/arbitraries.ts';
import {
  approved,
  Capture,
  customer,
  declined,
  plan,
  print,
  refund,
  subscription,
  terminal,
} from '../../../helpers/capture.ts';

const purchases = [approved, declined];
const LISTED = Object.entries({ plan, customer, subscription, refund, purchase: approved }) as [
  RecordKind,
  JsonObject,
][];

describe('several records on a terminal', () => {
  test('80 columns: ids, amounts, cards and dates are whole, text is cut', async () => {
    const { stdout } = await print(purchases, { kind: 'purchase', output: terminal() });
    expect(stdout).toBe(`\
ID              OUTCOME                     AMOUNT  CARD   REFERENCE  DATE
001-P-KLT9J8W7  Approved                 25.00 AUD  …2346  INV-1001   2026-07-29
-               DECLINED: Insufficient…  25.00 AUD  …2346  INV-1002   2026-07-29
`);
  });

  test('an amount without a currency is marked', async () => {
    const { currency: _, ...unnamed } = approved;
    const output = terminal(70);
    const { stdout, stderr } = await print([approved, unnamed], { kind: 'purchase', output });
    expect(stdout).toBe(`\
ID              OUTCOME      AMOUNT  CARD   REFERENCE  DATE
001-P-KLT9J8W7  Approved  25.00 AUD  …2346  INV-1001   2026-07-29
001-P-KLT9J8W7  Approved  25.00 *    …2346  INV-1001   2026-07-29
`);
    expect(stderr).toBe('* In the currency of the account.\n');
  });

  test.each([60, 80, 120])('a list of each kind is a table at %i columns', async (columns) => {
    for (const [kind, record] of LISTED) {
      const output = terminal(columns);
      const { stdout } = await print([record, record, record], { kind, output });
      expect(stdout.split('\n'), stdout).toHaveLength(5);
    }
  });

  test('a long table keeps its columns aligned', async () => {
    const plans = Array.from({ length: 450 }, () => plan);
    const { stdout } = await print(plans, { kind: 'plan', output: terminal() });
    const lines = stdout.split('\n');
    expect(lines).toHaveLength(452);
    expect(new Set(lines.slice(1, -1)).size).toBe(1);
    expect(lines[0]?.indexOf('REFERENCE')).toBe(lines[450]?.indexOf('gold'));
  });

  test('a wide table has every column with content', async () => {
    const { stdout } = await print(purchases, { kind: 'purchase', output: terminal(140) });
    expect(stdout).toBe(`\
ID              OUTCOME                          AMOUNT  CARD   REFERENCE  DATE        CARD TOKEN
001-P-KLT9J8W7  Approved                      25.00 AUD  …2346  INV-1001   2026-07-29  k6bq2mfd
-               DECLINED: Insufficient Funds  25.00 AUD  …2346  INV-1002   2026-07-29  k6bq2mfd
`);
  });

  test('a narrow table drops extra columns from the last one, then cuts the widest text', async () => {
    const records = [{ ...declined, id: '001-P-KLT9J8W7', source: 'Recurring' }];
    const at = async (columns: number) =>
      (await print(records, { kind: 'purchase', output: terminal(columns) })).stdout;
    expect(await at(93)).toMatch(/DATE {8}CARD TOKEN\n/);
    expect(await at(60)).toBe(`\
ID              OUTCOME             AMOUNT  CARD   REFERENCE
001-P-KLT9J8W7  DECLINED: Insu…  25.00 AUD  …2346  INV-1002
`);
  });

  test('under 60 columns, each record is a card of the columns', async () => {
    const { stdout } = await print([plan, plan], { kind: 'plan', output: terminal(59) });
    const card = `Plan 001-PL-GOLD0001

name             Gold
reference        gold
amount           990 JPY
ever subscribed  3
`;
    expect(stdout).toBe(`${card}\n${card}`);
  });

  test('each record is a card if the uncut columns do not fit', async () => {
    const records = [{ ...approved, id: 'P'.repeat(50) }];
    const { stdout } = await print(records, { kind: 'purchase', output: terminal() });
    expect(stdout).toContain(`Purchase ${'P'.repeat(50)}\n\namount      25.00 AUD\n`);
  });

  test.each([
    ['Chinese', '王小明'],
    ['Korean', '김민수'],
    ['Hebrew', 'שלום'],
    ['a flag and a keycap', '🇦🇺 1️⃣'],
    ['private use', '\ue000\ue000 x'],
  ])('a text with %s keeps the columns aligned', async (_, name) => {
    const records = [{ ...plan, name }, plan];
    const { stdout } = await print(records, { fields: ['name', 'amount'], output: terminal() });
    const measure = await loadMeasure();
    const starts = stdout
      .trimEnd()
      .split('\n')
      .map((line) => measure(line.slice(0, line.search(/AMOUNT|990/))));
    expect(stdout).toContain(name);
    expect(new Set(starts).size).toBe(1);
  });

  test.each([
    [
      'plan',
      plan,
      `\
ID               NAME  REFERENCE   AMOUNT  EVER SUBSCRIBED
001-PL-GOLD0001  Gold  gold       990 JPY                3
`,
    ],
    [
      'customer',
      customer,
      `\
ID              NAME          EMAIL            REFERENCE  CREATED     CARD TOKEN
001-C-LOVELACE  Ada Lovelace  ada@example.com  ADA        2026-07-29  k6bq2mfd
`,
    ],
    [
      'subscription',
      subscription,
      `\
REFERENCE  STATE    STATUS               PLAN             NEXT
SUB-1      stopped  Failed (3), Aborted  001-PL-GOLD0001  2026-08-01
`,
    ],
    [
      'refund',
      refund,
      `\
ID              OUTCOME       AMOUNT  CARD   DATE        AUTHORIZATION
001-R-REFUND01  Approved  -25.00 *    …2346  2026-07-29  1234
`,
    ],
  ] as const)('a list of one %s', async (kind, record, golden) => {
    const { stdout } = await print([record], { kind, output: terminal() });
    expect(stdout).toBe(golden);
  });

  test('outcomes are coloured if colours are allowed, and columns stay aligned', async () => {
    const { stdout } = await print(purchases, { kind: 'purchase', output: terminal(140, true) });
    expect(stdout).toContain('\u001b[32mApproved\u001b[39m                      25.00 AUD');
    expect(stdout).toContain('\u001b[31mDECLINED: Insufficient Funds\u001b[39m  25.00 AUD');
    expect(stdout).toContain('\u001b[1mOUTCOME\u001b[22m');
  });

  test('wide characters take two cells and are never halved', async () => {
    const names = ['日本語の定期購入'.repeat(4), '👩‍👩‍👧 family', 'plain'];
    const records = names.map((name) => ({ ...plan, name }));
    const { stdout } = await print(records, { fields: ['name', 'amount'], output: terminal(60) });
    expect(stdout).toBe(`\
NAME                                                 AMOUNT
日本語の定期購入日本語の定期購入日本語の定期購入日…  990
👩‍👩‍👧 family                                            990
plain                                                990
`);
  });

  test('picked fields show the values of the interface', async () => {
    const { stdout } = await print([approved], {
      kind: 'purchase',
      fields: ['amount', 'id', 'nope', 'transaction_date'],
      output: terminal(),
    });
    expect(stdout).toBe(`\
AMOUNT  ID              NOPE  TRANSACTION_DATE
2500    001-P-KLT9J8W7  -     2026-07-29T10:24:11+10:00
`);
  });

  test('records of an unknown kind have a column for each field', async () => {
    const { stdout } = await print([{ a: 1, b: { c: 'x' } }, { d: 2 }], { output: terminal() });
    expect(stdout).toBe('A  B.C  D\n1  x    -\n-  -    2\n');
  });

  test('records of several kinds are shown whole, in order', async () => {
    const output = terminal();
    const { createPrinter } = await import('../../../../src/view/printer.ts');
    const printer = createPrinter({ output, notes: terminal() });
    await printer.add({ id: '1-P-1', amount: 5, currency: 'AUD', successful: false }, 'purchase');
    await printer.add({ id: '1-PL-1', name: 'Gold' }, 'plan');
    await printer.end();
    expect(output.text).toBe(`\
✗ DECLINED  0.05 AUD
Purchase 1-P-1

Gold
Plan 1-PL-1

billed  each subscription has its own frequency
`);
  });

  test('nothing is written for no records', async () => {
    expect((await print([], { kind: 'plan', output: terminal() })).stdout).toBe('');
  });
});

describe('a single record on a terminal', () => {
  test('a declined purchase', async () => {
    const { stdout } = await print([{ ...declined, risk: { score: 7 } }], {
      kind: 'purchase',
      single: true,
      output: terminal(),
    });
    expect(stdout).toBe(`\
✗ DECLINED: Insufficient Funds  25.00 AUD  2026-07-29 10:24
Purchase, INV-1002

card  512345XXXXXX2346 of Ada Lovelace, expires 05/2031

card token  k6bq2mfd
risk score  7
`);
  });

  test('a field that repeats the id is left out, and other values are shown as words', async () => {
    const record = {
      ...plan,
      plan_id: '001-PL-GOLD0001',
      is_open: true,
      tags: ['a', 'b'],
      at: '2026-01-02T03:04:05Z',
    };
    const { stdout } = await print([record], { kind: 'plan', single: true, output: terminal() });
    expect(stdout).toBe(`\
Gold  990 JPY
Plan 001-PL-GOLD0001, gold

billed         each subscription has its own frequency
subscriptions  3 ever

description  Everything
is open      yes
tags         a, b
at           2026-01-02 03:04:05 UTC
`);
  });

  test('the outcome is coloured', async () => {
    const output = terminal(80, true);
    const { stdout } = await print([declined], { kind: 'purchase', single: true, output });
    expect(stdout).toContain('\u001b[31m✗ DECLINED: Insufficient Funds  25.00 AUD');
  });

  test('unknown and nested fields follow those of the interface', async () => {
    const { stdout } = await print([customer], {
      kind: 'customer',
      single: true,
      output: terminal(),
    });
    expect(stdout).toBe(`\
Ada Lovelace <ada@example.com>
Customer 001-C-LOVELACE, ADA, since 2026-07-29

address  12 St James Square, London, SW1Y 4JH

card token      k6bq2mfd
loyalty points  12
loyalty tiers   a, b
`);
  });

  test('a long text is not cut', async () => {
    const reference = '🎉'.repeat(5_000);
    const { stdout } = await print([{ reference }], {
      kind: 'purchase',
      single: true,
      output: terminal(),
    });
    expect(stdout).toContain(reference);
  });

  test('only picked fields are shown, in their order', async () => {
    const { stdout } = await print([declined], {
      kind: 'purchase',
      single: true,
      fields: ['reference', 'amount', 'id'],
      output: terminal(),
    });
    expect(stdout).toBe('reference  INV-1002\namount     2500\nid         -\n');
  });
});

describe('records in plain lines', () => {
  const plainly = () => new Capture({ isTerminal: true, isPlain: true, blocks: false });

  test('several records have a line for each column, which begins with its name', async () => {
    const { stdout } = await print([plan, plan], { kind: 'plan', output: plainly() });
    const lines =
      'id: 001-PL-GOLD0001\nname: Gold\nreference: gold\namount: 990 JPY\never subscribed: 3\n';
    expect(stdout).toBe(`plan 1 of 2\n${lines}\nplan 2 of 2\n${lines}`);
  });

  test('one record has words in place of signs and gaps', async () => {
    const { stdout } = await print([declined], {
      kind: 'purchase',
      single: true,
      output: plainly(),
    });
    expect(stdout).toBe(`\
DECLINED: Insufficient Funds, 25.00 AUD, 2026-07-29 10:24
Purchase, INV-1002

card: 512345XXXXXX2346 of Ada Lovelace, expires 05/2031

card token: k6bq2mfd
`);
  });

  test('picked fields of one record have their names', async () => {
    const { stdout } = await print([plan], {
      ...{ kind: 'plan', single: true, fields: ['id', 'amount'] },
      output: plainly(),
    });
    expect(stdout).toBe('id: 001-PL-GOLD0001\namount: 990\n');
  });
});

describe('any records', () => {
  test('no line of a table is wider than the terminal or has dangerous characters', async () => {
    const measure = await loadMeasure();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: anyText, reference: anyText }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 60, max: 100 }),
        async (records, columns) => {
          const output = terminal(columns);
          const { stdout } = await print(records, { fields: ['name', 'reference'], output });
          const lines = stdout.split('\n');
          expect(lines).toHaveLength(records.length + 2);
          for (const line of lines) {
            expect(measure(line)).toBeLessThanOrEqual(columns);
            expect(line).not.toMatch(DANGEROUS);
          }
        },
      ),
    );
  });

  test('no names or values print dangerous characters', async () => {
    await fc.assert(
      fc.asyncProperty(anyRecord, fc.boolean(), async (record, single) => {
        const { stdout } = await print([record], { kind: 'purchase', single, output: terminal() });
        expect(stdout.replaceAll('\n', '')).not.toMatch(DANGEROUS);
        const plain = await print([record], { single, output: terminal() });
        expect(plain.stdout.replaceAll('\n', '')).not.toMatch(DANGEROUS);
      }),
    );
  });
});
