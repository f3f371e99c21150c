/** The account of a reconciliation, row by row. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { openTimeZone } from '../../../../src/base/time-zone.ts';
import { type BookRow, readBookRow } from '../../../../src/commands/reconcile/book-row.ts';
import type { FoundRecord } from '../../../../src/commands/reconcile/compare.ts';
import { Reconciliation } from '../../../../src/commands/reconcile/reconciliation.ts';
import { NO_SOURCES } from '../../../../src/things/sources.ts';
import type { Thing } from '../../../../src/things/thing.ts';

const open = (usualCurrency: string | undefined, isWithoutSubscriptions = false) =>
  new Reconciliation({
    usualCurrency,
    zone: openTimeZone('UTC'),
    withinDays: 3,
    debitIs: undefined,
    isWithoutSubscriptions,
  });
const row = (fields: JsonObject) => readBookRow({ fields, isText: false }, 'AUD').row;
const paid = (id: string, amount: number, others: JsonObject = {}): { found: FoundRecord } => ({
  found: {
    kind: 'purchase',
    record: { id, amount, successful: true, transaction_date: '2026-01-15T10:00:00Z', ...others },
    currency: 'AUD',
  },
});
const givenBack = (id: string, amount: number): { found: FoundRecord } => ({
  found: { kind: 'refund', record: { id, amount, successful: true }, currency: 'AUD' },
});
const NONE = { found: undefined };
const sumsOf = ({ sums }: Reconciliation) =>
  Object.fromEntries([...sums].map(([name, totals]) => [name, [...totals]]));
const UNREACHED = { error: { message: 'The gateway was not reached.' } };

const thing = (others: Partial<Thing>): Thing => ({
  kind: 'purchase',
  id: '071-P-9',
  at: '2026-01-15T12:00:00Z',
  seenAt: '2026-01-15T12:00:00Z',
  account: null,
  profile: 'local',
  environment: 'local',
  host: 'embedded',
  outcome: 'approved',
  amount: 700,
  currency: 'AUD',
  reference: 'INV-9',
  who: null,
  email: null,
  lastFour: null,
  endsOn: null,
  message: 'Approved',
  label: null,
  purchase: null,
  customer: null,
  subscription: null,
  plan: null,
  operator: null,
  token: null,
  note: null,
  told: 'record',
  sources: NO_SOURCES,
  ...others,
});

test('both sums have the same rows, and every other class of rows one of its own', () => {
  const books = open('AUD');
  books.take(2, row({ id: '071-P-1', amount: 2500 }), paid('071-P-1', 2400));
  books.take(3, row({ id: '071-R-1', amount: 500 }), givenBack('071-R-1', -500));
  books.take(4, row({ id: '071-P-2', amount: 900 }), paid('071-P-2', 900, { successful: false }));
  books.take(5, row({ id: '071-P-3', amount: 100, state: 'declined' }), paid('071-P-3', 100));
  books.take(6, row({ id: '071-P-4', amount: 50 }), NONE);
  books.take(7, row({ id: '071-P-5', amount: 7000 }), UNREACHED);
  books.take(8, row({ id: '071-P-6' }), paid('071-P-6', 8000));
  expect(sumsOf(books)).toEqual({
    compared: [['AUD', { file: 2900n, gateway: 2000n }]],
    'not-found': [['AUD', { file: 50n, gateway: 0n }]],
    'not-asked': [['AUD', { file: 7000n, gateway: 0n }]],
  });
  expect(books.withoutAmount).toBe(1);
});

test('a row without a record has the account currency, its day and its words', () => {
  const books = open('AUD');
  const said = { ...row({ amount: 1200, date: '2026-03-31' }), texts: ['A CUSTOMER'] };
  const none = { amount: 1200, currency: 'AUD', date: '2026-03-31', text: 'A CUSTOMER' };
  expect(books.take(2, said, NONE)).toMatchObject({ ...none, outcome: 'not-found' });
  const foreign = { found: undefined, isForeign: true };
  expect(books.take(3, said, foreign)).toMatchObject({ ...none, outcome: 'unrelated' });
  expect(books.tally).toMatchObject({ 'not-found': 1, unrelated: 1 });
});

test('a refunded purchase matches its whole amount, and says what was given back of it', () => {
  const books = open('AUD');
  const { found } = paid('071-P-1', 12_000);
  const said = row({ id: '071-P-1', amount: 12_000 });
  expect(books.take(2, said, { found: { ...found, refunded: 5_000 } })).toMatchObject({
    outcome: 'matches',
    amount_refunded: 5_000,
  });
  const other = books.take(3, row({ id: '071-P-2', amount: 100 }), paid('071-P-2', 100));
  expect(other.amount_refunded).toBeNull();
  expect(books.refunded).toEqual(new Map([['AUD', 5_000n]]));
});

test('a row without a record says that its name was declined, and is no match', () => {
  const declined = 'declined, as this ledger knows: Expired Card';
  const said = open('AUD').take(2, row({ reference: 'WEB-1' }), { found: undefined, declined });
  expect(said).toMatchObject({ outcome: 'not-found', message: declined });
});

test('each side is counted in its own currency', () => {
  const books = open(undefined);
  books.take(2, row({ id: '071-P-1', amount: 300, currency: 'USD' }), paid('071-P-1', 300));
  books.take(3, row({ reference: 'A', amount: 1 }), NONE);
  expect(sumsOf(books)).toEqual({
    compared: [
      ['USD', { file: 300n, gateway: 0n }],
      ['AUD', { file: 0n, gateway: 300n }],
    ],
    'not-found': [['', { file: 1n, gateway: 0n }]],
  });
});

test('a record of two rows counts once, whatever its names', () => {
  const books = open('AUD');
  books.take(2, row({ reference: 'INV-1', amount: 100 }), paid('071-P-1', 100));
  const again = books.take(5, row({ id: '071-P-1', amount: 100 }), paid('071-P-1', 100));
  expect(again).toMatchObject({ outcome: 'repeats', repeats: 2, line: 5, id: '071-P-1' });
  expect(sumsOf(books)).toEqual({
    compared: [['AUD', { file: 100n, gateway: 100n }]],
    repeats: [['AUD', { file: 100n, gateway: 0n }]],
  });
  expect(books.tally).toMatchObject({ matches: 1, repeats: 1 });
});

test('a file of other sales lacks no charge of a subscription, and lacks the rest', () => {
  const charge = thing({ id: '071-P-1', label: 'Recurring' });
  for (const isWithout of [false, true]) {
    const books = open('AUD', isWithout);
    expect(books.takeThing(charge)?.id).toBe(isWithout ? undefined : '071-P-1');
    expect(books.takeThing(thing({}))?.id).toBe('071-P-9');
    expect(books.charges.missing).toBe(isWithout ? 0 : 1);
    expect(books.tally['missing-in-file']).toBe(isWithout ? 1 : 2);
  }
});

test('known records that are not in the file are missing, unless they moved no money', () => {
  const books = open('AUD');
  books.take(2, row({ reference: 'INV-1' }), paid('071-P-1', 100));
  books.take(3, row({ reference: 'INV-2' }), UNREACHED);
  books.take(4, row({ id: '071-P-3' }), NONE);
  const missing = [
    thing({ id: '071-P-1' }),
    thing({ id: '071-P-2', reference: 'INV-2' }),
    thing({ id: '071-P-3' }),
    thing({ id: '071-P-4', outcome: 'declined' }),
    thing({ id: '071-P-5', outcome: 'abandoned' }),
    thing({ id: '071-P-6', reference: 'INV-6', outcome: 'authorised' }),
    thing({}),
    thing({ kind: 'refund', id: '071-R-9', amount: -200 }),
  ].map((one) => books.takeThing(one)?.id);
  expect(missing.filter((id) => id !== undefined)).toEqual(['071-P-9', '071-R-9']);
  expect(sumsOf(books)['missing-in-file']).toEqual([['AUD', { file: 0n, gateway: 500n }]]);
});

test('an unclear record is missing in the file, and counts no money', () => {
  const books = open('AUD');
  expect(books.takeThing(thing({ outcome: 'unclear' }))).toMatchObject({
    outcome: 'missing-in-file',
  });
  expect(sumsOf(books)['missing-in-file']).toEqual([['AUD', { file: 0n, gateway: 0n }]]);
});

test('a purchase that was captured in part counts with that part', () => {
  const books = open('AUD');
  const part = paid('071-P-1', 2500, { captured: true, captured_amount: 1000 });
  expect(books.take(2, row({ id: '071-P-1', amount: 1000 }), part)).toMatchObject({
    outcome: 'matches',
    amount: 1000,
  });
  const other = paid('071-P-2', 2500, { captured_amount: 1000 });
  expect(books.take(3, row({ id: '071-P-2', amount: 2500 }), other)).toMatchObject({
    outcome: 'differs',
    differences: [{ field: 'amount', file: 2500, gateway: 1000 }],
  });
  const held = paid('071-P-3', 2500, { captured: false, captured_amount: 0 });
  books.take(4, row({ id: '071-P-3', amount: 2500 }), held);
  expect(sumsOf(books)).toEqual({ compared: [['AUD', { file: 6000n, gateway: 2000n }]] });
});

test('the period of a file is that of its records', () => {
  const books = open('AUD');
  expect(books.span).toBeUndefined();
  for (const [line, date] of [
    [2, '2026-01-20T10:00:00+10:00'],
    [3, '2026-01-04'],
    [4, 'soon'],
  ] as const)
    books.take(line, row({ id: `${line}` }), paid(`${line}`, 1, { transaction_date: date }));
  expect(books.span).toEqual({
    first: Date.parse('2026-01-04'),
    last: Date.parse('2026-01-20T00:00:00Z'),
  });
});

test.each<[decimal: string, amount: number, currency: string | undefined, outcome: string]>([
  ['9899', 9899, 'JPY', 'matches'],
  ['98.99', 9899, 'JPY', 'differs'],
  ['98.99', 9899, 'AUD', 'matches'],
  ['98.990', 98_990, 'KWD', 'matches'],
  ['989.90', 98_990, 'KWD', 'differs'],
  ['98,9900', 989_900, 'CLF', 'matches'],
  ['98.99', 9899, 'QQQ', 'differs'],
  ['98.99', 9899, undefined, 'matches'],
])(
  '%s in the books of a purchase of %i minor units %s: %s',
  (decimal, amount, currency, outcome) => {
    const books = open('AUD');
    const { row: said, problems } = readBookRow(
      { fields: { id: '071-P-1', decimal_amount: decimal }, isText: true },
      'AUD',
    );
    expect(problems).toEqual([]);
    const { found } = paid('071-P-1', amount);
    const reconciled = books.take(2, said, { found: { ...found, currency } });
    expect(reconciled).toMatchObject({ outcome, amount, currency: currency ?? null });
    const net = BigInt(amount);
    if (outcome === 'matches')
      expect(sumsOf(books)).toEqual({
        compared: [[currency ?? 'AUD', { file: net, gateway: net }]],
      });
  },
);

test('a decimal that the currency of the record cannot have is shown as it is written', () => {
  const books = open('AUD');
  const reconciled = books.take(2, row({ id: '071-P-1', decimal_amount: '98.99' }), {
    found: { ...paid('071-P-1', 9899).found, currency: 'JPY' },
  });
  expect(reconciled.differences).toEqual([{ field: 'amount', file: '98.99', gateway: 9899 }]);
  expect(books.withoutAmount).toBe(1);
});

test('a decimal below zero is a refund, whatever decimals its currency has', () => {
  const fields = { id: '071-P-1', decimal_amount: '-98.990' };
  expect(readBookRow({ fields, isText: true }, 'AUD').problems).toEqual([
    'amount is negative, which is allowed only for a refund',
  ]);
  const books = open('AUD');
  const refund = row({ id: '071-R-1', decimal_amount: '-98.990' });
  const found = { ...givenBack('071-R-1', -98_990).found, currency: 'KWD' };
  expect(books.take(2, refund, { found }).outcome).toBe('matches');
});

test('a decimal in a currency that nobody says is not compared', () => {
  const books = open(undefined);
  const fields = { id: '071-P-1', decimal_amount: '25.00' };
  const { row: said, problems } = readBookRow({ fields, isText: true }, undefined);
  expect(problems).toEqual([]);
  const { found } = paid('071-P-1', 2500);
  expect(books.take(2, said, { found: { ...found, currency: undefined } })).toMatchObject({
    ...{ outcome: 'not-compared', amount: 2500 },
    uncompared: 'neither the file nor the gateway says the currency of decimal_amount',
  });
  expect(open('AUD').take(3, said, { found }).outcome).toBe('matches');
});

const banked = (others: Partial<BookRow>): BookRow => ({ ...row({ id: '071-P-1' }), ...others });

test.each<[string, BookRow, { found: FoundRecord }, string]>([
  ['a row without an amount', banked({}), paid('071-P-1', 100), 'the row has no amount'],
  [
    'a record without one',
    banked({ amount: 100 }),
    { found: { kind: 'purchase', record: { id: '071-P-1' }, currency: 'AUD' } },
    "the gateway's record has no amount",
  ],
  [
    'an amount for a subscription',
    banked({ kind: 'subscription', amount: 100 }),
    { found: { kind: 'subscription', record: { id: '071-S-1' }, currency: undefined } },
    'the record of a subscription has no amount',
  ],
  [
    "an amount on a bank's side of which nobody says what it is",
    banked({ amount: 100, side: 'debit' }),
    paid('071-P-1', 100),
    'gw cannot tell whether a debit is money in or out',
  ],
])('%s is not compared, and counted apart', (_, said, answer, why) => {
  const books = open('AUD');
  const reconciled = books.take(2, said, answer);
  expect(reconciled).toMatchObject({
    outcome: 'not-compared',
    unchecked: ['amount'],
    uncompared: why,
  });
  expect(books.tally).toMatchObject({ matches: 0, 'not-compared': 1 });
  expect(books.compared).toBe(0);
});

test('an amount on a side that nobody knows differs if it is another number on either', () => {
  const books = open('AUD');
  const said = banked({ amount: 999, side: 'debit' });
  expect(books.take(2, said, paid('071-P-1', 100))).toMatchObject({
    ...{ outcome: 'differs', unchecked: [], uncompared: null },
    differences: [{ field: 'amount', file: 999, gateway: 100 }],
  });
  const refund = banked({ id: '071-R-1', amount: 100, side: 'credit' });
  expect(books.take(3, refund, givenBack('071-R-1', -100)).outcome).toBe('not-compared');
});

test('a subscription without an amount is compared by its other fields', () => {
  const found = {
    found: {
      kind: 'subscription' as const,
      record: { reference: 'SUB-1', is_active: true },
      currency: undefined,
    },
  };
  const said = row({ subscription: 'SUB-1', is_active: true });
  expect(open('AUD').take(2, said, found)).toMatchObject({ outcome: 'matches', uncompared: null });
});

test('the amounts that were compared are counted and added up, in each currency', () => {
  const books = open('AUD');
  books.take(2, row({ id: '071-P-1', amount: 2500 }), paid('071-P-1', 2400));
  books.take(3, row({ id: '071-R-1', amount: 500 }), givenBack('071-R-1', -500));
  books.take(4, row({ id: '071-P-2', amount: 900 }), NONE);
  books.take(5, row({ id: '071-P-3' }), paid('071-P-3', 900));
  books.take(6, row({ id: '071-P-1', amount: 2500 }), paid('071-P-1', 2500));
  books.take(7, row({ id: '071-P-4', amount: 30 }), {
    found: { ...paid('071-P-4', 30).found, currency: 'JPY' },
  });
  expect(books.compared).toBe(3);
  expect(sumsOf(books).compared).toEqual([
    ['AUD', { file: 2000n, gateway: 1900n }],
    ['JPY', { file: 30n, gateway: 30n }],
  ]);
});

test.each<[string, 'in' | 'out', BookRow['side'], FoundRecord, string]>([
  ['a purchase that came in', 'out', 'credit', paid('071-P-1', 100).found, 'matches'],
  ['a purchase that went out', 'out', 'debit', paid('071-P-1', 100).found, 'differs'],
  ['a refund that went out', 'out', 'debit', givenBack('071-R-1', -100).found, 'matches'],
  ['a refund that came in', 'out', 'credit', givenBack('071-R-1', -100).found, 'differs'],
  ["a purchase in the merchant's own books", 'in', 'debit', paid('071-P-1', 100).found, 'matches'],
  [
    "a refund in the merchant's own books",
    'in',
    'credit',
    givenBack('071-R-1', 100).found,
    'matches',
  ],
])('%s, where a debit is %s and it stands as %s, %o', (_, debitIs, side, found, outcome) => {
  const books = open('AUD');
  books.debitIs = debitIs;
  expect(books.take(2, banked({ amount: 100, side }), { found }).outcome).toBe(outcome);
});

test('a row that agrees too long after its record is late, and says by how many days', () => {
  const books = open('AUD');
  const late = banked({ amount: 100, dates: ['2026-01-24'] });
  expect(books.take(2, late, paid('071-P-1', 100))).toMatchObject({
    outcome: 'late',
    days_apart: 9,
  });
  const wrong = banked({ id: '071-P-2', amount: 90, dates: ['2026-01-24'] });
  expect(books.take(3, wrong, paid('071-P-2', 100))).toMatchObject({
    outcome: 'differs',
    days_apart: 9,
  });
});

test('a row of which several records have the name is ambiguous', () => {
  const error = { code: 'reference-ambiguous', message: 'It names several.' };
  expect(open('AUD').take(2, banked({ amount: 100 }), { error })).toMatchObject({
    outcome: 'ambiguous',
    error,
  });
});

test('a column of what was refunded has the refunds of its purchases, unless it has more or less', () => {
  const found = (refunded: number): { found: FoundRecord } => ({
    found: { ...paid('071-P-1', 4_500).found, refunded, refunds: ['071-R-1'] },
  });
  const said = (refunded: string) => ({ ...row({ id: '071-P-1', amount: 4_500 }), refunded });
  const refund = thing({ kind: 'refund', id: '071-R-1', amount: -500, reference: null });

  const same = open('AUD');
  expect(same.take(1, said('5.00'), found(500)).outcome).toBe('matches');
  expect(same.takeThing(refund)).toBeUndefined();

  const less = open('AUD');
  expect(less.take(1, said('0.00'), found(500)).outcome).toBe('matches');
  expect(less.takeThing(refund)?.outcome).toBe('missing-in-file');

  const more = open('AUD').take(1, said('7.00'), found(500));
  expect(more.differences).toEqual([{ field: 'amount_refunded', file: 700, gateway: 500 }]);
});
