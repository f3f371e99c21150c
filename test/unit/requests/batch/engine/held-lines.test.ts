/** Lines that somebody else is sending. */
import { expect, test } from 'vitest';
import type { LineResult } from '../../../../../src/requests/batch/engine/batch.ts';
import type { HeldLine } from '../../../../../src/requests/batch/engine/held-lines.ts';
import { Stop } from '../../../../../src/requests/batch/engine/stop.ts';
import { DONE, runLines } from './support.ts';

const ELSEWHERE: LineResult = { outcome: 'elsewhere', isEarlier: true, entry: 'e' };
const EARLIER: LineResult = { outcome: 'done', isEarlier: true };

/** Somebody else who has all lines, of whom one more is over with each question. */
function another(size: number) {
  const held = new Set(Array.from({ length: size }, (_, n) => n + 1));
  const pauses: number[] = [];
  const asked: number[] = [];
  return {
    held,
    pauses,
    asked,
    elsewhere: {
      clock: { sleep: async (ms: number) => void pauses.push(ms) },
      async areOver(lines: readonly HeldLine[]) {
        asked.push(lines.length);
        const over = lines.slice(-1);
        for (const { line } of over) held.delete(line.number);
        return over;
      },
      onWaiting: () => undefined,
    },
  };
}

test('what becomes of them is waited for while others are sent, and results keep their order', async () => {
  const { held, asked, elsewhere } = another(5);
  const { results, sent, report } = await runLines(12, () => DONE, {
    lookUp: async ({ number }) =>
      held.has(number) ? ELSEWHERE : number <= 5 ? EARLIER : undefined,
    elsewhere,
  });
  expect(results.map(({ line }) => line)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
  expect(results.map(({ outcome }) => outcome)).toEqual(Array(12).fill('done'));
  expect(sent).toEqual([6, 7, 8, 9, 10, 11, 12]);
  expect(report.tally).toMatchObject({ done: 12, doneEarlier: 5, elsewhere: 0 });
  // All that are held are one question.
  expect(Math.max(...asked)).toBeGreaterThan(1);
});

test('one that is free again is sent, and one that was claimed just before is waited for', async () => {
  const { held, elsewhere } = another(1);
  let claims = 0;
  const { results, sent } = await runLines(
    3,
    ({ number }) => {
      if (number !== 2 || ++claims > 1) return DONE;
      held.add(2);
      return ELSEWHERE;
    },
    { lookUp: async ({ number }) => (held.has(number) ? ELSEWHERE : undefined), elsewhere },
  );
  expect(results.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done']);
  expect(sent.filter((n) => n === 1)).toEqual([1]);
  expect(sent.filter((n) => n === 2)).toEqual([2, 2]);
});

test('the longer nothing happens, the seldomer it is asked', async () => {
  const { elsewhere, pauses } = another(1);
  let questions = 0;
  let waiting = 0;
  const over = new Set<number>();
  await runLines(1, () => DONE, {
    lookUp: async ({ number }) => (over.has(number) ? EARLIER : ELSEWHERE),
    elsewhere: {
      ...elsewhere,
      async areOver(lines) {
        if (++questions < 8) return [];
        over.add(1);
        return lines;
      },
      onWaiting: () => void waiting++,
    },
  });
  expect(pauses).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]);
  expect(waiting).toBe(7);
});

test('one that nobody ends is left after as long as no request takes', async () => {
  const { elsewhere, pauses } = another(1);
  const { results } = await runLines(3, () => DONE, {
    lookUp: async ({ number }) => (number === 2 ? ELSEWHERE : undefined),
    elsewhere: { ...elsewhere, areOver: async () => [] },
  });
  expect(results.map(({ outcome }) => outcome)).toEqual(['done', 'elsewhere', 'done']);
  const waitedMs = pauses.reduce((sum, ms) => sum + ms, 0);
  expect(waitedMs).toBeGreaterThan(15 * 60_000);
  expect(waitedMs).toBeLessThan(17 * 60_000);
});

test('a stop ends the waiting', async () => {
  const { elsewhere } = another(1);
  const stop = new Stop();
  const { results } = await runLines(1, () => DONE, {
    lookUp: async () => ELSEWHERE,
    elsewhere: {
      ...elsewhere,
      async areOver() {
        stop.because({ why: 'it was interrupted' });
        return [];
      },
    },
    stop,
  });
  expect(results.map(({ outcome }) => outcome)).toEqual(['elsewhere']);
});

test('what goes wrong while they are waited for ends the run', async () => {
  const { elsewhere } = another(1);
  const run = runLines(1, () => DONE, {
    lookUp: async () => ELSEWHERE,
    elsewhere: { ...elsewhere, areOver: () => Promise.reject(new Error('a defect')) },
  });
  await expect(run).rejects.toThrow('a defect');
});
