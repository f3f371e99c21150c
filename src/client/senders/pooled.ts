/**
 * Sends many requests over undici's connection pool. This sender also supports proxies.
 *
 * undici ignores a request's signal until it is connected, and retries forever if a proxy hangs up. So this class
 * rejects a request as soon as it has to end. If undici later tries to write the request, this class stops it.
 */

import type { Dispatcher } from 'undici';
import { isLoopback } from '../../base/loopback.ts';
import { forwarding } from '../../host/http/first-byte.ts';
import { noteLeaving } from '../../host/http/left.ts';
import { limitTo } from '../../host/http/limit.ts';
import { transportReason } from '../../host/http/transport-reason.ts';
import { proxiesOf } from './proxy.ts';
import {
  HeldBack,
  MAX_REPLY_BYTES,
  type Sender,
  type SendLimits,
  TransportError,
  type WireReply,
  type WireRequest,
} from './sender.ts';

export interface PooledOptions {
  /** Number of connections to the gateway at once. */
  connections: number;
  /** Environment that names the proxies. */
  env: Readonly<Record<string, string | undefined>>;
}

/** @throws Failure usage if the proxies of the environment cannot be used */
export async function createPooledSender({ connections, env }: PooledOptions): Promise<Sender> {
  const proxies = proxiesOf(env);
  const { Agent, EnvHttpProxyAgent, Pool } = await import('undici');
  // Each request has its time limit; undici's own would only blur the reason.
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
    send: (request, limits) =>
      new Promise((resolve, reject) => {
        const pool = isLoopback(request.url.hostname) ? direct : proxied;
        dispatch(pool, request, new PooledExchange(request.method, limits, resolve, reject));
      }),
    // `close` would wait for requests that were given up.
    close: async () => void (await Promise.all([direct.destroy(), proxied.destroy()])),
  };
}

/**
 * If a proxy hangs up, undici would open one tunnel after another, depending on the error's code. A new error without
 * that code prevents it.
 */
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

/** Calls the pool directly. A stream, an interceptor and a listener per answer would cost more than everything else. */
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

/** Receives undici's events for one request and collects its answer. */
class PooledExchange implements Dispatcher.DispatchHandler {
  readonly #method: string;
  readonly #limits: SendLimits;
  readonly #resolve: (reply: WireReply) => void;
  readonly #reject: (error: TransportError) => void;
  readonly #chunks: Buffer[] = [];
  #release = (): void => {};
  /** Why the exchange had to end: its time limit, or an interruption. */
  #ending: Error | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #isSent = false;
  #status = 0;
  #headers: Record<string, string> = {};

  constructor(
    method: string,
    limits: SendLimits,
    resolve: (reply: WireReply) => void,
    reject: (error: TransportError) => void,
  ) {
    this.#method = method;
    this.#limits = limits;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** @returns false if the exchange has to end already */
  begin(): boolean {
    const { timeoutMs, interrupted } = this.#limits;
    if (interrupted.aborted) this.#end(interrupted.reason);
    else this.#release = limitTo(timeoutMs, interrupted, this.#end);
    return !interrupted.aborted;
  }

  readonly #end = (reason: Error): void => {
    this.#ending = reason;
    this.fail(reason);
    this.#controller?.abort(reason);
  };

  fail(error: unknown): void {
    this.#release();
    const reason = this.#ending ?? error;
    const isHeldBack = reason instanceof HeldBack;
    const failure = new TransportError(transportReason(reason), this.#isSent, reason);
    this.#reject(isHeldBack ? reason : failure);
  }

  /**
   * undici calls this once connected, also on a reused connection, before it writes a byte. A request aborted here is
   * not written.
   */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    const { mayLeave = () => true } = this.#limits;
    if (this.#ending !== undefined) controller.abort(this.#ending);
    else if (!mayLeave()) controller.abort(new HeldBack());
    else {
      this.#controller = controller;
      this.#isSent = true;
      noteLeaving(this.#method);
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
    this.#release();
    const text = Buffer.concat(this.#chunks).toString();
    this.#resolve({
      status: this.#status,
      headers: this.#headers,
      body: text.replace(BYTE_ORDER_MARK, ''),
    });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }
}

/** It is not part of the text. */
const BYTE_ORDER_MARK = /^\ufeff/;
