/**
 * Chooses how requests travel: in process to the embedded gateway, one at a time over node:http, or
 * over undici's pool for many, and for proxies, which node:http does not know.
 */
import type { Clock } from '../../host/host.ts';
import { hasProxies } from './proxy.ts';
import type { Sender } from './sender.ts';

export interface SenderNeeds {
  /** File of the embedded gateway's state, when it is the one to be called. */
  embedded: string | undefined;
  clock: Pick<Clock, 'now'>;
  /** Requests at the same time, at the most. */
  inFlight: number;
  env: Readonly<Record<string, string | undefined>>;
}

/** @throws Failure usage when the proxies of the environment cannot be used */
export async function openSender({ embedded, clock, inFlight, env }: SenderNeeds): Promise<Sender> {
  if (embedded !== undefined) {
    const { createEmbeddedSender } = await import('./embedded.ts');
    return createEmbeddedSender(embedded, clock);
  }
  if (inFlight > 1 || hasProxies(env)) {
    const { createPooledSender } = await import('./pooled.ts');
    return createPooledSender({ connections: inFlight, env });
  }
  const { createSingleSender } = await import('./single.ts');
  return createSingleSender();
}
