/**
 * The servers of gw, the listener and the test gateway, told things byte by byte that no honest
 * client says: what they answer, what they keep of it, what they tell their user, and that they go on.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { chargeText } from '../helpers/listener.ts';
import { PROGRAM } from '../helpers/program.ts';
import { type Running, start } from '../helpers/run.ts';

/** How a request for a server is written: its line and headers, the ones that a row is about, its body. */
interface Writer {
  path: string;
  /** A body that the server takes, another one each time. */
  body(): string;
  /** Headers that the server wants of everybody, with their line ends. */
  always: string;
}

interface Server extends Writer {
  running: Running;
  port: number;
  /** The output so far of both streams, in order. */
  printed(): string;
}

const text = (value: string) => Buffer.from(value, 'latin1');
let plans = 0;

const LISTENER: Writer = { path: '/', body: () => chargeText(`P-${plans++}`), always: '' };
const GATEWAY: Writer = {
  path: '/v1.0/plans',
  body: () => `{"name":"n","reference":"r-${plans++}","description":"d","amount":1}`,
  always: `Authorization: Basic ${btoa('TEST:TEST')}\r\n`,
};

interface Sent {
  /** Writes with the usual headers unless others are given; a length, unless the body is chunked. */
  post(headers?: string, rest?: { body?: string; line?: string; host?: string }): string;
  chunked(body: string): string;
  writer: Writer;
}

function senderOf(writer: Writer): Sent {
  return {
    writer,
    chunked: (body) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    post(headers = '', { body = writer.body(), line, host = 'Host: localhost\r\n' } = {}) {
      const isFramed = /^(?:content-length|transfer-encoding)/im.test(headers);
      const length = isFramed ? '' : `Content-Length: ${body.length}\r\n`;
      const first = line ?? `POST ${writer.path} HTTP/1.1`;
      return `${first}\r\n${host}${writer.always}${headers}${length}\r\n${body}`;
    },
  };
}

interface Row {
  what: string;
  bytes: (sent: Sent) => string;
  /** Statuses, in their order; `good` is the one of a request that is taken. */
  answers: (number | 'good')[];
  kept?: number;
  /** The message for the user, printed once. */
  told?: RegExp;
  /** Hangs up when the bytes are sent: politely, or with a reset. */
  leaves?: 'end' | 'reset';
}

const good = (what: string, bytes: Row['bytes']): Row => ({
  what,
  bytes,
  answers: ['good'],
  kept: 1,
});
const refused = (status: number, told: RegExp, [what, bytes]: [string, Row['bytes']]): Row => ({
  what,
  bytes,
  answers: [status],
  told,
});

const TUNNELS: [string, string][] = [
  [
    'ngrok',
    'X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Host: a1.ngrok.app\r\nX-Forwarded-Proto: https\r\n',
  ],
  [
    'cloudflared',
    'Cf-Connecting-Ip: 203.0.113.9\r\nCf-Ray: 8a\r\nCdn-Loop: cloudflare\r\nX-Forwarded-Proto: https\r\n',
  ],
  ['a proxy', 'Via: 1.1 proxy\r\nForwarded: for=203.0.113.9\r\nX-Real-Ip: 203.0.113.9\r\n'],
];

const PAGES: [what: string, headers: string, named: RegExp][] = [
  [
    'with a foreign Origin',
    'Origin: https://evil.example\r\nContent-Type: text/plain\r\n',
    /web page \(origin: https:\/\/evil\.example\)/,
  ],
  ['with an empty Origin', 'Origin:\r\n', /web page/],
  [
    'of a form',
    'Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n',
    /sec-fetch-site: cross-site/,
  ],
  ['without cors', 'Sec-Fetch-Mode: no-cors\r\n', /sec-fetch-mode: no-cors/],
  ['of an old browser', 'Referer: http://evil.example/\r\n', /referer/],
  [
    'with an Origin among three thousand headers',
    `${'X-A: b\r\n'.repeat(3_000)}Origin: https://evil.example\r\n`,
    /origin/,
  ],
  [
    'with a terminal in its Origin',
    'Origin: https://\u009b31m\r\n',
    /origin: https:\/\/\\u009b31m/,
  ],
  [
    'with a card number in its Origin',
    'Origin: https://4111111111111111\r\n',
    /origin: https:\/\/4111\d\dX+1111\)/,
  ],
];

const ROWS: Row[] = [
  good('a plain request', ({ post }) => post()),
  good('HTTP/1.0 without a Host', ({ post, writer }) =>
    post('', { host: '', line: `POST ${writer.path} HTTP/1.0` }),
  ),
  good('a body in chunks', ({ post, chunked, writer }) =>
    post('Transfer-Encoding: chunked\r\n', { body: chunked(writer.body()) }),
  ),
  good('an absolute form', ({ post, writer }) =>
    post('', { line: `POST http://localhost${writer.path} HTTP/1.1` }),
  ),
  good("Node's own fetch", ({ post }) =>
    post('Sec-Fetch-Mode: cors\r\nAccept-Language: *\r\nUser-Agent: node\r\n'),
  ),
  good('empty lines first', ({ post }) => `\r\n\r\n${post()}`),
  good('an upgrade that is not taken', ({ post }) =>
    post('Connection: Upgrade\r\nUpgrade: h2c\r\n'),
  ),
  good('identity as its coding', ({ post }) => post('Content-Encoding: identity\r\n')),
  ...PAGES.map(([what, headers, told]) =>
    refused(403, told, [`a page ${what}`, ({ post }) => post(headers)]),
  ),
  refused(403, /web page/, [
    'a preflight',
    ({ post, writer }) =>
      post('Origin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n', {
        line: `OPTIONS ${writer.path} HTTP/1.1`,
        body: '',
      }),
  ]),
  refused(403, /web page/, [
    'a web socket',
    ({ post, writer }) =>
      post('Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n', {
        line: `GET ${writer.path} HTTP/1.1`,
        body: '',
      }),
  ]),
  refused(415, /body is encoded/, [
    'a packed body',
    ({ post }) => post('Content-Encoding: gzip\r\n'),
  ]),
  refused(415, /gzip, chunked/, [
    'an unknown transfer coding',
    ({ post, chunked, writer }) =>
      post('Transfer-Encoding: gzip, chunked\r\n', { body: chunked(writer.body()) }),
  ]),
  refused(400, /without a Host/, ['no Host', ({ post }) => post('', { host: '' })]),
  refused(417, /expects more/, ['another expectation', ({ post }) => post('Expect: tea\r\n')]),
  refused(431, /too large/, [
    'a header without an end',
    ({ post }) => post(`X-A: ${'a'.repeat(400_000)}\r\n`),
  ]),
  refused(400, /not HTTP/, [
    'a length and chunks',
    ({ post, chunked, writer }) =>
      post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', { body: chunked(writer.body()) }),
  ]),
  refused(400, /not HTTP/, [
    'two lengths',
    ({ post }) => post('Content-Length: 5\r\nContent-Length: 6\r\n'),
  ]),
  refused(400, /not HTTP/, ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']),
  refused(400, /not HTTP/, ['TLS', () => '\u0016\u0003\u0001\u0002\u0000\u0001']),
  refused(400, /not HTTP/, ['noise', () => '\u0000\u0001\u00ff\u00fe\r\n\r\n']),
  {
    what: 'two requests in one write',
    bytes: ({ post }) => post() + post(),
    answers: ['good', 'good'],
    kept: 2,
  },
  {
    what: 'an expectation',
    bytes: ({ post }) => post('Expect: 100-continue\r\n'),
    answers: [100, 'good'],
    kept: 1,
  },
  { what: 'nothing, and gone', bytes: () => '', answers: [], leaves: 'end' },
  ...(['end', 'reset'] as const).flatMap((leaves): Row[] => [
    {
      what: `half of a body, and gone (${leaves})`,
      bytes: ({ post }) => post('Content-Length: 999\r\n'),
      answers: [],
      told: /ended before it was complete/,
      leaves,
    },
  ]),
  {
    what: 'half of its headers, and gone',
    bytes: () => 'POST / HTTP/1.1\r\nHo',
    answers: [],
    told: /ended before it was complete/,
    leaves: 'end',
  },
];

/** Only the listener: the gateway has paths of its own, and is not reached through tunnels. */
const OF_LISTENER: Row[] = [
  ...TUNNELS.map(([what, headers]) =>
    good(`the tunnel ${what}`, ({ post }) =>
      post(headers, { host: 'Host: shop-1.tunnel.example\r\n' }),
    ),
  ),
  refused(404, /another path, \/elsewhere/, [
    'another path',
    ({ post }) => post('', { line: 'POST /elsewhere HTTP/1.1' }),
  ]),
  refused(404, /another path, \/\.\.\//, [
    'a path that climbs',
    ({ post }) => post('', { line: 'POST /../ HTTP/1.1' }),
  ]),
  refused(405, /with GET instead of POST/, [
    'GET',
    ({ post }) => post('', { line: 'GET / HTTP/1.1', body: '' }),
  ]),
];

/** Only the gateway: its answers are for this machine alone. */
const OF_GATEWAY: Row[] = [
  refused(403, /not a name of this machine/, [
    'a name that leads here',
    ({ post }) => post('', { host: 'Host: evil.example:4010\r\n' }),
  ]),
  ...[
    '127.0.0.1:1',
    '[::1]:1',
    'a.localhost',
    'localhost',
    'gateway',
    'host.docker.internal',
    '192.0.2.1',
  ].map((host) => good(`the name ${host}`, ({ post }) => post('', { host: `Host: ${host}\r\n` }))),
];

/** Like `expect.poll`, for conditions that take a moment. */
const soon = <Value>(value: () => Value) => expect.poll(value, { interval: 5 });

const STATUS = /HTTP\/1\.1 (\d{3}) /g;

interface Talk {
  socket: Socket;
  statuses(): number[];
  answer(): string;
  isOver(): boolean;
}

function say(port: number, bytes: string): Talk {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  let isOver = false;
  socket.on('data', (data) => (answer += data.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('close', () => (isOver = true));
  socket.write(text(bytes));
  return {
    socket,
    answer: () => answer,
    statuses: () => [...answer.matchAll(STATUS)].map(([, status]) => Number(status)),
    isOver: () => isOver,
  };
}

async function open(home: string, args: readonly string[], address: RegExp) {
  const running = start(process.execPath, [PROGRAM, ...args, '--port', '0'], {
    env: { PATH: process.env.PATH, HOME: home, TZ: 'UTC' },
  });
  let printed = '';
  for (const stream of [running.child.stdout, running.child.stderr])
    stream?.on('data', (data) => (printed += data));
  await running.printed(address);
  const { port } = new URL(address.exec(running.output())?.[1] ?? '');
  return { running, port: Number(port), printed: () => printed };
}

/** Sends what a row says. @returns what came of it, when all of it has come */
async function outcome(server: Server, { bytes, answers, told, leaves }: Row) {
  const before = server.printed().length;
  const heard = () => server.printed().slice(before);
  const talk = say(server.port, bytes(senderOf(server)));
  if (leaves) {
    // A connection that closes before it is open never counts.
    await soon(() => talk.socket.connecting).toBe(false);
    await soon(() => talk.statuses().length).toBe(answers.length);
    if (leaves === 'end') talk.socket.destroy();
    else talk.socket.resetAndDestroy();
  } else {
    await soon(() => talk.statuses().length >= answers.length).toBe(true);
  }
  if (told) await soon(heard).toMatch(told);
  talk.socket.destroy();
  return { statuses: talk.statuses(), heard, answer: talk.answer() };
}

/** How many plans the gateway has. */
async function plansOf({ port, always }: Server): Promise<number> {
  const talk = say(port, `GET /v1.0/plans.json HTTP/1.1\r\nHost: localhost\r\n${always}\r\n`);
  const total = /"total_records":(\d+)/;
  await soon(talk.answer).toMatch(total);
  talk.socket.destroy();
  return Number(total.exec(talk.answer())?.[1]);
}

const LISTENER_ROWS = [...ROWS, ...OF_LISTENER];
const GATEWAY_ROWS = [...ROWS, ...OF_GATEWAY];

describe.each([
  [
    'the listener',
    LISTENER,
    ['listen'],
    /Give the gateway this address: (http\S+)\n/,
    LISTENER_ROWS,
    200,
  ],
  ['the built-in test gateway', GATEWAY, ['emulator', 'start'], /^(http\S+)\n/m, GATEWAY_ROWS, 201],
] as const)('%s', (name, writer, args, address, rows, success) => {
  const isListener = writer === LISTENER;
  let server: Server;

  beforeAll(async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'gw-test-'));
    server = { ...writer, ...(await open(home, args, address)) };
    return async () => {
      server.running.child.kill('SIGKILL');
      await server.running.ended;
      rmSync(home, { recursive: true, force: true });
    };
  });

  test.each([...rows])(`${name} and $what`, async (row) => {
    const before = isListener ? 0 : await plansOf(server);
    const { statuses, heard, answer } = await outcome(server, row);
    expect(statuses).toEqual(row.answers.map((status) => (status === 'good' ? success : status)));
    expect(answer).not.toMatch(/access-control/i);
    // It serves on. What it keeps and says of that comes after all that it says of the row.
    const next = await outcome(server, ROWS[0]!);
    expect(next.statuses).toEqual([success]);
    if (isListener) await soon(next.heard).toMatch(/\t#\d+\t/);
    const kept = isListener ? heard().match(/\t#\d+\t/g)?.length : (await plansOf(server)) - before;
    expect(kept).toBe((row.kept ?? 0) + 1);
    expect(heard().match(/Refused with/g) ?? []).toHaveLength(row.told ? 1 : 0);
    expect(heard()).not.toMatch(/defect|\n {4}at /);
  });

  test(`${name} ends with success after these requests`, async () => {
    server.running.child.kill('SIGTERM');
    expect(await server.running.ended).toMatchObject({ code: 0 });
  });
});
