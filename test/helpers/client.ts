/** A client as a command makes it: real sender, real ledger in a file, a clock that only records. */
import path from 'node:path';
import { basicAuthorization } from '../../src/base/basic-authorization.ts';
import { type Client, createClient } from '../../src/client/client.ts';
import type { Clock } from '../../src/host/host.ts';
import type { Ledger } from '../../src/journal/ledger.ts';
import { createRecorder } from '../../src/journal/recorder.ts';
import { openLedger } from '../../src/journal/sqlite-ledger.ts';
import { type Sender, TransportError } from '../../src/senders/sender.ts';
import { temporaryDirectory } from './temporary.ts';

export const NOW = '2026-03-10T09:30:00.000Z';

export interface TestClock extends Clock {
  readonly pauses: number[];
}

/** A clock that stands, and on which sleeping takes no time and is remembered. */
export function standingClock(start = NOW): TestClock {
  const pauses: number[] = [];
  return {
    pauses,
    now: () => new Date(start),
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      pauses.push(ms);
    },
  };
}

export interface TestClient {
  client: Client;
  clock: TestClock;
  /** There is none before the first money request. */
  ledgerFile: string;
  /** Opens the ledger that the client writes. */
  openLedger(): Promise<Ledger>;
  /** Every loss that the sender reported. */
  losses: TransportError[];
}

export interface TestClientOptions {
  baseUrl: URL;
  sender: Sender;
  timeoutMs?: number;
  interrupted?: AbortSignal;
  random?: () => number;
  clock?: TestClock;
  ledgerFile?: string;
}

export function createTestClient({
  baseUrl,
  sender,
  timeoutMs,
  interrupted = new AbortController().signal,
  random = () => 0,
  clock = standingClock(),
  ledgerFile = path.join(temporaryDirectory(), 'state', 'ledger.db'),
}: TestClientOptions): TestClient {
  const losses: TransportError[] = [];
  const destination = { profile: 'sandbox', environment: 'sandbox', host: baseUrl.host };
  const client = createClient({
    baseUrl,
    authorization: basicAuthorization('shop', 'secret-token'),
    userAgent: 'gw/0',
    sender: {
      async send(request, signal) {
        try {
          return await sender.send(request, signal);
        } catch (error) {
          if (error instanceof TransportError) losses.push(error);
          throw error;
        }
      },
      close: () => sender.close(),
    },
    clock,
    random,
    interrupted,
    timeoutMs,
    recorder: createRecorder({
      destination,
      clock,
      open: () => openLedger(ledgerFile, clock),
      remember: async () => undefined,
    }),
    guard: async () => undefined,
    trace: undefined,
  });
  return { client, clock, ledgerFile, openLedger: () => openLedger(ledgerFile, clock), losses };
}
