/**
 * The signal that ends one exchange: its time limit, or an interruption.
 *
 * Not `AbortSignal.any`, which holds the signals it is made of weakly: in Node 20 a limit that
 * nothing else refers to is collected as garbage and never fires, and a request whose answer never
 * comes is then waited for without end. A listener keeps a limit alive, and taking the listener off
 * lets go of it, so that thousands of requests leave nothing behind.
 */
export interface TimeLimit {
  signal: AbortSignal;
  /** To be called when the exchange is over. */
  close(): void;
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

export function startTimeLimit(limitMs: number, interrupted: AbortSignal): TimeLimit {
  const controller = new AbortController();
  const limit = AbortSignal.timeout(limitMs);
  const onLimit = () => controller.abort(limit.reason);
  const onInterrupt = () => controller.abort(interrupted.reason);
  limit.addEventListener('abort', onLimit, { once: true });
  const following = followersOf(interrupted);
  following.add(onInterrupt);
  if (interrupted.aborted) onInterrupt();
  return {
    signal: controller.signal,
    close() {
      limit.removeEventListener('abort', onLimit);
      following.delete(onInterrupt);
    },
  };
}
