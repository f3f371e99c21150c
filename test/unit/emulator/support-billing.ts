/** Seeds and stores for tests of billing, and a receiver of webhooks on a real socket. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { TestCardName } from '../../../src/contract/cards/test-cards.ts';
import { TEST_CARDS } from '../../../src/contract/cards/test-cards.ts';
import {
  type AdvancedDay,
  type AdvanceOptions,
  advance,
} from '../../../src/emulator/billing/advance.ts';
import { readSeed, type Seed } from '../../../src/emulator/seed.ts';

const START = '2026-01-01T09:00:00Z';

export interface Subscriber {
  /** Another subscriber, whose customer it is for. */
  customer?: string;
  card?: TestCardName;
  /** `MM/YYYY` */
  expiry?: string;
  frequency?: string;
  /** Minor units. */
  amount?: number;
  start_date?: string;
  end_date?: string;
}

/** @returns a seed with one customer, plan and subscription for each name */
export function seedOf(subscribers: Record<string, Subscriber>, top: object = {}): Seed {
  const entries = Object.entries(subscribers);
  const seed = {
    seed: 'billing',
    start: START,
    ...top,
    merchants: [
      {
        username: 'TEST',
        plans: entries.map(([name, { amount = 1000 }]) => ({
          reference: `plan-${name}`,
          name,
          description: name,
          amount,
        })),
        customers: entries.map(([name, { card = 'approved', expiry = '05/2031' }]) => ({
          reference: name,
          first_name: name,
          last_name: 'Example',
          email: `${name}@example.com`,
          card: { card_number: TEST_CARDS[card].card_number, expiry_date: expiry },
        })),
        subscriptions: entries.map(
          ([name, { customer = name, frequency = 'Daily', start_date, end_date }]) => ({
            customer,
            plan: `plan-${name}`,
            frequency,
            reference: `sub-${name}`,
            ...(start_date === undefined ? {} : { start_date }),
            ...(end_date === undefined ? {} : { end_date }),
          }),
        ),
      },
    ],
  };
  return readSeed(JSON.stringify(seed), 'seed.json');
}

/** Advances to a date and returns what each day brought. */
export async function advanceTo(
  options: Omit<AdvanceOptions, 'to'>,
  to: string,
): Promise<AdvancedDay[]> {
  const days: AdvancedDay[] = [];
  for await (const day of advance({ ...options, to: new Date(to) })) days.push(day);
  return days;
}

export interface Received {
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  event: string;
  /** Reference of the customer. */
  customer: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** The handler of requests; answers 200 by default. */
  answer: (request: Received, response: ServerResponse) => void;
  /** Resolves when every connection that was made until now is accepted, read and closed. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

/** @returns a server that keeps what it gets; it is closed after the test unless it was before */
export async function openReceiver(answer?: Receiver['answer']): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const { event, payload } = JSON.parse(body);
      const [element] = payload;
      const customer = (element.subscription ?? element).customer ?? element;
      const delivery: Received = {
        id: String(request.headers['x-gw-delivery']),
        headers: request.headers,
        body,
        event,
        customer: customer.reference,
      };
      receiver.received.push(delivery);
      receiver.answer(delivery, response);
    });
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received: [],
    answer: answer ?? ((_, response) => response.writeHead(200).end()),
    async quiet() {
      // Connections are accepted in the order in which they were made; this one is the last.
      const last = connect(port, '127.0.0.1');
      await once(server, 'connection');
      last.destroy();
      await Promise.all([...sockets].map((socket) => socket.closed || once(socket, 'close')));
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  onTestFinished(() => receiver.close());
  return receiver;
}
