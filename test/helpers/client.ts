/** A client as a command makes it: real sender, real ledger in a file, a clock that only records. */
import path from 'node:path';
import type { GatewayConnection } from '../../src/client/connection/call.ts';
import { type Sender, TransportError } from '../../src/client/senders/sender.ts';
import { createFiles } from '../../src/host/files/files.ts';
import type { Clock } from '../../src/host/host.ts';
import type { Ledger } from '../../src/journal/ledger.ts';
import { openSqliteLedger } from '../../src/journal/sqlite/sqlite-ledger.ts';
import { testConnection } from './connection.ts';
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
    uptimeMs: () => 0,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      pauses.push(ms);
    },
  };
}

export interface TestClient {
  client: GatewayConnection;
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
  const watched: Sender = {
    async send(request, limits) {
      try {
        return await sender.send(request, limits);
      } catch (error) {
        if (error instanceof TransportError) losses.push(error);
        throw error;
      }
    },
    close: () => sender.close(),
  };
  const openIt = () => openSqliteLedger(ledgerFile, clock);
  const client = testConnection({
    host: { clock, files: createFiles({ HOME: temporaryDirectory() }) },
    profile: { baseUrl },
    options: { timeoutMs },
    parts: { random, interrupted, openSender: async () => watched, openLedger: openIt },
  });
  return { client, clock, ledgerFile, openLedger: openIt, losses };
}
