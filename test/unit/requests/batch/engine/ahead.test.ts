import { describe, expect, test } from 'vitest';
import { lookAhead } from '../../../../../src/requests/batch/engine/ahead.ts';
import type { Line, LineResult } from '../../../../../src/requests/batch/engine/batch.ts';
import { lineOf as line } from './support.ts';

const HELD: LineResult = { outcome: 'elsewhere', isEarlier: true };

function* count(lines: number): Generator<Line> {
  for (let n = 1; n <= lines; n++) yield line(n);
}

describe('looking ahead', () => {
  test('gives all lines in their order, and asks about those to come before they are taken', async () => {
    const asked: number[] = [];
    const { lines } = lookAhead(count(100), async ({ number }) => {
      asked.push(number);
      return undefined;
    });
    const taken: number[] = [];
    for await (const { number } of lines) {
      if (taken.length === 0) expect(asked).toHaveLength(33);
      taken.push(number);
    }
    expect(taken).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
    expect(asked).toEqual(taken);
  });

  test('answers what was asked ahead once, and asks anew from then on', async () => {
    const answers: (LineResult | undefined)[] = [HELD, undefined];
    const ahead = lookAhead(count(1), async () => answers.shift());
    const { value: first } = await ahead.lines[Symbol.asyncIterator]().next();
    expect(await ahead.lookUp(first)).toEqual(HELD);
    expect(await ahead.lookUp(first)).toBeUndefined();
  });

  test('throws what was found ahead when it is asked for, and not before', async () => {
    const ahead = lookAhead(count(2), () => Promise.reject(new Error('gone')));
    for await (const one of ahead.lines) await expect(ahead.lookUp(one)).rejects.toThrow('gone');
  });
});
