/** Runs work when a slot is free; until then the work waits in line. */
export type Slots = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** @param count maximum number of pieces of work that run at once */
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
