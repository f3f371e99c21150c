/** Runs work when a slot is free; until then it waits in line. Work that is first waits before all other work. */
export type Slots = <Result>(work: () => Promise<Result>, isFirst?: boolean) => Promise<Result>;

/** @param count maximum number of pieces of work that run at once */
export function createSlots(count: number): Slots {
  const first: (() => void)[] = [];
  const line: (() => void)[] = [];
  let free = count;
  return async (work, isFirst = false) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => (isFirst ? first : line).push(resolve));
    try {
      return await work();
    } finally {
      const next = first.shift() ?? line.shift();
      if (next) next();
      else free++;
    }
  };
}
