/**
 * The end of a batch before its last line: whoever finds a reason says it, and the first one counts, but for a
 * refusal of gw to go on, which outweighs others: it decides what may be done next.
 * No more lines are started then, and what is in flight is seen through.
 */
export interface StopReason {
  /** A clause: `the gateway is not reached`. */
  why: string;
  /** Given where the batch has failed even if every line is done: names the failure. */
  code?: string;
  /** Given where it is not the lines that are incomplete, but gw that refuses to go on. */
  kind?: 'guard';
  /** One sentence: what the user does now, before running the batch again. */
  next?: string;
}

export class Stop {
  readonly #controller = new AbortController();
  #reason: StopReason | undefined;

  /** Aborted when no more lines are to be started. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get reason(): StopReason | undefined {
    return this.#reason;
  }

  because(reason: StopReason): void {
    if (this.#reason?.kind === undefined && (reason.kind === 'guard' || !this.#reason))
      this.#reason = reason;
    this.#controller.abort();
  }
}
