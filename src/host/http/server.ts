/**
 * The HTTP server that the listener and the embedded gateway are: node:http with its limits. It refuses what
 * `request-rules.ts` says, and tells of a request that it refuses or cannot read.
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
  /** For the headers of a request. */
  headersTimeoutMs: number;
  /** For a whole request. */
  requestTimeoutMs: number;
  /** For a connection between two requests. */
  keepAliveTimeoutMs: number;
  /** Refuses names that may be somebody else's. */
  isOnlyLocal: boolean;
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Told of a request that got no further than this: the status, and why, in words after "a request". */
  onRefused(status: number, reason: string): void;
  /** @returns what a refused request is answered with; without it nothing but the status */
  explain?: (status: number, reason: string) => { headers: OutgoingHttpHeaders; body: string };
}

export interface HttpServer {
  server: Server;
  /** Tells of a request that ended before it was complete, where that was not told of its connection. */
  onBrokenOff(request: IncomingMessage): void;
}

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { headersTimeoutMs, isOnlyLocal } = options;
  /** Connections that broke off: whoever reads the body of a request hears of it too. */
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
  // Node leaves out what is beyond its limit, and a mark of a browser may be there. Their size has a limit.
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
  // What is left of a refused body is not worth reading to its end.
  response.end(body, () => request.complete || request.destroy());
}

const NO_HTTP: RefusedHead = { status: 400, reason: 'that is not HTTP' };
const BROKEN_OFF: RefusedHead = { status: 400, reason: 'that ended before it was complete' };

/** By the code of Node's error. */
const BROKEN: Readonly<Record<string, RefusedHead>> = {
  HPE_INVALID_EOF_STATE: BROKEN_OFF,
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: 'that took too long' },
  HPE_HEADER_OVERFLOW: { status: 431, reason: 'whose headers are too large' },
};
