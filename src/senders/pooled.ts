/**
 * Many requests over undici's connection pool; also the sender that knows proxies.
 *
 * undici does not look at a request's signal until a connection stands, and tries again for ever
 * when a proxy hangs up. So a request that has to end is given up here, whatever undici does, and is
 * stopped when it would be written after all.
 */
import type { buildConnector, Dispatcher, Pool } from 'undici';
import { isLoopback } from '../base/loopback.ts';
import { transportReason } from '../base/transport-reason.ts';
import { dropInformational } from './informational.ts';
import { proxiesOf } from './proxy.ts';
import {
  MAX_REPLY_BYTES,
  type Sender,
  TransportError,
  type WireReply,
  type WireRequest,
} from './sender.ts';

export interface PooledOptions {
  /** Connections to the gateway at the same time. */
  connections: number;
  /** Where the proxies are. */
  env: Readonly<Record<string, string | undefined>>;
}

/** @throws Failure usage when the proxies of the environment cannot be used */
export async function createPooledSender({ connections, env }: PooledOptions): Promise<Sender> {
  const proxies = proxiesOf(env);
  const { Agent, EnvHttpProxyAgent, Pool, buildConnector } = await import('undici');
  // Time limits are the caller's signal; undici's own would only blur the reason.
  const options = {
    connections,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: 0,
    maxResponseSize: MAX_REPLY_BYTES,
    factory: (origin: string | URL, { connect, ...settings }: Pool.Options) => {
      const open =
        typeof connect === 'function' ? connect : buildConnector({ timeout: 0, ...connect });
      return new Pool(origin, { ...settings, connect: withoutInformational(open) });
    },
  };
  const direct = new Agent(options);
  const proxied = new EnvHttpProxyAgent({
    ...options,
    ...proxies,
    clientFactory: (proxy, settings) => new Pool(proxy, settings).compose(failOnce),
  });
  return {
    send: (request, signal) =>
      send(isLoopback(request.url.hostname) ? direct : proxied, request, signal),
    // Not `close`, which waits for what was given up.
    close: async () => void (await Promise.all([direct.destroy(), proxied.destroy()])),
  };
}

/** Keeps undici from opening one tunnel after another when a proxy hangs up: it does so by the code of the error. */
const failOnce: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, {
    ...forwarding(handler),
    onRequestUpgrade(controller, status, headers, socket) {
      if (status === 200) return handler.onRequestUpgrade?.(controller, status, headers, socket);
      socket.destroy();
      handler.onResponseError?.(controller, new Error(`the proxy answered ${status}`));
    },
    onResponseError(controller, error) {
      const reason = `the proxy cannot be used: ${transportReason(error)}`;
      handler.onResponseError?.(controller, new Error(reason, { cause: error }));
    },
  });

function withoutInformational(open: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    open(options, (...[error, socket]) => {
      if (socket) callback(null, dropInformational(socket));
      else callback(error, null);
    });
}

function forwarding(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...args) => handler.onRequestStart?.(...args),
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  };
}

function send(pool: Dispatcher, request: WireRequest, signal: AbortSignal): Promise<WireReply> {
  return new Promise((resolve, reject) => {
    let sent = false;
    const fail = (error: unknown) => {
      const reason = signal.aborted ? signal.reason : error;
      reject(new TransportError(transportReason(reason), sent, reason));
    };
    const giveUp = () => fail(signal.reason);
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    const watched = pool.compose(
      (dispatch) => (options, handler) =>
        dispatch(options, {
          ...forwarding(handler),
          // undici calls this on a connection that stands, before it writes the request.
          onRequestStart(controller, context) {
            if (signal.aborted) return controller.abort(signal.reason);
            sent = true;
            handler.onRequestStart?.(controller, context);
          },
        }),
    );
    exchange(watched, request, signal)
      .then(resolve, fail)
      .finally(() => signal.removeEventListener('abort', giveUp));
  });
}

async function exchange(
  pool: Dispatcher,
  request: WireRequest,
  signal: AbortSignal,
): Promise<WireReply> {
  const reply = await pool.request({
    origin: request.url.origin,
    path: request.url.pathname + request.url.search,
    method: request.method as Dispatcher.HttpMethod,
    headers: { ...request.headers },
    body: request.body ?? null,
    signal,
  });
  const headers = Object.entries(reply.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: reply.statusCode,
    headers: Object.fromEntries(headers),
    body: await reply.body.text(),
  };
}
