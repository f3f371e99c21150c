/**
 * Makes one attempt to deliver a webhook over HTTP: to an application, a listener, or a target registered with the
 * embedded gateway. They differ only in their policy.
 *
 * The status decides: only 2xx accepts the delivery (section 6 leaves this open; 204 is common). A redirect is not
 * followed. The body of the answer decides nothing; gw reads a little of it so that the connection can be reused.
 */
import { once } from 'node:events';
import type { Dispatcher } from 'undici';
import { isLoopback } from '../../base/loopback.ts';
import { basicAuthorization } from './basic-auth.ts';
import type { BasicCredentials } from './check-basic-auth.ts';
import { notingFirstByte } from './first-byte.ts';
import { startLimit } from './limit.ts';
import { transportReason } from './transport-reason.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const FORWARD_TIMEOUT_MS = 30_000;
const IDLE_MS = 1_000;
/** gw reads no more of an answer. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Headers that belong to one connection or to the first receiver, or that are created anew. */
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
  /** Real time from the start to the status. */
  timeoutMs: number;
  /** Maximum number of connections to one receiver. */
  connections: number;
  /** Whether to use HTTPS_PROXY and related variables. */
  usesProxies: boolean;
  /** @returns why no answer arrived, in words for the user */
  reasonOf(error: unknown): string;
}

/** Policy for events forwarded to an application, or sent to an address on request. */
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
  /** http or https. A username and a password in it become Basic authentication. */
  url: URL;
  /** Headers to send; those of one connection, and credentials, are left out. */
  headers: readonly Header[];
  body: Uint8Array | string;
  /** Set if the answer is to be shown. */
  keepsAnswer?: boolean;
}

/** @returns the address as `DeliveryRequest` takes it */
export function withCredentials(target: URL, credentials: BasicCredentials | undefined): URL {
  const url = new URL(target);
  if (!credentials) return url;
  url.username = encodeURIComponent(credentials.username);
  url.password = encodeURIComponent(credentials.password);
  return url;
}

/** `status` is undefined if no answer arrived; then `reason` says why. */
export interface DeliveryResult {
  isTaken: boolean;
  status: number | undefined;
  reason: string;
  /** The answer, its text cut at a limit; only for a request that keeps it. */
  answer?:
    | { headers: Readonly<Record<string, string | string[] | undefined>>; body: string }
    | undefined;
}

export class DeliverySender {
  readonly #policy: DeliveryPolicy;
  #agent: Promise<Dispatcher> | undefined;

  constructor(policy: DeliveryPolicy) {
    this.#policy = policy;
  }

  /** Never throws for a network error. @param signal ends the attempt */
  async send(request: DeliveryRequest, signal: AbortSignal): Promise<DeliveryResult> {
    const { timeoutMs, reasonOf } = this.#policy;
    const limit = startLimit(signal, timeoutMs);
    let status: number | undefined;
    let answered: DeliveryResult['answer'];
    const exchange = async () => {
      const agent = await this.#open();
      const answer = await agent.request({ ...optionsOf(request), signal: limit.signal });
      status = answer.statusCode;
      if (request.keepsAnswer)
        answered = { headers: answer.headers, body: await beginningOf(answer.body) };
      else await answer.body.dump({ limit: MAX_ANSWER_BYTES, signal: limit.signal });
    };
    // undici ignores a signal until it is connected, and ends the request then.
    const failure = await Promise.race([exchange(), once(limit.signal, 'abort')]).catch(
      (error: unknown) => error,
    );
    limit.release();
    if (status !== undefined) {
      const isTaken = status >= 200 && status < 300;
      const reason = isTaken ? '' : `answered ${status}`;
      return { isTaken, status, reason, answer: answered };
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
        // The policy's time limit applies instead.
        headersTimeout: 0,
        bodyTimeout: 0,
      };
      const agent = usesProxies ? new EnvHttpProxyAgent(options) : new Agent(options);
      return agent.compose(notingFirstByte);
    });
    return this.#agent;
  }
}

/** @returns the text of a body, or what is within the limit */
async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString();
}

/** @returns the headers of a delivery that are sent, before gw adds its own */
export function headersPassedOn(headers: readonly Header[]): Header[] {
  return headers.filter(([name]) => !NOT_PASSED_ON.has(name.toLowerCase()));
}

function optionsOf({ url, headers, body }: DeliveryRequest) {
  const { username, password } = url;
  const passedOn = headersPassedOn(headers).flat();
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
