/**
 * Answers to money requests that must be doubted, each beside one much like it that must be believed. What
 * cannot be certain is unknown (8); a rejection (6) or a decline (5) says that no money moved.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { classifyReply } from '../../../../src/client/exchange/classify.ts';
import type { CallInput } from '../../../../src/client/exchange/wire-request.ts';
import { rawOperation } from '../../../../src/commands/api/raw-operation.ts';
import type { Operation } from '../../../../src/contract/operation.ts';
import { purchaseCreate, purchaseGet } from '../../../../src/contract/resources/purchase.ts';
import { refundCreate } from '../../../../src/contract/resources/refund.ts';
import { Failure } from '../../../../src/failure.ts';
import { submitFailure } from '../../../../src/requests/submit/submit.ts';
import { failureOf } from '../../../helpers/failure.ts';

const BASE_URL = new URL('https://gateway.example');

/** @returns how the command would end */
function end([operation, input]: Asked, body: Json, status = 200) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  try {
    const reply = classifyReply({ operation, input }, BASE_URL, {
      ...{ status, headers: {}, body: text },
    });
    return submitFailure(reply)?.kind ?? 'done';
  } catch (error) {
    if (error instanceof Failure) return error.kind;
    throw error;
  }
}

type Asked = readonly [Operation, CallInput];
const PAY: Asked = [purchaseCreate, { body: { card_token: 'tok', amount: 2500, reference: 'I' } }];
const AUD: Asked = [purchaseCreate, { body: { ...PAY[1].body, currency: 'AUD' } }];
const JPY: Asked = [purchaseCreate, { body: { ...PAY[1].body, currency: 'JPY' } }];
const BHD: Asked = [purchaseCreate, { body: { ...PAY[1].body, currency: 'BHD' } }];
const GIVE: Asked = [
  refundCreate,
  { body: { transaction_id: '071-P-1', amount: 500, reference: 'RET-1' } },
];
const LOOK_UP: Asked = [purchaseGet, { id: '071-P-7' }];
const own = (method: string, path: string, body: JsonObject = {}): Asked => {
  const { operation, id } = rawOperation(method, path);
  return [operation, { ...(id !== undefined && { id }), body }];
};
const CAPTURE = own('POST', '/v1.0/purchases/071-P-1/capture', { amount: 500 });
const VOID = own('POST', '/v1.0/purchases/void', { id: '071-P-1' });

const yes = (response: Json, rest: JsonObject = {}): JsonObject => ({
  ...{ successful: true, response, errors: [], test: true, ...rest },
});
const no = (response: Json, rest: JsonObject = {}): JsonObject => ({
  ...{ successful: false, response, errors: ['No'], test: true, ...rest },
});

const APPROVED = { id: '071-P-7', authorization: '55355', successful: true, message: 'Approved' };
const DECLINED = { id: '071-P-7', authorization: null, successful: false, message: 'Declined' };
const REJECTED = { id: '071-P-8', authorization: null, successful: false, message: null };
const REFUND = { id: '071-R-7', amount: -500, refunded: 'Approved', successful: true };
const REFUSED_REFUND = { id: '071-R-7', amount: null, refunded: null, successful: false };
/** The purchase that money is given back of. */
const TARGET = { ...APPROVED, id: '071-P-1', amount: 2500, captured: true, captured_amount: 2500 };

type End = 'done' | Failure['kind'];
type Row = [
  what: string,
  asked: Asked,
  doubted: Json | string,
  believed: Json | string,
  as: End,
  status?: number,
];

const ROWS: Row[] = [
  // More than one record.
  ['a rejected and an approved', PAY, no([REJECTED, APPROVED]), no([REJECTED]), 'rejected'],
  ['two rejected', PAY, no([REJECTED, DECLINED]), no(REJECTED), 'rejected'],
  ['a rejected one twice', PAY, no([REJECTED, REJECTED]), no([REJECTED]), 'rejected'],
  [
    'records, and what is wrong with each field',
    PAY,
    no([{ id: null, successful: false }, REJECTED]),
    no([{ field: 'amount', message: 'is invalid' }, { field: 'currency' }]),
    'rejected',
  ],
  ['two of a capture', CAPTURE, no([REJECTED, DECLINED]), no([REJECTED]), 'rejected'],
  ['a declined and an approved', PAY, yes([DECLINED, APPROVED]), yes([DECLINED]), 'declined'],
  // An approved record, wherever it stands.
  ['in another field', PAY, no(null, { data: APPROVED }), no(null, { data: REJECTED }), 'rejected'],
  [
    'in the errors',
    PAY,
    no(null, { errors: [APPROVED] }),
    no(null, { errors: [REJECTED] }),
    'rejected',
  ],
  [
    'in five levels',
    PAY,
    no({ a: { b: [{ c: { d: { e: APPROVED } } }] } }),
    no({ a: { b: [{ c: { d: { e: REJECTED } } }] } }),
    'rejected',
  ],
  [
    'by an authorization alone',
    PAY,
    no(null, { data: { authorization: 55355 } }),
    no(null, { data: { authorization: '000000' } }),
    'rejected',
  ],
  [
    'by its other id',
    PAY,
    no(null, { data: { transaction_id: '071-P-9', captured: true } }),
    no(null, { data: { captured: true, scheme: 'x' } }),
    'rejected',
  ],
  [
    'in the body itself',
    PAY,
    { ...APPROVED, successful: false, errors: ['No'] },
    { ...REJECTED, successful: false, errors: ['No'] },
    'rejected',
  ],
  [
    'beside one that was declined',
    PAY,
    yes(DECLINED, { original: APPROVED }),
    yes(DECLINED, { original: { id: '071-P-2', authorization: null } }),
    'declined',
  ],
  [
    'beside one that was approved',
    PAY,
    yes(APPROVED, { other: { ...APPROVED, id: '071-P-9' } }),
    yes(APPROVED, { other: APPROVED }),
    'done',
  ],
  [
    'within one that was declined',
    PAY,
    yes({ ...DECLINED, retry: { id: '071-P-9', successful: true } }),
    yes({ ...DECLINED, card: { token: 'tok', authorized: true } }),
    'declined',
  ],
  [
    'under a name of secrets',
    PAY,
    no(null, { password: APPROVED }),
    no(null, { password: 'x' }),
    'rejected',
  ],
  [
    'beside the id of a request',
    PAY,
    yes(DECLINED, { id: 'req-1', authorization: '55355' }),
    yes(DECLINED, { id: 'req-1', message: 'OK' }),
    'declined',
  ],
  [
    'with a card that is stored',
    PAY,
    no({ card: { token: 't', captured: true } }),
    no({ card: { token: 't', authorized: true } }),
    'rejected',
  ],
  // A decline that shows that money moved.
  [
    'a decline with an authorization',
    PAY,
    yes({ ...DECLINED, authorization: '55355' }),
    yes({ ...DECLINED, authorization: 0 }),
    'declined',
  ],
  [
    'a decline that was captured',
    PAY,
    yes({ ...DECLINED, captured: true }),
    yes({ ...DECLINED, captured: false }),
    'declined',
  ],
  [
    'a decline with an amount captured',
    PAY,
    yes({ ...DECLINED, captured_amount: 2500 }),
    yes({ ...DECLINED, captured_amount: 0 }),
    'declined',
  ],
  [
    'a decline with its other authorization',
    PAY,
    yes({ authorized: false, authorization_id: 55355, message: 'Declined' }),
    yes({ authorized: false, authorization_id: null, message: 'Declined' }),
    'declined',
  ],
  [
    'a decline that says Approved at its end',
    PAY,
    yes({ ...DECLINED, message: 'Transaction approved' }),
    yes({ ...DECLINED, message: 'Transaction not approved' }),
    'declined',
  ],
  [
    'two flags that differ',
    PAY,
    yes({ ...DECLINED, authorized: true }),
    yes({ ...DECLINED, authorized: false }),
    'declined',
  ],
  [
    'a refund that was declined and given back',
    GIVE,
    yes({ ...REFUSED_REFUND, refunded: true }),
    yes({ ...REFUSED_REFUND, refunded: 'Declined' }),
    'declined',
  ],
  [
    'an approval that says that it was declined',
    PAY,
    yes({ ...APPROVED, message: 'Transaction declined' }),
    yes({ ...APPROVED, message: '08 Approved' }),
    'done',
  ],
  [
    'a refund that says that nothing was given back',
    GIVE,
    yes({ ...REFUND, refunded: false }),
    yes({ ...REFUND, refunded: true }),
    'done',
  ],
  // A word without a flag.
  [
    'Transaction approved, and no flag',
    PAY,
    no({ id: null, successful: null, message: 'Transaction approved' }),
    no({ id: null, successful: null, message: 'Not approved' }),
    'rejected',
  ],
  [
    '08 Approved, and no flag',
    PAY,
    no({ id: null, successful: null, message: '08 Approved' }),
    no({ id: null, successful: null, message: 'Exceeds the approved limit' }),
    'rejected',
  ],
  [
    'Approved - do not retry',
    PAY,
    no({ message: 'Approved - do not retry' }),
    no({ message: 'Do not retry' }),
    'rejected',
  ],
  [
    'a refund without a flag',
    GIVE,
    yes({ id: null, refunded: 'Declined', authorization: '55355' }),
    yes({ id: null, refunded: 'Declined', authorization: null }),
    'declined',
  ],
  // Amounts.
  [
    'an amount that is its decimals',
    AUD,
    yes({ ...APPROVED, amount: 2500, decimal_amount: 2500 }),
    yes({ ...APPROVED, amount: 2500, decimal_amount: 25 }),
    'done',
  ],
  [
    'the same by the currency of the record',
    PAY,
    yes({ ...APPROVED, amount: 2500, decimal_amount: '2500.00', currency: 'aud' }),
    yes({ ...APPROVED, amount: 2500, decimal_amount: '25.00', currency: 'aud' }),
    'done',
  ],
  [
    'yen with decimals',
    JPY,
    yes({ ...APPROVED, amount: 2500, decimal_amount: 25 }),
    yes({ ...APPROVED, amount: 2500, decimal_amount: 2500 }),
    'done',
  ],
  [
    'dinars with two decimals',
    BHD,
    yes({ ...APPROVED, amount: 2500, decimal_amount: 25 }),
    yes({ ...APPROVED, amount: 2500, decimal_amount: 2.5 }),
    'done',
  ],
  [
    'a currency that nobody named',
    PAY,
    yes({ ...APPROVED, amount: 2500, decimal_amount: 9.99 }),
    yes({ ...APPROVED, amount: 2500, decimal_amount: 2500 }),
    'done',
  ],
  [
    'a decimal amount alone',
    AUD,
    yes({ ...APPROVED, amount: null, decimal_amount: 99.99 }),
    yes({ ...APPROVED, amount: null, decimal_amount: 25 }),
    'done',
  ],
  [
    'a refund in either direction',
    GIVE,
    yes({ ...REFUND, amount: 501 }),
    yes({ ...REFUND, amount: 500 }),
    'done',
  ],
  [
    'another currency',
    AUD,
    yes({ ...APPROVED, currency: 'JPY' }),
    yes({ ...APPROVED, currency: 'aud' }),
    'done',
  ],
  // The record of something else.
  [
    'a refund that is answered with a purchase',
    GIVE,
    yes({ ...REFUND, id: '071-P-9', reference: 'RET-1' }),
    yes({ ...REFUND, reference: 'RET-1' }),
    'done',
  ],
  [
    'a refund that is answered with what it is of',
    [refundCreate, { body: { transaction_id: 'abc', amount: 500, reference: 'RET-1' } }],
    yes({ ...REFUND, id: 'abc', reference: 'RET-1' }),
    yes({ ...REFUND, id: 'abd', reference: 'RET-1' }),
    'done',
  ],
  [
    'a purchase that is answered with a refund',
    PAY,
    yes({ ...APPROVED, id: '071-R-9' }),
    yes({ ...APPROVED, id: '99999' }),
    'done',
  ],
  // Records that were there before.
  [
    'a refund of more than is left',
    GIVE,
    no({ ...TARGET, id: '071-P-2' }),
    no(TARGET),
    'rejected',
    422,
  ],
  ['the same in a list', GIVE, no([TARGET, REFUND]), no([TARGET]), 'rejected', 422],
  [
    'the same in another field',
    GIVE,
    no(null, { purchase: { ...TARGET, id: '071-P-2' } }),
    no(null, { purchase: TARGET }),
    'rejected',
    400,
  ],
  [
    'a refund within what it is of',
    GIVE,
    no({ ...TARGET, refunds: [REFUND] }),
    no({ ...TARGET, refunds: [] }),
    'rejected',
    422,
  ],
  ['a capture', CAPTURE, no({ ...TARGET, id: '071-P-2' }), no(TARGET), 'rejected', 422],
  ['a void', VOID, no({ ...TARGET, id: '071-P-2' }), no(TARGET), 'rejected', 422],
  [
    'a write that names its purchase as a refund does',
    own('POST', '/v1.0/captures', { transaction_id: '071-P-1', amount: 500 }),
    no({ ...TARGET, id: '071-P-2' }),
    no(TARGET),
    'rejected',
    422,
  ],
  [
    'an id that the request chose itself',
    own('POST', '/v1.0/payments', { id: 'mine', amount: 500 }),
    no({ ...APPROVED, id: 'mine' }),
    no({ ...REJECTED, id: 'mine' }),
    'rejected',
  ],
  [
    'a refund that was declined, with what it is of',
    GIVE,
    yes({ ...REFUSED_REFUND, refunded: 'Declined', purchase: { ...TARGET, id: '071-P-2' } }),
    yes({ ...REFUSED_REFUND, refunded: 'Declined', purchase: TARGET }),
    'declined',
  ],
];

describe('two similar answers', () => {
  test.each(ROWS)(
    '%s: gw doubts the first and believes the second',
    (_, asked, doubted, believed, as, status) => {
      expect(end(asked, doubted, status)).toBe('unknown');
      expect(end(asked, believed, status)).toBe(as);
    },
  );
});

test('a look-up is not trusted if its answer contradicts itself about one record', () => {
  expect(end(LOOK_UP, yes(DECLINED, { other: APPROVED }))).toBe('notReached');
  expect(end(LOOK_UP, yes(DECLINED, { other: { ...APPROVED, id: '071-P-9' } }))).toBe('done');
  expect(end(LOOK_UP, yes({ ...DECLINED, payment: { captured: true } }))).toBe('notReached');
  expect(end(LOOK_UP, yes({ ...DECLINED, card: { token: 't', authorized: true } }))).toBe('done');
  expect(end(LOOK_UP, no(TARGET), 400)).toBe('notReached');
});

test.each<[what: string, body: Json, id: string | undefined]>([
  ['each of several', no([REJECTED, APPROVED]), '071-P-8, 071-P-7'],
  ['one that is there twice', no([REJECTED, REJECTED]), '071-P-8'],
  ['the one that stands elsewhere', no({ id: null }, { data: APPROVED }), '071-P-7'],
  ['both where one stands elsewhere', no(REJECTED, { data: APPROVED }), '071-P-8, 071-P-7'],
  ['none where one of several has no id', no([REJECTED, { successful: false }]), undefined],
  [
    'none where what was approved has no id',
    no(REJECTED, { data: { authorization: '5' } }),
    undefined,
  ],
  ['none where one is of another kind', no(REJECTED, { data: REFUND }), undefined],
  [
    'none of more than anybody looks up',
    no(Array.from({ length: 200 }, (_, id) => ({ id }))),
    undefined,
  ],
])('an answer that contradicts itself names the ids to look up: %s', async (_, body, id) => {
  const [operation, input] = PAY;
  const reply = { status: 200, headers: {}, body: JSON.stringify(body) };
  const { kind, id: shown } = await failureOf(() =>
    classifyReply({ operation, input }, BASE_URL, reply),
  );
  expect([kind, shown]).toEqual(['unknown', id]);
});

test('an answer with a repeated field names no id to look up', async () => {
  const [operation, input] = PAY;
  const body = JSON.stringify(yes(APPROVED)).replace('{', '{"successful":true,');
  const reply = { status: 200, headers: {}, body };
  const twice = await failureOf(() => classifyReply({ operation, input }, BASE_URL, reply));
  expect([twice.kind, twice.id]).toEqual(['unknown', undefined]);
});

const NAMES = ['data', 'meta', 'payment', 'id', 'toString', '__proto__', 'password', '0'];
const wrap = fc.oneof(
  fc.constant((text: string) => `[${text}]`),
  fc.constant((text: string) => `[null,"No",${text},{}]`),
  fc.constantFrom(...NAMES).map((name) => (text: string) => `{"${name}":${text}}`),
  fc.constant((text: string) => '[{"a":'.repeat(300) + text + '}]'.repeat(300)),
);

/** @returns rejections as JSON, with one of the texts anywhere in them */
function rejections(texts: fc.Arbitrary<Json>): fc.Arbitrary<string> {
  const field = fc.constantFrom('response', 'errors', 'data', 'test', 'id', 'records');
  return fc.tuple(texts, fc.array(wrap, { maxLength: 6 }), field).map(([inner, wraps, name]) => {
    const text = wraps.reduce((inside, around) => around(inside), JSON.stringify(inner));
    const rest = ['response', 'errors'].filter((other) => other !== name);
    const others = rest.map((other) => `"${other}":${other === 'errors' ? '["No"]' : 'null'}`);
    return `{"successful":false,${others.join()},"${name}":${text}}`;
  });
}

const sign = fc.constantFrom<JsonObject>(
  ...[true, 'true', 1].map((successful): JsonObject => ({ successful })),
  { authorized: true },
  { captured: '1' },
  { captured_amount: 2500 },
  { message: 'Approved' },
  { message: 'Transaction approved', successful: false },
  { refunded: 'Approved', successful: null },
  { refunded: true },
  { authorization: '55355' },
  { authorization_id: 55355 },
);
const named = fc.constantFrom<JsonObject>({ id: '071-P-7' }, { id: 7 }, { transaction_id: 'x' });
const positive = fc.tuple(named, sign).map(([id, says]) => ({ ...says, ...id }));
const benign = fc.oneof(
  fc.constantFrom<Json>(
    REJECTED,
    { ...DECLINED, response_code: '05' },
    TARGET,
    { id: null, amount: 500 },
    { field: 'amount', message: 'is invalid' },
    { id: 'req-1', message: 'Not approved' },
    { card: { token: 'tok', authorized: true } },
    { authorization: '000000', captured: false, captured_amount: 0 },
    [],
    null,
    'Approved',
  ),
  fc.jsonValue({ maxDepth: 3 }).map((value) => value as Json),
);
const asked = fc.constantFrom(PAY, AUD, GIVE, CAPTURE);
const status = fc.constantFrom(200, 201, 400, 401, 403, 404, 422, 429, 501);

describe('a rejection', () => {
  test('with an approved record anywhere in it is never a rejection', () => {
    fc.assert(
      fc.property(asked, status, rejections(positive), (request, code, body) => {
        expect(end(request, body, code)).toBe('unknown');
      }),
      { numRuns: 1_000 },
    );
  });

  test('with any other value anywhere in it is a rejection', () => {
    const kinds: Readonly<Record<number, End>> = { 401: 'auth', 403: 'auth', 404: 'notFound' };
    fc.assert(
      fc.property(status, rejections(benign), (code, body) => {
        expect(end(GIVE, body, code)).toBe(kinds[code] ?? 'rejected');
      }),
      { numRuns: 1_000 },
    );
  });

  test('is read in linear time, whatever its depth and width', () => {
    const deep = `${'['.repeat(500_000)}{"id":"x","captured":true}${']'.repeat(500_000)}`;
    expect(end(PAY, `{"successful":false,"errors":["No"],"data":${deep}}`)).toBe('unknown');
    const wide = `[${'{"id":1},'.repeat(300_000)}{"id":"x","captured":true}]`;
    expect(end(PAY, `{"successful":false,"errors":["No"],"data":${wide}}`)).toBe('unknown');
  });
});
