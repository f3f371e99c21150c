/** Evidence in the body of an answer: envelope, records and request have to agree (sections 2.1, 3.1, 7). */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { type AnswerKind, evidenceOf } from '../../../../src/client/exchange/evidence.ts';
import type { CallInput } from '../../../../src/client/exchange/wire-request.ts';
import type { Operation } from '../../../../src/contract/operation.ts';
import { tokenize } from '../../../../src/contract/resources/card.ts';
import {
  customerCreate,
  customerDelete,
  customerUpdate,
} from '../../../../src/contract/resources/customer.ts';
import { planCreate, planList, planUpdate } from '../../../../src/contract/resources/plan.ts';
import { purchaseCreate, purchaseGet } from '../../../../src/contract/resources/purchase.ts';
import { refundCreate } from '../../../../src/contract/resources/refund.ts';
import { subscriptionCreate } from '../../../../src/contract/resources/subscription.ts';

const evidence = (
  operation: Operation,
  body: Json | string,
  { status = 200, ...input }: CallInput & { status?: number } = {},
) =>
  evidenceOf(
    { operation, input },
    { status, body: typeof body === 'string' ? body : JSON.stringify(body) },
  );

const yes = (response: Json, rest: JsonObject = {}): JsonObject => ({
  successful: true,
  response,
  errors: [],
  ...rest,
});
const no = (response: Json, rest: JsonObject = {}): JsonObject => ({
  successful: false,
  response,
  errors: ['No'],
  ...rest,
});

type Row = readonly [
  operation: Operation,
  said: AnswerKind,
  body: Json | string,
  input?: CallInput & { status?: number },
];
const named = (rows: readonly Row[]) =>
  rows.map(
    ([operation, said, body, input]) => [operation.name, said, body, operation, input] as const,
  );

/** The answer of deployments to a purchase with a taken reference or an unknown currency. */
const REJECTED: JsonObject = {
  authorization: null,
  id: '071-P-73WWMB1V',
  card_number: '512345XXXXXX2346',
  card_holder: 'Ada Byron',
  card_expiry: '2031-05-31',
  card_token: 'fke8b8fn',
  card_type: 'MasterCard',
  amount: 1000,
  decimal_amount: 10,
  successful: false,
  message: null,
  reference: 'INV-1',
  currency: 'AUD',
  transaction_id: '071-P-73WWMB1V',
  settlement_date: null,
  transaction_date: null,
  response_code: '99',
  captured: false,
  captured_amount: null,
  rrn: null,
  cvv_match: 'U',
  metadata: {},
};

describe('a purchase that deployments reject', () => {
  test.each<[what: string, record: Json, rest?: JsonObject]>([
    ['with an id', REJECTED],
    ['with a date', { ...REJECTED, transaction_date: '2026-03-10T12:07:26+11:00', source: 'API' }],
    ['with an empty authorization', { ...REJECTED, authorization: '' }],
    ['with blanks for an authorization', { ...REJECTED, authorization: ' ' }],
    ...[0, '0', '000000', '0.0', false].map((none): [string, Json] => [
      `with ${JSON.stringify(none)} for an authorization`,
      { ...REJECTED, authorization: none },
    ]),
    ['under other names', { ...REJECTED, authorized: false, authorization_id: 0 }],
    ['with nothing captured', { ...REJECTED, captured: 'false', captured_amount: 0 }],
    ['in a list', [REJECTED]],
    ['with an id and little else', { id: '071-P-73WWMB1V', successful: false }],
    ['with an id and a masked card', { id: 'P-1', card_number: '512345XXXXXX2346' }],
    ['with no record', null],
    ['with an empty one', {}],
    ['with errors as text', REJECTED, { errors: 'Reference is already taken' }],
    ['with no errors', REJECTED, { errors: null }],
    ['by its record alone', REJECTED, { successful: true, errors: [] }],
  ])('%s is believed', (_, record, rest = {}) => {
    const body = no(record, { errors: ['Reference is already taken'], ...rest });
    const input = { body: { amount: 1000, currency: 'AUD', reference: 'INV-1' } };
    for (const status of [200, 201, 400, 422])
      expect(evidence(purchaseCreate, body, { ...input, status }).kind).toBe('refused');
  });
});

test.each([
  ['another reference', { reference: 'INV-2' }, 'its reference is INV-2, not INV-1 as requested'],
  ['another amount', { amount: 25 }, 'its amount is 25, not 1000 as requested'],
])('a rejection with %s belongs to another request', (_, change, doubt) => {
  const input = { body: { amount: 1000, currency: 'AUD', reference: 'INV-1' } };
  const other = no({ ...REJECTED, ...change });
  expect(evidence(purchaseCreate, other, input)).toMatchObject({ kind: 'contradiction', doubt });
  // Some gateways repeat the purchase and the submitted fields.
  const body = { ...input.body, transaction_id: '071-P-9' };
  for (const id of [null, '071-P-73WWMB1V'])
    expect(evidence(refundCreate, no({ ...REJECTED, ...change, id }), { body }).kind).toBe(
      'refused',
    );
});

describe('a refusal', () => {
  const asked: CallInput = { body: { transaction_id: '071-P-1', amount: 500, reference: 'R' } };
  test.each(
    named([
      [refundCreate, 'refused', no(null)],
      [refundCreate, 'refused', no({})],
      [refundCreate, 'refused', no([])],
      [refundCreate, 'refused', no('No')],
      [refundCreate, 'refused', { successful: false }],
      // Section 4, endpoint 4: the card's fields are filled in.
      [
        refundCreate,
        'refused',
        no({ id: null, authorization: null, card_number: '512345XXXXXX2346', successful: false }),
      ],
      [refundCreate, 'refused', no({ id: '071-P-1', transaction_id: '071-P-1' }), asked],
      [refundCreate, 'refused', no({ id: '071-P-7' }), asked],
      [refundCreate, 'contradiction', no({ id: '071-R-1', successful: true })],
      [refundCreate, 'refused', no({ id: '071-R-1', successful: false })],
      [refundCreate, 'refused', no([{ id: '071-R-1' }])],
      [refundCreate, 'refused', no({ id: 7 })],
      [refundCreate, 'refused', no({ id: 'abc', transaction_id: 'abc' })],
      [refundCreate, 'contradiction', no({ id: null, successful: true })],
      [refundCreate, 'contradiction', no({ id: null, successful: 'true' })],
      [refundCreate, 'contradiction', no({ id: null, refunded: 'Approved' })],
      [refundCreate, 'contradiction', no({ id: null, message: 'Approved' })],
      [refundCreate, 'contradiction', no({ id: null, authorization: '55355' })],
      [refundCreate, 'contradiction', no({ refund: { id: '071-R-1', successful: true } })],
      [purchaseCreate, 'contradiction', no({ id: null, authorization_id: 55355 })],
      [purchaseCreate, 'contradiction', no({ id: null, authorized: true })],
      ...[true, 'true', 1, '1'].map(
        (captured): Row => [purchaseCreate, 'contradiction', no({ ...REJECTED, captured })],
      ),
      [purchaseCreate, 'contradiction', no({ ...REJECTED, captured_amount: 1000 })],
      [purchaseCreate, 'contradiction', no({ ...REJECTED, captured_amount: '1000' })],
      [refundCreate, 'contradiction', no({ id: null, refunded: true })],
      // A token may be used, unless the card's details are wrong.
      [tokenize, 'contradiction', no({ token: 'abc123' })],
      [tokenize, 'contradiction', no({ token: 'abc123' }), { status: 500 }],
      [tokenize, 'contradiction', no({ token: 'abc123', authorized: true }), { status: 400 }],
      [tokenize, 'refused', no({ token: 'abc123' }), { status: 400 }],
      [tokenize, 'refused', no({ token: 'abc123', authorized: false }), { status: 422 }],
      [tokenize, 'refused', no({ token: 'abc123', authorized: false })],
      [
        tokenize,
        'refused',
        no({ token: null, authorized: false, card_number: '512345XXXXXX2346' }),
      ],
      [planCreate, 'refused', no({ id: null, reference: 'GOLD', amount: 2500 })],
      [planCreate, 'refused', no({ id: '071-PL-1', reference: 'GOLD' })],
      [customerCreate, 'contradiction', no({ id: null, created_at: '2026-03-10T09:30:00Z' })],
      [customerCreate, 'refused', no({ id: '071-C-1', created_at: null })],
      [subscriptionCreate, 'refused', no({ id: null, is_active: false, customer: '071-C-1' })],
      [subscriptionCreate, 'refused', no({ id: null, is_active: true, reference: 'S' })],
      [subscriptionCreate, 'refused', no({ id: '071-S-1', is_active: false })],
      // It would charge a card.
      [subscriptionCreate, 'contradiction', no({ id: '071-S-1', is_active: true })],
      [subscriptionCreate, 'contradiction', no({ id: null, next_billing_date: '2026-04-01' })],
      // A record that was to be changed is there, and nothing was made.
      [planUpdate, 'refused', no({ id: '071-PL-1', name: 'Gold' }), { id: '071-PL-1' }],
      [customerUpdate, 'refused', no({ id: '071-C-1', first_name: '' }), { id: 'CUST-1' }],
      [purchaseGet, 'refused', no({ id: '071-P-1' }), { id: '071-P-1' }],
    ]),
  )('of %s is %s: %j', (_, said, body, operation, input) => {
    expect(evidence(operation, body, input).kind).toBe(said);
  });

  test('that contradicts itself names its record', () => {
    const { doubt, ids } = evidence(refundCreate, no({ id: '071-R-1', successful: true }));
    expect(doubt).toBe('it contains an approved record: 071-R-1');
    expect(ids).toEqual(['071-R-1']);
  });
});

describe('a body without an envelope', () => {
  test.each(
    named([
      [refundCreate, 'nothing', ''],
      [refundCreate, 'nothing', '<html>429</html>'],
      [refundCreate, 'nothing', 'Too many requests'],
      [refundCreate, 'nothing', 'null'],
      [refundCreate, 'nothing', '[1]'],
      [refundCreate, 'nothing', { message: 'Too many requests' }],
      [refundCreate, 'nothing', { error: { id: 'req_1', message: 'Slow down' } }],
      [refundCreate, 'nothing', { successful: 'false', response: null }],
      [refundCreate, 'broken', '{"successful":true,"response":{"id":"071-R-1","succ'],
      [refundCreate, 'broken', ' [{"id":'],
      [refundCreate, 'contradiction', { response: { id: '071-R-1' } }],
      [refundCreate, 'nothing', { response: { id: '071-R-1', successful: false } }],
      [refundCreate, 'contradiction', { response: { successful: true } }],
      [refundCreate, 'contradiction', { successful: 'true', response: null }],
      [refundCreate, 'contradiction', [{ refund: { message: 'Approved' } }]],
    ]),
  )('%s: %s for %j', (_, said, body, operation) => {
    expect(evidence(operation, body).kind).toBe(said);
  });

  test('is searched in linear time', () => {
    const deep = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`;
    expect(evidence(refundCreate, deep).kind).toBe('nothing');
    expect(evidence(refundCreate, `{"successful":false,"response":${deep}}`).kind).toBe('refused');
  });
});

describe('a success', () => {
  const record = { id: '071-P-1', successful: true };
  test.each(
    named([
      [purchaseCreate, 'done', yes(record)],
      [purchaseCreate, 'done', yes([record])],
      [purchaseCreate, 'done', yes(record, { errors: null })],
      [purchaseCreate, 'done', yes(record, { errors: '' })],
      [purchaseCreate, 'contradiction', yes(record, { errors: ['No'] })],
      [purchaseCreate, 'contradiction', yes(record, { errors: 'No' })],
      [purchaseCreate, 'done', yes({ successful: false }, { errors: ['Declined'] })],
      [purchaseCreate, 'contradiction', yes(null)],
      [purchaseCreate, 'contradiction', yes({})],
      [purchaseCreate, 'contradiction', yes([])],
      [purchaseCreate, 'contradiction', yes([{}])],
      [purchaseCreate, 'contradiction', yes([null])],
      [purchaseCreate, 'contradiction', yes('Approved')],
      [purchaseCreate, 'contradiction', yes(7)],
      [purchaseCreate, 'contradiction', yes(true)],
      [purchaseCreate, 'contradiction', { successful: true }],
      [purchaseCreate, 'contradiction', yes([record, record])],
      [purchaseCreate, 'contradiction', yes([record, {}])],
      [purchaseGet, 'contradiction', yes([record, { id: '071-P-2' }])],
      [customerDelete, 'contradiction', yes(null)],
      [planList, 'done', yes(null)],
      [planList, 'done', yes({})],
      [planList, 'done', yes([])],
      [planList, 'done', yes({ id: '071-PL-1' })],
      [planList, 'done', yes([{ id: 'a' }, { id: 'b' }])],
      [planList, 'contradiction', yes([{ id: 'a' }, null])],
      [planList, 'contradiction', yes(['a'])],
      [planList, 'contradiction', yes('a')],
      [purchaseCreate, 'done', yes({ ...record, amount: 2500, decimal_amount: 25 })],
      [purchaseCreate, 'done', yes({ ...record, amount: 2500, decimal_amount: '25.00' })],
      [purchaseCreate, 'done', yes({ ...record, amount: 500, decimal_amount: 500 })],
      [purchaseCreate, 'done', yes({ ...record, amount: -1999, decimal_amount: -19.99 })],
      [purchaseCreate, 'contradiction', yes({ ...record, amount: 2500, decimal_amount: 9.99 })],
    ]),
  )('of %s is %s: %j', (_, said, body, operation) => {
    expect(evidence(operation, body).kind).toBe(said);
  });

  test('with another amount names both amounts, whatever its decimal amount is', () => {
    const body = yes({ ...record, amount: 999_999, decimal_amount: 10 });
    const { doubt } = evidence(purchaseCreate, body, { body: { amount: 1000 } });
    expect(doubt).toContain('999999');
    expect(doubt).toContain('1000');
  });

  test('of an unknown request may have any form', () => {
    const foreign: Operation = { ...purchaseCreate, isForeign: true };
    for (const response of [null, [], [record, record], 'yes'])
      expect(evidence(foreign, yes(response)).kind).toBe('done');
    expect(evidence(foreign, no(record)).kind).toBe('contradiction');
    expect(evidence(foreign, no({ id: '071-B-1', created_at: null })).kind).toBe('refused');
    expect(evidence(foreign, no({ id: '071-B-1', created_at: '2026-03-10' })).kind).toBe(
      'contradiction',
    );
  });
});
