/** Ends an exchange at its time limit, or when the program is interrupted. */
import { setMaxListeners } from 'node:events';

export interface Limit {
  signal: AbortSignal;
  /** Cancels the limit after the exchange has ended. */
  release(): void;
}

/**
 * `AbortSignal.timeout` and `AbortSignal.any` would be shorter. But with `any`, Node 20 loses a time limit during garbage
 * collection (nodejs/node#57736), and the exchange would wait forever. `timeout` costs as much as the rest of sending.
 */
export function startLimit(interrupted: AbortSignal, limitMs: number): Limit {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new DOMException('The time limit was reached', 'TimeoutError')),
    limitMs,
  );
  const interrupt = () => controller.abort(interrupted.reason);
  // Node warns at the eleventh listener, but many exchanges share one interruption.
  setMaxListeners(0, interrupted);
  interrupted.addEventListener('abort', interrupt);
  if (interrupted.aborted) interrupt();
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      interrupted.removeEventListener('abort', interrupt);
    },
  };
}
