/** The order of a call: check, guard, intent, bytes, outcome; and what stops it at each step. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { type CallInput, type ClientOptions, createClient } from '../../../src/client/client.ts';
import {
  OPERATIONS,
  type Operation,
  planList,
  purchaseCreate,
  purchaseGet,
} from '../../../src/contract/operations.ts';
import { Failure } from '../../../src/failure.ts';
import type { WireRequest } from '../../../src/senders/sender.ts';
import { createOnceSender } from '../../../src/senders/single.ts';
import { CALLS, ENVELOPE, REFUSAL } from '../../helpers/calls.ts';
import { standingClock } from '../../helpers/client.ts';
import { failureOf } from '../../helpers/failure.ts';
import { answer, hostileServer } from '../../helpers/hostile-server.ts';

const guardFailure = new Failure('guard', 'No.', { next: 'Nothing was sent.' });
const lost = new Failure('guard', 'The ledger is gone.', { next: 'Look for it.' });

/** A client whose steps are written down in order. */
function logged(steps: string[], changes: Partial<ClientOptions> = {}, body = ENVELOPE) {
  const sent: WireRequest[] = [];
  const client = createClient({
    baseUrl: new URL('https://gateway.example/api'),
    authorization: 'Basic c2hvcDp0b2tlbg==',
    userAgent: 'gw/1.2.3',
    sender: {
      async send(request) {
        steps.push('send');
        sent.push(request);
        return { status: 200, headers: {}, body };
      },
      async close() {
        steps.push('close sender');
      },
    },
    clock: standingClock(),
    random: () => 0,
    interrupted: new AbortController().signal,
    timeoutMs: undefined,
    recorder: {
      async intend() {
        steps.push('intend');
        return { settle: async (result) => void steps.push(`settle ${nameOf(result)}`) };
      },
    },
    guard: async () => void steps.push('guard'),
    trace: undefined,
    ...changes,
  });
  return { client, sent };
}

const nameOf = (result: object) => (result instanceof Failure ? result.kind : 'reply');

describe('a money request', () => {
  test('a money request is guarded, recorded, sent and settled, in this order', async () => {
    const steps: string[] = [];
    const { client } = logged(steps);
    await client.call(...CALLS.money);
    await client.close();
    expect(steps).toEqual([...['guard', 'intend', 'send', 'settle reply'], 'close sender']);
  });

  test('a money request that is refused by the gateway is settled with the failure', async () => {
    const steps: string[] = [];
    const { client } = logged(steps, {}, REFUSAL);
    await failureOf(() => client.call(...CALLS.money));
    expect(steps).toEqual(['guard', 'intend', 'send', 'settle rejected']);
  });

  test('a money request that is not valid gets nowhere', async () => {
    const steps: string[] = [];
    const { client } = logged(steps);
    const failure = await failureOf(() => client.call(purchaseCreate, { body: { amount: 0 } }));
    expect(failure.kind).toBe('usage');
    expect(steps).toEqual([]);
  });

  test('a money request that the guard refuses is neither recorded nor sent', async () => {
    const steps: string[] = [];
    const { client } = logged(steps, { guard: () => Promise.reject(guardFailure) });
    expect(await failureOf(() => client.call(...CALLS.money))).toBe(guardFailure);
    expect(steps).toEqual([]);
  });

  test('a money request whose intent cannot be recorded is not sent', async () => {
    const steps: string[] = [];
    const { client } = logged(steps, {
      recorder: { intend: () => Promise.reject(lost) },
    });
    expect(await failureOf(() => client.call(...CALLS.money))).toBe(lost);
    expect(steps).toEqual(['guard']);
  });

  test.each([lost, new Error('disk I/O error')])(
    'a money request whose outcome cannot be recorded (%s) is told all the same',
    async (error) => {
      const recorder = {
        intend: async () => ({ settle: () => Promise.reject(error) }),
        close: async () => undefined,
      };
      const approved = await logged([], { recorder }).client.call(...CALLS.money);
      expect(approved).toMatchObject({ outcome: 'approved', records: [{ id: '071-P-1' }] });
      expect(approved.unrecorded).toMatchObject({ kind: 'guard' });
      expect(approved.unrecorded?.message).toContain(error.message);

      const refused = await failureOf(() =>
        logged([], { recorder }, REFUSAL).client.call(...CALLS.money),
      );
      expect(refused).toMatchObject({ kind: 'rejected', exitCode: 6 });
      expect(refused.next).toContain(error.message);
    },
  );

  test('a money request is recorded too when its body is not checked', async () => {
    const steps: string[] = [];
    const { client, sent } = logged(steps);
    await client.callUnchecked(purchaseCreate, { body: { amount: 'all of it' } });
    expect(steps).toEqual(['guard', 'intend', 'send', 'settle reply']);
    expect(sent[0]?.body).toBe('{"amount":"all of it"}');
  });
});

test.each(['read', 'write', 'destroy'] as const)('a %s is not recorded', async (effect) => {
  const steps: string[] = [];
  const { client } = logged(steps);
  await client.call(...CALLS[effect]);
  expect(steps).toEqual(['guard', 'send']);
});

describe('on the wire', () => {
  const wire = async (operation: Operation, input: CallInput) => {
    const { client, sent } = logged([]);
    await client.callUnchecked(operation, input);
    return sent[0]!;
  };

  test('a request has its address below the base address, credentials and no surprises', async () => {
    expect(await wire(purchaseGet, { id: '071-P-1' })).toEqual({
      method: 'GET',
      url: new URL('https://gateway.example/api/v1.0/purchases/071-P-1'),
      headers: {
        accept: 'application/json',
        authorization: 'Basic c2hvcDp0b2tlbg==',
        'user-agent': 'gw/1.2.3',
      },
    });
  });

  test.each([
    ['a/b', 'a%2Fb'],
    ['a b', 'a%20b'],
    ['a?b#c', 'a%3Fb%23c'],
    ['a%2Fb', 'a%252Fb'],
    ['../plans', '..%2Fplans'],
    ['...', '...'],
    ['ü🧾', '%C3%BC%F0%9F%A7%BE'],
    ['$&', '%24%26'],
    ["it's", "it's"],
  ])('the id %s stays one segment of the path', async (id, segment) => {
    const { url } = await wire(purchaseGet, { id });
    expect(url.pathname).toBe(`/api/v1.0/purchases/${segment}`);
  });

  test.each(['.', '..', 'half \ud83e', '\udc00'])('the id %j is not sent', async (id) => {
    const failure = await failureOf(() => wire(purchaseGet, { id }));
    expect(failure).toMatchObject({ kind: 'usage', exitCode: 2 });
  });

  test('any other id arrives as it was given', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.constantFrom(...OPERATIONS.filter(({ path }) => path.includes('{'))),
        async (id, operation) => {
          fc.pre(!/^\.{1,2}$/.test(id));
          const { url } = await wire(operation, { id });
          const [before = '', after = ''] = operation.path.split(/\{\w+\}/);
          const segment = url.pathname.slice(`/api${before}`.length);
          expect(segment).not.toContain('/');
          expect(decodeURIComponent(segment)).toBe(id + after);
          expect(url.search + url.hash).toBe('');
        },
      ),
    );
  });

  test('a query keeps its order, and a name that comes twice', async () => {
    const named = await wire(planList, { query: { limit: '10', offset: '2' } });
    expect(named.url.search).toBe('?limit=10&offset=2');
    const pairs = await wire(planList, {
      query: [
        ['tag', 'a&b'],
        ['tag', 'ü'],
      ],
    });
    expect(pairs.url.search).toBe('?tag=a%26b&tag=%C3%BC');
  });

  test('a body is JSON, and says so', async () => {
    const body = { amount: 2500, reference: 'café "🧾"\n', 'x-extra': [null, { a: 1.5 }] };
    const request = await wire(purchaseCreate, { body });
    expect(request.headers['content-type']).toBe('application/json');
    expect(request.body).toBe(JSON.stringify(body));
  });

  test('a body that is nested too deeply is not sent', async () => {
    const steps: string[] = [];
    const { client } = logged(steps);
    let body: JsonObject = {};
    for (let depth = 0; depth < 200_000; depth++) body = { body };
    const failure = await failureOf(() => client.callUnchecked(purchaseCreate, { body }));
    expect(failure).toMatchObject({ kind: 'usage', message: 'The body is nested too deeply.' });
    expect(steps).toEqual([]);
  });
});

test('--debug is told of every try and what came of it', async () => {
  const server = await hostileServer({
    onRequest: (socket, _, index) =>
      socket.write(index === 0 ? answer(503) : answer(200, ENVELOPE)),
  });
  const told: string[] = [];
  const { client } = logged([], {
    baseUrl: server.url,
    sender: createOnceSender(),
    trace: {
      request: (request, attempt) => void told.push(`${request.method} ${attempt}`),
      reply: (reply) => void told.push(String(reply.status)),
      lost: (error) => void told.push(error.message),
    },
  });
  await client.call(...CALLS.read);
  expect(told).toEqual(['GET 0', '503', 'GET 1', '200']);
});
