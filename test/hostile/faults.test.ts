/**
 * The client against everything that can happen between it and a gateway, over both senders and
 * against a server that misbehaves byte by byte.
 *
 * Each scenario says what becomes of a read, a write and a money request. What must hold in every
 * one of them is checked in every one: a request is said not to have been sent only when not a byte
 * of it arrived, what may not be repeated arrives once at the most, and the ledger agrees.
 */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Failure } from '../../src/failure.ts';
import { EXIT_CODES, type FailureKind } from '../../src/failure-codes.ts';
import type { EntryState } from '../../src/journal/ledger.ts';
import { CALLS, ENVELOPE, REFUSAL } from '../helpers/calls.ts';
import { createAuthority } from '../helpers/certificates.ts';
import { createTestClient, type TestClient } from '../helpers/client.ts';
import { failureOf } from '../helpers/failure.ts';
import {
  answer,
  type Behaviour,
  CLOSED_ADDRESS,
  type HostileOptions,
  type HostileServer,
  hostileServer,
} from '../helpers/hostile-server.ts';
import { type OpenSender, SENDERS } from '../helpers/senders.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { timeLimitOnDemand, turnsOfTheLoop } from '../helpers/time-limit.ts';

type Verdict = FailureKind | 'done';
type EffectName = keyof typeof LOST;

/** The state in the ledger after a money request, by the client's verdict. */
const STATES: Readonly<Partial<Record<Verdict, EntryState>>> = {
  done: 'done',
  notReached: 'not-sent',
  interrupted: 'not-sent',
  unknown: 'unknown',
  rejected: 'rejected',
  auth: 'rejected',
  notFound: 'rejected',
};

interface Scenario {
  name: string;
  /** A server, or where there is none. */
  at: Behaviour | (() => Promise<URL> | URL);
  options?: () => HostileOptions;
  verdict: Verdict | Record<EffectName, Verdict>;
  /** How often a read arrives; once when left out. */
  reads?: number;
}

/** The message about a request that was sent and got no trustworthy answer. */
const LOST = { read: 'notReached', write: 'unknown', money: 'unknown' } as const;

const HTML = '<html><body><h1>Bad news</h1></body></html>';

/** Reaches the time limit of the exchange that `run` is about. */
let reachLimit: () => void = () => undefined;

/** @returns the behaviour with a time limit that is reached once something arrived and was answered */
const untilLimit = (behaviour: Behaviour): Behaviour => ({
  ...behaviour,
  onConnection(socket) {
    behaviour.onConnection?.(socket);
    socket.once('data', () => void turnsOfTheLoop().then(reachLimit));
  },
});

const says = (text: string): Behaviour => ({ onRequest: (socket) => socket.write(text) });
const saysAndEnds = (text: string): Behaviour => ({ onRequest: (socket) => socket.end(text) });
const saysAndResets = (text: string): Behaviour => ({
  // The reset would overtake what is not written yet.
  onRequest: (socket) => socket.write(text, () => socket.resetAndDestroy()),
});
const hasOpenssl = havePrograms('openssl');

const NOT_SENT: Scenario[] = [
  { name: 'nobody listens', at: () => CLOSED_ADDRESS, verdict: 'notReached' },
  {
    name: 'its host name is unknown',
    at: () => new URL('http://no-such-host.invalid'),
    verdict: 'notReached',
  },
  {
    name: 'it does not speak TLS and hangs up',
    at: withHttps({ onConnection: (socket) => socket.end('HTTP/1.1 400 Plain HTTP only\r\n\r\n') }),
    verdict: 'notReached',
  },
  {
    name: 'it resets the connection in the TLS handshake',
    at: withHttps({
      onConnection: (socket) => void socket.once('data', () => socket.resetAndDestroy()),
    }),
    verdict: 'notReached',
  },
  {
    name: 'it closes the connection in the TLS handshake',
    at: withHttps({ onConnection: (socket) => void socket.once('data', () => socket.end()) }),
    verdict: 'notReached',
  },
  {
    name: 'it never answers the TLS handshake',
    at: withHttps(untilLimit({})),
    verdict: 'notReached',
  },
];

const UNTRUSTED: Scenario = {
  name: 'its certificate is trusted by nobody',
  at: says(answer(200, ENVELOPE)),
  options: () => ({ tls: createAuthority(temporaryDirectory()).issue('127.0.0.1') }),
  verdict: 'notReached',
  reads: 0,
};

const LOST_AFTER_SENDING: Scenario[] = [
  {
    name: 'it resets the connection when it has read the request',
    at: { onRequest: (socket) => socket.resetAndDestroy() },
    verdict: LOST,
  },
  {
    name: 'it closes the connection without a word',
    at: { onRequest: (socket) => socket.end() },
    verdict: LOST,
  },
  {
    name: 'it never answers',
    at: untilLimit({}),
    verdict: LOST,
  },
  {
    name: 'it stops in the middle of the status line',
    at: saysAndEnds('HTTP/1.1 20'),
    verdict: LOST,
  },
  {
    name: 'it stops in the middle of the headers',
    at: saysAndResets('HTTP/1.1 200 OK\r\nContent-Le'),
    verdict: LOST,
  },
  {
    name: 'it resets the connection in the middle of the body',
    at: saysAndResets(answer(200, ENVELOPE.slice(0, 20), { 'content-length': '150' })),
    verdict: LOST,
  },
  {
    name: 'it closes the connection in the middle of the body',
    at: saysAndEnds(answer(200, ENVELOPE.slice(0, 20), { 'content-length': '150' })),
    verdict: LOST,
  },
  {
    name: 'it closes the connection in the middle of a chunk',
    at: saysAndEnds(
      answer(200, `40\r\n${ENVELOPE.slice(0, 20)}`, { 'transfer-encoding': 'chunked' }),
    ),
    verdict: LOST,
  },
  {
    name: 'it is silent in the middle of the body',
    at: untilLimit(says(answer(200, ENVELOPE.slice(0, 20), { 'content-length': '150' }))),
    verdict: LOST,
  },
  {
    name: 'its body comes in drops and never ends',
    at: untilLimit({
      onRequest(socket) {
        socket.write(answer(200, '', { 'transfer-encoding': 'chunked' }));
        const drop = () => socket.write('1\r\n \r\n', (error) => error || setImmediate(drop));
        drop();
      },
    }),
    verdict: LOST,
  },
  {
    name: 'it says for ever that it is about to answer',
    at: untilLimit({
      onRequest(socket) {
        const hint = () =>
          socket.write('HTTP/1.1 103 Early Hints\r\n\r\n', (error) => error || setImmediate(hint));
        hint();
      },
    }),
    verdict: LOST,
  },
  { name: 'it does not speak HTTP', at: says('220 mail.example ESMTP\r\n\r\n'), verdict: LOST },
  {
    name: 'its headers are broken',
    at: says('HTTP/1.1 200 OK\r\nno colon here\r\n\r\n'),
    verdict: LOST,
  },
  {
    name: 'it gives two different lengths',
    at: says(
      `HTTP/1.1 200 OK\r\nContent-Length: ${ENVELOPE.length}\r\nContent-Length: 5\r\n\r\n${ENVELOPE}`,
    ),
    verdict: LOST,
  },
  {
    name: 'its headers are larger than anybody reads',
    at: says(answer(200, ENVELOPE, { 'x-bomb': 'x'.repeat(200_000) })),
    verdict: LOST,
  },
  {
    name: 'it sends header after header',
    at: says(
      `HTTP/1.1 200 OK\r\n${'x-h: 1\r\n'.repeat(50_000)}Content-Length: ${ENVELOPE.length}\r\n\r\n${ENVELOPE}`,
    ),
    verdict: LOST,
  },
  {
    name: 'its body is over 16 MiB',
    at: {
      onRequest(socket) {
        socket.write(answer(200, '', { 'content-length': String(17 * 1024 * 1024) }));
        socket.write(' '.repeat(17 * 1024 * 1024 - ENVELOPE.length));
        socket.write(ENVELOPE);
      },
    },
    verdict: LOST,
  },
  {
    name: 'it switches to another protocol',
    at: says('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: foo\r\n\r\n'),
    verdict: LOST,
  },
];

const UNTRUSTWORTHY_ANSWERS: Scenario[] = [
  ...[500, 505, 520].map((status) => ({
    name: `${status} with a page`,
    at: says(answer(status, HTML, { 'content-type': 'text/html' })),
    verdict: LOST,
  })),
  ...[502, 503, 504].map((status) => ({
    name: `${status} with a page`,
    at: says(answer(status, HTML, { 'content-type': 'text/html' })),
    verdict: LOST,
    reads: 4,
  })),
  { name: '200 with a page', at: says(answer(200, HTML)), verdict: LOST },
  { name: '400 with a page', at: says(answer(400, HTML)), verdict: LOST },
  { name: '408 with a page', at: says(answer(408, HTML)), verdict: LOST },
  { name: '413 with a page', at: says(answer(413, HTML)), verdict: LOST },
  {
    name: '200 with half of the JSON',
    at: says(answer(200, ENVELOPE.slice(0, -9))),
    verdict: LOST,
  },
  { name: '200 with nothing', at: says(answer(200)), verdict: LOST },
  { name: '200 with JSON that is no envelope', at: says(answer(200, '[1]')), verdict: LOST },
  { name: '200 with null', at: says(answer(200, 'null')), verdict: LOST },
  { name: '204', at: says('HTTP/1.1 204 No Content\r\n\r\n'), verdict: LOST },
  { name: '304', at: says('HTTP/1.1 304 Not Modified\r\n\r\n'), verdict: LOST },
  { name: '400 that says successful', at: says(answer(400, ENVELOPE)), verdict: LOST },
  { name: '302 that says successful', at: says(answer(302, ENVELOPE)), verdict: LOST },
  {
    name: '500 with a failure envelope',
    at: says(answer(500, REFUSAL)),
    verdict: { read: 'rejected', write: 'rejected', money: 'unknown' },
  },
  {
    name: '503 with a failure envelope',
    at: says(answer(503, REFUSAL)),
    verdict: { read: 'rejected', write: 'unknown', money: 'unknown' },
    reads: 4,
  },
];

const REFUSALS: Scenario[] = [
  { name: '200 that says not successful', at: says(answer(200, REFUSAL)), verdict: 'rejected' },
  { name: '400 with an envelope', at: says(answer(400, REFUSAL)), verdict: 'rejected' },
  { name: '422 with an envelope', at: says(answer(422, REFUSAL)), verdict: 'rejected' },
  { name: '501 with an envelope', at: says(answer(501, REFUSAL)), verdict: 'rejected' },
  { name: '501 with a page', at: says(answer(501, HTML)), verdict: LOST },
  { name: '401 with an envelope', at: says(answer(401, REFUSAL)), verdict: 'auth' },
  { name: '401 with a page', at: says(answer(401, HTML)), verdict: 'auth' },
  { name: '403 with an envelope', at: says(answer(403, REFUSAL)), verdict: 'auth' },
  { name: '403 with nothing', at: says(answer(403)), verdict: 'auth' },
  { name: '404 with an envelope', at: says(answer(404, REFUSAL)), verdict: 'notFound' },
  { name: '404 with a page', at: says(answer(404, HTML)), verdict: 'notFound' },
  { name: '429 with nothing', at: says(answer(429)), verdict: 'rejected', reads: 4 },
  {
    name: '429 with a date that has passed',
    at: says(answer(429, '', { 'retry-after': 'Mon, 09 Mar 2026 09:30:00 GMT' })),
    verdict: 'rejected',
    reads: 4,
  },
  {
    name: '429 with a wait longer than anybody waits',
    at: says(answer(429, REFUSAL, { 'retry-after': '99999999999999999999' })),
    verdict: 'rejected',
  },
  {
    name: '400 before the request was read, and hanging up',
    at: {
      onConnection: (socket) => void socket.once('data', () => socket.end(answer(400, REFUSAL))),
    },
    verdict: 'rejected',
  },
];

const ODD_BUT_GOOD: Scenario[] = [
  { name: 'an envelope', at: says(answer(200, ENVELOPE)), verdict: 'done' },
  { name: 'an envelope with 201', at: says(answer(201, ENVELOPE)), verdict: 'done' },
  { name: 'an envelope with 202', at: says(answer(202, ENVELOPE)), verdict: 'done' },
  {
    name: 'an envelope after a byte order mark',
    at: says(answer(200, `\uFEFF${ENVELOPE}`)),
    verdict: 'done',
  },
  {
    name: 'an envelope that is called a page',
    at: says(answer(200, ENVELOPE, { 'content-type': 'text/html' })),
    verdict: 'done',
  },
  {
    name: 'an envelope without a length, until the connection ends',
    at: saysAndEnds(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${ENVELOPE}`),
    verdict: 'done',
  },
  { name: 'HTTP/1.0', at: saysAndEnds(`HTTP/1.0 200 OK\r\n\r\n${ENVELOPE}`), verdict: 'done' },
  {
    name: 'an envelope byte by byte, each in a chunk of its own',
    at: {
      async onRequest(socket) {
        socket.write(answer(200, '', { 'transfer-encoding': 'chunked' }));
        for (const byte of ENVELOPE) {
          await new Promise((resolve) => socket.write(`1\r\n${byte}\r\n`, resolve));
        }
        socket.end('0\r\n\r\n');
      },
    },
    verdict: 'done',
  },
  {
    name: '102 first',
    at: says(`HTTP/1.1 102 Processing\r\n\r\n${answer(200, ENVELOPE)}`),
    verdict: 'done',
  },
  {
    name: 'early hints first',
    at: says(`HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${answer(200, ENVELOPE)}`),
    verdict: 'done',
  },
  {
    name: 'an IPv6 address',
    at: says(answer(200, ENVELOPE)),
    options: () => ({ address: '::1' }),
    verdict: 'done',
  },
];

describe.each(SENDERS)('over %s', (_, openSender) => {
  describe.each(['read', 'write', 'money'] as const)('a %s', (effect) => {
    const check = (scenario: Scenario) => run(scenario, effect, openSender);

    test.each(NOT_SENT)('is not sent when $name', check);
    test.skipIf(!hasOpenssl)(`is not sent when ${UNTRUSTED.name}`, () => check(UNTRUSTED));
    test.each(LOST_AFTER_SENDING)('got no answer when $name', check);
    test.each(UNTRUSTWORTHY_ANSWERS)('got no trustworthy answer from $name', check);
    test.each(REFUSALS)('is refused by $name', check);
    test.each(ODD_BUT_GOOD)('is done with $name', check);

    test.each([301, 302, 303, 307, 308])('does not follow a redirect with %i', async (status) => {
      const elsewhere = await hostileServer(says(answer(200, ENVELOPE)));
      const location = new URL('/v1.0/purchases/071-P-1', elsewhere.url).href;
      const at = says(answer(status, '', { location }));
      await run({ name: 'redirect', at, verdict: LOST }, effect, openSender);
      expect(elsewhere.connections).toBe(0);
    });

    test('reports a reset before the answer truthfully', async () => {
      const server = await hostileServer({ onConnection: (socket) => socket.resetAndDestroy() });
      const testClient = await connect(server.url, openSender);
      const { client, losses } = testClient;
      const failure = await failureOf(() => client.call(...CALLS[effect]));
      await client.close();
      const { sent } = losses.at(-1)!;
      expect(failure.kind).toBe(sent ? LOST[effect] : 'notReached');
      expectTruth(sent, server);
      const state = sent ? 'unknown' : 'not-sent';
      expect(await statesOf(testClient)).toEqual(effect === 'money' ? [state] : []);
    });
  });
});

async function connect(baseUrl: URL, openSender: OpenSender): Promise<TestClient> {
  return createTestClient({ baseUrl, sender: await openSender() });
}

/** @returns the states of the ledger's entries; none, and no file, when no money request was made */
async function statesOf({ ledgerFile, openLedger }: TestClient): Promise<EntryState[]> {
  if (!existsSync(ledgerFile)) return [];
  const ledger = await openLedger();
  const entries = await ledger.list({ limit: 10 });
  await ledger.close();
  return entries.map(({ state }) => state);
}

async function run(scenario: Scenario, effect: EffectName, openSender: OpenSender): Promise<void> {
  const { at } = scenario;
  reachLimit = timeLimitOnDemand();
  const server =
    typeof at === 'function' ? undefined : await hostileServer(at, scenario.options?.());
  const baseUrl = typeof at === 'function' ? await at() : server!.url;
  const testClient = await connect(baseUrl, openSender);
  const { client, losses } = testClient;
  const verdict =
    typeof scenario.verdict === 'string' ? scenario.verdict : scenario.verdict[effect];

  let said: Verdict = 'done';
  if (verdict === 'done') await client.call(...CALLS[effect]);
  else {
    const failure = await failureOf(() => client.call(...CALLS[effect]));
    said = failure.kind;
    expect(failure.exitCode).toBe(EXIT_CODES[failure.kind]);
    expect(failure.operation).toBe(CALLS[effect][0].name);
    expect(failure.next).toContain(nextOf(failure, effect));
  }
  await client.close();

  expect(said).toBe(verdict);
  expect(await statesOf(testClient)).toEqual(effect === 'money' ? [STATES[verdict]] : []);
  if (server) {
    for (const { sent } of losses) expectTruth(sent, server);
    const once = effect === 'read' ? (scenario.reads ?? 1) : Math.min(scenario.reads ?? 1, 1);
    expect(server.requests).toHaveLength(once);
  } else {
    expect(losses.map(({ sent }) => sent)).toEqual(losses.map(() => false));
    expect(losses).toHaveLength(effect === 'read' ? 4 : 1);
  }
}

/** @returns what a user is told to do next, or a part of it */
function nextOf({ kind, code, entry, message, next }: Failure, effect: EffectName): string {
  if (kind === 'unknown')
    return effect === 'money'
      ? `gw journal resolve ${entry}`
      : 'Run `gw plan get GOLD` to find out';
  if (code === 'not-reached')
    return message.includes('not trusted') ? 'NODE_EXTRA_CA_CERTS' : 'Check the network';
  if (kind === 'notReached') return 'Nothing was changed. Try again';
  if (kind === 'rejected') return 'Nothing was processed.';
  return next.includes('`gw whoami`') ? '`gw whoami`' : 'a next step';
}

/** The one thing that money safety rests on. */
function expectTruth(sent: boolean, server: HostileServer): void {
  if (!sent) expect(server.received).toBe('');
}

/** The address of a server that knows no TLS, spoken to as if it did. */
function withHttps(behaviour: Behaviour): () => Promise<URL> {
  return async () => {
    const { port } = await hostileServer(behaviour);
    return new URL(`https://127.0.0.1:${port}`);
  };
}
