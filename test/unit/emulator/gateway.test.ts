import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Operation } from '../../../src/contract/operation.ts';
import { OPERATIONS } from '../../../src/contract/operations.ts';
import { createGateway, type Gateway } from '../../../src/emulator/gateway.ts';
import { openState } from '../../../src/emulator/state.ts';
import type { Store } from '../../../src/emulator/store.ts';
import { basicAuthorization } from '../../../src/host/http/basic-auth.ts';
import { runSql } from '../../../src/store/sql.ts';
import { type Bench, CARD, DOORS, openBench, testClock } from './support.ts';

const OPERATION_PATHS = (OPERATIONS as readonly Operation[]).map(
  ({ method, path }) => [method, path.replace(/\{\w+\}/, 'some-key')] as const,
);

describe.each(DOORS)('the gateway, %s', (door) => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench(door);
  });
  afterEach(() => bench.close());

  test.each(OPERATION_PATHS)('%s %s needs credentials', async (method, path) => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    for (const as of [null, 'NOBODY', '']) {
      const answer = await bench.send(method, path, body, as);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
      expect(answer.body).toEqual({
        successful: false,
        response: {},
        errors: ['Username or API token is not valid'],
        test: true,
      });
    }
  });

  test.each(OPERATION_PATHS)('%s %s is served, with and without .json', async (method, path) => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    const bare = path.replace(/\.json$/, '');
    for (const form of [bare, `${bare}.json`]) {
      const { status } = await bench.send(method, form, body);
      expect([200, 400, 404, 501]).toContain(status);
    }
  });

  test.each([
    '/',
    '/v1.0',
    '/v1.0/purchases/',
    '/v1.0/purchases/a/b',
    '/v2.0/purchases',
    '/V1.0/plans',
    '/v1x0/plans',
    '/v1.0/nothing.json',
    '/v1.0/planszjson',
    // Deployments capture and direct debits there.
    '/v1.0/purchases/071-P-X/capture',
    '/v1.0/direct_debits',
  ])('%s is not found', async (path) => {
    for (const method of ['GET', 'POST']) {
      const answer = await bench.send(method, path, method === 'POST' ? {} : undefined);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({
        successful: false,
        response: {},
        errors: ['Record not found'],
        test: true,
      });
    }
  });

  test.each([
    ['POST', '/v1.0/purchases/void?id=071-P-X'],
    ['DELETE', '/v1.0/purchases/void.json'],
    ['POST', '/v1.0/refunds/void?id=071-R-X'],
    ['POST', '/v1.0/ping'],
  ])('%s %s, which deployments have, is not found', async (method, path) => {
    const answer = await bench.send(method, path);
    expect(answer.status).toBe(404);
    expect(answer.body.errors).toEqual(['Record not found']);
  });

  test.each([
    ['PUT', '/v1.0/purchases', 'POST, GET, HEAD'],
    ['DELETE', '/v1.0/plans', 'POST, GET, HEAD'],
    ['POST', '/v1.0/customers/x.json', 'GET, HEAD, PUT, DELETE'],
    ['PATCH', '/v1.0/subscriptions/x', 'GET, HEAD, PUT'],
    ['OPTIONS', '/v1.0/refunds/x', 'GET, HEAD'],
  ])('%s %s is not allowed, only %s', async (method, path, allow) => {
    const answer = await bench.send(method, path);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allow);
    expect(answer.body.errors).toEqual([`Method ${method} is not allowed here`]);
  });

  test.each([
    ['{', 'Request body is not valid JSON'],
    ['amount=100', 'Request body is not valid JSON'],
    ['[{}]', 'Request body is not a JSON object'],
    ['"text"', 'Request body is not a JSON object'],
    ['['.repeat(100_000), 'Request body is not valid JSON'],
  ])('the body %.20s is refused', async (body, error) => {
    const answer = await bench.send('POST', '/v1.0/purchases', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      successful: false,
      response: {},
      errors: [error],
      test: true,
    });
  });

  test('a missing body counts as an empty one', async () => {
    for (const body of [undefined, ' \n', '[]', 'null']) {
      const answer = await bench.send('POST', '/v1.0/refunds', body);
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toContain("Reference can't be blank");
    }
  });

  test('a body may have 1 MiB at most', async () => {
    const empty = JSON.stringify({ ...CARD, amount: 100, note: '' });
    const fill = 1024 * 1024 - empty.length;
    const body = (size: number) => ({ ...CARD, amount: 100, note: 'x'.repeat(size) });
    expect((await bench.send('POST', '/v1.0/purchases', body(fill))).status).toBe(200);
    for (const size of [fill + 1, 8 * fill]) {
      const answer = await bench.send('POST', '/v1.0/purchases', body(size));
      expect(answer.status).toBe(413);
      expect(answer.body.errors).toEqual(['Request body is larger than 1 MiB']);
    }
  });

  test.each([
    'x'.repeat(10_000),
    '💳'.repeat(5_000),
    'é'.normalize('NFD') + 'é'.normalize('NFC'),
    'a\u0000b',
    '\ufeffbom',
    'lone \ud800 surrogate',
    'tab\t newline\n quote" backslash\\ \u0007 \u001b[31m',
    '\u0001json:"x"',
    '__proto__',
  ])('the text %.20j comes back unchanged', async (reference) => {
    const plan = { name: reference, reference, description: reference, amount: 1 };
    const made = await bench.send('POST', '/v1.0/plans', plan);
    expect(made.status).toBe(201);
    const found = await bench.send('GET', `/v1.0/plans/${made.body.response.id}`);
    expect(found.body.response).toMatchObject(plan);
    const again = await bench.send('POST', '/v1.0/plans', plan);
    expect(again.body.errors).toEqual(['Reference has already been taken']);
    expect(again.body.response).toMatchObject(plan);
  });

  test('a reference of 10,000 characters is found under its path', async () => {
    const reference = '日'.repeat(10_000);
    const plan = { name: 'n', reference, description: 'd', amount: 1 };
    await bench.send('POST', '/v1.0/plans', plan);
    const found = await bench.send('GET', `/v1.0/plans/${encodeURIComponent(reference)}`);
    expect(found.status).toBe(200);
    expect(found.body.response.reference).toBe(reference);
  });

  test('a badly encoded key is not found', async () => {
    const { status } = await bench.send('GET', '/v1.0/plans/%E0%A4%A');
    expect(status).toBe(404);
  });

  test('unknown fields are ignored', async () => {
    const body = `{"name":"n","reference":"r","description":"d","amount":1,"__proto__":{"id":"x"},"id":"mine"}`;
    const { status, body: answer } = await bench.send('POST', '/v1.0/plans', body);
    expect(status).toBe(201);
    expect(answer.response.id).toMatch(/^071-PL-/);
  });
});

test('the same requests on two new stores get the same answers', async () => {
  const run = async () => {
    const bench = await openBench();
    const answers = [
      await bench.send('POST', '/v1.0/credit_cards', CARD),
      await bench.send('POST', '/v1.0/purchases', { ...CARD, amount: 0 }),
      await bench.send('POST', '/v1.0/purchases', { ...CARD, amount: 100 }),
      await bench.send('POST', '/v1.0/purchases', { ...CARD, amount: 100 }, 'OTHER'),
    ];
    await bench.close();
    return answers.map(({ status, body }) => ({ status, body }));
  };
  expect(await run()).toEqual(await run());
});

test('a failing handler undoes its writes and its random numbers', async () => {
  const plan = (reference: string) => ({
    method: 'POST',
    target: '/v1.0/plans',
    authorization: basicAuthorization('TEST', 'TEST'),
    body: JSON.stringify({ name: 'Gold', reference, description: 'All of it', amount: 500 }),
  });
  const open = (): [Store, Gateway] => {
    const store = openState({ path: ':memory:', clock: testClock() });
    onTestFinished(() => store.close());
    return [store, createGateway({ store })];
  };
  const [store, gateway] = open();
  store.write((tx) =>
    tx.do(
      runSql(
        "CREATE TRIGGER broken AFTER INSERT ON plans WHEN NEW.reference = 'x' BEGIN SELECT RAISE(FAIL, 'broken'); END",
      ),
    ),
  );
  await expect(gateway.answer(plan('x'))).rejects.toThrow('broken');
  const [, other] = open();
  expect((await gateway.answer(plan('a'))).body).toBe((await other.answer(plan('a'))).body);
});

test('the strict dialect says which endpoints only the other one has', async () => {
  const bench = await openBench();
  bench.store.write((tx) => tx.setDialect('strict'));
  for (const [method, path, error] of [
    ['GET', '/v1.0/purchases', 'Method GET is not allowed here'],
    ['PUT', '/v1.0/credit_cards/{token}', 'Record not found'],
  ] as const) {
    const { body } = await bench.send(method, path.replace('{token}', 'x'));
    expect(body.errors).toEqual([error, `Only the deployed dialect has ${method} ${path}`]);
  }
  await bench.close();
});

test('a ping is answered to anybody, without an envelope, in the deployed dialect', async () => {
  const { store, close } = await openBench();
  const gateway = createGateway({ store });
  const ping = () => gateway.answer({ method: 'GET', target: '/v1.0/ping?echo=a%20b' });
  expect(JSON.parse((await ping()).body)).toEqual({
    timestamp: Date.parse('2026-03-10T09:30:00Z') / 1000,
    echo: 'a b',
  });
  store.write((tx) => tx.setDialect('strict'));
  const { status, body } = await ping();
  expect(status).toBe(404);
  expect(JSON.parse(body).errors).toEqual([
    'Record not found',
    'Only the deployed dialect has GET /v1.0/ping',
  ]);
  await close();
});
