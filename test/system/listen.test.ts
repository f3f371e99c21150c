/** `gw listen`, `gw events` and `gw trigger` as built: real sockets, real signals, a real ledger. */
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Agent, createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  charge,
  chargeText,
  gw,
  post,
  type RunningListener,
  recordsOf,
  startListener,
} from '../helpers/listener.ts';
import { filesBelow } from '../helpers/secrets.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

interface Taken {
  body: Buffer;
  headers: IncomingHttpHeaders;
}

/** An application that takes events, or answers with another status. */
async function startApplication(statusOf: (taken: Taken) => number = () => 200) {
  const taken: Taken[] = [];
  let isUp = true;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const delivery = { body: Buffer.concat(chunks), headers: request.headers };
      taken.push(delivery);
      response.writeHead(statusOf(delivery)).end('{"is":"no order of ours"}');
    });
  });
  server.on('connection', (socket) => {
    if (!isUp) socket.resetAndDestroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    taken,
    /** Down, it keeps its port, which could be another process's otherwise when it comes back. */
    setUp(up: boolean) {
      isUp = up;
      server.closeAllConnections();
    },
  };
}

/** Control characters that a terminal would obey. */
const RAW = /[^\P{Cc}\n\t]|\u202e/u;

const idsOf = (taken: readonly Taken[]) =>
  taken.map(({ body }) => JSON.parse(body.toString()).payload[0].response.response.id as string);

async function stop(listener: RunningListener, signal: NodeJS.Signals = 'SIGTERM') {
  listener.child.kill(signal);
  return listener.ended;
}

async function events(home: string, ...args: string[]) {
  const { stdout } = await gw(home, ['events', 'list', ...args, '-o', 'jsonl']);
  return recordsOf(stdout);
}

test('gw listen prints and stores each event, and gw events finds and resends it', async () => {
  const home = temporaryDirectory();
  const listener = await startListener(home, ['--profile', 'local']);
  expect(listener.output()).toContain('run a tunnel');
  const to = listener.url.href;
  const triggered = await gw(home, ['trigger', 'charge:retry', '--to', to]);
  expect(triggered).toMatchObject({ code: 0, stdout: `charge:retry\t${to}\t200\t\n`, stderr: '' });
  await post(listener.url, chargeText('P-1'), {
    headers: { Authorization: 'Basic c2VjcmV0OnNlY3JldA==' },
  });
  const resent = await gw(home, [
    ...['events', 'resend', '2', '--to', to, '-o', 'json'],
    ...['--set', 'payload.0.subscription.customer.first_name=Grace'],
    ...['--set', 'payload.0.response.response.id=P-2'],
  ]);
  expect(JSON.parse(resent.stdout)).toMatchObject({ status: 200, changed: true });
  const same = await gw(home, ['events', 'resend', '#2', '--to', to]);
  expect(same.code).toBe(0);
  const { stdout, code } = await stop(listener);
  expect(code).toBe(0);
  const lines = stdout.split('\n').map((line) => line.split('\t').slice(1));
  expect(lines).toEqual([
    [
      'Sandbox',
      'charge:retry',
      'Ada Lovelace',
      '25.00 AUD',
      expect.stringMatching(/^DECLINED: Insufficient Funds; Failed \(2\), Pending$/),
      '#1',
      'sample',
      'without a password',
    ],
    [
      'Sandbox',
      'charge:successful',
      'Ada Lovelace',
      '25.00 AUD',
      'Approved',
      '#2',
      'without a password',
    ],
    [
      'Sandbox',
      'charge:successful',
      'Grace Lovelace',
      '25.00 AUD',
      'Approved',
      '#3',
      'without a password',
    ],
    [
      'Sandbox',
      'charge:successful',
      'Ada Lovelace',
      '25.00 AUD',
      'Approved',
      '#4',
      'duplicate of #2',
      'without a password',
    ],
    [],
  ]);

  expect((await events(home, '--customer', 'Grace Lovelace')).map(({ id }) => id)).toEqual(['3']);
  expect((await events(home, '--outcome', 'declined')).map(({ id }) => id)).toEqual(['1']);
  expect((await events(home, '--reference', 'SUB-1', '--limit', '2')).map(({ id }) => id)).toEqual([
    '4',
    '3',
  ]);
  expect(await events(home, '--before', '1h')).toEqual([]);
  expect(await events(home, '--event', 'card:*')).toEqual([]);
  const got = await gw(home, ['events', 'get', '2', '-o', 'json']);
  const record = JSON.parse(got.stdout);
  expect(record.payload).toEqual(charge('P-1').payload);
  expect(record.headers).toMatchObject({ 'X-Service-Mode': 'Sandbox', Authorization: 'Basic ***' });
  expect((await gw(home, ['events', 'get', '2', '--raw'])).stdout).toBe(chargeText('P-1'));
  expect((await gw(home, ['events', 'get', '99'])).code).toBe(4);
  expect((await gw(home, ['events', 'resend', '2', '--to', to])).code).toBe(7);
  expect(statSync(path.join(home, '.local/state/gw/ledger.db')).mode & 0o777).toBe(0o600);
});

test('-o jsonl prints one complete object a line', async () => {
  const home = temporaryDirectory();
  const listener = await startListener(home, ['-o', 'jsonl', '--count', '2']);
  await post(listener.url, chargeText('P-1'));
  await post(listener.url, JSON.stringify({ event: 'card:expired', payload: { email: 'a@b.c' } }));
  const { stdout, code } = await listener.ended;
  expect(code).toBe(0);
  expect(recordsOf(stdout)).toMatchObject([
    {
      id: '1',
      event: 'charge:successful',
      outcome: 'approved',
      amount: 2500,
      payload: charge('P-1').payload,
      headers: { 'X-Service-Mode': 'Sandbox' },
    },
    { id: '2', event: 'card:expired', outcome: 'expired', who: 'a@b.c', authentication: 'none' },
  ]);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends gw listen after accepted deliveries are answered',
  async (signal) => {
    const home = temporaryDirectory();
    const listener = await startListener(home, ['--delay', '300', '-o', 'jsonl']);
    const answer = post(listener.url, chargeText('P-1'));
    // The event is printed before its answer, which waits.
    await listener.printed(/P-1/);
    const { code } = await stop(listener, signal);
    expect((await answer).status).toBe(200);
    expect(code).toBe(0);
    expect(await events(home)).toHaveLength(1);
  },
);

test('an interruption before the goal exits with 130, and the time limit with 9', async () => {
  const home = temporaryDirectory();
  const listener = await startListener(home, ['--until', 'charge:failed']);
  await post(listener.url, chargeText('P-1'));
  const { code, signal } = await stop(listener, 'SIGINT');
  expect(code === 130 || signal === 'SIGINT').toBe(true);
  const late = await gw(home, [
    'listen',
    '--port',
    '0',
    '--count',
    '1',
    '--timeout',
    '0.05',
    '-o',
    'jsonl',
  ]);
  expect(late.code).toBe(9);
  expect(late.stderr).toContain('0 of 1 event came within 0.05 seconds.');
});

test('bad deliveries get their status, are stored or reported, and stop nothing', async () => {
  const home = temporaryDirectory();
  const listener = await startListener(home, ['--path', '/secret', '-o', 'jsonl']);
  const { url } = listener;
  const mebibyte = Buffer.alloc(1024 * 1024, ' ');
  const padded = Buffer.concat([Buffer.from(chargeText('P-1')), mebibyte]).subarray(
    0,
    mebibyte.length,
  );
  const statuses = {
    'not JSON': (await post(url, 'nope')).status,
    'not UTF-8': (await post(url, Buffer.from([0xff, 0xfe]))).status,
    'no event': (await post(url, '{"payload":[]}')).status,
    empty: (await post(url, '')).status,
    'a wrong method': (await post(url, '', { method: 'PUT' })).status,
    'a wrong path': (await post(new URL('/other', url), chargeText('P-0'))).status,
    'exactly 1 MiB': (await post(url, padded)).status,
    'over 1 MiB': (await post(url, Buffer.concat([mebibyte, padded]))).status,
    'over 1 MiB, its length not said': (
      await post(url, Buffer.concat([mebibyte, padded]), {
        headers: { 'Transfer-Encoding': 'chunked' },
      })
    ).status,
    'an object for a list': (
      await post(url, '{"event":"card:expired","payload":{"email":"a@b.c"}}')
    ).status,
    'no payload': (await post(url, '{"event":"charge:failed"}')).status,
    'an unknown event': (await post(url, '{"event":"plan:renamed","payload":[{"id":1}]}')).status,
    'nested deeply': (
      await post(url, `{"event":"x","payload":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)
    ).status,
    'no HTTP': await rawAnswer(url, 'nonsense\r\n\r\n'),
    'too large headers': await rawAnswer(
      url,
      `POST /secret HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
    ),
    'a good one, still': (await post(url, chargeText('P-9'))).status,
  };
  expect(statuses).toEqual({
    'not JSON': 400,
    'not UTF-8': 400,
    'no event': 400,
    empty: 400,
    'a wrong method': 405,
    'a wrong path': 404,
    'exactly 1 MiB': 200,
    'over 1 MiB': 413,
    'over 1 MiB, its length not said': 413,
    'an object for a list': 200,
    'no payload': 400,
    'an unknown event': 200,
    'nested deeply': 200,
    'no HTTP': 400,
    'too large headers': 431,
    'a good one, still': 200,
  });
  const { stderr, stdout } = await stop(listener);
  for (const refused of [404, 405, 431])
    expect(stderr).toContain(`Refused with ${refused} and not kept`);
  expect(recordsOf(stdout)).toHaveLength(12);
  const bad = await events(home, '--outcome', 'bad');
  expect(bad.map(({ fault, status }) => [fault, status])).toEqual([
    ['the payload is empty', 400],
    ['the body is over 1 MiB', 413],
    ['the body is over 1 MiB', 413],
    ['the body is not JSON', 400],
    ['the body does not name an event', 400],
    ['the body is not UTF-8 text', 400],
    ['the body is not JSON', 400],
  ]);
  expect(bad[0]).toMatchObject({ event: 'charge:failed', amount: null });
  expect(await events(home)).toHaveLength(12);
});

/** @returns the status that a text which is no request gets */
async function rawAnswer(url: URL, text: string): Promise<number> {
  const socket = connect(Number(url.port), url.hostname);
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
  });
  socket.write(text);
  await once(socket, 'close');
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

test('control characters of a delivery never reach the terminal', async () => {
  const home = temporaryDirectory();
  const evil = '\u001b[2J\u001b]0;title\u0007\u009b31m\u202eevil\r\nforged';
  const forms: string[][] = [['--verbose'], ['-o', 'jsonl'], []];
  for (const args of forms) {
    const listener = await startListener(home, [...args, '--profile', 'local']);
    const body = { ...charge(`P${evil}`, { name: evil, reference: evil }), event: `x${evil}` };
    await post(listener.url, JSON.stringify(body));
    await post(listener.url, `not json ${evil}`);
    await post(new URL('/%1b[2J\u009b', listener.url), '');
    const { stdout, stderr } = await stop(listener);
    for (const text of [stdout, stderr]) expect(text).not.toMatch(RAW);
    expect(stdout.split('\n').filter((line) => line.startsWith('forged'))).toEqual([]);
    expect(stdout).toContain('\\u001b');
  }
  for (const args of [
    ['list'],
    ['get', '1'],
    ['get', '1', '-o', 'json'],
    ['list', '-o', 'csv', '--fields', 'id'],
  ]) {
    const { stdout } = await gw(home, ['events', ...args]);
    expect(stdout).not.toMatch(RAW);
  }
});

test('a thousand simultaneous connections are all answered', async () => {
  const home = temporaryDirectory();
  const listener = await startListener(home, ['-o', 'jsonl']);
  const agent = new Agent({ maxSockets: 1_000 });
  onTestFinished(() => agent.destroy());
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, (_, n) => post(listener.url, chargeText(`P-${n}`), { agent })),
  );
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  const { stdout } = await stop(listener);
  expect(new Set(recordsOf(stdout).map(({ purchase }) => purchase)).size).toBe(1_000);
  expect(await events(home, '--limit', '5000')).toHaveLength(1_000);
});

test('gw listen requires a password and stores none', async () => {
  const home = temporaryDirectory();
  const env = { GW_LISTEN_PASSWORD: 'open-sesame-1' };
  const args = ['--basic-auth', 'hooks'];
  const listener = await startListener(home, [...args, '-o', 'jsonl'], env);
  const refused = await post(listener.url, chargeText('P-1'));
  expect(refused.status).toBe(401);
  expect(refused.headers['www-authenticate']).toContain('Basic');
  const sent = await gw(
    home,
    ['trigger', 'charge:pending', '--to', listener.url.href, ...args],
    env,
  );
  expect(sent.code).toBe(0);
  const { stdout, stderr } = await stop(listener);
  expect(stderr).toContain('Refused with 401');
  expect(recordsOf(stdout)).toMatchObject([
    { authentication: 'basic', headers: { Authorization: 'Basic ***' } },
  ]);
});

test('gw listen gives an application its password, and shows and stores it nowhere', async () => {
  const home = temporaryDirectory();
  const password = 'tulip-harbour-7';
  const wanted = `Basic ${Buffer.from(`app:${password}`).toString('base64')}`;
  const application = await startApplication(({ headers }) =>
    headers.authorization === wanted ? 200 : 401,
  );
  const args = ['--forward-to', application.url];
  const without = await startListener(home, args);
  await post(without.url, chargeText('P-1'));
  await vi.waitUntil(() => without.output().includes('answered 401'), { timeout: 20_000 });
  const refused = await stop(without);
  expect(refused.stderr).toContain('`--forward-basic-auth USERNAME` gives it one.');

  const env = { GW_FORWARD_PASSWORD: password };
  const listener = await startListener(home, [...args, '--forward-basic-auth', 'app'], env);
  await vi.waitUntil(() => application.taken.at(-1)?.headers.authorization === wanted, {
    timeout: 20_000,
  });
  await post(listener.url, chargeText('P-2'));
  await vi.waitUntil(() => idsOf(application.taken).includes('P-2'), { timeout: 20_000 });
  const { stdout, stderr } = await stop(listener);
  expect(stderr).toContain('1 earlier event is waiting');
  const told = stdout + stderr + JSON.stringify(await events(home));
  for (const secret of [password, wanted.slice('Basic '.length)]) {
    expect(told).not.toContain(secret);
    for (const { text } of filesBelow(home)) expect(text.includes(secret)).toBe(false);
  }
});

test.each([
  [['--forward-to', 'http://app:secret-9@127.0.0.1:1/'], 'add --forward-basic-auth USERNAME'],
  [['--forward-basic-auth', 'app'], '--forward-basic-auth needs --forward-to.'],
])('gw listen %j is told how to give a password', async (args, said) => {
  const { code, stderr } = await gw(temporaryDirectory(), ['listen', ...args]);
  expect(code).toBe(2);
  expect(stderr).toContain(said);
  expect(stderr).not.toContain('secret-9');
});

test('gw listen masks a card number and a CVV before it stores them', async () => {
  const home = temporaryDirectory();
  const listener = await startListener(home, ['-o', 'jsonl']);
  const card = { card_number: '4111111111111111', cvv: '987' };
  await post(listener.url, JSON.stringify({ event: 'x', payload: [card] }));
  await post(listener.url, `card_number=4111111111111111&cvv=987`);
  await stop(listener);
  const bodies = await Promise.all(
    ['1', '2'].map((id) => gw(home, ['events', 'get', id, '--raw'])),
  );
  for (const { stdout } of bodies) {
    expect(stdout).toContain('411111XXXXXX1111');
    expect(stdout).not.toContain('987');
  }
  expect(await events(home)).toMatchObject([{ masked: true }, { masked: true }]);
});

test("gw listen warns about another mode than the profile's", async () => {
  const home = temporaryDirectory();
  const listener = await startListener(home, ['--profile', 'local']);
  await post(listener.url, chargeText('P-1'), { headers: { 'X-Service-Mode': 'Live' } });
  const { stdout, stderr } = await stop(listener);
  expect(stdout).toContain('MODE MISMATCH: Sandbox expected');
  expect(stderr).toContain('WARNING: event 1 says Live, but the profile local expects Sandbox.');
});

/** A customer of the test gateway with a subscription that is billed every day. */
async function subscribe(home: string): Promise<string> {
  const local = ['--profile', 'local', '-o', 'id'];
  const customer = await gw(home, [
    ...['customer', 'create', ...local, '--first-name', 'Ada', '--last-name', 'Lovelace'],
    ...['--reference', 'C-1', '--email', 'ada@example.com', '--test-card', 'approved'],
  ]);
  const named = ['--name', 'Gold', '--reference', 'GOLD', '--description', 'Gold'];
  await gw(home, ['plan', 'create', ...local, ...named, '--amount', '4200']);
  const made = await gw(home, [
    ...['subscription', 'create', ...local, '--customer', customer.stdout.trim(), '--plan', 'GOLD'],
    ...['--frequency', 'Daily', '--reference', 'SUB-77', '--is-active'],
  ]);
  expect(made).toMatchObject({ code: 0 });
  return customer.stdout.trim();
}

test('--verify passes on only confirmed events, even after a restart without it', async () => {
  const home = temporaryDirectory();
  const customer = await subscribe(home);
  const application = await startApplication();
  const args = ['--profile', 'local', '--verify', '--forward-to', application.url];
  const first = await startListener(home, args);
  const forged = [
    chargeText('P-1', { reference: 'SUB-77' }),
    JSON.stringify({
      event: 'card:expired',
      payload: [{ id: customer, email: 'eve@example.com' }],
    }),
    JSON.stringify({ event: 'charge:refunded', payload: [{ id: customer }] }),
  ];
  for (const body of forged) await post(first.url, body);
  expect(await gw(home, ['emulator', 'advance', '1d'])).toMatchObject({ code: 0 });
  await vi.waitUntil(() => application.taken.length === 2, { timeout: 20_000 });
  const taken = () => application.taken.map(({ body }) => JSON.parse(body.toString()).event);
  expect(taken()).toEqual(['charge:pending', 'charge:successful']);
  const { stderr } = await stop(first);
  expect(stderr).toContain('3 events were not passed on');

  const second = await startListener(home, args.slice(0, 2).concat(args.slice(3)));
  await stop(second);
  expect(taken()).toHaveLength(2);
  expect((await events(home)).map(({ verification }) => verification)).toEqual([
    ...['verified', 'verified', 'unverified', 'contradicted', 'contradicted'],
  ]);
  const resend = (...more: string[]) =>
    gw(home, ['events', 'resend', '1', '--to', application.url, ...more]);
  const said = expect.stringContaining('The gateway contradicts event 1: ');
  expect(await resend()).toMatchObject({ code: 10, stdout: '', stderr: said });
  expect(taken()).toHaveLength(2);
  expect((await resend('--contradicted')).code).toBe(0);
  expect(taken()).toHaveLength(3);
});

test('several events are sent again in the order of arrival, and those not accepted are named', async () => {
  const home = temporaryDirectory();
  const listener = await startListener(home);
  for (const id of ['P-1', 'P-2', 'P-3']) await post(listener.url, chargeText(id));
  await stop(listener);
  const idOf = ({ body }: Taken) => /P-\d/.exec(body.toString())?.[0];
  let broken = 'P-2';
  const application = await startApplication((taken) => (idOf(taken) === broken ? 500 : 200));
  const resend = (...words: string[]) =>
    gw(home, ['events', 'resend', ...words, '--to', application.url]);

  const first = await resend('3', '1', '2', '-o', 'jsonl');
  expect(first.code).toBe(6);
  expect(recordsOf(first.stdout).map(({ id, status }) => [id, status])).toEqual([
    ['1', 200],
    ['2', 500],
    ['3', 200],
  ]);
  expect(application.taken.map(idOf)).toEqual(['P-1', 'P-2', 'P-3']);
  const { error } = JSON.parse(first.stderr);
  expect(error.message).toContain('did not accept 1 of 3 events: 2 (500).');
  const [, ...again] = /`gw (.*)`/.exec(error.next)?.[1]?.split(' ') ?? [];
  expect(again).toEqual(['resend', '2', '--to', application.url]);

  broken = '';
  expect(await gw(home, ['events', ...again])).toMatchObject({ code: 0 });
  // Nothing is sent if one of them cannot be.
  expect((await resend('1', '99')).code).toBe(4);
  expect(application.taken).toHaveLength(4);
  application.setUp(false);
  expect(await resend('1', '2')).toMatchObject({
    code: 7,
    stderr: expect.not.stringContaining('sent before'),
  });
});

test('gw listen passes on bytes and headers, and continues at the next start', async () => {
  const home = temporaryDirectory();
  const application = await startApplication();
  const to = ['--forward-to', application.url, '--events', 'charge:*'];
  const first = await startListener(home, to);
  const odd = ` ${chargeText('P-1')}\n `;
  await post(first.url, Buffer.from(odd), {
    headers: { 'X-Custom': 'Ünï', Authorization: 'Basic eDp5' },
  });
  await post(first.url, chargeText('P-0', { event: 'card:expired' }));
  await vi.waitUntil(() => application.taken.length === 1, { timeout: 20_000 });
  expect(application.taken[0]?.body.toString()).toBe(odd);
  expect(application.taken[0]?.headers).toMatchObject({
    'x-service-mode': 'Sandbox',
    'x-custom': 'Ünï',
  });
  expect(application.taken[0]?.headers.authorization).toBeUndefined();

  application.setUp(false);
  for (const n of [2, 3, 4]) await post(first.url, chargeText(`P-${n}`));
  await first.printed(/did not accept an event/);
  first.child.kill('SIGKILL');
  await first.ended;

  application.setUp(true);
  const second = await startListener(home, to);
  expect(second.output()).toContain('3 earlier events are waiting for');
  await vi.waitUntil(() => application.taken.length === 4, { timeout: 20_000 });
  expect(idsOf(application.taken).slice(1)).toEqual(['P-2', 'P-3', 'P-4']);
  const { stderr } = await stop(second);
  expect(stderr).not.toContain('the next gw listen');
  const third = await startListener(home, to);
  expect(third.output()).not.toContain('earlier event');
  await stop(third);
});

test('gw listen refuses wrong flags before it listens', async () => {
  const home = temporaryDirectory();
  const refused = [
    ['--host', '0.0.0.0'],
    ['--port', '70000'],
    ['--path', 'secret'],
    ['--respond', '99'],
    ['--delay', 'soon'],
    ['--count', '0'],
    ['--forward-to', 'ftp://x'],
    ['--forward-to', 'http://u:p@127.0.0.1/'],
    ['--verify'],
    ['--profile', 'nowhere'],
  ];
  for (const args of refused) {
    const port = args.includes('--port') ? [] : ['--port', '0'];
    const { code, stdout } = await gw(home, ['listen', ...port, ...args]);
    expect([args.join(' '), code, stdout]).toEqual([args.join(' '), 2, '']);
  }
  const listener = await startListener(home);
  const { code, stderr } = await gw(home, ['listen', '--port', listener.url.port]);
  expect(code).toBe(2);
  expect(stderr).toContain(`Port ${listener.url.port} on 127.0.0.1 is already in use.`);
  await stop(listener);
  expect((await gw(home, ['trigger', 'charge:odd'])).code).toBe(2);
  expect((await gw(home, ['events', 'get', 'x'])).code).toBe(2);
});

test('--debug shows what is sent and answered', async () => {
  const home = temporaryDirectory();
  const application = await startApplication(() => 422);
  const env = { GW_LISTEN_PASSWORD: 'sesame123' };
  const args = ['--to', application.url, '--basic-auth', 'hooks', '--debug'];
  const { code, stderr } = await gw(home, ['trigger', 'charge:retry', ...args], env);
  expect(code).toBe(6);
  expect(stderr).toMatch(
    /^> POST \S+\/hooks\n(?:> .*\n)*> \{"event":"charge:retry",.*\n< 422 in \d+ ms\n/,
  );
  expect(stderr).toContain('\n< {"is":"no order of ours"}\n');
  expect(stderr).not.toContain('sesame');
});
