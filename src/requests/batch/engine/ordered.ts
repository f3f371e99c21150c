/**
 * Results in the order of their lines, although they come in the order of the answers. What comes
 * early waits for what comes before it; whoever reads lines waits when too many wait.
 */
const MAX_WAITING = 10_000;

export class Ordered<Result> {
  readonly #emit: (results: readonly Result[]) => Promise<void>;
  readonly #early = new Map<number, Result>();
  #next = 0;
  #emitting: Promise<void> | undefined;
  #error: unknown;
  #waiting: (() => void) | undefined;

  /** @param emit takes results in order; called again when it has resolved */
  constructor(emit: (results: readonly Result[]) => Promise<void>) {
    this.#emit = emit;
  }

  /** @param place from 0, each of them once */
  put(place: number, result: Result): void {
    this.#early.set(place, result);
    if (place === this.#next) this.#emitting ??= this.#drain();
  }

  /** Resolves when there is room for the result of a place. @throws what `emit` threw */
  async room(place: number): Promise<void> {
    while (place - this.#next >= MAX_WAITING && this.#error === undefined) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
    if (this.#error !== undefined) throw this.#error;
  }

  /** Resolves when everything up to the first gap is out. @throws what `emit` threw */
  async end(): Promise<void> {
    while (this.#emitting) await this.#emitting;
    if (this.#error !== undefined) throw this.#error;
  }

  async #drain(): Promise<void> {
    // Whatever else is put in this turn goes out with the first.
    await undefined;
    while (this.#early.has(this.#next) && this.#error === undefined) {
      const ready: Result[] = [];
      for (;;) {
        const result = this.#early.get(this.#next);
        if (result === undefined) break;
        this.#early.delete(this.#next++);
        ready.push(result);
      }
      try {
        await this.#emit(ready);
      } catch (error) {
        this.#error = error;
      }
      this.#waiting?.();
      this.#waiting = undefined;
    }
    this.#emitting = undefined;
  }
}
