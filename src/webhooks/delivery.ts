/** Sends deliveries on: to a local application, or to a listener. Redirects are not followed. */
import { isLoopback } from '../base/loopback.ts';
import { transportReason } from '../base/transport-reason.ts';
import type { Header } from '../events/event-store.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 30_000;
/** No more of an answer is read. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** They belong to one connection, to this listener, or are made anew for the next one. */
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

/** `status` is undefined when no answer came; `reason` says why then. */
interface SendResult {
  isTaken: boolean;
  status: number | undefined;
  reason: string;
}

export interface DeliverySender {
  /** Never throws for what the network does. @param signal ends the attempt */
  send(headers: readonly Header[], body: Uint8Array, signal: AbortSignal): Promise<SendResult>;
  close(): Promise<void>;
}

/**
 * @param target http or https
 * @param connections to it at the same time, at the most
 * @param authorization for the target itself, where it wants any
 */
export async function createDeliverySender(
  target: URL,
  connections: number,
  authorization?: string,
): Promise<DeliverySender> {
  const { Agent, EnvHttpProxyAgent } = await import('undici');
  const limits = {
    connections,
    pipelining: 1,
    connectTimeout: CONNECT_TIMEOUT_MS,
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
  };
  // A proxy cannot reach an application on this machine.
  const agent = isLoopback(target.hostname) ? new Agent(limits) : new EnvHttpProxyAgent(limits);
  const own = authorization === undefined ? [] : ['Authorization', authorization];
  return {
    async send(headers, body, signal) {
      try {
        const { statusCode, body: answer } = await agent.request({
          origin: target.origin,
          path: target.pathname + target.search,
          method: 'POST',
          headers: [
            ...headers.filter(([name]) => !NOT_PASSED_ON.has(name.toLowerCase())).flat(),
            ...own,
          ],
          body,
          signal,
        });
        await answer.dump({ limit: MAX_ANSWER_BYTES, signal });
        const isTaken = statusCode >= 200 && statusCode < 300;
        return { isTaken, status: statusCode, reason: isTaken ? '' : `answered ${statusCode}` };
      } catch (error) {
        const reason = transportReason(signal.aborted ? signal.reason : error);
        return { isTaken: false, status: undefined, reason };
      }
    },
    close: () => agent.destroy(),
  };
}
