import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadMeasure } from '../../../src/view/width.ts';
import { anyRecord, anyText, DANGEROUS } from '../../helpers/arbitraries.ts';
import {
  approved,
  customer,
  declined,
  plan,
  print,
  refund,
  subscription,
  terminal,
} from '../../helpers/capture.ts';

const purchases = [approved, declined];

describe('several records on a terminal', () => {
  test('80 columns: ids, amounts, cards and dates are whole, text is cut', async () => {
    const { stdout } = await print(purchases, { kind: 'purchase', output: terminal() });
    expect(stdout).toBe(`\
ID              OUTCOME          AMOUNT  CARD              REFERENCE  DATE
001-P-KLT9J8W7  Approved      25.00 AUD  512345XXXXXX2346  INV-1001   2026-07-29
-               DECLINED: I…  25.00 AUD  512345XXXXXX2346  INV-1002   2026-07-29
`);
  });

  test('every cell of the line is used', async () => {
    const cutAt = async (columns: number) => {
      const { stdout } = await print(purchases, { kind: 'purchase', output: terminal(columns) });
      return /DECLINED\S* \S*…/.exec(stdout)?.[0];
    };
    expect(await cutAt(81)).toBe('DECLINED: In…');
    expect(await cutAt(82)).toBe('DECLINED: Ins…');
    expect(await cutAt(83)).toBe('DECLINED: Insu…');
  });

  test('a long table stays in line', async () => {
    const plans = Array.from({ length: 450 }, () => plan);
    const { stdout } = await print(plans, { kind: 'plan', output: terminal() });
    const lines = stdout.split('\n');
    expect(lines).toHaveLength(452);
    expect(new Set(lines.slice(1, -1)).size).toBe(1);
    expect(lines[0]?.indexOf('REFERENCE')).toBe(lines[450]?.indexOf('gold'));
  });

  test('a table with room has every column', async () => {
    const { stdout } = await print(purchases, { kind: 'purchase', output: terminal(140) });
    expect(stdout).toBe(`\
ID              OUTCOME                          AMOUNT  CARD              REFERENCE  DATE        CARD TOKEN  SOURCE
001-P-KLT9J8W7  Approved                      25.00 AUD  512345XXXXXX2346  INV-1001   2026-07-29  k6bq2mfd    -
-               DECLINED: Insufficient Funds  25.00 AUD  512345XXXXXX2346  INV-1002   2026-07-29  k6bq2mfd    -
`);
  });

  test('where cutting text is not enough, columns go', async () => {
    const { stdout } = await print(purchases, { kind: 'purchase', output: terminal(70) });
    expect(stdout).toBe(`\
ID              OUTCOME            AMOUNT  CARD              REFERENCE
001-P-KLT9J8W7  Approved        25.00 AUD  512345XXXXXX2346  INV-1001
-               DECLINED: Ins…  25.00 AUD  512345XXXXXX2346  INV-1002
`);
  });

  test('where that is not enough either, each record is shown whole', async () => {
    const { stdout } = await print([plan, plan], { kind: 'plan', output: terminal(20) });
    const whole = `\
id                  001-PL-GOLD0001
name                Gold
reference           gold
description         Everything
amount              990 JPY
currency            JPY
subscription_count  3
`;
    expect(stdout).toBe(`${whole}\n${whole}`);
  });

  test.each([
    [
      'plan',
      plan,
      `\
ID               NAME  REFERENCE   AMOUNT  SUBSCRIPTIONS
001-PL-GOLD0001  Gold  gold       990 JPY              3
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
ID  REFERENCE  STATE    STATUS               PLAN             NEXT
-   SUB-1      stopped  Failed (3), Aborted  001-PL-GOLD0001  2026-08-01
`,
    ],
    [
      'refund',
      refund,
      `\
ID              OUTCOME                      AMOUNT  CARD
001-R-REFUND01  Approved  -25.00 (account currency)  512345XXXXXX2346
`,
    ],
  ] as const)('a list of one %s', async (kind, record, golden) => {
    const { stdout } = await print([record], { kind, output: terminal() });
    expect(stdout).toBe(golden);
  });

  test('outcomes have a colour where colour is allowed, and columns stay in line', async () => {
    const { stdout } = await print(purchases, { kind: 'purchase', output: terminal(140, true) });
    expect(stdout).toContain('\u001b[32mApproved\u001b[39m                      25.00 AUD');
    expect(stdout).toContain('\u001b[31mDECLINED: Insufficient Funds\u001b[39m  25.00 AUD');
    expect(stdout).toContain('\u001b[1mOUTCOME\u001b[22m');
  });

  test('wide characters take two cells, and none is halved', async () => {
    const names = ['日本語の定期購入', '👩‍👩‍👧 family', 'plain'];
    const records = names.map((name) => ({ ...plan, name }));
    const { stdout } = await print(records, { fields: ['name', 'amount'], output: terminal(18) });
    expect(stdout).toBe(`\
NAME        AMOUNT
日本語の…   990
👩‍👩‍👧 family   990
plain       990
`);
  });

  test('picked fields are shown as the interface has them', async () => {
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

  test('records of no known kind have a column for each of their fields', async () => {
    const { stdout } = await print([{ a: 1, b: { c: 'x' } }, { d: null }], { output: terminal() });
    expect(stdout).toBe('A  B.C  D\n1  x    -\n-  -    -\n');
  });

  test('records of several kinds are shown whole, in order', async () => {
    const output = terminal();
    const { createPrinter } = await import('../../../src/view/printer.ts');
    const printer = createPrinter({ output, notes: terminal() });
    await printer.add({ id: '1-P-1', amount: 5, currency: 'AUD', successful: false }, 'purchase');
    await printer.add({ id: '1-PL-1', name: 'Gold' }, 'plan');
    await printer.end();
    expect(output.text).toBe(`\
outcome     DECLINED
id          1-P-1
amount      0.05 AUD
successful  false
currency    AUD

id    1-PL-1
name  Gold
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
outcome           DECLINED: Insufficient Funds
id                -
authorization     -
card_number       512345XXXXXX2346
card_holder       Ada Lovelace
card_expiry       05/2031
card_token        k6bq2mfd
amount            25.00 AUD
decimal_amount    25
successful        false
message           Insufficient Funds
reference         INV-1002
currency          AUD
settlement_date   -
transaction_date  2026-07-29T10:24:11+10:00
risk.score        7
`);
  });

  test('its outcome is coloured', async () => {
    const output = terminal(80, true);
    const { stdout } = await print([declined], { kind: 'purchase', single: true, output });
    expect(stdout).toContain(
      'outcome           \u001b[31mDECLINED: Insufficient Funds\u001b[39m\n',
    );
  });

  test('unknown and nested fields follow those of the interface', async () => {
    const { stdout } = await print([customer], {
      kind: 'customer',
      single: true,
      output: terminal(),
    });
    expect(stdout).toBe(`\
id                001-C-LOVELACE
first_name        Ada
last_name         Lovelace
reference         ADA
email             ada@example.com
created_at        2026-07-29T10:24:11+10:00
card_token        k6bq2mfd
address.address   12 St James Square
address.city      London
address.state
address.postcode  SW1Y 4JH
address.country   -
loyalty.points    12
loyalty.tiers     ["a","b"]
`);
  });

  test('long text is not cut', async () => {
    const reference = '🎉'.repeat(5_000);
    const { stdout } = await print([{ reference }], {
      kind: 'purchase',
      single: true,
      output: terminal(),
    });
    expect(stdout).toBe(`reference  ${reference}\n`);
  });

  test('only picked fields, in their order', async () => {
    const { stdout } = await print([declined], {
      kind: 'purchase',
      single: true,
      fields: ['reference', 'amount', 'id'],
      output: terminal(),
    });
    expect(stdout).toBe('reference  INV-1002\namount     2500\nid         -\n');
  });
});

describe('any records', () => {
  test('no line of a table is wider than the terminal, and none has anything dangerous', async () => {
    const measure = await loadMeasure();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: anyText, reference: anyText }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 20, max: 100 }),
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

  test('nothing dangerous comes out of any names and values', async () => {
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
