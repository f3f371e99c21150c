/**
 * The HTTP door of the embedded gateway: from a request of node:http to `Gateway.answer`, and back.
 *
 * It makes nothing of a request but its target and its body, since thousands may come in a second.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Failure } from '../../failure.ts';
import { startLimit } from '../../host/http/limit.ts';
import { failure, type Gateway, type GatewayAnswer } from '../gateway.ts';
import type { Clock } from '../gateway-clock.ts';
import { bodyTooLarge, MAX_BODY_BYTES } from '../request-body.ts';
import { Refusal } from '../resources/handler.ts';
import { type Answering, withFaults } from './faults.ts';

export interface DoorOptions {
  gateway: Gateway;
  /** The envelope's `test` in answers that do not come from the gateway; as given to `createGateway`. */
  test: boolean;
  /** Honours the header `X-Gw-Fault`, with latency on this clock. */
  faults: Pick<Clock, 'sleep'> | undefined;
  /** Told of every error that was answered with a 500. */
  onDefect?: ((error: unknown) => void) | undefined;
  /** Told of a request whose client went away before its body had come. */
  onBrokenOff(request: IncomingMessage): void;
}

/** How long the rest of a body is read that nobody wants, so that its client gets to the answer. */
const LINGER_MS = 500;
const NEVER = new AbortController().signal;

/** @returns what a server does with a request */
export function createHandler(
  options: DoorOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const answerDirectly = answering(options);
  const answer = options.faults ? withFaults(answerDirectly, options.faults) : answerDirectly;
  const respond = async (request: IncomingMessage, response: ServerResponse, target: string) => {
    const answered = await answer(request, target).catch((error) => defectAnswer(error, options));
    if (!answered) return;
    send(response, answered, request.method === 'HEAD');
    if (!request.complete) endUnread(request, response);
  };
  return (request, response) => {
    const target = targetOf(request);
    if (target === undefined) response.writeHead(400).end();
    else void respond(request, response, target);
  };
}

function answering({ gateway, onBrokenOff }: DoorOptions): Answering {
  return async (request, target) => {
    const body = await readBody(request);
    if (body === 'too large') return gateway.refuse(bodyTooLarge());
    if (body === 'broken off') {
      onBrokenOff(request);
      return gateway.refuse(new Refusal(400, ['Request body is not complete']));
    }
    const { method = '' } = request;
    return gateway.answer({ method, target, authorization: authorizationOf(request), body });
  };
}

/** node:http keeps the first of several Authorization headers; none of them is believed. */
function authorizationOf({ headersDistinct }: IncomingMessage): string | undefined {
  const { authorization = [] } = headersDistinct;
  return authorization.length > 1 ? '' : authorization[0];
}

function send(
  response: ServerResponse,
  { status, headers, body }: GatewayAnswer,
  isHead: boolean,
): void {
  if (isHead) {
    response.writeHead(status, headers).end();
    return;
  }
  const head = Object.entries(headers).flat();
  head.push('content-length', String(Buffer.byteLength(body)));
  response.writeHead(status, head).end(body);
}

/** Ends a connection on which the rest of a body is still on its way when the answer has gone. */
function endUnread(request: IncomingMessage, response: ServerResponse): void {
  response.once('close', () => {
    if (request.complete) return;
    const limit = startLimit(NEVER, LINGER_MS);
    limit.signal.addEventListener('abort', () => {
      limit.release();
      if (!request.complete) request.socket.destroySoon();
    });
  });
}

function defectAnswer(error: unknown, { onDefect, test }: DoorOptions): GatewayAnswer {
  onDefect?.(error);
  const message = error instanceof Failure ? error.message : 'Internal error';
  return failure({ status: 500, errors: [message], response: null }, test);
}

const NOTHING = new Uint8Array();

/** @returns the body; one that is larger than `MAX_BODY_BYTES` is not read to its end */
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
    // What comes when the limit is passed is read and dropped.
    request.on('data', (chunk: Uint8Array) => {
      size += chunk.byteLength;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else resolve('too large');
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    // Only its client can end a body early. After the end these change nothing.
    request.on('error', () => resolve('broken off'));
    request.on('close', () => resolve('broken off'));
  });
}

/** As a parsed URL would have it too, without segments of dots: what nearly all requests have. */
const PLAIN_TARGET = /^\/[\w!#$%&'()*+,\-./:;=?@[\]~]*$/;
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:[/?#]|$)/i;
const PLAIN_HOST = /^[a-z0-9._-]+(?::[1-9]\d{3})?$/;
const ABSOLUTE = /^https?:\/\//;

/**
 * The request target (RFC 9112, 3.2) as the gateway reads it.
 * @returns path and query, encoded; as they were sent, but for what has to be encoded and for segments
 *   of dots, which are resolved. undefined where target and host are no URL
 */
export function targetOf({ url = '', headers }: IncomingMessage): string | undefined {
  // HTTP/1.0 has requests without one, and a name may be empty.
  const host = headers.host || 'gateway';
  if (PLAIN_TARGET.test(url) && !DOT_SEGMENT.test(url) && PLAIN_HOST.test(host)) return url;
  // A URL takes a backslash for a slash.
  if (/^[^?]*\\/.test(url)) return undefined;
  if (ABSOLUTE.test(url)) return partsOf(url)?.target;
  const parts = url.startsWith('/') ? partsOf(`http://${host}${url}`) : undefined;
  // A host in another form than its own, such as 127.1, is nobody's.
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
