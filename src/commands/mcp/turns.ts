import type { Host } from '../../host/host.ts';

/**
 * A few calls run at once, and the others wait: a client may send thousands in one moment. A command may never wait for
 * anything but its own statements, so before each call the program hears what has arrived, such as that a call is cancelled.
 */
export class Turns {
  readonly #host: Pick<Host, 'endOfTurn'>;
  readonly #most: number;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** @param most how many run at once */
  constructor(host: Pick<Host, 'endOfTurn'>, most: number) {
    this.#host = host;
    this.#most = most;
    this.#free = most;
  }

  /** @throws what `work` throws, and the reason of `interrupted` without running it, if it is aborted before its turn */
  async take<Result>(work: () => Promise<Result>, interrupted: AbortSignal): Promise<Result> {
    await this.#turn();
    try {
      await this.#host.endOfTurn();
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
