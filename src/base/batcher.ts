/**
 * Groups tasks that arrive during a round trip into the next one, so that many requests in flight need few round trips.
 * The first task goes alone, or with others from its turn of the event loop.
 */

interface Waiting<Task, Result> {
  task: Task;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface BatcherOptions<Task, Result> {
  /**
   * Does all tasks of a group. If it throws, each task fails with that error.
   * @returns one result per task, in order; `undefined` for a task that must be done again
   */
  work: (tasks: readonly Task[]) => Promise<(Result | undefined)[]>;
  /** Tasks that share one of these keys are never in the same group. */
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

  /** Resolves once no task is waiting or running. */
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
    // Do this in the same turn in which the queue was found empty.
    this.#running = undefined;
  }

  /** If two tasks may not be in the same group, the earlier one goes first. */
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
