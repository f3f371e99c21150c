/** Runs work, with the limit that it was made with; other work waits in line. */
export type Slots = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** @param count pieces of work that run at the same time, at the most */
export function createSlots(count: number): Slots {
  const line: (() => void)[] = [];
  let free = count;
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => line.push(resolve));
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else free++;
    }
  };
}
