/** Faults over HTTP: by the header, and by a test card. test/system/trouble.test.ts has those without a server. */
import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TEST_CARDS, type TestCardName } from '../../../src/contract/cards/test-cards.ts';
import { FAULTS } from '../../../src/contract/faults.ts';
import type { Dialect } from '../../../src/contract/local-account.ts';
import { type RunningServer, serve } from '../../../src/emulator/http/server.ts';
import { openState } from '../../../src/emulator/state.ts';
import type { Store } from '../../../src/emulator/store.ts';
import { basicAuthorization } from '../../../src/host/http/basic-auth.ts';
import { firstRow } from '../../../src/store/sql.ts';
import { CARD, testClock } from './support.ts';

let store: Store;
let clock: ReturnType<typeof testClock>;
let server: RunningServer;

async function open(dialect: Dialect, faults = false) {
  clock = testClock();
  store = openState({ path: ':memory:', clock, dialect });
  server = await serve({ store, clock, port: 0, faults });
}

afterEach(async () => {
  await server.close();
  store.close();
});

const send = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/v1.0/${path}`, {
    method: 'POST',
    headers: { authorization: basicAuthorization('TEST', 'TEST'), ...headers },
    body: JSON.stringify(body),
  });
const withFault = (fault: string) =>
  send('purchases', { ...CARD, amount: 100, reference: 'F-1' }, { 'x-gw-fault': fault });
const withCard = (name: TestCardName) =>
  send('purchases', {
    ...CARD,
    card_number: TEST_CARDS[name].card_number,
    amount: 100,
    reference: 'F-1',
  });
const count = (table: 'purchases' | 'cards') =>
  store.read((tx) => tx.do(firstRow<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)))?.n;

/** What a client gets: a status and the beginning of the answer, or how the connection ended. */
async function received(answer: Promise<Response>): Promise<string> {
  try {
    const response = await answer;
    const retry = response.headers.get('retry-after');
    const text = await response.text();
    const isWhole = /^\{.*\}$/.test(text);
    const kind = text.startsWith('<html>') ? 'page' : isWhole ? 'envelope' : 'half';
    return `${response.status} ${kind}${retry === null ? '' : `, again in ${retry}`}`;
  } catch (error) {
    return (error as { cause: { code: string } }).cause.code;
  }
}

/** By fault: what a client gets, how many purchases there are then, and how long it took. */
const MEETS: Readonly<Record<keyof typeof FAULTS, [got: string, purchases: number, ms: number]>> = {
  429: ['429 envelope, again in 1', 0, 0],
  500: ['500 envelope', 0, 0],
  unreachable: ['ECONNRESET', 0, 0],
  timeout: ['ECONNRESET', 1, 600_000],
  'reset-before': ['ECONNRESET', 0, 0],
  'reset-after': ['ECONNRESET', 1, 0],
  html: ['500 page', 1, 0],
  truncated: ['200 half', 1, 0],
  'slow=3s': ['200 envelope', 1, 3_000],
};

describe.each(['deployed', 'strict'] as const)('in the %s dialect', (dialect) => {
  test.each(Object.entries(MEETS))('the header %s', async (fault, [got, purchases, ms]) => {
    await open(dialect, true);
    expect([await received(withFault(fault)), count('purchases'), clock.sleptMs]).toEqual([
      got,
      purchases,
      ms,
    ]);
  });

  const cards = Object.entries(TEST_CARDS).filter(([, { behaviour }]) => behaviour in FAULTS);
  test.each(cards)('the card %s', async (name, { behaviour }) => {
    await open(dialect);
    const [got, purchases, ms] = MEETS[behaviour as keyof typeof FAULTS];
    const answer = received(withCard(name as TestCardName));
    expect([await answer, count('purchases'), clock.sleptMs]).toEqual([got, purchases, ms]);
    // The card of a purchase that was not processed is not there either.
    expect(count('cards')).toBe(purchases);
  });
});

describe('a test card', () => {
  beforeEach(() => open('deployed'));

  test('meets its fault by its token too, and is stored without it', async () => {
    const { card_number } = TEST_CARDS['reset-after'];
    const { response } = (await (await send('credit_cards', { ...CARD, card_number })).json()) as {
      response: { token: string };
    };
    const purchase = send('purchases', { card_token: response.token, amount: 100 });
    expect(await received(purchase)).toBe('ECONNRESET');
    expect(count('purchases')).toBe(1);
  });

  test('meets no fault in a request that is refused', async () => {
    const { card_number } = TEST_CARDS['reset-after'];
    expect(await received(send('purchases', { ...CARD, card_number, amount: -1 }))).toBe(
      '400 envelope',
    );
  });
});

describe('the header', () => {
  test.each(['503', '599', 'slow=0.5s'])('takes %s', async (fault) => {
    await open('deployed', true);
    expect(await received(withFault(fault))).toMatch(/^(?:503 envelope, again|599|200 envelope$)/);
  });

  test.each(['explode', '200', 'slow=', 'reset-after,500'])(
    'with %s is refused, and the answer lists all kinds',
    async (fault) => {
      await open('deployed', true);
      const answer = await withFault(fault);
      expect(answer.status).toBe(400);
      const { errors } = (await answer.json()) as { errors: string[] };
      expect(errors).toHaveLength(1);
      for (const text of [fault, ...Object.keys(FAULTS)]) expect(errors[0]).toContain(text);
      expect(count('purchases')).toBe(0);
    },
  );

  test('is ignored by a server without --faults', async () => {
    await open('deployed');
    expect(await received(withFault('500'))).toBe('200 envelope');
  });

  test('that asks for a late answer ends with its client', async () => {
    await open('deployed', true);
    const waits = new EventEmitter();
    clock.sleep = (_, signal) => {
      waits.emit('wait', signal);
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    };
    const waiting = once(waits, 'wait');
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET /v1.0/plans.json HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Gw-Fault: timeout\r\n\r\n`,
    );
    const [signal] = (await waiting) as [AbortSignal];
    const ended = once(signal, 'abort');
    socket.destroy();
    await ended;
    expect(signal.aborted).toBe(true);
  });
});
