import path from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { Reply } from '../../../src/client/classify.ts';
import type { Operation } from '../../../src/contract/operations.ts';
import { purchaseGet } from '../../../src/contract/purchase.ts';
import { refundCreate } from '../../../src/contract/refund.ts';
import { sightingsOf } from '../../../src/journal/sightings-of-reply.ts';
import { openLedger } from '../../../src/journal/sqlite-ledger.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';

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
const reply = (operation: Operation, ...records: JsonObject[]) =>
  ({ operation, records }) as unknown as Reply;

test('a record is remembered masked, with when and how it was seen', async () => {
  const ledger = await openLedger(path.join(temporaryDirectory(), 'ledger.db'), {
    now: () => new Date(0),
  });
  await ledger.remember(() =>
    sightingsOf(reply(purchaseGet, PURCHASE), { id: 'x' }, AT, new Date(0)),
  );
  const later = reply(purchaseGet, { id: '071-P-A', amount: 500, reference: null });
  await ledger.remember(() => sightingsOf(later, {}, AT, new Date(60_000)));
  const late = reply(purchaseGet, { ...PURCHASE, reference: 'OLD', card_holder: 'Nobody' });
  await ledger.remember(() => sightingsOf(late, {}, AT, new Date(59_999)));
  for (const text of ['071-P-A', 'INV-1', '2346', 'lovelace']) {
    expect(await ledger.remembered(text, 9), text).toMatchObject([
      {
        kind: 'purchase',
        firstSeenAt: '1970-01-01T00:00:00.000Z',
        lastSeenAt: '1970-01-01T00:01:00.000Z',
        seenBy: 'purchase get',
        reference: 'INV-1',
        name: 'Ada Lovelace',
        lastFour: '2346',
      },
    ]);
  }
  expect(await ledger.remembered('%', 9)).toEqual([]);
  expect(await ledger.balance(AT, '071-P-A')).toEqual({ paid: 500, refunded: 0, uncertain: 0 });
});

test('no card number is kept, and a refund keeps the reference it was made with', () => {
  const [purchase] = sightingsOf(reply(purchaseGet, PURCHASE), {}, AT, NOW);
  expect(JSON.stringify(purchase)).not.toContain('5123456789012346');
  const body = { reference: 'R-1', transaction_id: '071-P-A' };
  expect(
    sightingsOf(reply(refundCreate, { id: '071-R-B', amount: -5 }), { body }, AT, NOW),
  ).toMatchObject([{ id: '071-R-B', reference: 'R-1' }]);
});

test('what has no id, or came from a request of no row, is not remembered', () => {
  const nameless = reply(purchaseGet, { id: null, reference: 'INV-1' });
  expect(sightingsOf(nameless, {}, AT, NOW)).toEqual([]);
  const raw = reply({ ...purchaseGet, name: 'api GET /x' }, PURCHASE);
  expect(sightingsOf(raw, {}, AT, NOW)).toEqual([]);
});
