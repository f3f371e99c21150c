/**
 * The HTTP server that the listener and the embedded gateway are: it has limits, refuses what
 * `request-rules.ts` says, and tells of every request that it does not hand on.
 *
 *   403 from a browser          415 packed           501 another transfer coding than chunked
 *   408 too slow                417 an expectation   400 no HTTP, or HTTP in two ways
 *   431 too large headers       405 CONNECT          a client that went away: no answer
 *
 * What a client does is no defect of gw. One that hangs up in the middle is told of, once.
 */
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { refusedName, refusedRequest } from './request-rules.ts';

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
  const { headersTimeoutMs } = options;
  /** Connections with a request that was refused: it is told of once, and nothing after it is read. */
  const over = new WeakSet<Duplex>();
  const tellOnce: Tell = (socket, { status, reason }) => {
    if (!over.has(socket)) options.onRefused(status, reason);
    over.add(socket);
  };
  /** The latest request of a connection. */
  const latest = new WeakMap<Duplex, Exchange>();

  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: options.requestTimeoutMs,
    connectionsCheckingInterval: Math.min(headersTimeoutMs, MAX_CHECK_INTERVAL_MS),
    keepAliveTimeout: options.keepAliveTimeoutMs,
    maxHeaderSize: options.maxHeaderBytes,
    // One that is missing is refused with the other rules, and told of.
    requireHostHeader: false,
    noDelay: true,
  });
  server.maxConnections = options.maxConnections;
  // Node leaves out what is beyond its limit, and the rules have to see all. Their size has a limit.
  server.maxHeadersCount = 0;
  const receive = (request: IncomingMessage, response: ServerResponse) => {
    const { socket, headers } = request;
    if (over.has(socket)) return;
    latest.set(socket, { request, response });
    const refused =
      refusedRequest(request) ?? (options.isOnlyLocal ? refusedName(headers.host) : undefined);
    if (!refused) return options.handle(request, response);
    tellOnce(socket, refused);
    refuse(options, refused, { request, response });
  };
  server.on('request', receive);
  server.on('checkExpectation', receive);
  server.on('connect', ({ socket }) => answerBroken(socket, CONNECT, tellOnce));
  server.on('clientError', (error, socket) =>
    explainBroken(error, socket as Socket, { latest: latest.get(socket), tellOnce }),
  );
  return { server, onBrokenOff: ({ socket }) => tellOnce(socket, BROKEN_OFF) };
}

type Tell = (socket: Duplex, broken: Broken) => void;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

function refuse(
  { explain }: HttpServerOptions,
  { status, reason }: Broken,
  { request, response }: Exchange,
): void {
  const { headers, body } = explain?.(status, reason) ?? { headers: {}, body: '' };
  const length = Buffer.byteLength(body);
  response.writeHead(status, { 'content-length': length, connection: 'close', ...headers });
  // What is left of a refused body is not worth reading to its end.
  response.end(body, () => request.complete || request.destroy());
}

function explainBroken(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { latest, tellOnce }: { latest: Exchange | undefined; tellOnce: Tell },
): void {
  const { code = '' } = error;
  const broken = BROKEN[code] ?? NO_HTTP;
  const whole = latest?.request.complete ? latest : undefined;
  const answer = () => answerBroken(socket, broken, tellOnce);
  // Who goes away between two requests breaks none off.
  if (code in GONE && (whole || socket.bytesRead === 0)) socket.destroy();
  // A request that was whole gets its own answer first.
  else if (whole && !whole.response.closed) whole.response.once('close', answer);
  else answer();
}

interface Broken {
  status: number;
  reason: string;
}

const NO_HTTP: Broken = { status: 400, reason: 'that is not HTTP' };
const BROKEN_OFF: Broken = { status: 400, reason: 'that ended before it was complete' };
const CONNECT: Broken = { status: 405, reason: 'with CONNECT instead of POST' };

/** The client is not there any more. */
const GONE: Readonly<Record<string, Broken>> = { ECONNRESET: BROKEN_OFF, EPIPE: BROKEN_OFF };

/** By the code of Node's error. */
const BROKEN: Readonly<Record<string, Broken>> = {
  ...GONE,
  HPE_INVALID_EOF_STATE: BROKEN_OFF,
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: 'that took too long' },
  HPE_HEADER_OVERFLOW: { status: 431, reason: 'whose headers are too large' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, reason: 'whose chunks are too large' },
};

/** A request that never became one has a connection and no response. */
function answerBroken(socket: Duplex, broken: Broken, tellOnce: Tell): void {
  tellOnce(socket, broken);
  if (!socket.writable || socket.writableEnded) {
    socket.destroy();
    return;
  }
  const { status } = broken;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}
