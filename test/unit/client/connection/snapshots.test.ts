import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { settlementOf } from '../../../../src/client/connection/entry.ts';
import { snapshotsOf } from '../../../../src/client/connection/snapshots.ts';
import type { Reply } from '../../../../src/client/exchange/classify.ts';
import type { CallInput } from '../../../../src/client/exchange/wire-request.ts';
import type { Operation } from '../../../../src/contract/operation.ts';
import { purchaseGet } from '../../../../src/contract/resources/purchase.ts';
import { refundCreate } from '../../../../src/contract/resources/refund.ts';

const AT = {
  account: 'a1',
  profile: 'sandbox',
  environment: 'sandbox',
  host: 'gateway.example',
};
const NOW = new Date(0);
const PURCHASE: JsonObject = {
  id: '071-P-A',
  card_holder: 'Ada Lovelace',
  card_number: '5123456789012346',
  amount: 500,
  successful: true,
  reference: 'INV-1',
};
const seenIn = (record: JsonObject, operation: Operation = purchaseGet, input: CallInput = {}) =>
  snapshotsOf({ operation, records: [record] } as unknown as Reply, input, AT, NOW);

test('a stored record has no card number, and a refund has its reference', () => {
  const [purchase] = seenIn(PURCHASE);
  expect(JSON.stringify(purchase)).not.toContain('5123456789012346');
  const body = { reference: 'R-1', transaction_id: '071-P-A' };
  expect(seenIn({ id: '071-R-B', amount: -5 }, refundCreate, { body })).toMatchObject([
    { id: '071-R-B', reference: 'R-1' },
  ]);
});

test('the amount of a purchase counts as paid only if money was taken', () => {
  const amountOf = (change: JsonObject) => seenIn({ ...PURCHASE, ...change })[0]?.amount;
  expect(amountOf({})).toBe(500);
  expect(amountOf({ captured: true })).toBe(500);
  expect(amountOf({ successful: false })).toBeNull();
  expect(amountOf({ captured: false, captured_amount: 0 })).toBe(0);
  // This says that some money was taken, so that much can be refunded.
  expect(amountOf({ captured: false, captured_amount: 300 })).toBe(300);
  expect(amountOf({ captured: true, captured_amount: 300 })).toBe(300);
  expect(amountOf({ captured: true, captured_amount: 0, message: 'Voided' })).toBe(0);
  const voided = { successful: false, captured: true, captured_amount: 0, message: 'Voided' };
  expect(amountOf(voided)).toBe(0);
});

test('a record without an id, or from an unknown operation, is not stored', () => {
  expect(seenIn({ id: null, reference: 'INV-1' })).toEqual([]);
  expect(seenIn(PURCHASE, { ...purchaseGet, name: 'api GET /x' })).toEqual([]);
});

test('an answer to an unknown operation is a rejection only if its single record is one', () => {
  const said = (records: JsonObject[]) =>
    settlementOf({ operation: { ...purchaseGet, isForeign: true }, records } as never, String);
  const rejected = { successful: false, message: null };
  expect(said([rejected]).state).toBe('rejected');
  expect(said([rejected, PURCHASE]).state).toBe('done');
});
