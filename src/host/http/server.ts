/**
 * The HTTP server of the listener and the embedded gateway: node:http with limits. It refuses requests by
 * `request-rules.ts`, and reports each request that it refuses or cannot read.
 */
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { type RefusedHead, refusedHead, refusedName } from './request-rules.ts';

const MAX_CHECK_INTERVAL_MS = 1_000;

export interface HttpServerOptions {
  maxConnections: number;
  maxHeaderBytes: number;
  /** Time for the headers of a request. */
  headersTimeoutMs: number;
  /** Time for a whole request. */
  requestTimeoutMs: number;
  /** Time for a connection between two requests. */
  keepAliveTimeoutMs: number;
  /** Refuses host names that may belong to somebody else. */
  isOnlyLocal: boolean;
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Called for a refused or unreadable request: the status, and a reason that follows "a request". */
  onRefused(status: number, reason: string): void;
  /** @returns the answer to a refused request; without it, the answer has only the status */
  explain?: (status: number, reason: string) => { headers: OutgoingHttpHeaders; body: string };
}

export interface HttpServer {
  server: Server;
  /** Reports a request that ended too early, unless its connection was already reported. */
  onBrokenOff(request: IncomingMessage): void;
}

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { headersTimeoutMs, isOnlyLocal } = options;
  /** Connections already reported; reading the body of their request fails too. */
  const told = new WeakSet<Duplex>();
  const tellOnce = (socket: Duplex, { status, reason }: RefusedHead) => {
    if (!told.has(socket)) options.onRefused(status, reason);
    told.add(socket);
  };
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: options.requestTimeoutMs,
    connectionsCheckingInterval: Math.min(headersTimeoutMs, MAX_CHECK_INTERVAL_MS),
    keepAliveTimeout: options.keepAliveTimeoutMs,
    maxHeaderSize: options.maxHeaderBytes,
  });
  server.maxConnections = options.maxConnections;
  // Node drops headers beyond this limit, and one of them may reveal a browser. Their size is limited instead.
  server.maxHeadersCount = 0;
  server.on('request', (request, response) => {
    const { headers } = request;
    const refused = refusedHead(headers) ?? (isOnlyLocal ? refusedName(headers.host) : undefined);
    if (!refused) return options.handle(request, response);
    options.onRefused(refused.status, refused.reason);
    refuse(options, refused, { request, response });
  });
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const broken = BROKEN[code] ?? NO_HTTP;
    tellOnce(socket, broken);
    socket.end(
      `HTTP/1.1 ${broken.status} ${STATUS_CODES[broken.status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
  });
  return { server, onBrokenOff: ({ socket }) => tellOnce(socket, BROKEN_OFF) };
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

function refuse(
  { explain }: HttpServerOptions,
  { status, reason }: RefusedHead,
  { request, response }: Exchange,
): void {
  const { headers, body } = explain?.(status, reason) ?? { headers: {}, body: '' };
  const length = Buffer.byteLength(body);
  response.writeHead(status, { 'content-length': length, connection: 'close', ...headers });
  // Do not read the rest of a refused body.
  response.end(body, () => request.complete || request.destroy());
}

const NO_HTTP: RefusedHead = { status: 400, reason: 'that is not HTTP' };
const BROKEN_OFF: RefusedHead = { status: 400, reason: 'that ended before it was complete' };

/** Reasons by the code of Node's error. */
const BROKEN: Readonly<Record<string, RefusedHead>> = {
  HPE_INVALID_EOF_STATE: BROKEN_OFF,
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: 'that took too long' },
  HPE_HEADER_OVERFLOW: { status: 431, reason: 'whose headers are too large' },
};
