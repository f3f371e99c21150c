import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningServer, serve } from '../../../../src/emulator/http/server.ts';
import { openState } from '../../../../src/emulator/state.ts';
import type { Store } from '../../../../src/emulator/store.ts';
import { Failure } from '../../../../src/failure.ts';
import { basicAuthorization } from '../../../../src/host/http/basic-auth.ts';
import { CARD, testClock } from '../support.ts';

let store: Store;
const clock = testClock();
beforeEach(() => {
  store = openState({ path: ':memory:', clock });
});
afterEach(() => store.close());

describe('a server', () => {
  let server: RunningServer;
  beforeEach(async () => {
    server = await serve({ store, clock, port: 0 });
  });
  afterEach(() => server.close());

  test('a server listens on loopback and says where', () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json', undefined])(
    'a server accepts JSON as %s',
    async (type) => {
      const body = new TextEncoder().encode(JSON.stringify({ ...CARD, amount: 100 }));
      const headers = {
        authorization: basicAuthorization('TEST', 'TEST'),
        ...(type && { 'content-type': type }),
      };
      const answer = await fetch(`${server.url}/v1.0/purchases`, { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
    },
  );

  test.each([
    ['deployed', { 'content-length': 2 }, 200],
    ['deployed', { 'transfer-encoding': 'chunked' }, 200],
    ['strict', { 'content-length': 2 }, 400],
    ['strict', { 'transfer-encoding': 'chunked' }, 400],
    ['strict', { 'content-length': 0 }, 200],
  ] as const)(
    'a server of the %s dialect answers a GET with the header %j: %d',
    async (dialect, announced, status) => {
      store.write((tx) => tx.setDialect(dialect));
      const headers = { authorization: basicAuthorization('TEST', 'TEST'), ...announced };
      const answered = await new Promise((resolve, reject) => {
        const outgoing = request(`${server.url}/v1.0/plans`, { headers }, (incoming) => {
          incoming.resume();
          resolve(incoming.statusCode);
        });
        outgoing.on('error', reject);
        outgoing.end(
          'content-length' in announced && announced['content-length'] === 0 ? '' : '[]',
        );
      });
      expect(answered).toBe(status);
    },
  );

  test('a server refuses a body that is not UTF-8', async () => {
    const body = Buffer.from('{"reference":"\xff"}', 'latin1');
    const headers = { authorization: basicAuthorization('TEST', 'TEST') };
    const answer = await fetch(`${server.url}/v1.0/refunds`, { method: 'POST', headers, body });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ errors: ['Request body is not valid JSON'] });
  });

  test('a server refuses a body with a too large announced length without waiting for it', async () => {
    const answer = await new Promise((resolve, reject) => {
      const headers = { 'content-length': 10 * 1024 ** 3 };
      const outgoing = request(`${server.url}/v1.0/refunds`, { method: 'POST', headers });
      outgoing.on('response', (incoming) => {
        resolve([incoming.statusCode, incoming.headers['x-gw-dialect']]);
        outgoing.destroy();
      });
      outgoing.on('error', reject);
      outgoing.flushHeaders();
    });
    expect(answer).toEqual([413, 'deployed']);
  });

  test('a server refuses a large body of unknown length and goes on', async () => {
    const status = await new Promise((resolve, reject) => {
      const outgoing = request(`${server.url}/v1.0/refunds`, { method: 'POST' }, (incoming) => {
        resolve(incoming.statusCode);
        outgoing.destroy();
      });
      outgoing.on('error', reject);
      for (let i = 0; i < 20; i++) outgoing.write('x'.repeat(100_000));
    });
    expect(status).toBe(413);
    expect((await fetch(`${server.url}/v1.0/plans`)).status).toBe(401);
  });

  test.each([
    undefined,
    'Basic',
    'Basic ====',
    'Bearer TEST',
    `Basic ${btoa('TEST')}`,
    `Basic ${btoa('TEST:')}`,
    `Basic ${btoa('TEST:TEST ')}`,
    `Basic ${btoa('test:TEST')}`,
    `Basic ${btoa('TEST:OTHER')}`,
  ])('a server refuses the credentials %j', async (authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    expect((await fetch(`${server.url}/v1.0/plans`, { headers })).status).toBe(401);
  });

  test('a server accepts the scheme in any case', async () => {
    const headers = { authorization: `bASIC ${btoa('TEST:TEST')}` };
    expect((await fetch(`${server.url}/v1.0/plans`, { headers })).status).toBe(200);
  });

  test('a server reports that its port is in use', async () => {
    const port = Number(new URL(server.url).port);
    const second = serve({ store, clock, port });
    await expect(second).rejects.toThrow(`Port ${port} on 127.0.0.1 is already in use.`);
    await expect(second).rejects.toBeInstanceOf(Failure);
  });

  test('a server closes even with an open connection and an unfinished request', async () => {
    const { port } = new URL(server.url);
    const socket = connect(Number(port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write('POST /v1.0/plans HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{');
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {});
    const other = await serve({ store, clock, port: 0 });
    await other.close();
    await server.close();
    await ended;
    server = await serve({ store, clock, port: 0 });
  });

  test.each([
    ['a body', 'POST /v1.0/plans HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{'],
    ['headers', 'POST /v1.0/plans HTTP/1.1\r\nHo'],
  ])('a server refuses %s that arrive too slowly', async (_, text) => {
    const told: unknown[] = [];
    const defects: unknown[] = [];
    const slow = await serve({
      ...{ store, clock, port: 0, headersTimeoutMs: 100, requestTimeoutMs: 100 },
      onRefused: (...refusal) => told.push(refusal),
      onDefect: (error) => defects.push(error),
    });
    const socket = connect(Number(new URL(slow.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.resume().write(text);
    await new Promise((resolve) => socket.once('close', resolve));
    await slow.close();
    expect({ told, defects }).toEqual({ told: [[408, 'that took too long']], defects: [] });
  });

  test('a defect of one request is answered in the dialect', async () => {
    const read = store.read.bind(store);
    let reads = 0;
    // The first read asks for the dialect, and the second one performs the request.
    store.read = (work) => {
      if (++reads === 2) throw new Error('broken');
      return read(work);
    };
    const broken = await serve({ store, clock, port: 0, test: true });
    const answer = await fetch(`${broken.url}/v1.0/plans`);
    store.read = read;
    expect(answer.status).toBe(500);
    expect(answer.headers.get('x-gw-dialect')).toBe('deployed');
    expect(await answer.json()).toMatchObject({ response: {}, errors: ['Internal error'] });
    await broken.close();
  });

  test('a defect of the server is answered in an envelope and reported', async () => {
    const defects: unknown[] = [];
    const broken = await serve({ store, clock, port: 0, onDefect: (error) => defects.push(error) });
    store.close();
    const headers = { authorization: basicAuthorization('TEST', 'TEST') };
    const answer = await fetch(`${broken.url}/v1.0/plans`, { headers });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({
      successful: false,
      response: null,
      errors: ['Internal error'],
      test: true,
    });
    expect(defects).toHaveLength(1);
    await broken.close();
    store = openState({ path: ':memory:', clock });
  });
});

test('an address that is not loopback needs --allow-remote', async () => {
  await expect(serve({ store, clock, host: '0.0.0.0', port: 0 })).rejects.toThrow(
    '0.0.0.0 is not a loopback address',
  );
  const server = await serve({ store, clock, host: '0.0.0.0', port: 0, allowRemote: true });
  expect(server.url).toMatch(/^http:\/\/0\.0\.0\.0:\d+$/);
  await server.close();
});

test('an address of another machine is refused', async () => {
  const server = serve({ store, clock, host: '192.0.2.1', port: 0, allowRemote: true });
  await expect(server).rejects.toThrow('This machine does not have the address 192.0.2.1.');
});

test('a live gateway says test: false', async () => {
  const server = await serve({ store, clock, port: 0, test: false });
  const headers = { authorization: basicAuthorization('TEST', 'TEST') };
  for (const init of [{}, { headers }]) {
    const answer = await fetch(`${server.url}/v1.0/plans`, init);
    expect(await answer.json()).toMatchObject({ test: false });
  }
  await server.close();
});
