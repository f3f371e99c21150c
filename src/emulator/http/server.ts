/** Serves the test gateway over HTTP, on loopback unless told otherwise. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isLoopback } from '../../base/loopback.ts';
import { usage } from '../../failure.ts';
import { explainListening, urlOf } from '../../host/http/listening.ts';
import { createHttpServer } from '../../host/http/server.ts';
import { createGateway } from '../gateway.ts';
import type { GatewayClock } from '../gateway-clock.ts';
import { MAX_BODY_BYTES } from '../request-body.ts';
import { Refusal } from '../resources/handler.ts';
import type { Store } from '../store.ts';
import { createHandler } from './handler.ts';

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 4010;

/** A reference of 10,000 characters takes up to 120,000 bytes in a path. */
const MAX_HEADER_BYTES = 256 * 1024;
const MAX_CONNECTIONS = 4_096;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_MS = 65_000;

export interface ServeOptions {
  /** The server leaves it open when it closes. */
  store: Store;
  clock: Pick<GatewayClock, 'sleep'>;
  host?: string;
  /** 0 lets the system choose. */
  port?: number;
  /** Required to listen on a host that is not loopback, and to accept requests under another host name. */
  allowRemote?: boolean;
  /** The envelope's `test`; by default it follows the store. */
  test?: boolean;
  /** Obeys the header `X-Gw-Fault` (contract/faults.ts). */
  faults?: boolean;
  /** Called with every error that was answered with a 500. */
  onDefect?: ((error: unknown) => void) | undefined;
  /**
   * Called for requests that never reached the gateway, with the status and the reason in words that follow "a
   * request".
   */
  onRefused?: ((status: number, reason: string) => void) | undefined;
  headersTimeoutMs?: number;
  /** The time limit of a whole request. */
  requestTimeoutMs?: number;
}

export interface RunningServer {
  /** The base address, without a slash at the end. */
  url: string;
  /** Accepts no more connections, and drops idle and unfinished ones. It resolves when all are closed. */
  close(): Promise<void>;
}

/** @throws Failure usage if the address is not loopback and not allowed, or cannot be listened on */
export async function serve({
  store,
  clock,
  host = DEFAULT_HOST,
  port = DEFAULT_PORT,
  allowRemote = false,
  test,
  faults = false,
  onDefect,
  onRefused = () => undefined,
  headersTimeoutMs = HEADERS_TIMEOUT_MS,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
}: ServeOptions): Promise<RunningServer> {
  if (!allowRemote && !isLoopback(host)) {
    throw usage(
      'remote-not-allowed',
      `${host} is not a loopback address: anyone who can reach it could use the built-in test gateway.`,
      'Omit --host, or add --allow-remote to allow that.',
    );
  }
  const gateway = createGateway({ store, test });
  const explain = (status: number, reason: string) =>
    gateway.refuse(new Refusal(status, [`Refused: a request ${reason}`]));
  const door = createHandler({
    gateway,
    onRefused,
    explain,
    clock,
    faults,
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
    maxBodyBytes: MAX_BODY_BYTES,
    handle: door,
    explain,
    onRefused,
  });
  const { server } = http;
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw explainListening(error, { host, port }, 'another built-in test gateway');
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
