/** When an exchange has to end: at its time limit, or when the program is interrupted. */

export interface Limit {
  signal: AbortSignal;
  /** Takes the limit back, once the exchange has ended by itself. */
  release(): void;
}

/**
 * `AbortSignal.any` would be the same in one line, but Node drops its hold on a time limit when
 * memory is collected (nodejs/node#57736): the exchange would then wait for ever.
 */
export function startLimit(interrupted: AbortSignal, limitMs: number): Limit {
  const controller = new AbortController();
  // A fraction of a millisecond is refused there.
  const sources = [interrupted, AbortSignal.timeout(Math.ceil(limitMs))];
  const end = () => {
    const ended = sources.find(({ aborted }) => aborted);
    if (ended) controller.abort(ended.reason);
  };
  for (const source of sources) source.addEventListener('abort', end, { once: true });
  end();
  return {
    signal: controller.signal,
    release() {
      for (const source of sources) source.removeEventListener('abort', end);
    },
  };
}
