/**
 * The meaning of answers, and that no field is lost: the forms of the interface, and those of
 * deployments (docs/interface.md).
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import {
  classifyReply,
  oddFieldsOf,
  verdictOfAnswer,
  verdictOfLoss,
} from '../../../../src/client/exchange/classify.ts';
import type { AnswerKind } from '../../../../src/client/exchange/evidence.ts';
import type { WireReply } from '../../../../src/client/senders/sender.ts';
import { rawOperation } from '../../../../src/commands/api/raw-operation.ts';
import type { Operation } from '../../../../src/contract/operation.ts';
import { OPERATIONS } from '../../../../src/contract/operations.ts';
import { tokenize } from '../../../../src/contract/resources/card.ts';
import { planList } from '../../../../src/contract/resources/plan.ts';
import { purchaseCreate, purchaseGet } from '../../../../src/contract/resources/purchase.ts';
import { refundCreate } from '../../../../src/contract/resources/refund.ts';
import { Failure } from '../../../../src/failure.ts';
import { redactJson } from '../../../../src/host/redaction/redact.ts';
import { hasNoLongNumber } from '../../../helpers/arbitraries.ts';
import { failureOf } from '../../../helpers/failure.ts';

const BASE_URL = new URL('https://gateway.example');

function classify(operation: Operation, body: Json | string, status = 200) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return classifyReply({ operation, input: {} }, BASE_URL, { status, headers: {}, body: text });
}

const envelope = (response: Json, rest: JsonObject = {}): JsonObject => ({
  successful: true,
  response,
  errors: [],
  test: true,
  ...rest,
});
const refusal = (rest: JsonObject): JsonObject => ({ successful: false, test: true, ...rest });

const recordOf = (operation: Operation, response: JsonObject) =>
  classify(operation, envelope(response)).records[0];

describe('a record', () => {
  test('keeps all its fields, even those that the interface does not name', () => {
    const record = {
      id: '071-P-1',
      amount: 2500,
      decimal_amount: 25.0,
      successful: true,
      authorization: '55355',
      card_expiry: '05/2031',
      rrn: '000001',
      metadata: { channel: 'web', 'dotted.name': [1, { deep: null }] },
    };
    expect(recordOf(purchaseGet, record)).toEqual(record);
  });

  test.each([
    ['05/2031', '05/2031'],
    ['2031-05-31', '05/2031'],
    ['2031-05-31T23:59:59+10:00', '05/2031'],
    ['2031-05-31 23:59:59 UTC', '05/2031'],
    ['May 2031', 'May 2031'],
    ['', ''],
    [null, null],
    [203105, 203105],
  ])('with the expiry %j is shown with %j', (card_expiry, shown) => {
    expect(recordOf(purchaseGet, { id: 'x', card_expiry })).toEqual({
      id: 'x',
      card_expiry: shown,
    });
  });

  test('with a numeric authorization is shown with a text', () => {
    expect(recordOf(purchaseGet, { authorization: 55355 })).toEqual({ authorization: '55355' });
  });

  test('of a declined token purchase is shown under the usual names', () => {
    expect(
      recordOf(purchaseCreate, { id: null, authorized: false, authorization_id: null }),
    ).toEqual({ id: null, successful: false, authorization: null });
  });

  test('that contradicts itself keeps both fields and is unclear', () => {
    const reply = classify(purchaseCreate, envelope({ successful: true, authorized: false }));
    expect(reply.records).toEqual([{ successful: true, authorized: false }]);
    expect(reply.outcome).toBe('unclear');
  });

  test.each(['071-P-1', '07123-P-ABCDEFGHIJKLMNOP', 'anything at all', '🧾'])(
    'may have any id (%s)',
    (id) => {
      const reply = classify(purchaseGet, envelope({ id }));
      expect(reply.records).toEqual([{ id }]);
      expect(oddFieldsOf(reply)).toEqual([]);
    },
  );

  test('with fields of the wrong type is shown as it came, and the reply names the fields', () => {
    const reply = classify(purchaseGet, envelope({ id: 7, amount: '25.00', message: ['no'] }));
    expect(oddFieldsOf(reply).sort()).toEqual(['amount', 'id', 'message']);
    expect(reply.records).toEqual([{ id: 7, amount: '25.00', message: ['no'] }]);
  });

  test('of a refund may have a positive or negative amount', () => {
    for (const amount of [-500, 500]) {
      expect(recordOf(refundCreate, { id: 'r', amount, successful: true })).toMatchObject({
        amount,
      });
    }
  });
});

describe('what became of the card', () => {
  const OUTCOMES: [Operation, JsonObject, string][] = [
    [purchaseCreate, { successful: true }, 'approved'],
    [purchaseCreate, { authorized: true }, 'approved'],
    [purchaseCreate, { successful: false, message: 'Declined' }, 'declined'],
    [purchaseCreate, { authorized: false }, 'declined'],
    [purchaseCreate, { successful: null }, 'unclear'],
    [purchaseCreate, { successful: 'true' }, 'unclear'],
    [purchaseCreate, { id: '071-P-1', message: 'Approved' }, 'unclear'],
    [refundCreate, { successful: true }, 'approved'],
    [refundCreate, { refunded: 'Approved' }, 'approved'],
    [refundCreate, { refunded: 'Declined' }, 'declined'],
    [refundCreate, { successful: false, refunded: 'Declined' }, 'declined'],
    [refundCreate, { successful: false, refunded: 'Approved' }, 'unclear'],
    [refundCreate, { successful: true, refunded: 'Declined' }, 'unclear'],
    [purchaseCreate, { successful: false, message: 'Approved' }, 'unclear'],
    [purchaseCreate, { successful: true, message: 'Declined - Please Retry' }, 'unclear'],
    [purchaseCreate, { successful: true, message: 'Approved' }, 'approved'],
    [purchaseCreate, { successful: 1 }, 'unclear'],
    [tokenize, { token: 't', authorized: true }, 'approved'],
    [tokenize, { token: 't' }, 'approved'],
    [tokenize, { token: 't', authorized: false }, 'declined'],
  ];
  const named = OUTCOMES.map(
    ([operation, ...rest]) => [operation.name, ...rest, operation] as const,
  );
  test.each(named)('%s, answered with %j, is %s', (_, record, outcome, operation) => {
    expect(classify(operation, envelope(record)).outcome).toBe(outcome);
  });

  test('is not read from a look-up', () => {
    expect(classify(purchaseGet, envelope({ successful: false })).outcome).toBeUndefined();
  });
});

describe('a list', () => {
  test.each([
    [
      { records: 2, total_records: 12, pages: 6, current_page: 3 },
      { records: 2, total_records: 12, pages: 6, current_page: 3 },
    ],
    [
      { records: 2, total_records: 12, total_pages: 6, page: 3 },
      { records: 2, total_records: 12, pages: 6, current_page: 3 },
    ],
    [{ total_records: 'many', pages: null }, {}],
    [{}, {}],
  ])('with the counts %j', (said, counts) => {
    const reply = classify(planList, envelope([{ id: 'a' }, { id: 'b' }], said));
    expect(reply.records).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect(reply.envelope.counts).toEqual(counts);
  });

  test('may be null, empty or a single record', () => {
    expect(classify(planList, envelope(null)).records).toEqual([]);
    expect(classify(planList, envelope([])).records).toEqual([]);
    expect(classify(planList, envelope({ id: 'a' })).records).toEqual([{ id: 'a' }]);
  });
});

describe('a refusal', () => {
  test.each<[JsonObject, string[]]>([
    [{ errors: ["Reference can't be blank"] }, ["Reference can't be blank"]],
    [{ errors: 'Invalid Card Number' }, ['Invalid Card Number']],
    [{ errors: '' }, []],
    [{ errors: null }, []],
    [{}, []],
    [{ errors: [{ field: 'amount' }, 7] }, ['{"field":"amount"}', '7']],
    [{ errors: { reference: ["can't be blank"] } }, ['{"reference":["can\'t be blank"]}']],
  ])('with %j is a rejection', async (rest, errors) => {
    for (const response of [undefined, null, {}, { id: null, reference: '' }]) {
      const body = refusal({ ...rest, ...(response === undefined ? {} : { response }) });
      const failure = await failureOf(() => classify(purchaseCreate, body, 400));
      expect(failure).toMatchObject({ kind: 'rejected', status: 400, errors });
      for (const error of errors) expect(failure.message).toContain(error);
    }
  });

  test('with very many errors quotes the first ones and keeps all', async () => {
    const errors = Array.from({ length: 100_000 }, (_, i) => `Error ${i}`);
    const failure = await failureOf(() => classify(purchaseCreate, refusal({ errors }), 400));
    expect(failure.errors).toEqual(errors);
    expect(failure.message).toContain('Error 0; Error 1;');
    expect(failure.message.length).toBeLessThan(3000);
  });

  test('keeps the body for --raw', async () => {
    const body = JSON.stringify(refusal({ errors: ['No'] }));
    const failure = await failureOf(() => classify(purchaseGet, body, 404));
    expect(failure.body).toBe(body);
  });

  test('of the credentials differs from one of the record', async () => {
    const wrong = await failureOf(() => classify(purchaseGet, 'Unauthorized', 401));
    expect(wrong.code).toBe('credentials-refused');
    const error = 'You do not have permissions to access this record';
    const foreign = await failureOf(() => classify(purchaseGet, refusal({ errors: [error] }), 403));
    expect(foreign).toMatchObject({ kind: 'auth', code: 'not-permitted', message: error });
  });

  test('by an HTML page shows a little of its text, without tags and secrets', async () => {
    const page =
      '<html><head><style>b{}</style></head><body>Card 4111111111111111 &amp; Basic c2hvcDpzZWNyZXQ=</body>';
    const failure = await failureOf(() => classify(purchaseCreate, page, 500));
    expect(failure).toMatchObject({ kind: 'unknown', exitCode: 8, status: 500 });
    expect(failure.message).toContain('Card 411111XXXXXX1111');
    expect(failure.message).not.toMatch(/<|c2hvcD|4111111111111111/);
  });

  const TOKEN = 'tok-0123456789-0123456789';
  const padded = (length: number) => `${'x'.repeat(length - 4)}${TOKEN}`;
  test.each<[string, Operation, Omit<WireReply, 'status'> & { status?: number }]>([
    ['a page that is cut', purchaseCreate, { headers: {}, body: padded(200) }],
    [
      'another reference',
      purchaseCreate,
      { headers: {}, body: JSON.stringify(envelope({ id: '071-P-1', reference: padded(80) })) },
    ],
    [
      'a long error',
      purchaseGet,
      { headers: {}, body: JSON.stringify(refusal({ errors: [padded(2_000)] })) },
    ],
    [
      'a redirect',
      purchaseGet,
      { status: 302, headers: { location: `https://x.example/${padded(182)}` }, body: '' },
    ],
  ])('by %s does not show a part of a token', async (_, operation, reply) => {
    const scrub = (text: string) => text.replaceAll(TOKEN, '***');
    const input = { body: { amount: 1, reference: 'INV-1' } };
    const failure = await failureOf(() =>
      classifyReply({ operation, input }, BASE_URL, { status: 200, ...reply }, { scrub }),
    );
    expect(`${failure.message} ${failure.errors?.join()}`).not.toContain('tok');
  });

  test('by a redirect is not followed', async () => {
    const reply = { status: 302, headers: { location: 'https://evil.example' }, body: '' };
    const failure = await failureOf(() =>
      classifyReply({ operation: purchaseGet, input: {} }, BASE_URL, reply),
    );
    expect(failure.message).toContain(
      'a redirect to https://evil.example, which gw does not follow',
    );
  });

  test.each([
    ['120', 'in 120 seconds'],
    ['1', 'in 1 second'],
    ['Tue, 10 Mar 2026 10:00:00 GMT', 'after Tue, 10 Mar 2026 10:00:00 GMT'],
    ['whenever', 'in a minute'],
  ])('with Retry-After %s says when to try again', async (value, when) => {
    const reply = { status: 429, headers: { 'retry-after': value }, body: '' };
    const failure = await failureOf(() =>
      classifyReply({ operation: purchaseCreate, input: {} }, BASE_URL, reply),
    );
    expect(failure.next).toBe(`Nothing was processed. Run the command again ${when}.`);
  });

  test.each([
    [400, 'Correct the request, then run the command again.'],
    [500, 'The gateway has a problem: run the command again in a minute.'],
    [501, 'Correct the request, then run the command again.'],
    [503, 'The gateway has a problem: run the command again in a minute.'],
  ])('that refuses a look-up with %i says whose turn it is', async (status, next) => {
    const body = '{"successful":false,"response":{},"errors":["No"]}';
    const failure = await failureOf(() =>
      classifyReply({ operation: purchaseGet, input: { id: 'x' } }, BASE_URL, {
        ...{ status, headers: {}, body },
      }),
    );
    expect(failure.next).toBe(`Nothing was processed. ${next}`);
  });
});

describe('the verdict', () => {
  const [NONE, LOST] = ['no-trustworthy-answer', 'outcome-unknown'];
  const NO = 'rejected-by-gateway';
  test.each<[status: number, said: AnswerKind, read: string, write: string, money: string]>([
    [200, 'done', 'processed', 'processed', 'processed'],
    [299, 'done', 'processed', 'processed', 'processed'],
    [200, 'refused', NO, NO, NO],
    [200, 'nothing', NONE, LOST, LOST],
    [200, 'broken', NONE, LOST, LOST],
    [200, 'contradiction', 'contradictory-answer', LOST, LOST],
    [302, 'nothing', NONE, LOST, LOST],
    [302, 'done', NONE, LOST, LOST],
    [302, 'refused', NONE, LOST, LOST],
    [400, 'refused', NO, NO, NO],
    [400, 'done', NONE, LOST, LOST],
    [400, 'nothing', NONE, LOST, LOST],
    [400, 'contradiction', 'contradictory-answer', LOST, LOST],
    ...(
      [
        [401, 'credentials-refused'],
        [403, 'not-permitted'],
        [404, 'not-found'],
        [429, 'too-many-requests'],
      ] as const
    ).flatMap(([status, verdict]): [number, AnswerKind, string, string, string][] => [
      [status, 'refused', verdict, verdict, verdict],
      [status, 'nothing', verdict, verdict, verdict],
      [status, 'broken', NONE, LOST, LOST],
      [status, 'done', NONE, LOST, LOST],
      [status, 'contradiction', 'contradictory-answer', LOST, LOST],
    ]),
    [422, 'refused', NO, NO, NO],
    [500, 'refused', NO, NO, LOST],
    [500, 'done', NONE, LOST, LOST],
    [501, 'refused', NO, NO, NO],
    [501, 'contradiction', 'contradictory-answer', LOST, LOST],
    [502, 'refused', NO, LOST, LOST],
    [503, 'refused', NO, LOST, LOST],
    [504, 'refused', NO, LOST, LOST],
    [503, 'nothing', NONE, LOST, LOST],
    [999, 'refused', NO, LOST, LOST],
  ])('on %i with a body that says %s', (status, said, read, write, money) => {
    expect({
      read: verdictOfAnswer('read', status, said),
      write: verdictOfAnswer('write', status, said),
      destroy: verdictOfAnswer('destroy', status, said),
      money: verdictOfAnswer('money', status, said),
    }).toEqual({ read, write, destroy: write, money });
  });

  test.each<[sent: string, ended: string, read: string, money: string]>([
    ['not sent', 'by itself', 'not-reached', 'not-reached'],
    ['not sent', 'by the user', 'interrupted', 'interrupted'],
    ['sent', 'by itself', 'no-trustworthy-answer', 'outcome-unknown'],
    ['sent', 'by the user', 'interrupted', 'outcome-unknown'],
  ])('on a request that was %s and ended %s', (sent, ended, read, money) => {
    const verdict = (effect: Operation['effect']) =>
      verdictOfLoss(effect, sent === 'sent', ended === 'by the user');
    expect(verdict('read')).toBe(read);
    for (const effect of ['write', 'destroy', 'money'] as const)
      expect(verdict(effect)).toBe(money);
  });
});

describe('any answer', () => {
  const operation = fc.constantFrom<Operation>(...OPERATIONS);
  const status = fc.integer({ min: 200, max: 599 });

  test('is done or a failure, never a defect', () => {
    const value = fc.oneof(
      fc.string(),
      fc.jsonValue().map((json) => JSON.stringify(json)),
      fc
        .record(
          {
            successful: fc.oneof(fc.boolean(), fc.jsonValue()),
            response: fc.jsonValue(),
            errors: fc.jsonValue(),
            test: fc.jsonValue(),
            pages: fc.jsonValue(),
          },
          { requiredKeys: [] },
        )
        .map((json) => JSON.stringify(json)),
    );
    fc.assert(
      fc.property(operation, status, value, (row, code, body) => {
        try {
          expect(classify(row, body, code).envelope.successful).toBe(true);
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('with a record keeps all its fields', () => {
    const known = [
      'id',
      'successful',
      'authorization',
      'card_expiry',
      'amount',
      'token',
      '__proto__',
    ];
    const record = fc
      .dictionary(
        fc.oneof(fc.constantFrom(...known), fc.string()),
        fc.jsonValue({ depthSize: 'small' }),
        { minKeys: 1 },
      )
      // Neither a card number nor a secret by chance.
      .filter((value) => hasNoLongNumber(value) && redactJson(value as Json) === value);
    fc.assert(
      fc.property(operation, record, (row, original) => {
        const json = JSON.parse(JSON.stringify(original)) as JsonObject;
        const shown = classify(row, envelope(json)).records[0]!;
        expect(Object.keys(shown).sort()).toEqual(Object.keys(json).sort());
        for (const [name, value] of Object.entries(json)) {
          if (name === 'card_expiry' || name === 'authorization') continue;
          expect(Object.entries(shown)).toContainEqual([name, value]);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('may be nested to any depth', async () => {
    const deep = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`;
    const body = `{"successful":true,"response":{"id":"071-P-1","x":${deep}},"errors":[]}`;
    expect(classify(purchaseCreate, body).records[0]?.id).toBe('071-P-1');
    const errors = `{"successful":false,"errors":[${deep}]}`;
    expect(await failureOf(() => classify(purchaseCreate, errors, 400))).toBeInstanceOf(Failure);
  });
});

describe('the answer to an unknown look-up', () => {
  const { operation: settlements } = rawOperation('GET', '/v1.0/settlements');
  const { operation: row, otherwise } = rawOperation('GET', '/v1.0/purchases/settlement');
  const maybe = { ...row, ...(otherwise && { otherwise }) };
  const given = (operation: Operation, body: string, status: number, type = 'text/html') =>
    classifyReply({ operation, input: { id: 'settlement' } }, BASE_URL, {
      ...{ status, headers: { 'content-type': type }, body },
    });
  const LIST = JSON.stringify(envelope([{ id: '071-P-1' }, { id: '071-P-2', amount: 'x' }]));

  test.each([
    ['a list', 200, LIST],
    ['one of something else', 200, JSON.stringify(envelope({ id: 'SET-1', date: '2026-01-01' }))],
    ['nothing', 204, ''],
    ['an empty body', 200, ''],
    ['text', 200, 'settled'],
    ['a table', 200, 'id,amount\n071-P-1,100\n'],
    ['a page', 200, '<html></html>'],
    ['a list without an envelope', 200, '[{"successful":true,"message":"Approved"}]'],
    ['lines of JSON', 200, '{"a":1}\n{"b":2}\n'],
  ])('may be %s, and is printed as it came', (_, status, body) => {
    for (const operation of [settlements, maybe]) {
      const reply = given(operation, body, status);
      expect(reply).toMatchObject({ status, raw: body, outcome: undefined });
      expect(oddFieldsOf(reply)).toEqual([]);
      expect(reply.operation.isForeign).toBe(true);
    }
  });

  test.each([
    ['a refusal', 404, '{"successful":false,"errors":["Path not found"]}', 'not-found'],
    ['a page', 404, '<html></html>', 'not-found'],
    ['a page', 401, '<html></html>', 'credentials-refused'],
    ['JSON', 403, '{"error":"no"}', 'not-permitted'],
    ['a refusal', 422, '{"successful":false,"errors":["No"]}', 'rejected-by-gateway'],
    ['JSON', 422, '{"error":"no"}', 'rejected-by-gateway'],
    ['a refusal', 200, '{"successful":false,"errors":["No"]}', 'rejected-by-gateway'],
    ['a redirect', 302, '', 'no-trustworthy-answer'],
    ['a page', 502, '<html></html>', 'no-trustworthy-answer'],
  ])('is not a success if it is %s with %i', async (_, status, body, code) => {
    for (const operation of [settlements, maybe])
      expect((await failureOf(() => given(operation, body, status))).code).toBe(code);
  });

  test('is not trusted if its JSON ends too early', async () => {
    const cut = () => given(settlements, LIST.slice(0, -9), 200, 'application/json; charset=utf-8');
    expect((await failureOf(cut)).code).toBe('no-trustworthy-answer');
  });

  test("is read as the operation's record if it fits, and is doubted if the request had an id", async () => {
    const record = envelope({ id: '071-P-1', reference: 'settlement', successful: true });
    expect(given(maybe, JSON.stringify(record), 200).operation.name).toBe('purchase get');
    const { operation } = rawOperation('GET', '/v1.0/purchases/071-P-1');
    for (const body of [LIST, 'text', JSON.stringify(envelope({ id: '071-P-2' }))]) {
      const reply = { status: 200, headers: {}, body };
      const known = () => classifyReply({ operation, input: { id: '071-P-1' } }, BASE_URL, reply);
      expect((await failureOf(known)).kind).toBe('notReached');
    }
  });

  test('to a request that may move money is not accepted in any form', async () => {
    const { operation } = rawOperation('POST', '/v1.0/settlements');
    expect((await failureOf(() => given(operation, 'text', 200))).code).toBe('outcome-unknown');
  });
});

test.each([
  ['Amount cannot be changed once the plan is in use', '`gw subscription move SUBSCRIPTION'],
  ['Amount is more than the 0 that can still be refunded', '`gw get PURCHASE` shows when'],
  ['Amount is more than the 5 that can still be refunded', 'Correct the request'],
])('a rejection that says "%s" is told what mends it', async (error, next) => {
  const failure = await failureOf(() => classify(refundCreate, refusal({ errors: [error] }), 400));
  expect(failure.next).toContain(next);
  const both = refusal({ errors: [error, "Reference can't be blank"] });
  expect((await failureOf(() => classify(refundCreate, both, 400))).next).toContain(
    'Correct the request',
  );
});

test('refused credentials are replaced where they come from', async () => {
  const reply = { status: 401, headers: {}, body: JSON.stringify(refusal({ errors: ['No'] })) };
  const renewal = 'GW_USERNAME and GW_API_TOKEN hold them. Set both again.';
  const asked = { operation: planList, input: {} };
  const failure = await failureOf(() => classifyReply(asked, BASE_URL, reply, { renewal }));
  expect(failure.next).toContain(renewal);
  expect(failure.next).not.toContain('gw login');
});
