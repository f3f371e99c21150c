/** Many requests over undici's connection pool; also the sender that knows proxies. */
import type { Dispatcher } from 'undici';
import {
  MAX_REPLY_BYTES,
  type Sender,
  TransportError,
  transportReason,
  type WireReply,
  type WireRequest,
} from './sender.ts';

export interface PoolOptions {
  /** Connections to the gateway at the same time. */
  connections: number;
}

export async function createPoolSender(options: PoolOptions): Promise<Sender> {
  const { EnvHttpProxyAgent } = await import('undici');
  // Time limits are the caller's signal; undici's own would only blur the reason.
  const pool = new EnvHttpProxyAgent({
    connections: options.connections,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: 0,
    maxResponseSize: MAX_REPLY_BYTES,
  });
  return {
    send: (request) => send(pool, request),
    close: () => pool.close(),
  };
}

async function send(pool: Dispatcher, request: WireRequest): Promise<WireReply> {
  let sent = false;
  const watched = pool.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        // undici calls this when the request is written to a connection that stands.
        onRequestStart(...args) {
          sent = true;
          handler.onRequestStart?.(...args);
        },
        onResponseStart: (...args) => handler.onResponseStart?.(...args),
        onResponseData: (...args) => handler.onResponseData?.(...args),
        onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
        onResponseError: (...args) => handler.onResponseError?.(...args),
      }),
  );
  try {
    const reply = await watched.request({
      origin: request.url.origin,
      path: request.url.pathname + request.url.search,
      method: request.method as Dispatcher.HttpMethod,
      headers: { ...request.headers },
      body: request.body ?? null,
      signal: request.signal,
    });
    const headers = Object.entries(reply.headers).map(([name, value]) => [name, String(value)]);
    return {
      status: reply.statusCode,
      headers: Object.fromEntries(headers),
      body: await reply.body.text(),
    };
  } catch (error) {
    const reason = request.signal.aborted ? request.signal.reason : error;
    throw new TransportError(transportReason(reason), sent, reason);
  }
}
