/**
 * The HTTP server of the listener, the test gateway and the desk: node:http with limits. It refuses requests by
 * `request-rules.ts`, and reports each request that it refuses or cannot read.
 *
 * Tests: test/unit/emulator/http/server.test.ts, test/unit/events/receive/receiver.test.ts,
 * test/hostile/servers.test.ts
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
  /** A client that waits to be asked for a larger body is not asked for it; `handle` refuses it. None by default. */
  maxBodyBytes?: number;
  /** Time for the headers of a request. */
  headersTimeoutMs: number;
  /** Time for a whole request. */
  requestTimeoutMs: number;
  /** Time for a connection between two requests. */
  keepAliveTimeoutMs: number;
  /** Refuses host names that may belong to somebody else. */
  isOnlyLocal: boolean;
  /** true if `handle` decides about browsers and names, because its pages are for them. */
  isForBrowsers?: boolean;
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Called for a refused or unreadable request: the status, and a reason that follows "a request". */
  onRefused(status: number, reason: string): void;
  /** @returns the answer to a refused request; without it, the answer has only the status */
  explain?: (status: number, reason: string) => Answer;
}

export interface HttpServer {
  server: Server;
  /** Reports a request that ended too early, unless its connection was already reported. */
  onBrokenOff(request: IncomingMessage): void;
}

/** A request, its answer, and the answer before it on the same connection. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  before: ServerResponse | undefined;
}

/**
 * Node reads requests that follow each other on a connection at once, and only keeps their answers in order. Here a
 * request is looked at when the answer before it has left, so that a later request never overtakes an earlier one.
 */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { maxBodyBytes = Number.POSITIVE_INFINITY } = options;
  /** Connections already reported; reading the body of their request fails too. */
  const told = new WeakSet<Duplex>();
  /** The last exchange of each connection. */
  const last = new WeakMap<Duplex, Exchange>();
  const tellOnce = (socket: Duplex, { status, reason }: RefusedHead) => {
    if (!told.has(socket)) options.onRefused(status, reason);
    told.add(socket);
  };
  const server = limitedServer(options);
  const take = (request: IncomingMessage, response: ServerResponse, expectation?: Expectation) => {
    const { socket } = request;
    const exchange = { request, response, before: last.get(socket)?.response };
    last.set(socket, exchange);
    whenEnded(exchange.before, () => {
      if (socket.destroyed) return;
      const refused = refusedIn(request, options) ?? (expectation === 'unknown' && UNEXPECTED);
      if (refused) {
        tellOnce(socket, refused);
        sendLast(exchange, refused.status, options.explain?.(refused.status, refused.reason));
        return;
      }
      const isTooLarge = Number(request.headers['content-length']) > maxBodyBytes;
      if (expectation === 'continue' && !isTooLarge) response.writeContinue();
      options.handle(request, response);
    });
  };
  server.on('request', (request, response) => take(request, response));
  server.on('checkContinue', (request, response) => take(request, response, 'continue'));
  server.on('checkExpectation', (request, response) => take(request, response, 'unknown'));
  // Node would close the connection without a word.
  server.on('connect', ({ socket }) => {
    tellOnce(socket, NO_TUNNEL);
    whenEnded(last.get(socket)?.response, () => {
      socket.write(rawAnswer(NO_TUNNEL, options));
      // The server no longer closes this connection when it closes.
      socket.destroySoon();
    });
  });
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    if (told.has(socket)) return;
    const broken = BROKEN[code] ?? NO_HTTP;
    tellOnce(socket, broken);
    const { request, response, before } = last.get(socket) ?? {};
    whenEnded(request?.complete ? response : before, () => {
      const isAnswered = !request?.complete && response?.headersSent;
      if (!isAnswered && socket.writable) socket.end(rawAnswer(broken, options));
    });
  });
  return { server, onBrokenOff: ({ socket }) => tellOnce(socket, BROKEN_OFF) };
}

function limitedServer(options: HttpServerOptions): Server {
  const { headersTimeoutMs } = options;
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: options.requestTimeoutMs,
    connectionsCheckingInterval: Math.min(headersTimeoutMs, MAX_CHECK_INTERVAL_MS),
    keepAliveTimeout: options.keepAliveTimeoutMs,
    maxHeaderSize: options.maxHeaderBytes,
    // Node would answer without a word. `refusedIn` refuses such a request.
    requireHostHeader: false,
    // Node would keep the first of several hosts, and drop the others (RFC 9112, 3.2).
    joinDuplicateHeaders: true,
  });
  server.maxConnections = options.maxConnections;
  // Node drops headers beyond this limit, and one of them may reveal a browser. Their size is limited instead.
  server.maxHeadersCount = 0;
  return server;
}

type Expectation = 'continue' | 'unknown';

/** Calls `next` when an answer has left, or its connection has ended; at once if there is none. */
function whenEnded(response: ServerResponse | undefined, next: () => void): void {
  if (response && !response.destroyed) response.once('close', next);
  else next();
}

/** @returns why a request is refused, whatever it asks for; undefined if it may be examined */
function refusedIn(
  { headers, httpVersion, url = '' }: IncomingMessage,
  { isOnlyLocal, isForBrowsers }: HttpServerOptions,
): RefusedHead | undefined {
  if (headers.host === undefined && httpVersion === '1.1') return NO_HOST;
  if (headers.host?.includes(',')) return MANY_HOSTS;
  if (isForBrowsers) return undefined;
  const refused = refusedHead(headers);
  if (refused || !isOnlyLocal) return refused;
  // An absolute target counts, and not the header (RFC 9112, 3.2.2).
  return refusedName(/^https?:\/\/(?:[^/?#@]*@)?([^/?#]*)/i.exec(url)?.[1] ?? headers.host);
}

/**
 * Sends an answer that ends its connection. The rest of the request is read and dropped for a moment: otherwise the
 * system would reset the connection, and the client might lose the answer.
 */
export function sendLast(
  { request, response }: Pick<Exchange, 'request' | 'response'>,
  status: number,
  { headers, body }: Answer = NO_WORDS,
): void {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { ...headers, 'content-length': length, connection: 'close' });
  if (request.complete || request.destroyed) return void response.end(body);
  response.write(body);
  const end = () => {
    clearTimeout(limit);
    response.end();
  };
  const limit = setTimeout(end, LINGER_MS);
  request.once('end', end).once('close', end).resume();
}

interface Answer {
  headers: OutgoingHttpHeaders;
  body: string;
}

/** The time for which the rest of an unwanted body is read. */
const LINGER_MS = 500;
const NO_WORDS: Answer = { headers: {}, body: '' };

/** @returns the answer to what Node could not read, and for which it has no response */
function rawAnswer({ status, reason }: RefusedHead, { explain }: HttpServerOptions): string {
  const { headers, body } = explain?.(status, reason) ?? NO_WORDS;
  const length = Buffer.byteLength(body);
  const lines = Object.entries({ ...headers, 'content-length': length, connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`;
}

const NO_HOST: RefusedHead = { status: 400, reason: 'without a Host header' };
const MANY_HOSTS: RefusedHead = { status: 400, reason: 'with several Host headers' };
const NO_TUNNEL: RefusedHead = { status: 405, reason: 'for a tunnel (CONNECT)' };
const UNEXPECTED: RefusedHead = { status: 417, reason: 'that expects more than 100-continue' };
const NO_HTTP: RefusedHead = { status: 400, reason: 'that is not HTTP' };
const BROKEN_OFF: RefusedHead = { status: 400, reason: 'that ended before it was complete' };

/** Reasons by the code of Node's error. */
const BROKEN: Readonly<Record<string, RefusedHead>> = {
  HPE_INVALID_EOF_STATE: BROKEN_OFF,
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: 'that took too long' },
  HPE_HEADER_OVERFLOW: { status: 431, reason: 'whose headers are too large' },
};
