/**
 * The HTTP side of a listener: accepts POST requests to one path, and answers each when its delivery is kept.
 *
 *   404 another path              401 wrong basic credentials
 *   405 another method            400 a body that is no event (kept)
 *   413 over 1 MiB (kept, without its body)
 *   503 could not be kept, or too much at once: the sender delivers again
 *
 * `host/http/server.ts` first refuses requests of browsers, broken HTTP and slow requests.
 *
 * Bounds: connections, bytes of the bodies that are being read, time for headers and for a request. `onRefused` reports
 * every request that is refused and not kept, so nothing is lost silently.
 */
import { createHash, type Hash, randomUUID } from 'node:crypto';
import { once, setMaxListeners } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../host/host.ts';
import { type BasicCredentials, basicAuthCheck } from '../../host/http/check-basic-auth.ts';
import { explainListening, urlOf } from '../../host/http/listening.ts';
import { createHttpServer, type HttpServer } from '../../host/http/server.ts';
import type { Delivery } from '../event.ts';

const MAX_CONNECTIONS = 4_096;
/** The connections that the system holds until they are accepted. */
const BACKLOG = 2_048;
const MAX_BODY_BYTES = 1024 * 1024;
/**
 * A body that is too long is read to its end and dropped, up to this size. A sender that is cut off in the middle would
 * see a broken connection and no answer. Only the digest of the whole body stays.
 */
const MAX_DROPPED_BYTES = 8 * MAX_BODY_BYTES;
const MAX_HELD_BYTES = 256 * MAX_BODY_BYTES;
const MAX_HEADER_BYTES = 64 * 1024;
const KEEP_ALIVE_MS = 65_000;
/** The time for requests in progress when the receiver closes. */
const CLOSE_GRACE_MS = 10_000;

export interface ReceiverOptions {
  host: string;
  /** 0 lets the system choose. */
  port: number;
  /** Begins with a slash. */
  path: string;
  credentials: BasicCredentials | undefined;
  /** @returns whether a sender has a password of its own, while others may need none */
  isKnown(authorization: string | undefined): boolean;
  /** The delay before each answer. */
  delayMs: number;
  /** The time limit for the headers of a request. */
  headersTimeoutMs: number;
  /** The time limit for a whole request. */
  requestTimeoutMs: number;
  clock: Pick<Clock, 'sleep'>;
  /**
   * Keeps a delivery. @returns the status of the answer once it is kept; `later` if it is not kept, and this was
   * reported
   * @throws an error if it is not kept
   */
  accept(delivery: Delivery): Promise<number | 'later'>;
  /** Called for a request that was not kept, with the status of the answer and the reason. */
  onRefused(status: number, reason: string): void;
}

export interface Receiver {
  /** The address to give the gateway. */
  url: URL;
  /** Accepts no more requests. It resolves when every accepted one is kept and answered. */
  close(): Promise<void>;
}

/** @throws Failure usage if the address cannot be listened on */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const closing = new AbortController();
  // Each delivery that waits for its answer adds a listener to this signal.
  setMaxListeners(0, closing.signal);
  const open = new Set<Promise<void>>();
  const http = createHttpServer({
    maxConnections: MAX_CONNECTIONS,
    maxHeaderBytes: MAX_HEADER_BYTES,
    headersTimeoutMs: options.headersTimeoutMs,
    requestTimeoutMs: options.requestTimeoutMs,
    keepAliveTimeoutMs: KEEP_ALIVE_MS,
    // A tunnel sends requests with its own host name.
    isOnlyLocal: false,
    onRefused: options.onRefused,
    handle(request, response) {
      const done = handle(request, response);
      open.add(done);
      void done.then(() => open.delete(done));
    },
  });
  const { server } = http;
  const handle = handler(options, closing.signal, http);
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

/** The answer to a request. `refused` is the reason if the request is not kept. */
interface Answer {
  status: number;
  headers?: OutgoingHttpHeaders;
  refused?: string;
}

const LATER = { 'retry-after': '1' };

function handler(
  options: ReceiverOptions,
  closing: AbortSignal,
  { onBrokenOff }: Pick<HttpServer, 'onBrokenOff'>,
): Handle {
  const { credentials, onRefused, delayMs, clock } = options;
  const isTheirs = credentials && basicAuthCheck(credentials);
  const delay =
    delayMs > 0 ? () => clock.sleep(delayMs, closing).catch(() => undefined) : undefined;
  let heldBytes = 0;

  const receive = async (request: IncomingMessage, isAuthenticated: boolean) => {
    let ownBytes = 0;
    const read = await readBody(request, (bytes) => {
      if (heldBytes + bytes > MAX_HELD_BYTES) return false;
      heldBytes += bytes;
      ownBytes += bytes;
      return true;
    });
    try {
      if (read === 'ended') {
        onBrokenOff(request);
        return undefined;
      }
      if (read === 'no-room') {
        return { status: 503, refused: 'that came with too many other large ones', headers: LATER };
      }
      const { rawHeaders } = request;
      const isTooLong = 'digest' in read;
      const body = isTooLong ? { ...read, body: new Uint8Array() } : { body: read };
      const status = await options.accept({ rawHeaders, isAuthenticated, isTooLong, ...body });
      if (status === 'later') return { status: 503, headers: LATER };
      await delay?.();
      return { status };
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      return { status: 503, refused: `that could not be stored (${reason})`, headers: LATER };
    } finally {
      heldBytes -= ownBytes;
    }
  };

  return async (request, response) => {
    const { authorization } = request.headers;
    const isAuthenticated = Boolean(isTheirs?.(authorization)) || options.isKnown(authorization);
    const answer: Answer | undefined =
      refusalOf(request, options.path, isAuthenticated || !isTheirs) ??
      (await receive(request, isAuthenticated));
    if (!answer) return;
    const { status, headers, refused } = answer;
    if (refused !== undefined) onRefused(status, refused);
    if (response.destroyed) return;
    const last = closing.aborted || !request.complete ? { connection: 'close' } : {};
    response.writeHead(status, { 'content-length': 0, ...last, ...headers }).end();
    // The rest of a refused body is not read.
    if (!request.complete) response.once('finish', () => request.destroy());
  };
}

/** @returns the answer to a request that is refused before its body is read */
function refusalOf(
  { method, url = '' }: IncomingMessage,
  path: string,
  mayDeliver: boolean,
): Answer | undefined {
  // A proxy may have sent the absolute form (RFC 9112, 3.2.2).
  const place =
    url === path ? path : url.replace(/^https?:\/\/[^/?#]*/i, '').split('?', 1)[0] || '/';
  if (place !== path) return { status: 404, refused: `with ${method} to another path, ${place}` };
  if (method !== 'POST') {
    return { status: 405, refused: `with ${method} instead of POST`, headers: { allow: 'POST' } };
  }
  if (mayDeliver) return undefined;
  return {
    status: 401,
    refused: 'without the right username and password',
    headers: { 'www-authenticate': 'Basic realm="gw listen", charset="UTF-8"' },
  };
}

/** `digest`: of a body that is too long. `ended`: the sender left, or was too slow. `no-room`: too many large bodies. */
type BodyRead = Uint8Array | { digest: string } | 'no-room' | 'ended';

/** @param reserve called with the size of each piece; false means that there is no memory for it */
function readBody(
  request: IncomingMessage,
  reserve: (bytes: number) => boolean,
): Promise<BodyRead> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let hash: Hash | undefined;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) {
        hash ??= createHash('sha256');
        for (const piece of [...chunks.splice(0), chunk]) hash.update(piece);
      } else if (reserve(chunk.length)) chunks.push(chunk);
      else {
        request.pause();
        resolve('no-room');
      }
      if (bytes > MAX_DROPPED_BYTES) {
        request.pause();
        // Nobody knows the rest, so it is like no other.
        resolve({ digest: randomUUID() });
      }
    });
    request.on('end', () => {
      if (hash) resolve({ digest: hash.digest('base64url') });
      else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    // Without a listener for errors, Node only closes a request that broke off.
    request.on('close', () => {
      if (!request.readableEnded) resolve('ended');
    });
  });
}
