/** One row against its record. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { openTimeZone } from '../../../../src/base/time-zone.ts';
import { readBookRow } from '../../../../src/commands/reconcile/book-row.ts';
import { compareWithBooks, type FoundRecord } from '../../../../src/commands/reconcile/compare.ts';

const RULES = { zone: openTimeZone('UTC'), withinDays: 3, debitIs: undefined };
const CURRENCIES = ['AUD', 'JPY', 'BHD'];
const REASONS = ['Insufficient Funds', 'Expired Card', 'Refer to Card Issuer'];

const purchase = fc
  .record({
    id: fc.stringMatching(/^071-P-[A-Z0-9]{8}$/),
    amount: fc.integer({ min: 1, max: 999_999_999 }),
    currency: fc.constantFrom(...CURRENCIES),
    reference: fc.stringMatching(/^[A-Z]{3}-[a-z][0-9]{1,6}$/),
    successful: fc.boolean(),
    reason: fc.constantFrom(...REASONS),
  })
  .map(
    ({ reason, ...record }): FoundRecord => ({
      kind: 'purchase',
      record: { ...record, message: record.successful ? 'Approved' : reason },
      currency: record.currency,
    }),
  );

/** Fields of a record that books have under the same name. */
const FIELDS = ['amount', 'currency', 'reference', 'successful', 'message'] as const;

/** A row of the books: an id, and some other fields. Books that have a decline say so. */
const booked = fc.tuple(purchase, fc.subarray([...FIELDS])).map(([found, some]) => {
  const fields = found.record.successful ? some : [...new Set([...some, 'successful'] as const)];
  const said = Object.fromEntries(fields.map((field) => [field, found.record[field] ?? null]));
  return { found, said: { id: found.record.id, ...said } as JsonObject, fields };
});

/** Other values of a field, none of which is the same by another spelling. */
const CHANGES: Readonly<Record<(typeof FIELDS)[number], (found: FoundRecord) => JsonObject>> = {
  amount: ({ record }) => ({ amount: Number(record.amount) + 1 }),
  currency: ({ currency }) => ({ currency: CURRENCIES.find((code) => code !== currency) ?? null }),
  reference: ({ record }) => ({ reference: `${record.reference}9` }),
  successful: ({ record }) => ({ successful: !record.successful }),
  message: () => ({ message: 'Another reason' }),
};

function judged(fields: JsonObject, found: FoundRecord) {
  const { row, problems } = readBookRow({ fields, isText: false }, undefined);
  expect(problems).toEqual([]);
  const { differences, unchecked } = compareWithBooks(row, found, RULES);
  return { differences, unchecked };
}

test('a row with any fields of a record matches it', () => {
  fc.assert(
    fc.property(booked, ({ found, said }) => {
      const unchecked = Object.hasOwn(said, 'amount') ? [] : ['amount'];
      expect(judged(said, found)).toEqual({ differences: [], unchecked });
    }),
  );
});

test('a row with one changed field differs in that field, with both values', () => {
  fc.assert(
    fc.property(booked, fc.constantFrom(...FIELDS), ({ found, said }, field) => {
      const change = CHANGES[field](found);
      // A flag and a message that say Approved are one thing.
      const others: JsonObject = { ...said };
      if (field === 'successful') delete others.message;
      if (field === 'message') delete others.successful;
      expect(judged({ ...others, ...change }, found)).toEqual({
        differences: [{ field, file: change[field], gateway: found.record[field] }],
        unchecked: Object.hasOwn(others, 'amount') || field === 'amount' ? [] : ['amount'],
      });
    }),
  );
});

describe('refunds', () => {
  const record = { id: '071-R-1', amount: -500, refunded: 'Approved', successful: true };
  const refund: FoundRecord = { kind: 'refund', record, currency: undefined };

  test.each([500, -500])("%i in the books matches a refund's negative amount", (amount) => {
    expect(judged({ refund: '071-R-1', amount }, refund).differences).toEqual([]);
  });

  test('fields that refund records lack are reported as unchecked', () => {
    const said = { refund: '071-R-1', amount: 500, currency: 'AUD', reference: 'RET-1' };
    expect(judged(said, refund)).toEqual({ differences: [], unchecked: ['reference', 'currency'] });
    const known = { ...refund, currency: 'EUR', reference: 'RET-1' };
    expect(judged(said, known)).toEqual({
      differences: [{ field: 'currency', file: 'AUD', gateway: 'EUR' }],
      unchecked: [],
    });
  });
});

test('an amount or outcome that the gateway does not show confirms nothing', () => {
  const found: FoundRecord = { kind: 'purchase', record: { id: '071-P-1' }, currency: undefined };
  expect(judged({ id: '071-P-1', amount: 100, state: 'Approved' }, found)).toEqual({
    differences: [{ field: 'state', file: 'Approved', gateway: null }],
    unchecked: ['amount'],
  });
});

test('the word for an outcome is compared, whatever the reason', () => {
  const record = { id: '071-P-1', successful: false, message: 'Insufficient Funds' };
  const found: FoundRecord = { kind: 'purchase', record, currency: undefined };
  for (const word of ['Declined', 'declined'])
    expect(judged({ id: '071-P-1', message: word }, found).differences).toEqual([]);
  expect(judged({ id: '071-P-1', message: 'Approved' }, found).differences).toEqual([
    { field: 'message', file: 'Approved', gateway: 'Insufficient Funds' },
  ]);
  expect(judged({ id: '071-P-1', state: 'approved' }, found).differences).toEqual([
    { field: 'state', file: 'approved', gateway: 'Declined' },
  ]);
});

test('a declined purchase is no match for a row that has an amount and no outcome', () => {
  const record = { id: '071-P-1', amount: 900, successful: false, message: 'Expired Card' };
  const found: FoundRecord = { kind: 'purchase', record, currency: undefined };
  expect(judged({ id: '071-P-1', amount: 900 }, found).differences).toEqual([
    { field: 'message', file: null, gateway: 'Expired Card' },
  ]);
  expect(judged({ id: '071-P-1', amount: 900, message: 'Expired Card' }, found)).toEqual({
    differences: [],
    unchecked: [],
  });
  expect(judged({ id: '071-P-1' }, found)).toEqual({ differences: [], unchecked: ['amount'] });
});

test('a subscription is compared by its state and not by money', () => {
  const record = { reference: 'SUB-1', is_active: true };
  const found: FoundRecord = { kind: 'subscription', record, currency: undefined };
  const said = { subscription: 'SUB-1', is_active: false, amount: 100, successful: true };
  expect(judged(said, found)).toEqual({
    differences: [{ field: 'is_active', file: false, gateway: true }],
    unchecked: ['amount', 'successful'],
  });
});

test('a reference with other words around a name is not compared with the name', () => {
  const found = {
    ...{ kind: 'purchase' as const, currency: 'AUD' },
    record: { id: '071-P-1', amount: 100, reference: 'INV-1' },
  };
  const said = { reference: 'PMT INV-1', amount: 100 };
  expect(judged(said, { ...found, isByOther: true }).differences).toEqual([]);
  expect(judged(said, found).differences).toMatchObject([{ field: 'reference' }]);
});

describe('dates', () => {
  const settled = { transaction_date: '2025-12-31T23:30:00+00:00', settlement_date: '2026-01-05' };
  const apart = (dates: string[], record: JsonObject = settled, zone = 'UTC') => {
    const { row } = readBookRow({ fields: { id: '071-P-1', amount: 100 }, isText: false }, 'AUD');
    const found = {
      kind: 'purchase' as const,
      record: { amount: 100, ...record },
      currency: 'AUD',
    };
    const rules = { ...RULES, zone: openTimeZone(zone) };
    const { daysApart, unchecked } = compareWithBooks({ ...row, dates }, found, rules);
    return unchecked.length > 0 ? unchecked : daysApart;
  };

  test.each<[string, string[], number | null]>([
    ['on the day of the transaction', ['2025-12-31'], null],
    ['three days before it', ['2025-12-28'], null],
    ['four days before it', ['2025-12-27'], -4],
    ['three days after its settlement', ['2026-01-08'], null],
    ['four days after its settlement', ['2026-01-09'], 4],
    ['a year later', ['2026-12-31'], 360],
    ['late by one of two dates', ['2026-03-01', '2026-01-02'], null],
  ])('a row %s', (_, dates, days) => {
    expect(apart(dates)).toBe(days);
  });

  test('the zone says on which day an instant is, and a day is that day in each', () => {
    const { transaction_date } = settled;
    expect(apart(['2026-01-04'], { transaction_date })).toBe(4);
    expect(apart(['2026-01-04'], { transaction_date }, 'Australia/Sydney')).toBeNull();
    expect(apart(['2026-01-09'], settled, 'America/New_York')).toBe(4);
  });

  test('a date is not compared with a record that has none', () => {
    expect(apart(['2026-01-04'], {})).toEqual(['date']);
  });
});
