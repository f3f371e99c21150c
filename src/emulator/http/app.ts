/**
 * The HTTP door of the embedded gateway: a Hono app around `Gateway.answer`.
 *
 * This folder has that door: a server, the app, and faults for those who ask for them.
 */
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { Failure } from '../../failure.ts';
import { failure, type Gateway, type GatewayAnswer } from '../gateway.ts';
import type { Clock } from '../gateway-clock.ts';
import { bodyTooLarge, MAX_BODY_BYTES } from '../request-body.ts';
import { Refusal } from '../resources/refusal.ts';
import { injectFaults } from './faults.ts';

export interface AppOptions {
  gateway: Gateway;
  /** The envelope's `test` in answers that do not come from the gateway; as given to `createGateway`. */
  test?: boolean;
  /** Told of every error that was answered with a 500. */
  onDefect?: ((error: unknown) => void) | undefined;
  /** Told of a request whose client went away before its body had come. */
  onBrokenOff?: ((request: HttpBindings['incoming']) => void) | undefined;
  /** Honours the header `X-Gw-Fault`, with latency on this clock. */
  faults?: Pick<Clock, 'sleep'> | undefined;
}

/** Behind a server the app has the socket, which faults that reset the connection need. */
export type App = Hono<{ Bindings: Partial<HttpBindings> }>;

export function createApp(options: AppOptions): App {
  const { gateway, test = true, onDefect, onBrokenOff, faults } = options;
  const app: App = new Hono();
  if (faults) app.use(injectFaults(faults));
  app.all('*', async ({ req, env }) => {
    const body = await readBody(req.raw, env?.incoming);
    if (body === 'too large') return toResponse(gateway.refuse(bodyTooLarge()));
    if (body === 'broken off') {
      if (env?.incoming) onBrokenOff?.(env.incoming);
      return toResponse(gateway.refuse(new Refusal(400, ['Request body is not complete'])));
    }
    const answer = await gateway.answer({
      method: req.method,
      target: targetOf(req.url),
      authorization: req.header('authorization'),
      body,
    });
    return toResponse(answer);
  });
  app.onError((error) => {
    onDefect?.(error);
    const message = error instanceof Failure ? error.message : 'Internal error';
    return toResponse(failure({ status: 500, errors: [message], response: null }, test));
  });
  return app;
}

/** @returns path and query as they were sent; a parsed URL would have them changed */
function targetOf(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('//') + 2));
}

/** @returns the body; one that is larger than `MAX_BODY_BYTES` is not read to its end */
async function readBody(
  request: Request,
  incoming: HttpBindings['incoming'] | undefined,
): Promise<Uint8Array | 'too large' | 'broken off'> {
  if (Number(request.headers.get('content-length')) > MAX_BODY_BYTES) return 'too large';
  try {
    return await readWhole(request, incoming);
  } catch {
    // Only its client can end a body early.
    return 'broken off';
  }
}

async function readWhole(
  request: Request,
  incoming: HttpBindings['incoming'] | undefined,
): Promise<Uint8Array | 'too large'> {
  // A `Request` has none where it is a GET; what was sent all the same is in the message.
  const isInMessage = request.method === 'GET' && hasBody(request);
  // node:http lets no more bytes through than were announced. To look at `body` costs a stream.
  if (!isInMessage && request.headers.has('content-length'))
    return new Uint8Array(await request.arrayBuffer());
  const sent = isInMessage ? incoming : request.body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of sent ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) return 'too large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Whether a request announces a body (RFC 9112, 6). */
const hasBody = ({ headers }: Request) =>
  Number(headers.get('content-length')) > 0 || headers.has('transfer-encoding');

function toResponse({ status, headers, body }: GatewayAnswer): Response {
  return new Response(body, { status, headers });
}
