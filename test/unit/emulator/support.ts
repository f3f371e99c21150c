/** A gateway on a store of its own, reached through one of its doors. */
import { expect } from 'vitest';
import { createGateway } from '../../../src/emulator/gateway.ts';
import type { GatewayClock } from '../../../src/emulator/gateway-clock.ts';
import { serve } from '../../../src/emulator/http/server.ts';
import type { Seed } from '../../../src/emulator/seed.ts';
import { openState } from '../../../src/emulator/state.ts';
import type { Store } from '../../../src/emulator/store.ts';
import { basicAuthorization } from '../../../src/host/http/basic-auth.ts';

const NOW = '2026-03-10T09:30:00.000Z';

/** A clock that stands until it is told otherwise; sleeping takes no time and is counted. */
export function testClock(start = NOW): GatewayClock & { time: Date; sleptMs: number } {
  return {
    time: new Date(start),
    sleptMs: 0,
    now() {
      return this.time;
    },
    async sleep(ms: number) {
      this.sleptMs += ms;
    },
  };
}

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects
  body: any;
  /** The body as it was sent. */
  text: string;
  headers: Headers;
}

export interface Bench {
  store: Store;
  clock: ReturnType<typeof testClock>;
  /** Sends a request as a merchant whose token is its name; `as: null` sends no credentials. */
  send(method: string, path: string, body?: unknown, as?: string | null): Promise<Answer>;
  close(): Promise<void>;
}

export const DOORS = ['in process', 'HTTP'] as const;
export type Door = (typeof DOORS)[number];

export async function openBench(
  door: Door = 'in process',
  options: { seed?: Seed; path?: string } = {},
): Promise<Bench> {
  const clock = testClock();
  const store = openState({ path: options.path ?? ':memory:', clock, seed: options.seed });
  const { request, close } = await openDoor(door, store, clock);
  return {
    store,
    clock,
    async send(method, path, body, as = 'TEST') {
      const response = await request(method, path, {
        body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
        authorization: as === null ? undefined : basicAuthorization(as, as),
      });
      const { status, headers } = response;
      const text = await response.text();
      const answer = { status, headers, text, body: JSON.parse(text) };
      expectEnvelope(answer);
      return answer;
    },
    async close() {
      await close();
      store.close();
    },
  };
}

/**
 * Sections 2.1 and 7: what is true of every answer, but of a purchase that is rejected as deployments do it.
 */
function expectEnvelope({ status, headers, body }: Answer): void {
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(body.test).toBe(true);
  const isRejected = status === 200 && REJECTED.test(body.errors[0]);
  expect(body.successful).toBe(status < 400 && !isRejected);
  expect(body.errors.length > 0).toBe(!body.successful);
}

const REJECTED = /^(?:Reference is already taken|Currency \w+ is not valid|Original transaction )/;

type Send = (
  method: string,
  path: string,
  parts: { body: string | undefined; authorization: string | undefined },
) => Promise<Response>;

async function openDoor(
  door: Door,
  store: Store,
  clock: GatewayClock,
): Promise<{ request: Send; close(): Promise<void> }> {
  const gateway = createGateway({ store });
  if (door === 'in process') {
    return {
      close: async () => {},
      async request(method, target, parts) {
        const { status, headers, body } = await gateway.answer({ method, target, ...parts });
        return new Response(body, { status, headers });
      },
    };
  }
  const defects: unknown[] = [];
  const server = await serve({
    store,
    clock,
    port: 0,
    onDefect: (error) => defects.push(error),
  });
  return {
    async close() {
      await server.close();
      expect(defects).toEqual([]);
    },
    request: (method, path, parts) => fetch(toRequest(server.url, method, path, parts)),
  };
}

function toRequest(
  base: string,
  method: string,
  path: string,
  parts: Parameters<Send>[2],
): Request {
  const { body, authorization } = parts;
  return new Request(base + path, {
    method,
    ...(body === undefined ? {} : { body }),
    headers: authorization === undefined ? {} : { authorization },
  });
}

export const CARD = {
  card_holder: 'Ann Example',
  card_number: '5123456789012346',
  card_expiry: '05/2031',
  cvv: '987',
};

export const MASKED = '512345XXXXXX2346';
