/** The HTTP door of the embedded gateway: a Hono app around `Gateway.answer`. */
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { Failure } from '../failure.ts';
import type { Clock } from './clock.ts';
import { type FaultSource, injectFaults } from './faults.ts';
import {
  bodyTooLarge,
  failure,
  type Gateway,
  type GatewayAnswer,
  MAX_BODY_BYTES,
} from './gateway.ts';

export interface AppOptions {
  gateway: Gateway;
  /** The envelope's `test` where the gateway itself is not reached; as given to `createGateway`. */
  test?: boolean;
  /** Told of every error that is a defect and was answered with a 500. */
  onDefect?: (error: unknown) => void;
  /** Which requests are to go wrong, and how; without it none is. */
  faults?: { source: FaultSource; clock: Pick<Clock, 'sleep'> } | undefined;
}

/** Behind a server the app has the socket, which faults that reset the connection need. */
export type App = Hono<{ Bindings: Partial<HttpBindings> }>;

export function createApp({ gateway, test = true, onDefect, faults }: AppOptions): App {
  const app: App = new Hono();
  if (faults) app.use(injectFaults(faults.source, faults.clock));
  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => toResponse(failure(bodyTooLarge(), test)),
    }),
  );
  app.all('*', async (context) => {
    const url = context.req.url;
    const answer = await gateway.answer({
      method: context.req.method,
      target: url.slice(url.indexOf('/', url.indexOf('//') + 2)),
      authorization: context.req.header('authorization'),
      body: new Uint8Array(await context.req.arrayBuffer()),
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

function toResponse({ status, headers, body }: GatewayAnswer): Response {
  return new Response(body, { status, headers });
}
