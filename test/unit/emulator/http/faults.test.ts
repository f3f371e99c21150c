import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningServer, serve } from '../../../../src/emulator/http/server.ts';
import { openState } from '../../../../src/emulator/state.ts';
import type { Store } from '../../../../src/emulator/store.ts';
import { basicAuthorization } from '../../../../src/host/http/basic-auth.ts';
import { firstRow } from '../../../../src/store/sql.ts';
import { CARD, testClock } from '../support.ts';

let store: Store;
let clock: ReturnType<typeof testClock>;
let server: RunningServer;

beforeEach(async () => {
  clock = testClock();
  store = openState({ path: ':memory:', clock });
  server = await serve({ store, clock, port: 0, faults: true });
});
afterEach(async () => {
  await server.close();
  store.close();
});

const purchase = (fault?: string, base = server.url) =>
  fetch(`${base}/v1.0/purchases`, {
    method: 'POST',
    headers: {
      authorization: basicAuthorization('TEST', 'TEST'),
      ...(fault ? { 'x-gw-fault': fault } : {}),
    },
    body: JSON.stringify({ ...CARD, amount: 100 }),
  });
const purchases = () =>
  store.read((tx) => tx.do(firstRow<{ n: number }>('SELECT count(*) AS n FROM purchases')))?.n;
const resetOf = (answer: Promise<Response>) =>
  answer.then(
    () => 'answered',
    (error) => error.cause.code,
  );

describe('faults on demand', () => {
  test('a request without a fault is served', async () => {
    expect((await purchase()).status).toBe(200);
    expect(purchases()).toBe(1);
  });

  test('reset-before resets the connection, and nothing was processed', async () => {
    expect(await resetOf(purchase('reset-before'))).toBe('ECONNRESET');
    expect(purchases()).toBe(0);
  });

  test('reset-after resets the connection after the purchase was processed', async () => {
    expect(await resetOf(purchase('reset-after'))).toBe('ECONNRESET');
    expect(purchases()).toBe(1);
  });

  test('html-500 answers a processed request with a page', async () => {
    const answer = await purchase('html-500');
    expect(answer.status).toBe(500);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await answer.text()).toMatch(/^<html>/);
    expect(purchases()).toBe(1);
  });

  test('truncated answers a processed request with half of an envelope', async () => {
    const answer = await purchase('truncated');
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toMatch(/^{"successful":true/);
    expect(() => JSON.parse(text)).toThrow();
    expect(purchases()).toBe(1);
  });

  test.each([
    [429, '1'],
    [503, '1'],
    [502, null],
  ])('status-%d is answered, and nothing was processed', async (status, retryAfter) => {
    const answer = await purchase(`status-${status}`);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('retry-after')).toBe(retryAfter);
    expect(await answer.json()).toMatchObject({ successful: false, errors: ['Fault on demand'] });
    expect(purchases()).toBe(0);
  });

  test('latency waits first, even with another fault', async () => {
    expect((await purchase('latency=250')).status).toBe(200);
    expect((await purchase('latency=50, status-500')).status).toBe(500);
    expect(clock.sleptMs).toBe(300);
  });

  test.each(['explode', 'status-200', 'latency=', 'reset-after,nonsense', 'latency=12345678'])(
    '%s is not a fault',
    async (fault) => {
      const answer = await purchase(fault);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ errors: [`Fault ${fault} is not known`] });
      expect(purchases()).toBe(0);
    },
  );

  test('a server without faults ignores the header', async () => {
    const plain = await serve({ store, clock, port: 0 });
    expect((await purchase('status-500', plain.url)).status).toBe(200);
    await plain.close();
  });
});
