/**
 * The test gateway behind a server that goes wrong on purpose: which requests, and how, is
 * drawn from a seed, and every one is counted under the reference of its refund. A test can then say
 * which answers were lost, and what the gateway really did.
 *
 *     reset-before   the connection is reset, nothing was processed
 *     reset-after    processed, then the connection is reset
 *     hang-after     processed, then never answered
 *     html-500       processed, then answered with a page
 *     truncated      processed, then answered with half of the body
 *     429            nothing was processed, in storms of several requests in a row
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GatewayAnswer } from '../../src/emulator/faults.ts';
import { createGateway } from '../../src/emulator/gateway.ts';
import { openState } from '../../src/emulator/state.ts';
import { basicAuthorization } from '../../src/host/http/basic-auth.ts';
import { allRows } from '../../src/store/sql.ts';
import { randomFrom } from './random.ts';

type Fault = 'reset-before' | 'reset-after' | 'hang-after' | 'html-500' | 'truncated' | '429';

/** The point at which the test learns of a request. */
type Moment = 'arrived' | 'processed' | 'answered';

export interface FaultOptions {
  seed: number;
  /** Chance of each fault, out of 1000. */
  perMille: Partial<Record<Fault, number>>;
  /** Says in every answer that it is the live gateway. */
  isLive?: boolean;
  /** The pause that a 429 asks for; none if left out. */
  retryAfter?: string;
  /** The time at which its clock stands still; left out, it uses the clock of this machine. */
  at?: Date;
  /** Told of every refund on its way, which goes on when what it returns is over. */
  onMoment?: (moment: Moment, count: number, reference: string) => unknown;
}

const LOSING: readonly Fault[] = [
  'reset-before',
  'reset-after',
  'hang-after',
  'html-500',
  'truncated',
];
const MAX_STORM = 12;

export interface FaultGateway {
  url: string;
  /** @returns ids of new approved purchases of `amount` each */
  purchases(count: number, amount: number): Promise<string[]>;
  /** References of the refunds the gateway has made, with how many of each. */
  refunds(): Map<string, number>;
  /** References of the requests whose answer was lost, in any of the ways. */
  lost: Set<string>;
  /** How often each fault happened. */
  faults: Record<Fault, number>;
  /** Refund requests that have arrived. */
  requests(): number;
  options: FaultOptions;
  close(): Promise<void>;
}

const CREDENTIALS = basicAuthorization('TEST', 'TEST');

export async function startFaultGateway(options: FaultOptions): Promise<FaultGateway> {
  const random = randomFrom(options.seed);
  const store = openState({ path: ':memory:', clock: { now: () => options.at ?? new Date() } });
  const gateway = createGateway({ store });
  const lost = new Set<string>();
  let purchased = 0;
  const faults = {
    'reset-before': 0,
    'reset-after': 0,
    'hang-after': 0,
    'html-500': 0,
    truncated: 0,
    '429': 0,
  };
  let requests = 0;
  let storm = 0;

  const draw = (): Fault | undefined => {
    if (storm > 0) {
      storm--;
      return '429';
    }
    let left = random() * 1000;
    for (const [fault, chance] of Object.entries(options.perMille) as [Fault, number][]) {
      left -= chance;
      if (left < 0) {
        if (fault === '429') storm = Math.floor(random() * MAX_STORM);
        return fault;
      }
    }
    return undefined;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const process = () =>
      gateway.answer({
        method: request.method ?? '',
        target: request.url ?? '',
        authorization: request.headers.authorization,
        body,
      });
    if (request.method !== 'POST' || request.url !== '/v1.0/refunds')
      return reply(response, await process());
    const number = ++requests;
    const fault = draw();
    const { reference } = JSON.parse(body);
    if (fault) faults[fault]++;
    if (fault && LOSING.includes(fault)) lost.add(reference);
    await options.onMoment?.('arrived', number, reference);
    if (fault === '429') {
      response.writeHead(429, {
        'content-type': 'application/json',
        'retry-after': options.retryAfter ?? '0',
      });
      return response.end('{"successful":false,"response":null,"errors":["Slow down"]}');
    }
    if (fault === 'reset-before') return request.socket.resetAndDestroy();
    const answer = await process();
    await options.onMoment?.('processed', number, reference);
    if (fault === 'reset-after') return request.socket.resetAndDestroy();
    if (fault === 'hang-after') return;
    if (fault === 'html-500') {
      response.writeHead(500, { 'content-type': 'text/html' });
      return response.end('<html><body><h1>500 Internal Server Error</h1></body></html>');
    }
    const whole = options.isLive ? answer.body.replace('"test":true', '"test":false') : answer.body;
    const text = fault === 'truncated' ? whole.slice(0, whole.length / 2) : whole;
    reply(response, { ...answer, body: text });
    await options.onMoment?.('answered', number, reference);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    options,
    lost,
    faults,
    requests: () => requests,
    async purchases(count, amount) {
      const ids: string[] = [];
      for (let n = 0; n < count; n++) {
        const { body } = await gateway.answer({
          method: 'POST',
          target: '/v1.0/purchases',
          authorization: CREDENTIALS,
          body: JSON.stringify({
            card_number: '5123456789012346',
            card_holder: 'Ann Example',
            card_expiry: '05/2031',
            cvv: '739',
            amount,
            reference: `P-${purchased}`,
          }),
        });
        purchased++;
        ids.push(JSON.parse(body).response.id);
      }
      return ids;
    },
    refunds: () =>
      store.read((tx) => {
        const rows = tx.do(
          allRows<{ reference: string; n: number }>(
            'SELECT reference, count(*) AS n FROM refunds GROUP BY reference',
          ),
        );
        return new Map(rows.map(({ reference, n }) => [reference, n]));
      }),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      store.close();
    },
  };
}

function reply(response: ServerResponse, { status, headers, body }: GatewayAnswer): void {
  response.writeHead(status, headers);
  response.end(body);
}
