/**
 * When an exchange has to end: at its time limit, or when the program is interrupted.
 *
 * `AbortSignal.any` would be the same in one line, but Node drops its hold on a time limit when
 * memory is collected (nodejs/node#57736): the exchange would then wait for ever. A listener keeps a
 * limit alive, and taking it off lets go of it, so that thousands of requests leave nothing behind.
 */
export interface Limit {
  signal: AbortSignal;
  /** Takes the limit back, once the exchange has ended by itself. */
  release(): void;
}

/** Many exchanges follow one interruption through one listener: Node warns of more than ten. */
const followers = new WeakMap<AbortSignal, Set<() => void>>();

function followersOf(interrupted: AbortSignal): Set<() => void> {
  const known = followers.get(interrupted);
  if (known) return known;
  const all = new Set<() => void>();
  followers.set(interrupted, all);
  interrupted.addEventListener(
    'abort',
    () => {
      for (const follow of all) follow();
    },
    { once: true },
  );
  return all;
}

export function startLimit(interrupted: AbortSignal, limitMs: number): Limit {
  const controller = new AbortController();
  // A fraction of a millisecond is refused there.
  const limit = AbortSignal.timeout(Math.ceil(limitMs));
  const onLimit = () => controller.abort(limit.reason);
  const onInterrupt = () => controller.abort(interrupted.reason);
  limit.addEventListener('abort', onLimit, { once: true });
  const following = followersOf(interrupted);
  following.add(onInterrupt);
  if (interrupted.aborted) onInterrupt();
  return {
    signal: controller.signal,
    release() {
      limit.removeEventListener('abort', onLimit);
      following.delete(onInterrupt);
    },
  };
}
