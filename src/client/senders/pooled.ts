/**
 * Many requests over undici's connection pool; also the sender that knows proxies.
 *
 * undici does not look at a request's signal until a connection stands, and tries again for ever
 * when a proxy hangs up. So a request that has to end is given up here, whatever undici does, and is
 * stopped when it would be written after all.
 */
import type { Dispatcher } from 'undici';
import { isLoopback } from '../../base/loopback.ts';
import { transportReason } from '../../host/http/transport-reason.ts';
import { proxiesOf } from './proxy.ts';
import {
  HeldBack,
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
  const { Agent, EnvHttpProxyAgent, Pool } = await import('undici');
  // Time limits are the caller's signal; undici's own would only blur the reason.
  const options = {
    connections,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: 0,
    maxResponseSize: MAX_REPLY_BYTES,
  };
  const direct = new Agent(options);
  const proxied = new EnvHttpProxyAgent({
    ...options,
    ...proxies,
    clientFactory: (proxy, settings) => new Pool(proxy, settings).compose(failOnce),
  });
  return {
    send: (request, signal, mayLeave = () => true) =>
      new Promise((resolve, reject) => {
        const pool = isLoopback(request.url.hostname) ? direct : proxied;
        dispatch(pool, request, new PooledExchange({ signal, mayLeave, resolve, reject }));
      }),
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

function forwarding(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...args) => handler.onRequestStart?.(...args),
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  };
}

/** Straight to the pool: a stream, an interceptor and a listener for each answer would cost more than the rest. */
function dispatch(pool: Dispatcher, request: WireRequest, exchange: PooledExchange): void {
  if (!exchange.begin()) return;
  const { method, url, headers, body = null } = request;
  try {
    pool.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: method as Dispatcher.HttpMethod,
        headers: { ...headers },
        body,
      },
      exchange,
    );
  } catch (error) {
    exchange.fail(error);
  }
}

interface ExchangeParts {
  signal: AbortSignal;
  /** As of `Sender.send`. */
  mayLeave: () => boolean;
  resolve: (reply: WireReply) => void;
  reject: (error: TransportError) => void;
}

/** One request as undici tells of it, and its answer as it comes. */
class PooledExchange implements Dispatcher.DispatchHandler {
  readonly #parts: ExchangeParts;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #isSent = false;
  #status = 0;
  #headers: Record<string, string> = {};

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
  }

  /** @returns false when it is over before it began */
  begin(): boolean {
    const { signal } = this.#parts;
    if (signal.aborted) this.fail(signal.reason);
    else signal.addEventListener('abort', this.#giveUp, { once: true });
    return !signal.aborted;
  }

  readonly #giveUp = (): void => {
    const { reason } = this.#parts.signal;
    this.fail(reason);
    this.#controller?.abort(reason);
  };

  fail(error: unknown): void {
    const { signal, reject } = this.#parts;
    signal.removeEventListener('abort', this.#giveUp);
    const reason = signal.aborted ? signal.reason : error;
    const isHeldBack = reason instanceof HeldBack;
    reject(isHeldBack ? reason : new TransportError(transportReason(reason), this.#isSent, reason));
  }

  /**
   * undici calls this on a connection that stands, a kept one too, before it writes a byte of the request. One
   * that is aborted here is not written.
   */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    const { signal, mayLeave } = this.#parts;
    if (signal.aborted) controller.abort(signal.reason);
    else if (!mayLeave()) controller.abort(new HeldBack());
    else {
      this.#controller = controller;
      this.#isSent = true;
    }
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    for (const name of Object.keys(headers)) this.#headers[name] = String(headers[name]);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const { signal, resolve } = this.#parts;
    signal.removeEventListener('abort', this.#giveUp);
    const body = UTF_8.decode(Buffer.concat(this.#chunks));
    resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }
}

/** Without a byte order mark, which is not part of the text. */
const UTF_8 = new TextDecoder();
