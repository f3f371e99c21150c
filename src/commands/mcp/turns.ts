/** A few calls run at once; the others wait. Each reads a ledger, and a client may send thousands in one moment. */
export class Turns {
  #free: number;
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];

  /** @param most how many run at once */
  constructor(most: number) {
    this.#free = most;
    this.#most = most;
  }

  /** @throws what `work` throws, and the reason of `interrupted` without running it, if it is aborted before its turn */
  async take<Result>(work: () => Promise<Result>, interrupted: AbortSignal): Promise<Result> {
    await this.#turn();
    try {
      interrupted.throwIfAborted();
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  /** Resolves once none runs. */
  async idle(): Promise<void> {
    for (let n = 0; n < this.#most; n++) await this.#turn();
  }

  async #turn(): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
