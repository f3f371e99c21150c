/** Two requests are never answered with one record: in a run, and in runs that share a journal. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { refuseRepeated } from '../../../../src/client/connection/call.ts';
import { classifyReply } from '../../../../src/client/exchange/classify.ts';
import type { CallInput } from '../../../../src/client/exchange/wire-request.ts';
import { rawOperation } from '../../../../src/commands/api/raw-operation.ts';
import type { Operation } from '../../../../src/contract/operation.ts';
import { likeMoney } from '../../../../src/contract/operations.ts';
import { tokenize } from '../../../../src/contract/resources/card.ts';
import { purchaseCreate } from '../../../../src/contract/resources/purchase.ts';
import { refundCreate } from '../../../../src/contract/resources/refund.ts';
import { Failure } from '../../../../src/failure.ts';
import { createTestClient } from '../../../helpers/client.ts';

const BASE_URL = new URL('https://gateway.example');
const PURCHASE = { id: '071-P-1', successful: true, message: 'Approved' };
const REFUND = { id: '071-R-1', successful: true, message: 'Approved' };
const envelope = (response: JsonObject) =>
  JSON.stringify({ successful: true, response, errors: [], test: true });

test('a reply with the record of an earlier request is unknown, and the message names that request', () => {
  const reply = classifyReply({ operation: refundCreate, input: { body: {} } }, BASE_URL, {
    ...{ status: 200, headers: {}, body: envelope(REFUND) },
  });
  const failure = refuseRepeated(reply, BASE_URL);
  expect(failure).toMatchObject({ kind: 'unknown', code: 'answers-mixed-up', status: 200 });
  expect(failure.id).toBeUndefined();
  expect(failure.message).toBe(
    'Outcome unknown: gateway.example answered 200, but its refund 071-R-1 belongs to another request.',
  );
});

type Call = readonly [Operation, CallInput];
const pay = (reference: string | null, amount = 500): Call => [
  purchaseCreate,
  { body: { card_token: 'tok', amount, ...(reference !== null && { reference }) } },
];
const refund = (reference: string): Call => [
  refundCreate,
  { body: { transaction_id: '071-P-9', amount: 500, reference } },
];
const store = (card_number: string): Call => [
  likeMoney(tokenize),
  { body: { card_number, card_holder: 'Ada Byron', card_expiry: '05/2099', cvv: '737' } },
];
const capture = (): Call => {
  const { operation, id = '' } = rawOperation('POST', '/v1.0/purchases/071-P-1/capture');
  return [operation, { id, body: { amount: 500 } }];
};

interface Setting {
  headers?: Record<string, string>;
  /** The gateway of the second request. */
  port?: number;
}

/** @returns how the second of two requests ends that are answered with one record, and what the journal has of it */
async function second(record: JsonObject, calls: readonly [Call, Call], setting: Setting = {}) {
  const { headers = {}, port = 4010 } = setting;
  const sender = {
    send: async () => ({ status: 200, headers, body: envelope(record) }),
    close: async () => undefined,
  };
  const [one, other] = calls;
  const baseUrl = new URL('http://127.0.0.1:4010');
  const { client, ledgerFile } = createTestClient({ baseUrl, sender });
  await client.call(...one);
  await client.close();
  const there = new URL(`http://127.0.0.1:${port}`);
  const next = createTestClient({ baseUrl: there, sender, ledgerFile });
  const result = await next.client.call(...other).catch((error) => error);
  const end = result instanceof Failure ? result.kind : result.outcome;
  await next.client.close();
  const ledger = await next.openLedger();
  const entries = await ledger.list({ limit: 2 });
  await ledger.close();
  return [end, entries[0]?.state, entries[0]?.recordId];
}

describe('the record of an earlier request', () => {
  test.each<[what: string, record: JsonObject, calls: readonly [Call, Call], setting?: Setting]>([
    ['of another reference', PURCHASE, [pay('A'), pay('B')]],
    ['of another amount', PURCHASE, [pay('A'), pay('A', 600)]],
    ['without a reference', PURCHASE, [pay(null), pay(null)]],
    ['of a refund', REFUND, [refund('A'), refund('B')]],
    [
      'of one that was declined',
      { id: '071-P-1', successful: false, message: 'Declined' },
      [pay('A'), pay('B')],
    ],
  ])('%s is doubted', async (_, record, calls, setting) => {
    expect(await second(record, calls, setting)).toEqual(['unknown', 'unknown', null]);
  });

  test.each<[what: string, record: JsonObject, calls: readonly [Call, Call], setting?: Setting]>([
    ['that asked for the same', PURCHASE, [pay('A'), pay('A')]],
    ['of another gateway', PURCHASE, [pay('A'), pay('B')], { port: 4011 }],
    [
      'of a test gateway that started over',
      PURCHASE,
      [pay('A'), pay('B')],
      { headers: { 'x-gw-dialect': 'deployed' } },
    ],
    [
      'of a card that is stored twice',
      { token: 'w7fav6rlj8z0', authorized: true },
      [store('5123456789012346'), store('4111111111111111')],
    ],
    ['without an id', { ...PURCHASE, id: null }, [pay('A'), pay('B')]],
  ])('%s is believed', async (_, record, calls, setting) => {
    const [end, state] = await second(record, calls, setting);
    expect([end, state]).toEqual(['approved', 'done']);
  });

  test('is believed if the request is about it', async () => {
    expect(await second(PURCHASE, [pay('A'), capture()])).toEqual([undefined, 'done', '071-P-1']);
  });
});
