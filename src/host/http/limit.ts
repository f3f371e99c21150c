/** When an exchange has to end: at its time limit, or when the program is interrupted. */
import { setMaxListeners } from 'node:events';

export interface Limit {
  signal: AbortSignal;
  /** Takes the limit back, once the exchange has ended by itself. */
  release(): void;
}

/**
 * `AbortSignal.any` would be shorter, but Node 20 loses a time limit when memory is collected (nodejs/node#57736): the
 * exchange would then wait for ever.
 */
export function startLimit(interrupted: AbortSignal, limitMs: number): Limit {
  const controller = new AbortController();
  // A fraction of a millisecond is refused there.
  const limit = AbortSignal.timeout(Math.ceil(limitMs));
  const end = () => controller.abort(limit.reason);
  const interrupt = () => controller.abort(interrupted.reason);
  // A listener keeps a limit alive.
  limit.addEventListener('abort', end);
  // Node warns of the eleventh listener, and many exchanges have one interruption.
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
