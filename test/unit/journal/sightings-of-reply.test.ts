import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { Reply } from '../../../src/client/classify.ts';
import { purchaseGet, refundCreate } from '../../../src/contract/operations.ts';
import { sightingsOfReply } from '../../../src/journal/sightings-of-reply.ts';

const AT = { profile: 'sandbox', environment: 'sandbox', host: 'gateway.example' };
const NOW = new Date(0);
const PURCHASE: JsonObject = {
  id: '071-P-A',
  card_holder: 'Ada Lovelace',
  card_number: '5123456789012346',
  amount: 500,
  successful: true,
  reference: 'INV-1',
};
const reply = (...records: JsonObject[]) => ({ records }) as unknown as Reply;

test('no card number is kept, and a refund keeps the reference it was made with', () => {
  const [purchase] = sightingsOfReply(AT, purchaseGet, {}, reply(PURCHASE), NOW);
  expect(JSON.stringify(purchase)).not.toContain('5123456789012346');
  const body = { reference: 'R-1', transaction_id: '071-P-A' };
  expect(
    sightingsOfReply(AT, refundCreate, { body }, reply({ id: '071-R-B', amount: -5 }), NOW),
  ).toMatchObject([{ id: '071-R-B', reference: 'R-1' }]);
});

test('what has no id, or came from a request of no row, is not remembered', () => {
  expect(
    sightingsOfReply(AT, purchaseGet, {}, reply({ id: null, reference: 'INV-1' }), NOW),
  ).toEqual([]);
  expect(
    sightingsOfReply(AT, { ...purchaseGet, name: 'api GET /x' }, {}, reply(PURCHASE), NOW),
  ).toEqual([]);
});
