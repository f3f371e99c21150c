import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { moneyRequestOf } from '../../../../src/client/connection/entry.ts';
import type { Profile } from '../../../../src/client/profiles/profile.ts';
import { refundCreate } from '../../../../src/contract/resources/refund.ts';
import { OperationSource } from '../../../../src/requests/batch/batch-source.ts';
import { planBatch } from '../../../../src/requests/batch/engine/preflight.ts';
import { readRows } from '../../../../src/requests/batch/engine/rows.ts';
import { decimalAmount } from '../../../../src/requests/body/decimal-amount.ts';

const CURRENCIES = ['AUD', 'JPY', 'BHD', 'CLF'];
const AT = { account: 'a', profile: 'p', host: 'h', environment: 'sandbox' } as const;
const quiet = new AbortController().signal;

interface Row {
  purchase: string;
  amount: string;
  currency: string | undefined;
}

/** @param known ISO 4217 codes by purchase that the gateway shows @param usual the profile's */
function sourceOf(
  text: string,
  known: ReadonlyMap<string, string>,
  usual: string | undefined,
  maxAmount?: number,
  isAsWritten = false,
) {
  const asked: number[] = [];
  const needed: string[] = [];
  const source = new OperationSource({
    operation: refundCreate,
    request: refundCreate.body,
    profile: { name: 'p', environment: 'sandbox', currency: usual, maxAmount } as Profile,
    keep: (body, currency) => moneyRequestOf(AT, refundCreate, { body, currency }),
    namedOtherwise: async () => new Map(),
    knownPurchases: async () => new Map(),
    cardsOf: async () => new Map(),
    currenciesOf: async (purchases, unseen) => {
      asked.push(purchases.length);
      needed.push(...unseen);
      return new Map([...known].filter(([purchase]) => purchases.includes(purchase)));
    },
    planCalled: async (plan) => ({ plan }),
    checkCharges: async () => undefined,
    columns: { ignored: [], mapped: new Map() },
    allowsDuplicates: false,
    isAsWritten,
  });
  const plan = () => planBatch(source, readRows(text, source.columns), quiet);
  return { asked, needed, plan };
}

const csvOf = (rows: readonly Row[]) =>
  [
    'transaction_id,decimal_amount,currency,reference',
    ...rows.map(
      ({ purchase, amount, currency }, n) => `${purchase},${amount},${currency ?? ''},R-${n}`,
    ),
  ].join('\n');

const currency = fc.constantFrom(...CURRENCIES);
const rows = fc.array(
  fc.record({
    purchase: fc.constantFrom('P-1', 'P-2', 'P-3', 'P-4'),
    amount: fc.constantFrom('25', '1.5', '1.25', '0.125', '0.0005'),
    currency: fc.option(currency, { nil: undefined }),
  }),
  { minLength: 1, maxLength: 12 },
);
const known: fc.Arbitrary<Map<string, string>> = fc
  .array(fc.tuple(fc.constantFrom('P-1', 'P-2', 'P-3'), currency))
  .map((pairs) => new Map(pairs));

const refunds = (references: readonly string[]) =>
  [
    'transaction_id,amount,reference',
    ...references.map((reference, n) => `P-${n % 2},100,"${reference.replaceAll('"', '""')}"`),
  ].join('\n');

test('what only a spreadsheet writes is a problem of its line, unless the file is as it was written', async () => {
  const text = refunds(['R-1', '1.23457E+15', '="00077', '########', '1E5', '5e1234']);
  const { problems } = await sourceOf(text, new Map(), 'AUD').plan();
  expect(problems.map(({ line, problem }) => [line, problem.split(',')[0]])).toEqual([
    [3, 'reference is "1.23457E+15"'],
    [4, 'reference is "=\\"00077"'],
    [5, 'reference is "########"'],
  ]);
  const json = '{"transaction_id":"P-1","amount":1,"reference":"#N/A"}';
  expect((await sourceOf(json, new Map(), 'AUD').plan()).problemCount).toBe(1);
  const meant = await sourceOf(text, new Map(), 'AUD', undefined, true).plan();
  expect(meant.problems).toEqual([]);
});

test('two lines that a spreadsheet may have made of one are a problem of the second', async () => {
  const text = refunds(['00777', 'A', '777', 'B', '0777', '778', '1234567890123456', 'C']);
  const { problems } = await sourceOf(text, new Map(), 'AUD').plan();
  expect(problems.map(({ line }) => line)).toEqual([4, 6]);
  expect(problems[0]?.problem).toBe(
    'asks for the same as line 2, and a spreadsheet may make its reference "777" of "00777" of line 2, or the other way round: remove one line, or send both with --as-written',
  );
  const ofOthers = refunds(['00777', '777', '20261128000000000001', 'A', '20261128000000000002']);
  expect((await sourceOf(ofOthers, new Map(), 'AUD').plan()).problems).toEqual([]);
  const meant = await sourceOf(text, new Map(), 'AUD', undefined, true).plan();
  expect(meant.problems).toEqual([]);
});

test('a refund has the currency of its purchase or else of its row, and never that of the profile', async () => {
  await fc.assert(
    fc.asyncProperty(rows, known, fc.option(currency, { nil: undefined }), async (...all) => {
      const [lines, paid, usual] = all;
      const { plan: planned } = sourceOf(csvOf(lines), paid, usual);
      const plan = await planned();
      const expected = lines.map(({ purchase, amount, currency: said }) => {
        const code = paid.get(purchase) ?? said;
        const minor = decimalAmount(amount, code, 'decimal_amount');
        const isRight = typeof minor === 'number' && (said ?? code) === code;
        return isRight ? { code, minor } : undefined;
      });
      const wrong = new Set(
        plan.problems.flatMap(({ line, also = [] }) => [Number(line), ...also]),
      );
      expect([...wrong].sort((a, b) => a - b)).toEqual(
        expected.flatMap((one, n) => (one ? [] : [n + 2])),
      );
      if (wrong.size > 0) return;
      const read: unknown[] = [];
      for (const { body, kept, currency: code } of plan.lines) {
        expect(body).not.toHaveProperty('currency');
        read.push({ code, minor: body.amount });
        expect(kept?.currency).toBe(code);
      }
      expect(read).toEqual(expected);
      const totals = new Map<string, bigint>();
      for (const one of expected)
        totals.set(one?.code ?? '', (totals.get(one?.code ?? '') ?? 0n) + BigInt(one?.minor ?? 0));
      expect(plan.totals).toEqual(totals);
    }),
  );
});

test('a line is compared with the limit of the profile in its currency', async () => {
  const text = [
    'transaction_id,amount,currency,reference',
    ...['P-1,2500,,R-1', 'P-1,2501,,R-2', 'P-2,1,,R-3', 'P-3,1,JPY,R-4', 'P-3,2500,,R-5'],
  ].join('\n');
  const paid = new Map([
    ['P-1', 'AUD'],
    ['P-2', 'BHD'],
  ]);
  const limit = 'the limit of the profile p, 25.00 AUD';
  expect((await sourceOf(text, paid, 'AUD', 2500).plan()).problems).toEqual([
    { line: 3, problem: `25.01 AUD is above ${limit}` },
    { line: 4, problem: `gw cannot compare an amount in BHD with ${limit}` },
    { line: 5, problem: `gw cannot compare an amount in JPY with ${limit}` },
    { line: 6, problem: `gw cannot compare an amount in an unknown currency with ${limit}` },
  ]);
  expect((await sourceOf(text, paid, undefined, 2500).plan()).problems).toEqual([
    {
      line: 3,
      problem: '25.01 AUD is above the limit of the profile p, 25.00 (account currency)',
    },
  ]);
});

test('a batch with decimals is the same batch as one with minor units', async () => {
  const paid = new Map([['P-1', 'JPY']]);
  const decimal = await sourceOf(
    'transaction_id,decimal_amount,reference\nP-1,25,R-1',
    paid,
    'AUD',
  ).plan();
  const minor = await sourceOf(
    'transaction_id,amount,reference\nP-1,25,R-1',
    new Map(),
    undefined,
  ).plan();
  expect(decimal.digest).toBe(minor.digest);
  expect(decimal.digest).toBe('373424871aca0db809c8fe1c4b3ffd24ffbe40f358d4fa2ff5d1d973c3083152');
});

test('currencies are requested in groups, once for each line', async () => {
  const many = Array.from({ length: 1_000 }, (_, n) => ({
    ...{ purchase: `P-${n}`, amount: '25', currency: undefined },
  }));
  const paid = new Map(many.map(({ purchase }) => [purchase, 'AUD']));
  const { plan, asked } = sourceOf(csvOf(many), paid, 'AUD');
  const { lines } = await plan();
  expect([...lines].every(({ body }) => body.amount === 2500)).toBe(true);
  expect(asked.reduce((sum, n) => sum + n)).toBe(1_000);
  expect(asked.length).toBeLessThan(5);
});

test.each([
  ['transaction_id,amount,reference\nP-1,25,R-1', undefined, []],
  ['transaction_id,amount,reference\nP-1,25,R-1\nP-1,26,R-2', 2500, ['P-1']],
  ['transaction_id,decimal_amount,reference\nP-1,25,R-1', undefined, ['P-1']],
  ['transaction_id,amount,currency,reference\nP-1,25,JPY,R-1\nP-2,25,,R-2', undefined, ['P-1']],
])('the gateway is asked only for a currency that is needed: %j', async (text, limit, asked) => {
  const { plan, needed } = sourceOf(text, new Map(), 'AUD', limit);
  await plan();
  expect(needed).toEqual(asked);
});

test('decimals in a currency that nobody says are refused, with what to do', async () => {
  const text = 'transaction_id,decimal_amount,reference\nP-1,25,R-1';
  expect((await sourceOf(text, new Map(), 'AUD').plan()).problems).toEqual([
    {
      line: 2,
      problem:
        'decimal_amount needs to know the currency: add a column currency, or give amount in minor units',
    },
  ]);
});

test.each(['currency_code', 'currencyCode', 'ccy', 'amount_currency'])(
  'decimals and limits are refused if %s of a line says another currency',
  async (field) => {
    const line = { transaction_id: 'P-1', reference: 'R-1', [field]: 'JPY' };
    const paid = new Map([['P-1', 'AUD']]);
    const which = 'leave the currency out, or check which purchase it is';
    const differs = `currency is JPY, and purchase "P-1" was paid in AUD: ${which}`;
    const decimal = `${JSON.stringify({ ...line, decimal_amount: '1.00' })}\n`;
    expect((await sourceOf(decimal, paid, 'AUD').plan()).problems).toEqual([
      { line: 1, problem: differs },
    ]);
    const minor = `${JSON.stringify({ ...line, amount: 100 })}\n`;
    for (const limit of [2500, undefined]) {
      const { plan, needed } = sourceOf(minor, paid, 'AUD', limit);
      expect((await plan()).problems).toEqual([{ line: 1, problem: differs }]);
      expect(needed).toEqual(['P-1']);
    }
  },
);

test.each<[JsonObject, string]>([
  [{ currency: 'USD', currency_code: 'AUD' }, 'currency is AUD, and purchase "P-1" was paid in'],
  [{ currency: 'AUD', currency_code: 'USD' }, 'currency is AUD, and purchase "P-1" was paid in'],
  [{ Currency: 'aud' }, 'currency is AUD, and purchase "P-1" was paid in USD'],
  [{ currency: true }, 'currency is "true", which is not an ISO 4217 currency code'],
  [{ currencyCode: 'dollars' }, 'currency is "DOLLARS", which is not an ISO 4217 currency code'],
  [{ decimal_amount: '25.00' }, 'has both amount and decimal_amount: keep one of them'],
  [{ decimalAmount: 25 }, 'has both amount and decimalAmount: keep one of them'],
  [{ amount: null, decimalAmount: 25 }, 'decimalAmount is not text'],
  [
    { amount: null, decimal_amount: '2', DecimalAmount: '25.00' },
    'has both DecimalAmount and decimal_amount: keep one of them',
  ],
])('a JSON line with %j is refused', async (others, problem) => {
  const line = { transaction_id: 'P-1', reference: 'R-1', amount: 2500, ...others };
  const paid = new Map([['P-1', 'USD']]);
  const { problems } = await sourceOf(`${JSON.stringify(line)}\n`, paid, 'AUD').plan();
  expect(problems).toEqual([{ line: 1, problem: expect.stringContaining(problem) }]);
});

test('without a known purchase, a line names one currency', async () => {
  const line = { transaction_id: 'P-1', reference: 'R-1', amount: 2500, currency: 'USD' };
  const text = `${JSON.stringify({ ...line, currencyCode: 'AUD' })}\n`;
  const { problems } = await sourceOf(text, new Map(), 'AUD').plan();
  expect(problems).toEqual([
    { line: 1, problem: 'currency is AUD, and another field says USD: keep one of them' },
  ]);
});

test.each<[JsonObject]>([
  [{ currency: 'usd' }],
  [{ currency: 'USD', currencyCode: 'usd' }],
  [{ currency_code: 'USD' }],
  [{ currency_symbol: '$', metadata: { currency_name: 'US dollar' } }],
  [{ amount: null, decimalAmount: '25.00', currencyCode: 'USD' }],
])('a JSON line with %j is in the currency of its purchase', async (others) => {
  const line = { transaction_id: 'P-1', reference: 'R-1', amount: 2500, ...others };
  const paid = new Map([['P-1', 'USD']]);
  const plan = await sourceOf(`${JSON.stringify(line)}\n`, paid, 'AUD').plan();
  expect(plan.problems).toEqual([]);
  expect([...plan.lines]).toMatchObject([{ body: { amount: 2500 }, currency: 'USD' }]);
});

test("a formula that has gw's apostrophe before it is no damage of a spreadsheet", async () => {
  const known = new Map([['P-1', 'AUD']]);
  const { lines, problems } = await sourceOf(
    `transaction_id,amount,reference\nP-1,1,"'=HYPERLINK(""x"")"\nP-1,2,'=R\nP-1,3,=R\n`,
    known,
    'AUD',
  ).plan();
  expect([...lines].map(({ body }) => body.reference)).toEqual(['=HYPERLINK("x")', '=R']);
  expect(problems).toMatchObject([{ line: 4, problem: expect.stringContaining('=R') }]);
});

test('every amount of a line is compared with the limit', async () => {
  const line = { transaction_id: 'P-1', reference: 'R-1', amount: 100, total: 9_999 };
  const { problems } = await sourceOf(
    `${JSON.stringify(line)}\n`,
    new Map([['P-1', 'AUD']]),
    'AUD',
    2500,
  ).plan();
  expect(problems).toEqual([
    { line: 1, problem: '99.99 AUD is above the limit of the profile p, 25.00 AUD' },
  ]);
});

test('a line is compared with each before it, however far apart they are', async () => {
  const references = Array.from({ length: 600 }, (_, n) => `R-${n}`);
  const far = references.with(2, '="0077').with(40, '0077').with(500, '77').with(598, '077');
  const { problems } = await sourceOf(refunds(far), new Map(), 'AUD', undefined, true).plan();
  expect(problems).toEqual([]);
  const { problems: found } = await sourceOf(refunds(far.with(2, 'R-2')), new Map(), 'AUD').plan();
  expect(found.map(({ line, problem }) => [line, problem.split(',')[0]])).toEqual([
    [502, 'asks for the same as line 42'],
    [600, 'asks for the same as line 42'],
  ]);
});
