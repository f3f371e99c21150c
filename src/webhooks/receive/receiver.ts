/**
 * The HTTP side of a listener: POST requests to one path, each answered when its delivery is kept.
 *
 *   404 another path              431 headers too large
 *   405 another method            408 too slow: headers or the whole request
 *   401 wrong basic credentials   400 broken HTTP, or a body that is no event (kept)
 *   413 over 1 MiB (kept, without its body)
 *   503 could not be kept, or too much at once: the sender delivers again
 *
 * Bounds: connections, bytes of the bodies that are being read, time for headers and for a request.
 * What is refused and not kept is told to `onRefused`, so that nothing is lost without a word.
 */
import { once, setMaxListeners } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { explainListening, urlOf } from '../../base/listening.ts';
import type { Header } from '../../events/event-store.ts';
import type { Clock } from '../../host/host.ts';
import { redactHeader } from '../../redaction/redact.ts';
import { type BasicCredentials, basicAuthCheck } from './basic-auth.ts';
import { type BodyRead, MAX_BODY_BYTES, readBody } from './read-body.ts';

const MAX_CONNECTIONS = 4_096;
/** Connections that the system holds until they are accepted. */
const BACKLOG = 2_048;
const MAX_HELD_BYTES = 256 * MAX_BODY_BYTES;
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_CHECK_INTERVAL_MS = 1_000;
/** For requests that are under way when the receiver is closed. */
const CLOSE_GRACE_MS = 10_000;

export interface Delivery {
  /** As sent, in their order; credentials hidden. */
  headers: readonly Header[];
  body: Uint8Array;
  isAuthenticated: boolean;
  /** true when the body was over the limit, and is not here. */
  isTooLong: boolean;
}

export interface ReceiverOptions {
  host: string;
  /** 0 lets the system choose. */
  port: number;
  /** Begins with a slash. */
  path: string;
  credentials: BasicCredentials | undefined;
  /** Waited for before each answer. */
  delayMs: number;
  /** For the headers of a request. */
  headersTimeoutMs: number;
  /** For a whole request. */
  requestTimeoutMs: number;
  clock: Pick<Clock, 'sleep'>;
  /** @returns the status to answer with, once the delivery is kept. @throws when it is not */
  accept(delivery: Delivery): Promise<number>;
  /** Told of what was not kept: the status of the answer, and why. */
  onRefused(status: number, reason: string): void;
}

export interface Receiver {
  /** What to give the gateway. */
  url: URL;
  /** Accepts no more; resolves when all that was accepted is kept and answered. */
  close(): Promise<void>;
}

/** @throws Failure usage when the address cannot be listened on */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const closing = new AbortController();
  // Each delivery that waits for its answer listens.
  setMaxListeners(0, closing.signal);
  const open = new Set<Promise<void>>();
  /** Connections whose fate was told already. */
  const told = new WeakSet<Socket>();
  const handle = handler(options, closing.signal, told);
  const server = createServer(
    {
      headersTimeout: options.headersTimeoutMs,
      requestTimeout: options.requestTimeoutMs,
      connectionsCheckingInterval: Math.min(options.headersTimeoutMs, MAX_CHECK_INTERVAL_MS),
      keepAliveTimeout: 65_000,
      maxHeaderSize: MAX_HEADER_BYTES,
      noDelay: true,
    },
    (request, response) => {
      const done = handle(request, response).finally(() => open.delete(done));
      open.add(done);
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.on('clientError', (error, socket) => {
    told.add(socket as Socket);
    refuseBroken(options, error, socket as Socket);
  });
  server.listen({ port: options.port, host: options.host, backlog: BACKLOG });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw explainListening(error, options, 'another gw listen');
  }
  return {
    url: new URL(options.path, urlOf(server.address() as AddressInfo)),
    async close() {
      closing.abort(new Error('closing'));
      const closed = once(server, 'close');
      server.close();
      const settled = new AbortController();
      await Promise.race([
        Promise.all(open).finally(() => settled.abort()),
        options.clock.sleep(CLOSE_GRACE_MS, settled.signal).catch(() => undefined),
      ]);
      server.closeAllConnections();
      await closed;
    },
  };
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What a request is answered with; `refused` says why, where it is not kept. */
interface Answer {
  status: number;
  headers?: OutgoingHttpHeaders;
  refused?: string;
}

const LATER = { 'retry-after': '1' };

function handler(options: ReceiverOptions, closing: AbortSignal, told: WeakSet<Socket>): Handle {
  const { credentials, onRefused } = options;
  const isTheirs = credentials && basicAuthCheck(credentials);
  let heldBytes = 0;

  const keep = async (request: IncomingMessage, read: BodyRead, isAuthenticated: boolean) => {
    if (read.kind === 'ended') {
      if (!told.has(request.socket)) onRefused(400, 'which ended before it was complete');
      return undefined;
    }
    if (read.kind === 'no-room') {
      return { status: 503, refused: 'among too many large ones at once', headers: LATER };
    }
    const isTooLong = read.kind === 'too-long';
    const body = isTooLong ? new Uint8Array() : read.body;
    const headers = headersOf(request);
    const status = await options.accept({ headers, body, isAuthenticated, isTooLong });
    if (options.delayMs > 0) {
      await options.clock.sleep(options.delayMs, closing).catch(() => undefined);
    }
    return { status };
  };

  const receive = async (request: IncomingMessage): Promise<Answer | undefined> => {
    const isAuthenticated = isTheirs?.(request.headers.authorization) ?? false;
    const refusal = refusalOf(request, options.path, isAuthenticated || !isTheirs);
    if (refusal) return refusal;
    let ownBytes = 0;
    const read = await readBody(request, (bytes) => {
      if (heldBytes + bytes > MAX_HELD_BYTES) return false;
      heldBytes += bytes;
      ownBytes += bytes;
      return true;
    });
    try {
      return await keep(request, read, isAuthenticated);
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      return { status: 503, refused: `that could not be kept (${reason})`, headers: LATER };
    } finally {
      heldBytes -= ownBytes;
    }
  };

  return async (request, response) => {
    const answer = await receive(request);
    if (!answer) return;
    const { status, headers, refused } = answer;
    if (refused !== undefined) onRefused(status, refused);
    if (response.destroyed) return;
    const last = closing.aborted || !request.complete ? { connection: 'close' } : {};
    response.writeHead(status, { 'content-length': 0, ...last, ...headers }).end();
    // What is left of a refused body is not worth reading to its end.
    if (!request.complete) response.once('finish', () => request.destroy());
  };
}

/** @returns the answer to a request that is none to take, before its body is read */
function refusalOf(
  { method, url = '' }: IncomingMessage,
  path: string,
  mayDeliver: boolean,
): Answer | undefined {
  const place = url.split('?', 1)[0] ?? '';
  if (place !== path) return { status: 404, refused: `${method} to another path, ${place}` };
  if (method !== 'POST') {
    return { status: 405, refused: `${method} in place of POST`, headers: { allow: 'POST' } };
  }
  if (mayDeliver) return undefined;
  return {
    status: 401,
    refused: 'without the right username and password',
    headers: { 'www-authenticate': 'Basic realm="gw listen", charset="UTF-8"' },
  };
}

/** The names as they were written, in their order. A credential is never kept. */
function headersOf({ rawHeaders }: IncomingMessage): Header[] {
  const headers: Header[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2);
    headers.push([name, redactHeader(name, value)]);
  }
  return headers;
}

const NO_HTTP = { status: 400, phrase: 'Bad Request', reason: 'that is no HTTP' };

const BROKEN: Readonly<Record<string, typeof NO_HTTP>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, phrase: 'Request Timeout', reason: 'that was too slow' },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    phrase: 'Request Header Fields Too Large',
    reason: 'whose headers are too large',
  },
  ECONNRESET: { ...NO_HTTP, reason: 'whose connection was reset' },
};

/** Requests that never became one: too slow, too large headers, or no HTTP. */
function refuseBroken(
  { onRefused }: ReceiverOptions,
  error: NodeJS.ErrnoException,
  socket: Socket,
) {
  const { status, phrase, reason } = BROKEN[error.code ?? ''] ?? NO_HTTP;
  onRefused(status, reason);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(`HTTP/1.1 ${status} ${phrase}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
