/** Deposits against days: the results of a file. */
import { expect, test } from 'vitest';
import { type BookRow, readBookRow } from '../../../../src/commands/reconcile/book-row.ts';
import {
  type DayRules,
  reconcileDays,
} from '../../../../src/commands/reconcile/day-reconciliation.ts';
import type { SettledDay } from '../../../../src/commands/reconcile/settled-days.ts';

const EMPTY = readBookRow({ fields: {}, isText: false }, 'AUD').row;
const deposit = (day: number, amount: number, others: Partial<BookRow> = {}): BookRow => ({
  ...EMPTY,
  ...{ amount, dates: [`2026-01-${String(day).padStart(2, '0')}`] },
  ...others,
});
const settled = (day: number, amounts: number[], currency = 'AUD'): SettledDay => ({
  ...{ day: `2026-01-${String(day).padStart(2, '0')}`, currency },
  amount: amounts.reduce((sum, one) => sum + one, 0),
  records: amounts.map((amount, n) => ({
    ...{ kind: amount < 0 ? 'refund' : 'purchase', id: `${day}-${n}`, reference: null },
    amount,
  })),
});

function reconcile(rows: BookRow[], days: SettledDay[], rules: Partial<DayRules> = {}) {
  const numbered = rows.map((row, n) => ({ line: n + 2, row }));
  const all = { withinDays: 3, debitIs: undefined, currency: 'AUD', asked: {}, ...rules };
  const result = reconcileDays(numbered, days, all);
  const outcomes = result.results.map(({ line, outcome }) => `${line} ${outcome}`).join(', ');
  return { ...result, outcomes };
}

const sumsOf = (sums: ReturnType<typeof reconcile>['sums']) =>
  Object.fromEntries([...sums].map(([name, totals]) => [name, totals.get('AUD')]));

const WEEK = [settled(5, [100, 50, -20]), settled(6, [200]), settled(7, [300]), settled(8, [40])];

test('each deposit has the net of its day, and what the day was made of', () => {
  const { results, sums, outcomes } = reconcile(
    [deposit(5, 130), deposit(6, 200), deposit(8, 340)],
    WEEK,
  );
  expect(outcomes).toBe('2 matches, 3 matches, 4 matches');
  expect(results[0]).toMatchObject({
    ...{ kind: 'deposit', amount: 130, currency: 'AUD', date: '2026-01-05', differences: [] },
    settlement: { days: ['2026-01-05'], net: 130, fee: null, records: WEEK[0]?.records },
  });
  expect(results[2]?.settlement?.days).toEqual(['2026-01-07', '2026-01-08']);
  expect(sumsOf(sums)).toEqual({ compared: { file: 670n, gateway: 670n } });
});

test('a wrong, a doubled, a strange and a missing deposit are found', () => {
  const rows = [deposit(5, 130), deposit(5, 130), deposit(6, 999), deposit(5, -77), deposit(8, 40)];
  const { results, outcomes, tally, sums } = reconcile(rows, WEEK);
  expect(outcomes).toBe(
    '2 matches, 3 repeats, 4 differs, 5 not-found, 6 matches, null missing-in-file',
  );
  expect(results.map(({ repeats }) => repeats)).toEqual([null, 2, null, null, null, null]);
  expect(results[2]?.differences).toEqual([{ field: 'amount', file: 999, gateway: 200 }]);
  expect(results[5]).toMatchObject({ date: '2026-01-07', amount: 300 });
  expect(tally).toMatchObject({ matches: 2, repeats: 1, differs: 1, 'missing-in-file': 1 });
  expect(sumsOf(sums)).toEqual({
    compared: { file: 1169n, gateway: 370n },
    repeats: { file: 130n, gateway: 0n },
    'not-found': { file: -77n, gateway: 0n },
    'missing-in-file': { file: 0n, gateway: 300n },
  });
});

test('only the days of the file, or those asked for, can lack a deposit', () => {
  const rows = [deposit(6, 200)];
  expect(reconcile(rows, WEEK).outcomes).toBe('2 matches');
  const asked = { first: '2026-01-05', last: '2026-01-07' };
  expect(reconcile(rows, WEEK, { asked }).outcomes).toBe(
    '2 matches, null missing-in-file, null missing-in-file',
  );
  expect(reconcile([], WEEK, { asked }).tally['missing-in-file']).toBe(3);
});

test('a day without money needs no deposit', () => {
  const days = [settled(5, [100]), settled(6, [50, -50]), settled(7, [70])];
  const { outcomes, results } = reconcile([deposit(5, 100), deposit(7, 70)], days);
  expect(outcomes).toBe('2 matches, 3 matches');
  expect(results[1]?.settlement?.days).toEqual(['2026-01-07']);
});

test('currencies do not mix, and decimals are read in that of their row', () => {
  const days = [settled(5, [100]), settled(5, [100], 'JPY')];
  const rows = [
    deposit(5, 0, { amount: undefined, decimal: '100', currency: 'JPY' }),
    deposit(5, 0, { amount: undefined, decimal: '1.00' }),
  ];
  expect(reconcile(rows, days).outcomes).toBe('2 matches, 3 matches');
});

test('a fee is named, and so are the lines that it does not explain', () => {
  const days = [settled(5, [10_000]), settled(6, [20_000]), settled(7, [4_000]), settled(8, [800])];
  const rows = [deposit(5, 9_825), deposit(6, 19_650), deposit(7, 3_500), deposit(8, 786)];
  const { results, fees, outcomes } = reconcile(rows, days);
  expect(outcomes).toBe('2 after-fee, 3 after-fee, 4 differs, 5 after-fee');
  const found = { text: '1.75% of the payments', total: 539, currency: 'AUD', explained: 3 };
  expect(fees).toEqual([{ ...found, others: [4], isAgreed: true }]);
  expect(results.map(({ settlement }) => settlement?.fee)).toEqual([
    ...['1.75% of the payments', '1.75% of the payments', null, '1.75% of the payments'],
  ]);
  const each = rows.map((row, n) => ({ ...row, amount: (days[n]?.amount ?? 0) - 30 }));
  expect(reconcile(each, days).fees).toMatchObject([{ text: '0.30 AUD for each payment' }]);
});

test('a fee that takes more than any bank does makes nothing right', () => {
  const days = [5, 6, 7].map((day) => settled(day, [10_000 * day]));
  const rows = days.map(({ amount }, n) => deposit(5 + n, amount * 0.8));
  expect(reconcile(rows, days).tally).toMatchObject({ matches: 0, 'after-fee': 0 });
});

test('a fee of a share and an amount is named like a share alone', () => {
  const days = [[10_000], [4_000, 4_000], [2_000, 1_000, 500]].map((all, n) => settled(5 + n, all));
  const rows = [320, 292, 191].map((fee, n) => deposit(5 + n, (days[n]?.amount ?? 0) - fee));
  expect(reconcile(rows, days).fees).toMatchObject([
    { text: '2.90% of the payments and 0.30 AUD for each payment', explained: 3, others: [] },
  ]);
});

test.each([
  [
    'two deposits',
    [deposit(5, 9_825), deposit(6, 19_650)],
    [settled(5, [10_000]), settled(6, [20_000])],
  ],
  [
    'a deposit that was paid without it',
    [deposit(5, 9_825), deposit(6, 19_650), deposit(7, 3_930), deposit(8, 800)],
    [settled(5, [10_000]), settled(6, [20_000]), settled(7, [4_000]), settled(8, [800])],
  ],
])('a fee does not make deposits right with %s', (_, rows, days) => {
  const { tally, fees } = reconcile(rows, days);
  expect(fees).toMatchObject([{ text: '1.75% of the payments', isAgreed: false }]);
  expect(tally['after-fee']).toBe(0);
  expect(tally.differs).toBeGreaterThan(1);
});

const from = (day: number, amount: number, ...texts: string[]) => deposit(day, amount, { texts });

test('other payments of the account are no deposits of the gateway', () => {
  const rows = [
    from(5, 130, 'GATEWAY PAYOUT 8871'),
    from(5, -90_000, 'Office rent', 'DEBIT'),
    from(6, 190, 'J SMITH'),
    from(7, 300, 'GATEWAY PAYOUT 8872'),
    from(7, 300, 'GATEWAY PAYOUT 8872'),
    from(8, 40, 'GATEWAY PAYOUT 8873'),
    from(8, -7, 'GATEWAY PAYOUT 8874'),
    from(9, -4_000, 'WAGES 3/26'),
  ];
  const { outcomes, sums, tally } = reconcile(rows, WEEK);
  expect(outcomes).toBe(
    '2 matches, 3 unrelated, 4 unrelated, 5 matches, 6 repeats, 7 matches, 8 not-found, ' +
      '9 unrelated, null missing-in-file',
  );
  expect(tally).toMatchObject({ unrelated: 3, 'not-found': 1, 'missing-in-file': 1 });
  expect(sumsOf(sums)).toMatchObject({
    compared: { file: 470n, gateway: 470n },
    unrelated: { file: -93_810n, gateway: 0n },
  });
});

test('deposits whose fee nobody can tell are still told from other payments', () => {
  const days = [settled(5, [10_000]), settled(6, [20_000]), settled(7, [4_000]), settled(8, [800])];
  const rows = [
    from(5, 9_825, 'ACQUIRER'),
    from(6, 19_550, 'ACQUIRER'),
    from(6, 555, 'A CUSTOMER'),
    from(7, 3_990, 'ACQUIRER'),
    from(8, -900, 'RENT'),
  ];
  expect(reconcile(rows, days).outcomes).toBe(
    '2 differs, 3 differs, 4 unrelated, 5 differs, 6 unrelated, null missing-in-file',
  );
});

test('where no deposit pays a day, none is called that of somebody else', () => {
  const rows = [from(5, 7, 'A'), from(6, 9, 'B')];
  const days = [settled(5, [100_000]), settled(6, [-5])];
  expect(reconcile(rows, days, { withinDays: 0 }).tally).toMatchObject({ unrelated: 0 });
});

test('a file that begins with its newest row is read from its end', () => {
  const days = [settled(3, [100]), settled(4, [300]), settled(6, [50])];
  const rows = [deposit(6, 50), deposit(5, 300), deposit(5, 100)];
  expect(reconcile(rows, days).outcomes).toBe('2 matches, 3 matches, 4 matches');
});

const onSide = (day: number, amount: number, side: BookRow['side']) =>
  deposit(day, amount, { side });

test('the side of deposits is told by what agrees, unless the user says it', () => {
  const days = [settled(5, [100]), settled(6, [-40]), settled(7, [70])];
  const rows = [onSide(5, 100, 'credit'), onSide(6, 40, 'debit'), onSide(7, 70, 'credit')];
  expect(reconcile(rows, days)).toMatchObject({
    ...{ debitIs: 'out', outcomes: '2 matches, 3 matches, 4 matches' },
  });
  expect(reconcile(rows, days, { debitIs: 'in' })).toMatchObject({
    tally: { matches: 0 },
  });
});

test('what cannot be compared says why', () => {
  const rows = [
    deposit(5, 0, { amount: undefined }),
    deposit(5, 100, { dates: [] }),
    deposit(25, 100, { side: 'debit' }),
  ];
  const { results, outcomes, debitIs } = reconcile(rows, WEEK);
  expect(outcomes).toBe('2 not-compared, 3 not-compared, 4 not-compared');
  expect(results.map(({ uncompared }) => uncompared)).toEqual([
    'the row has no amount',
    'the row has no date',
    'gw cannot tell whether a debit is money in or out',
  ]);
  expect(debitIs).toBeUndefined();
  const unread = [deposit(5, 0, { amount: undefined, decimal: '1.00' })];
  const [one] = reconcile(unread, [], { currency: undefined }).results;
  expect(one?.uncompared).toBe('the currency of the row is not known');
});
