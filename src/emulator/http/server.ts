/** Serves the embedded gateway over HTTP, on loopback unless told otherwise. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isLoopback } from '../../base/loopback.ts';
import { usage } from '../../failure.ts';
import { explainListening, urlOf } from '../../host/http/listening.ts';
import { createHttpServer } from '../../host/http/server.ts';
import { createGateway, failure, isSandbox } from '../gateway.ts';
import type { Clock } from '../gateway-clock.ts';
import type { Store } from '../store.ts';
import { createHandler } from './handler.ts';

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 4010;

/** A reference of 10,000 characters in a path takes up to 120,000 bytes there. */
const MAX_HEADER_BYTES = 256 * 1024;
const MAX_CONNECTIONS = 4_096;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_MS = 65_000;

export interface ServeOptions {
  /** Stays open when the server is closed. */
  store: Store;
  clock: Pick<Clock, 'sleep'>;
  host?: string;
  /** 0 lets the system choose. */
  port?: number;
  /** Needed for a host that is not loopback, and for requests under a name that is not this machine's. */
  allowRemote?: boolean;
  /** The envelope's `test`; without it as the store is. */
  test?: boolean;
  /** Honours the header `X-Gw-Fault` (see faults.ts). */
  faults?: boolean;
  /** Told of every error that was answered with a 500. */
  onDefect?: ((error: unknown) => void) | undefined;
  /** Told of requests that never reached the gateway: the status, and why, in words after "a request". */
  onRefused?: ((status: number, reason: string) => void) | undefined;
  headersTimeoutMs?: number;
  /** For a whole request. */
  requestTimeoutMs?: number;
}

export interface RunningServer {
  /** Base address, without a slash at its end. */
  url: string;
  /** Accepts no more, drops idle and unfinished connections, resolves when all is closed. */
  close(): Promise<void>;
}

/** @throws Failure usage when the address is not loopback and not allowed, or cannot be listened on */
export async function serve({
  store,
  clock,
  host = DEFAULT_HOST,
  port = DEFAULT_PORT,
  allowRemote = false,
  test = isSandbox(store),
  faults = false,
  onDefect,
  onRefused = () => undefined,
  headersTimeoutMs = HEADERS_TIMEOUT_MS,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
}: ServeOptions): Promise<RunningServer> {
  if (!allowRemote && !isLoopback(host)) {
    throw usage(
      'remote-not-allowed',
      `${host} is not a loopback address: anyone who can reach it could use the embedded gateway.`,
      'Omit --host, or add --allow-remote to allow that.',
    );
  }
  const door = createHandler({
    gateway: createGateway({ store, test }),
    test,
    faults: faults ? clock : undefined,
    onDefect,
    onBrokenOff: (request) => http.onBrokenOff(request),
  });
  const http = createHttpServer({
    maxConnections: MAX_CONNECTIONS,
    maxHeaderBytes: MAX_HEADER_BYTES,
    headersTimeoutMs,
    requestTimeoutMs,
    keepAliveTimeoutMs: KEEP_ALIVE_MS,
    isOnlyLocal: !allowRemote,
    handle: door,
    explain: (status, reason) =>
      failure({ status, errors: [`Refused: a request ${reason}`], response: null }, test),
    onRefused,
  });
  const { server } = http;
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw explainListening(error, { host, port }, 'another embedded gateway');
  }
  return {
    url: urlOf(server.address() as AddressInfo),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
