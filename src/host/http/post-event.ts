/**
 * One attempt to deliver a webhook over HTTP: to an application, to a listener, to whoever registered
 * with the embedded gateway. They differ in their policy and in nothing else.
 *
 * The status decides: any 2xx takes the delivery, nothing else does (section 6 leaves it open; 204 is
 * common). A redirect is not followed. What the receiver says after its status is of no interest; a
 * little of it is read, so that the connection can be used again.
 */
import { once } from 'node:events';
import type { Dispatcher } from 'undici';
import { isLoopback } from '../../base/loopback.ts';
import { basicAuthorization } from './basic-auth.ts';
import { startLimit } from './limit.ts';
import { transportReason } from './transport-reason.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const FORWARD_TIMEOUT_MS = 30_000;
const IDLE_MS = 1_000;
/** No more of an answer is read. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** They belong to one connection, to the first receiver, or are made anew for the next one. */
const NOT_PASSED_ON = new Set([
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export interface DeliveryPolicy {
  /** From the beginning to the status, in real time. */
  timeoutMs: number;
  /** To one receiver at the same time, at the most. */
  connections: number;
  /** Whether HTTPS_PROXY and its kin are followed. */
  usesProxies: boolean;
  /** @returns why no answer came, in the words that the reason is shown in */
  reasonOf(error: unknown): string;
}

/** The policy of events that are passed on to an application, or sent to an address by hand. */
export function forwardPolicy(target: URL, connections = 1): DeliveryPolicy {
  return {
    timeoutMs: FORWARD_TIMEOUT_MS,
    connections,
    // A proxy cannot reach an application on this machine.
    usesProxies: !isLoopback(target.hostname),
    reasonOf: transportReason,
  };
}

export interface DeliveryRequest {
  /** http or https. A username and a password in it are sent with Basic authentication. */
  url: URL;
  /** Those of one connection alone, and credentials, are left out. */
  headers: readonly Header[];
  body: Uint8Array | string;
}

/** `status` is undefined when no answer came; `reason` says why then. */
export interface DeliveryResult {
  isTaken: boolean;
  status: number | undefined;
  reason: string;
}

export class DeliverySender {
  readonly #policy: DeliveryPolicy;
  #agent: Promise<Dispatcher> | undefined;

  constructor(policy: DeliveryPolicy) {
    this.#policy = policy;
  }

  /** Never throws for what the network does. @param signal ends the attempt */
  async send(request: DeliveryRequest, signal: AbortSignal): Promise<DeliveryResult> {
    const { timeoutMs, reasonOf } = this.#policy;
    const limit = startLimit(signal, timeoutMs);
    let status: number | undefined;
    const exchange = async () => {
      const agent = await this.#open();
      const answer = await agent.request({ ...optionsOf(request), signal: limit.signal });
      status = answer.statusCode;
      await answer.body.dump({ limit: MAX_ANSWER_BYTES, signal: limit.signal });
    };
    // undici looks at no signal before a connection stands; it ends the request then.
    const failure = await Promise.race([exchange(), once(limit.signal, 'abort')]).catch(
      (error: unknown) => error,
    );
    limit.release();
    if (status !== undefined) {
      const isTaken = status >= 200 && status < 300;
      return { isTaken, status, reason: isTaken ? '' : `answered ${status}` };
    }
    const isTooLate = limit.signal.aborted && !signal.aborted;
    const reason = isTooLate
      ? `no answer within ${timeoutMs / 1000} s`
      : reasonOf(signal.aborted ? signal.reason : failure);
    return { isTaken: false, status, reason };
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await (await this.#agent)?.destroy();
  }

  #open(): Promise<Dispatcher> {
    const { connections, usesProxies } = this.#policy;
    this.#agent ??= import('undici').then(({ Agent, EnvHttpProxyAgent }) => {
      const options = {
        connections,
        pipelining: 1,
        keepAliveTimeout: IDLE_MS,
        connectTimeout: CONNECT_TIMEOUT_MS,
        // The policy's limit decides.
        headersTimeout: 0,
        bodyTimeout: 0,
      };
      return usesProxies ? new EnvHttpProxyAgent(options) : new Agent(options);
    });
    return this.#agent;
  }
}

function optionsOf({ url, headers, body }: DeliveryRequest) {
  const { username, password } = url;
  const passedOn = headers.filter(([name]) => !NOT_PASSED_ON.has(name.toLowerCase())).flat();
  const credentials = [username, password].map(decodeURIComponent) as [string, string];
  const isNamed = username !== '' || password !== '';
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'POST',
    headers: isNamed
      ? [...passedOn, 'Authorization', basicAuthorization(...credentials)]
      : passedOn,
    body,
  } as const;
}

export type Header = readonly [name: string, value: string];
