/**
 * One delivery attempt over HTTP (section 6).
 *
 * 200 and 201 are success. Anything else is not: another status, a redirect (never followed), no
 * connection, no status within the time limit. What the receiver says after the status is of no
 * interest; a little of it is read so that the connection can be used again.
 *
 * Beside the interface's header every request has `X-Gw-Delivery`, the number of the delivery: the
 * same one when it is repeated, which a body cannot show (two days' charge:pending are alike).
 */
import { basicAuthorization } from '../../base/basic-authorization.ts';
import { SERVICE_MODE_HEADER } from '../../contract/webhook-events.ts';
import type { Clock } from '../gateway-clock.ts';

const DELIVERY_HEADER = 'X-Gw-Delivery';
const DEFAULT_TIMEOUT_MS = 10_000;
export const MAX_CONNECTIONS = 16;
const MAX_ANSWER_BYTES = 64 * 1024;
const IDLE_MS = 1_000;

export interface Attempt {
  isDelivered: boolean;
  /** The status, or what went wrong. */
  result: string;
}

export interface Postman {
  /** @throws the reason of `signal` when it was aborted: nothing is known of the attempt then */
  attempt(delivery: { id: number; url: string; body: string }, isLive: boolean): Promise<Attempt>;
  close(): Promise<void>;
}

export interface PostmanOptions {
  clock: Pick<Clock, 'sleep'>;
  /** For the whole of an attempt. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

export async function openPostman({
  clock,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  signal,
}: PostmanOptions): Promise<Postman> {
  const { Agent, request } = await import('undici');
  const agent = new Agent({
    connections: MAX_CONNECTIONS,
    keepAliveTimeout: IDLE_MS,
    // The clock decides; these only must not be earlier.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: 0 },
  });

  return {
    async attempt({ id, url, body }, isLive) {
      signal?.throwIfAborted();
      const { address, authorization } = splitCredentials(url);
      const stop = new AbortController();
      const done = new AbortController();
      const abort = () => stop.abort(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      let isTooLate = false;
      const limit = clock.sleep(timeoutMs, done.signal).then(
        () => {
          isTooLate = true;
          stop.abort();
        },
        () => undefined,
      );
      try {
        const answer = await request(address, {
          method: 'POST',
          dispatcher: agent,
          signal: stop.signal,
          headers: {
            'content-type': 'application/json',
            'user-agent': 'gw-emulator',
            [SERVICE_MODE_HEADER]: isLive ? 'Live' : 'Sandbox',
            [DELIVERY_HEADER]: String(id),
            ...(authorization === undefined ? {} : { authorization }),
          },
          body,
        });
        await answer.body.dump({ limit: MAX_ANSWER_BYTES }).catch(() => undefined);
        const { statusCode } = answer;
        return {
          isDelivered: statusCode === 200 || statusCode === 201,
          result: String(statusCode),
        };
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (isTooLate) return { isDelivered: false, result: `no answer in ${timeoutMs / 1000} s` };
        return { isDelivered: false, result: reasonOf(error) };
      } finally {
        signal?.removeEventListener('abort', abort);
        done.abort();
        await limit;
      }
    },
    close: () => agent.destroy(),
  };
}

function splitCredentials(url: string): { address: string; authorization: string | undefined } {
  const parsed = new URL(url);
  if (parsed.username === '' && parsed.password === '')
    return { address: url, authorization: undefined };
  const authorization = basicAuthorization(
    decodeURIComponent(parsed.username),
    decodeURIComponent(parsed.password),
  );
  parsed.username = '';
  parsed.password = '';
  return { address: parsed.href, authorization };
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  UND_ERR_SOCKET: 'connection closed',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
};

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return code === undefined ? error.message : (REASONS[code] ?? code);
}
