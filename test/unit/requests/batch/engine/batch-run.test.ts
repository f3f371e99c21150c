import { describe, expect, test } from 'vitest';
import { LEASE_MS } from '../../../../../src/journal/sending.ts';
import { MAX_ATTEMPTS } from '../../../../../src/requests/batch/engine/batch-run.ts';
import { benchOf, DONE, runLines, sleepingClock } from './support.ts';

const REJECTED = { outcome: 'rejected', isEarlier: false } as const;
const NOT_NOW = { ...REJECTED, mayRepeat: { why: 'it is too much' } };

/** Lets whoever waits go on, in an order of its own. */
async function turns(n: number): Promise<void> {
  for (let i = 0; i < n; i++) await undefined;
}

test('results come in the order of the lines, whatever the order of the answers', async () => {
  const { results, mostInFlight } = await runLines(50, async ({ number }) => {
    await turns(((number * 37) % 23) + 10);
    return DONE;
  });
  expect(results.map(({ line }) => line.number)).toEqual(
    Array.from({ length: 50 }, (_, i) => i + 1),
  );
  expect(mostInFlight).toBe(4);
});

test('a line that was certainly not processed is tried again', async () => {
  const { results, sent, stoppedBy } = await runLines(3, ({ number }, times) =>
    number === 2 && times < 3 ? NOT_NOW : DONE,
  );
  expect(results.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done']);
  expect(sent.filter((n) => n === 2)).toHaveLength(3);
  expect(stoppedBy).toBeUndefined();
});

test('the run stops if a line fails repeatedly, and each line has a result', async () => {
  const { results, sent, stoppedBy, tally } = await runLines(9, () => NOT_NOW, { concurrency: 1 });
  expect(sent.filter((n) => n === 1)).toHaveLength(MAX_ATTEMPTS);
  expect(stoppedBy?.why).toBe('it is too much');
  const outcomes = results.map(({ outcome }) => outcome);
  // The next line may have had its turn while the first was given up.
  expect(outcomes[0]).toBe('rejected');
  expect(tally.notNow).toBe(outcomes.filter((outcome) => outcome === 'rejected').length);
  expect(outcomes.slice(2)).toEqual(Array(7).fill('not-started'));
  expect(sent.filter((n) => n > 2)).toEqual([]);
});

test('no other line is sent twice', async () => {
  for (const outcome of ['unknown', 'rejected', 'declined', 'refused'] as const) {
    const { sent } = await runLines(1, () => ({ outcome, isEarlier: false }));
    expect(sent).toEqual([1]);
  }
});

test('--stop-after-failures counts lines of this run', async () => {
  const { results, stoppedBy } = await runLines(
    10,
    ({ number }) => (number % 2 === 0 ? REJECTED : DONE),
    {
      stopAfterFailures: 2,
      lookUp: async ({ number }) =>
        number === 1 ? { outcome: 'unknown', isEarlier: true } : undefined,
      concurrency: 1,
    },
  );
  expect(stoppedBy?.why).toBe('2 lines did not succeed');
  expect(results.map(({ outcome }) => outcome)).toEqual([
    'unknown',
    'rejected',
    'done',
    'rejected',
    ...Array(6).fill('not-started'),
  ]);
});

test('--stop-after-failures counts lines that are refused when they are looked up', async () => {
  const { sent, stoppedBy } = await runLines(9, () => DONE, {
    stopAfterFailures: 3,
    lookUp: async ({ number }) =>
      number % 2 === 0 ? { outcome: 'refused', isEarlier: false } : undefined,
  });
  expect(stoppedBy?.why).toBe('3 lines did not succeed');
  expect(sent).toEqual([1, 3, 5]);
});

test('after a stop, lines in flight end and no line starts', async () => {
  const { results } = await runLines(10, async ({ number }, _, run) => {
    if (number === 3) run.stop({ why: 'it was enough' });
    await turns(40);
    return DONE;
  });
  const outcomes = results.map(({ outcome }) => outcome);
  expect(outcomes.slice(0, 3)).toEqual(['done', 'done', 'done']);
  expect(outcomes.slice(4)).toEqual(Array(6).fill('not-started'));
});

test('a defect ends the run after the lines in flight', async () => {
  let finished = 0;
  const run = runLines(20, async ({ number }) => {
    if (number === 2) throw new Error('defect');
    await turns(30);
    finished++;
    return DONE;
  });
  await expect(run).rejects.toThrow('defect');
  expect(finished).toBeLessThan(19);
});

test('the next line starts while the outcome of an answered line is written', async () => {
  let second: () => void = () => undefined;
  const isSent = new Promise<void>((resolve) => {
    second = resolve;
  });
  const { results } = await runLines(
    2,
    ({ number }) => {
      if (number === 2) second();
      return DONE;
    },
    {
      concurrency: 1,
      async settle(result) {
        if (result.line.number === 1) await isSent;
        return result;
      },
    },
  );
  expect(results.map(({ line }) => line.number)).toEqual([1, 2]);
});

test('lines are looked up in parallel and start in order', async () => {
  const { sent, results } = await runLines(8, () => DONE, {
    async lookUp({ number }) {
      await turns(100 - 10 * number);
      return number === 5 ? { outcome: 'done', isEarlier: true } : undefined;
    },
  });
  expect(sent).toEqual([1, 2, 3, 4, 6, 7, 8]);
  expect(results).toHaveLength(8);
});

test('a failure of all lines is noticed before the next line starts', async () => {
  const { sent, stoppedBy } = await runLines(
    9,
    ({ number }) => (number === 3 ? { ...DONE, endsAll: { why: 'it was enough' } } : DONE),
    { concurrency: 1 },
  );
  expect(sent).toEqual([1, 2, 3]);
  expect(stoppedBy?.why).toBe('it was enough');
});

test('a closed output ends the run after the outcomes of the lines in flight are written', async () => {
  const { run, sent, settled } = benchOf(100, async () => {
    await turns(20);
    return DONE;
  });
  const taking = async () => {
    for await (const _ of run.results()) throw new Error('nobody reads');
  };
  await expect(taking()).rejects.toThrow('nobody reads');
  expect(settled).toEqual(sent);
  expect(sent.length).toBeLessThan(100);
});

test('only a limited number of results wait for an earlier line', async () => {
  const { results, sent } = await runLines(12_000, async ({ number }, _, { tally }) => {
    if (number > 1) return DONE;
    // Until those after it have filled the room.
    while (tally.done < 9_999) await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(tally.done).toBe(9_999);
    return DONE;
  });
  expect(sent).toHaveLength(12_000);
  expect(results).toHaveLength(12_000);
});

describe('a line that another gw is sending', () => {
  const ELSEWHERE = { outcome: 'elsewhere', isEarlier: true } as const;
  const EARLIER = { outcome: 'done', isEarlier: true } as const;
  /** What the look-ups of line 2 say, one after the other. */
  const second = (...said: readonly (typeof ELSEWHERE | typeof EARLIER | undefined)[]) => {
    let asked = 0;
    return async ({ number }: { number: number }) =>
      number === 2 ? said[Math.min(asked++, said.length - 1)] : undefined;
  };
  const outcomes = ({ results }: Awaited<ReturnType<typeof runLines>>) =>
    results.map(({ outcome }) => outcome);

  test('is done when that has its answer, and the others do not wait for it', async () => {
    const bench = await runLines(20, () => DONE, {
      lookUp: second(ELSEWHERE, ELSEWHERE, EARLIER),
    });
    expect(outcomes(bench)).toEqual(Array(20).fill('done'));
    expect(bench.sent).not.toContain(2);
    expect(bench.tally.done).toBe(20);
  });

  test('is sent if the other one did not', async () => {
    const bench = await runLines(9, () => DONE, { lookUp: second(ELSEWHERE, undefined) });
    expect(outcomes(bench)).toEqual(Array(9).fill('done'));
    expect(bench.sent.at(-1)).toBe(2);
  });

  test('is sent once if the other one took it between look-up and intent', async () => {
    const bench = await runLines(
      3,
      ({ number }, time) => (number === 2 && time === 1 ? ELSEWHERE : DONE),
      { lookUp: second(undefined, ELSEWHERE, EARLIER) },
    );
    expect(outcomes(bench)).toEqual(['done', 'done', 'done']);
    expect(bench.sent.filter((n) => n === 2)).toHaveLength(1);
  });

  test('is left to it after the time for which an intent holds', async () => {
    const clock = sleepingClock();
    const bench = await runLines(9, () => DONE, { lookUp: second(ELSEWHERE), clock });
    expect(outcomes(bench)).toEqual(['done', 'elsewhere', ...Array(7).fill('done')]);
    expect(clock.now().getTime()).toBe(LEASE_MS);
  });

  test('is left to it when the run is stopped', async () => {
    let sent = 0;
    const bench = await runLines(
      9,
      (_line, _, run) => {
        if (++sent === 8) run.stop({ why: 'it was interrupted' });
        return DONE;
      },
      { lookUp: second(ELSEWHERE), concurrency: 1 },
    );
    expect(outcomes(bench)).toEqual(['done', 'elsewhere', ...Array(7).fill('done')]);
  });

  test('does not keep more results waiting than may wait', async () => {
    const bench = await runLines(12_000, () => DONE, {
      lookUp: second(...Array(5).fill(ELSEWHERE), EARLIER),
      concurrency: 64,
    });
    expect(bench.tally.done).toBe(12_000);
  });
});

test('three runs over the same lines hardly ever ask for the same ones', async () => {
  const COUNT = 2_000;
  const taken = new Map<number, 'elsewhere' | 'done'>();
  let met = 0;
  const runOne = () =>
    runLines(
      COUNT,
      async ({ number }) => {
        if (taken.has(number)) {
          met++;
          return { outcome: 'elsewhere', isEarlier: true };
        }
        taken.set(number, 'elsewhere');
        await turns((number * 37) % 23);
        taken.set(number, 'done');
        return DONE;
      },
      {
        lookUp: async ({ number }) => {
          const outcome = taken.get(number);
          return outcome && { outcome, isEarlier: true };
        },
      },
    );
  const runs = await Promise.all([runOne(), runOne(), runOne()]);
  for (const { results, sent } of runs) {
    expect(results.map(({ line }) => line.number)).toEqual(
      Array.from({ length: COUNT }, (_, n) => n + 1),
    );
    expect(results.every(({ outcome }) => outcome === 'done')).toBe(true);
    expect(sent.length).toBeGreaterThan(COUNT / 6);
  }
  expect(met).toBeLessThan(COUNT / 10);
});
