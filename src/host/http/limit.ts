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
  const release = limitTo(limitMs, interrupted, (reason) => controller.abort(reason));
  return { signal: controller.signal, release };
}

/**
 * For one of many exchanges. A signal for each would cost as much as sending it.
 * @param end called with the reason when the exchange has to end; at once, if it is interrupted already
 * @returns cancels the limit after the exchange has ended
 */
export function limitTo(
  limitMs: number,
  interrupted: AbortSignal,
  end: (reason: Error) => void,
): () => void {
  const timer = setTimeout(
    () => end(new DOMException('The time limit was reached', 'TimeoutError')),
    limitMs,
  );
  const interrupt = () => end(interrupted.reason);
  // Node warns at the eleventh listener, but many exchanges share one interruption.
  setMaxListeners(0, interrupted);
  interrupted.addEventListener('abort', interrupt);
  if (interrupted.aborted) interrupt();
  return () => {
    clearTimeout(timer);
    interrupted.removeEventListener('abort', interrupt);
  };
}
