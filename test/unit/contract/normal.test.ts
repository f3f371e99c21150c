import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { amountOf, normalRecord, outcomeOf, paidOf } from '../../../src/contract/normal.ts';
import type { RecordKind } from '../../../src/contract/record.ts';

describe('normalRecord', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['authorized is successful', { authorized: true }, { successful: true }],
    ['both, the same', { successful: false, authorized: false }, { successful: false }],
    ['one of them null', { successful: null, authorized: true }, { successful: true }],
    ['the other null', { successful: true, authorized: null }, { successful: true }],
    ['both null', { successful: null, authorized: null }, { successful: null }],
    [
      'two that contradict each other are kept',
      { successful: true, authorized: false },
      { successful: true, authorized: false },
    ],
    ['authorization_id is authorization', { authorization_id: null }, { authorization: null }],
    ['authorization is text', { authorization: 582 }, { authorization: '582' }],
    ['authorization_id is text', { authorization_id: 582 }, { authorization: '582' }],
    ['expiry as a date', { card_expiry: '2031-05-31' }, { card_expiry: '05/2031' }],
    [
      'expiry as a date-time',
      { card_expiry: '2031-05-31T23:59:59+10:00' },
      { card_expiry: '05/2031' },
    ],
    ['expiry as sent', { card_expiry: '05/2031' }, { card_expiry: '05/2031' }],
    ['an expiry that is none', { card_expiry: 'soon' }, { card_expiry: 'soon' }],
    ['no expiry', { card_expiry: null }, { card_expiry: null }],
  ])('the normal form of a purchase has %s', (_, record, normal) => {
    expect(normalRecord('purchase', record)).toEqual(normal);
  });

  test('a card keeps the field authorized', () => {
    expect(normalRecord('card', { authorized: true, card_expiry: '2031-05-31' })).toEqual({
      authorized: true,
      card_expiry: '05/2031',
    });
  });

  const folded = ['successful', 'authorized', 'authorization', 'authorization_id', 'card_expiry'];

  test('changes no other field and not the record itself', () => {
    const kinds = fc.constantFrom<RecordKind>(
      'card',
      'purchase',
      'refund',
      'plan',
      'customer',
      'subscription',
    );
    const records = fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom(...folded)),
      fc.oneof(fc.jsonValue(), fc.boolean(), fc.constant(null)),
    ) as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(kinds, records, (kind, record) => {
        const before = structuredClone(record);
        const normal = normalRecord(kind, record);
        expect(record).toEqual(before);
        const others = (of: JsonObject) =>
          Object.entries(of).filter(([name]) => !folded.includes(name));
        expect(others(normal)).toEqual(others(record));
        expect(normalRecord(kind, normal)).toEqual(normal);
      }),
    );
  });
});

describe('outcomeOf', () => {
  test.each<[RecordKind, JsonObject, string]>([
    ['purchase', { successful: true }, 'approved'],
    ['purchase', { successful: false }, 'declined'],
    ['purchase', { successful: false, message: 'Declined' }, 'declined'],
    ['purchase', { successful: false, message: null }, 'rejected'],
    ['purchase', { successful: false, message: ' ', authorization: null }, 'rejected'],
    ['purchase', { successful: false, message: null, authorization: '000000' }, 'rejected'],
    ['purchase', { successful: false, message: null, authorization: '55355' }, 'unclear'],
    ['purchase', { successful: false, message: null, captured: true }, 'unclear'],
    ['purchase', { successful: false, message: null, captured_amount: 5 }, 'unclear'],
    ['purchase', { successful: null, message: null }, 'unclear'],
    ['purchase', { successful: false, message: 'Declined', authorization: '55355' }, 'unclear'],
    ['purchase', { successful: false, message: 'Declined', captured: 'true' }, 'unclear'],
    ['purchase', { successful: false, message: 'Declined', captured_amount: 5 }, 'unclear'],
    ['purchase', { successful: false, message: 'Declined', authorization: 0 }, 'declined'],
    ['purchase', { successful: false, message: 'Transaction approved' }, 'unclear'],
    ['purchase', { successful: false, message: 'Not approved' }, 'declined'],
    ['purchase', { successful: true, message: 'Not approved' }, 'unclear'],
    ['purchase', { successful: true, message: 'Transaction declined' }, 'unclear'],
    ['purchase', { successful: true, message: '08 Approved' }, 'approved'],
    ['purchase', { successful: true, message: 'Approved, not captured' }, 'approved'],
    ['purchase', { successful: true, message: 'Approved', captured: false }, 'authorised'],
    ['purchase', { successful: true, captured: false, captured_amount: 0 }, 'authorised'],
    ['purchase', { successful: true, captured: false, captured_amount: 5 }, 'unclear'],
    ['purchase', { successful: true, captured: true }, 'approved'],
    ['purchase', { successful: true, captured: true, captured_amount: 5 }, 'approved'],
    ['purchase', { successful: true, captured: true, captured_amount: null }, 'approved'],
    ['purchase', { successful: true, captured_amount: '' }, 'approved'],
    ['purchase', { successful: true, captured: 'false' }, 'authorised'],
    ['purchase', { successful: true, captured: true, captured_amount: 0 }, 'authorised'],
    ['purchase', { successful: true, captured_amount: '0.00' }, 'authorised'],
    ['purchase', { successful: true, message: 'Voided', captured_amount: 0 }, 'unclear'],
    ['purchase', { successful: false, message: 'Declined', captured_amount: 0 }, 'declined'],
    ['refund', { successful: true, captured: false }, 'approved'],
    ['refund', { successful: true, refunded: false }, 'unclear'],
    ['refund', { successful: false, message: 'Declined', refunded: true }, 'unclear'],
    ['refund', { refunded: 'Not approved' }, 'declined'],
    ['refund', { refunded: 'Declined', message: 'Approved' }, 'unclear'],
    ['refund', { successful: false, message: null, refunded: null }, 'rejected'],
    ['refund', { successful: false, message: null, refunded: 'Voided' }, 'declined'],
    ['purchase', { successful: null }, 'unclear'],
    ['purchase', {}, 'unclear'],
    ['purchase', { successful: true, authorized: false }, 'unclear'],
    ['purchase', { message: 'Approved' }, 'unclear'],
    ['purchase', { successful: 'true' }, 'unclear'],
    ['card', { authorized: true }, 'approved'],
    ['card', { authorized: false }, 'declined'],
    ['card', { token: 'k6bq2mfd' }, 'approved'],
    ['refund', { successful: true }, 'approved'],
    ['refund', { successful: false, refunded: 'Approved' }, 'unclear'],
    ['refund', { refunded: 'Approved' }, 'approved'],
    ['refund', { refunded: 'Declined' }, 'declined'],
    ['refund', { refunded: null }, 'unclear'],
  ])('%s %j is %s', (kind, record, outcome) => {
    expect(outcomeOf(kind, record)).toBe(outcome);
  });
});

describe('paidOf', () => {
  const SALE = { amount: 2500, successful: true, message: 'Approved' };
  const AUTHORISED = { captured: false, captured_amount: 0 };
  const VOIDED = { captured: true, captured_amount: 0, message: 'Voided' };

  test.each<[string, JsonObject, paid: number | null, counted: number | null]>([
    ['an ordinary sale', { captured: true, captured_amount: 2500 }, 2500, 2500],
    ['a sale that names no captured amount', {}, 2500, 2500],
    ['a captured amount of null', { captured_amount: null }, 2500, 2500],
    ['an empty captured amount', { captured_amount: '' }, 2500, 2500],
    ['a partial capture', { captured: true, captured_amount: 1000 }, 1000, 1000],
    ['a partial capture without a flag', { captured_amount: 1000 }, 1000, 1000],
    ['a partial capture as text', { captured_amount: '1000' }, 1000, 1000],
    ['a negative captured amount', { captured_amount: -1000 }, 1000, 1000],
    ['more captured than the amount', { captured_amount: 9900 }, 2500, 2500],
    ['a captured amount in decimals', { captured_amount: '10.00' }, null, null],
    ['a captured amount that is no number', { captured_amount: 'some' }, null, null],
    ['a captured amount that is an object', { captured_amount: { value: 5 } }, null, null],
    ['a captured amount with a fraction', { captured_amount: 10.5 }, null, null],
    ['an authorisation', AUTHORISED, 0, 2500],
    ['an authorisation without an amount captured', { captured: false }, 0, 2500],
    ['nothing captured, in spite of the flag', { captured: true, captured_amount: 0 }, 0, 2500],
    ['a flag that contradicts the amount', { captured: false, captured_amount: 300 }, 300, 300],
    ['a void that is successful', VOIDED, 0, 2500],
    ['a void that is not', { ...VOIDED, successful: false }, 0, 2500],
    ['a decline', { ...AUTHORISED, successful: false, message: 'Declined' }, null, 2500],
    [
      'a decline that says more',
      { ...AUTHORISED, successful: false, captured_amount: 900 },
      null,
      900,
    ],
    ['no amount', { amount: null }, null, null],
    ['an amount as text', { amount: '2500' }, null, null],
    ['an amount with a fraction', { amount: 25.5 }, null, null],
  ])('paidOf reads %s', (_, change, paid, counted) => {
    expect(paidOf({ ...SALE, ...change })).toBe(paid);
    expect(amountOf({ ...SALE, ...change })).toBe(counted);
  });

  test('amountOf keeps the sign of a refund', () => {
    expect(amountOf({ amount: -500, refunded: 'Approved' })).toBe(-500);
  });
});
