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
import { bodyTooLarge } from '../request-body.ts';
import { Refusal } from '../resources/refusal.ts';
import { type Answering, withFaults } from './faults.ts';
import { readBody } from './read-body.ts';
import { targetOf } from './target.ts';

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
export function createDoor(
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

/** Of several that are sent node:http takes the first, and none of them is right. */
function authorizationOf({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  const isOne = rawHeaders.filter((name, i) => i % 2 === 0 && isAuthorization(name)).length === 1;
  return isOne ? authorization : '';
}

const isAuthorization = (name: string) =>
  name.length === 'authorization'.length && name.toLowerCase() === 'authorization';

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
