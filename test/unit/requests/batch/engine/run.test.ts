import { expect, test } from 'vitest';
import type { Attempt } from '../../../../../src/requests/batch/engine/batch.ts';
import { MAX_ATTEMPTS } from '../../../../../src/requests/batch/engine/run.ts';
import { Stop } from '../../../../../src/requests/batch/engine/stop.ts';
import { DONE, runLines } from './support.ts';

const REJECTED: Attempt = { outcome: 'rejected', isEarlier: false };
const NOT_NOW: Attempt = { ...REJECTED, mayRepeat: true, endsAll: 'it is too much' };

/** Lets whoever waits go on, in an order of its own. */
async function turns(n: number): Promise<void> {
  for (let i = 0; i < n; i++) await undefined;
}

test('results come in the order of the lines, however the answers come', async () => {
  const { results, mostInFlight } = await runLines(50, async ({ number }) => {
    await turns(((number * 37) % 23) + 10);
    return DONE;
  });
  expect(results.map(({ line }) => line)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  expect(mostInFlight).toBe(4);
});

test('what certainly did not happen, and may well in a moment, is tried again', async () => {
  const { results, sent, report } = await runLines(3, ({ number }, times) =>
    number === 2 && times < 3 ? NOT_NOW : DONE,
  );
  expect(results.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done']);
  expect(sent.filter((n) => n === 2)).toHaveLength(3);
  expect(report.stoppedBy).toBeUndefined();
});

test('when it stays so, no more lines are started, and each has its result', async () => {
  const { results, sent, report } = await runLines(9, () => NOT_NOW, {}, { concurrency: 1 });
  expect(sent.filter((n) => n === 1)).toHaveLength(MAX_ATTEMPTS);
  expect(report.stoppedBy?.why).toBe('it is too much');
  const outcomes = results.map(({ outcome }) => outcome);
  // The next line may have had its turn while the first was given up.
  expect(outcomes[0]).toBe('rejected');
  expect(report.notNow).toBe(outcomes.filter((outcome) => outcome === 'rejected').length);
  expect(outcomes.slice(2)).toEqual(Array(7).fill('not-started'));
  expect(sent.filter((n) => n > 2)).toEqual([]);
});

test('nothing else is tried twice', async () => {
  for (const outcome of ['unknown', 'rejected', 'declined', 'refused'] as const) {
    const { sent } = await runLines(1, () => ({ outcome, isEarlier: false }));
    expect(sent).toEqual([1]);
  }
});

test('--stop-after-failures counts lines of this run', async () => {
  const { results, report } = await runLines(
    10,
    ({ number }) => (number % 2 === 0 ? REJECTED : DONE),
    {
      stopAfterFailures: 2,
      lookUp: async ({ number }) =>
        number === 1 ? { outcome: 'unknown', isEarlier: true } : undefined,
    },
    { concurrency: 1 },
  );
  expect(report.stoppedBy?.why).toBe('2 lines did not succeed');
  expect(results.map(({ outcome }) => outcome)).toEqual([
    'unknown',
    'rejected',
    'done',
    'rejected',
    ...Array(6).fill('not-started'),
  ]);
});

test('a stop sees through what is in flight and starts nothing', async () => {
  const stop = new Stop();
  const { results } = await runLines(
    10,
    async ({ number }) => {
      if (number === 3) stop.because({ why: 'it was enough' });
      await turns(40);
      return DONE;
    },
    { stop },
  );
  const outcomes = results.map(({ outcome }) => outcome);
  expect(outcomes.slice(0, 3)).toEqual(['done', 'done', 'done']);
  expect(outcomes.slice(4)).toEqual(Array(6).fill('not-started'));
});

test('a defect ends the run when what is in flight is through', async () => {
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
