/** Ends an exchange at its time limit, or when the program is interrupted. */
import { setMaxListeners } from 'node:events';

export interface Limit {
  signal: AbortSignal;
  /** Cancels the limit after the exchange has ended. */
  release(): void;
}

/**
 * `AbortSignal.any` would be shorter. But with it, Node 20 loses a time limit during garbage collection
 * (nodejs/node#57736), and the exchange would wait forever.
 */
export function startLimit(interrupted: AbortSignal, limitMs: number): Limit {
  const controller = new AbortController();
  // `AbortSignal.timeout` refuses a fraction of a millisecond.
  const limit = AbortSignal.timeout(Math.ceil(limitMs));
  const end = () => controller.abort(limit.reason);
  const interrupt = () => controller.abort(interrupted.reason);
  // The listener keeps the limit alive.
  limit.addEventListener('abort', end);
  // Node warns at the eleventh listener, but many exchanges share one interruption.
  setMaxListeners(0, interrupted);
  interrupted.addEventListener('abort', interrupt);
  if (interrupted.aborted) interrupt();
  return {
    signal: controller.signal,
    release() {
      limit.removeEventListener('abort', end);
      interrupted.removeEventListener('abort', interrupt);
    },
  };
}
