/**
 * Serves the test gateway over HTTP: turns a request of node:http into one for `Gateway.answer`, and sends the
 * answer.
 *
 * It only reads the target and the body of a request, since thousands may arrive in a second.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FAULT_HEADER } from '../../contract/faults.ts';
import { Failure } from '../../failure.ts';
import { sendLast } from '../../host/http/server.ts';
import type { GatewayAnswer } from '../faults.ts';
import type { Gateway } from '../gateway.ts';
import type { GatewayClock } from '../gateway-clock.ts';
import { bodyTooLarge, MAX_BODY_BYTES } from '../request-body.ts';
import { Refusal } from '../resources/handler.ts';

export interface DoorOptions {
  gateway: Gateway;
  /** Waits before an answer that comes late. */
  clock: Pick<GatewayClock, 'sleep'>;
  /** Whether the header `X-Gw-Fault` is obeyed. */
  faults: boolean;
  /** Called with every error that was answered with a 500. */
  onDefect?: ((error: unknown) => void) | undefined;
  /** Called for a request that never reaches the gateway, as in `ServeOptions`. */
  onRefused(status: number, reason: string): void;
  /** @returns the answer to it */
  explain(status: number, reason: string): GatewayAnswer;
  /** Called with a request whose client disconnected before its whole body arrived. */
  onBrokenOff(request: IncomingMessage): void;
}

/** @returns the request listener of a server */
export function createHandler(
  options: DoorOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const answer = answering(options);
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const target = requestTarget(request);
    if (target === undefined) options.onRefused(400, NO_TARGET);
    // Even a refusal waits a turn, after which node:http knows whether the request has a body.
    const answered = await (target === undefined
      ? options.explain(400, NO_TARGET)
      : answer(request, target).catch((error) => defectAnswer(error, options)));
    if (await arrives(request, answered, options.clock)) send(request, response, answered);
  };
  return (request, response) => void respond(request, response);
}

const NO_TARGET = 'whose target is not a path of this server';

/** No client waits so long for an answer; then the connection is reset. */
const LONGEST_SILENCE_MS = 600_000;

/** Makes the fault of an answer happen. @returns whether the answer is to be sent */
async function arrives(
  { socket }: IncomingMessage,
  { lost, lateMs = 0 }: GatewayAnswer,
  clock: Pick<GatewayClock, 'sleep'>,
): Promise<boolean> {
  const waitMs = lost === 'silence' ? LONGEST_SILENCE_MS : lateMs;
  const gone = new AbortController();
  if (waitMs > 0) {
    const onClose = () => gone.abort();
    socket.once('close', onClose);
    if (socket.destroyed) onClose();
    await clock.sleep(waitMs, gone.signal).catch(() => undefined);
    socket.off('close', onClose);
  }
  if (lost !== undefined) socket.resetAndDestroy();
  return lost === undefined && !gone.signal.aborted;
}

function answering({ gateway, faults, onBrokenOff }: DoorOptions) {
  return async (request: IncomingMessage, target: string): Promise<GatewayAnswer> => {
    const body = await readBody(request);
    if (body === 'too large') return gateway.refuse(bodyTooLarge());
    if (body === 'broken off') {
      onBrokenOff(request);
      return gateway.refuse(new Refusal(400, ['Request body is not complete']));
    }
    const { method = '', headers } = request;
    const authorization = authorizationOf(request);
    const fault = faults ? headers[FAULT_HEADER]?.toString() : undefined;
    return gateway.answer({ method, target, authorization, body, fault });
  };
}

/** node:http keeps the first of several Authorization headers; we refuse such requests. */
function authorizationOf({ headersDistinct }: IncomingMessage): string | undefined {
  const { authorization = [] } = headersDistinct;
  return authorization.length > 1 ? '' : authorization[0];
}

function send(request: IncomingMessage, response: ServerResponse, answer: GatewayAnswer): void {
  const { status, headers, body } = answer;
  // The rest of a body that is too large, or that stopped, is not worth a wait.
  if (!request.complete || status === 413) {
    sendLast({ request, response }, status, answer);
    return;
  }
  const head = Object.entries(headers).flat();
  head.push('content-length', String(Buffer.byteLength(body)));
  response.writeHead(status, head).end(request.method === 'HEAD' ? undefined : body);
}

function defectAnswer(error: unknown, { gateway, onDefect }: DoorOptions): GatewayAnswer {
  onDefect?.(error);
  const message = error instanceof Failure ? error.message : 'Internal error';
  return gateway.refuse(new Refusal(500, [message]));
}

const NOTHING = new Uint8Array();

/** @returns the body; reading stops if it is larger than `MAX_BODY_BYTES` */
function readBody(
  request: IncomingMessage,
): Promise<Uint8Array | 'too large' | 'broken off'> | Uint8Array | 'too large' {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (Number(length) > MAX_BODY_BYTES) return 'too large';
  const isAnnounced = Number(length) > 0 || coding !== undefined;
  return isAnnounced ? readWhole(request) : NOTHING;
}

function readWhole(request: IncomingMessage): Promise<Uint8Array | 'too large' | 'broken off'> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    // Bytes beyond the limit are read and dropped.
    request.on('data', (chunk: Uint8Array) => {
      size += chunk.byteLength;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else resolve('too large');
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    // Only the client can end a body early. After its end these calls have no effect.
    request.on('error', () => resolve('broken off'));
    request.on('close', () => resolve('broken off'));
  });
}

const ABSOLUTE = /^https?:\/\//i;

/**
 * The request target (RFC 9112, 3.2) as the gateway reads it.
 * @returns path and query, encoded as they were sent. Characters that must be encoded are encoded, and dot segments are
 *   resolved. Undefined if target and host form no URL
 */
export function requestTarget({ url = '', headers }: IncomingMessage): string | undefined {
  // A request of HTTP/1.0 may have no host, and a host may be empty.
  const host = headers.host || 'gateway';
  // A URL parser would turn a backslash into a slash.
  if (/^[^?]*\\/.test(url)) return undefined;
  if (ABSOLUTE.test(url)) return partsOf(url)?.target;
  const parts = url.startsWith('/') ? partsOf(`http://${host}${url}`) : undefined;
  // A host whose URL has another form, such as 127.1, is refused.
  return parts?.hostname === host.replace(/:\d+$/, '').toLowerCase() ? parts.target : undefined;
}

function partsOf(text: string): { hostname: string; target: string } | undefined {
  try {
    const { hostname, pathname, search, hash, username } = new URL(text);
    return username === '' ? { hostname, target: pathname + search + hash } : undefined;
  } catch {
    return undefined;
  }
}
