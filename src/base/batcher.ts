/**
 * What comes while a round trip is under way goes together with the next one, so that many requests in
 * flight wait for few. The first of them goes alone, or at the end of its turn of the event loop.
 */

interface Waiting<Task, Result> {
  task: Task;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface BatcherOptions<Task, Result> {
  /**
   * Does all of them. @returns the result of each, in their order; `undefined` for one that is to be done
   * again. What it throws is thrown for each.
   */
  work: (tasks: readonly Task[]) => Promise<(Result | undefined)[]>;
  /** Tasks with one of these in common are not done together. */
  keysOf?: (task: Task) => readonly unknown[];
  endOfTurn?: (() => Promise<void>) | undefined;
}

const MAX_TASKS = 64;

export class Batcher<Task, Result> {
  readonly #options: BatcherOptions<Task, Result>;
  #queue: Waiting<Task, Result>[] = [];
  #running: Promise<void> | undefined;

  constructor(options: BatcherOptions<Task, Result>) {
    this.#options = options;
  }

  do(task: Task): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ task, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    await this.#options.endOfTurn?.();
    while (this.#queue.length > 0) {
      const group = this.#take();
      try {
        const results = await this.#options.work(group.map(({ task }) => task));
        const again = group.filter((_, i) => results[i] === undefined);
        this.#queue.unshift(...again);
        group.forEach(({ resolve }, i) => {
          const result = results[i];
          if (result !== undefined) resolve(result);
        });
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    // In the turn in which the queue was seen to be empty.
    this.#running = undefined;
  }

  /** Of those that may not go together the first one goes first. */
  #take(): Waiting<Task, Result>[] {
    const { keysOf = () => [] } = this.#options;
    const taken = new Set<unknown>();
    const group: Waiting<Task, Result>[] = [];
    const left: Waiting<Task, Result>[] = [];
    for (const one of this.#queue) {
      const keys = keysOf(one.task);
      const isFree = group.length < MAX_TASKS && !keys.some((key) => taken.has(key));
      (isFree ? group : left).push(one);
      for (const key of keys) taken.add(key);
    }
    this.#queue = left;
    return group;
  }
}
