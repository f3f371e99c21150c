import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderChart } from '../../../../src/desk/report/chart.ts';
import type { Bar } from '../../../../src/view/html/column-chart.ts';
import { loadMeasure } from '../../../../src/view/text/width.ts';
import { anyText, DANGEROUS } from '../../../helpers/arbitraries.ts';

const measure = await loadMeasure();

const chart = (bars: readonly Bar[], columns = 40, blocks = true) =>
  renderChart(bars, { columns, blocks, measure });
const linesOf = (text: string | undefined) => (text ?? '').split('\n').slice(0, -1);

const bar = (label: string, value: number, text = String(value)): Bar => ({ label, value, text });

describe('a chart', () => {
  const bars = [bar('Insufficient Funds', 12), bar('Expired Card', 3), bar('Other', 0)];

  test('has a bar in eighths of a cell for each value, with its number', () => {
    expect(linesOf(chart(bars))).toEqual([
      'Insufficient Funds  12  ████████████████',
      'Expired Card         3  ████',
      'Other                0',
    ]);
    expect(linesOf(chart([bar('a', 16), bar('b', 7), bar('c', 0.001)], 20))).toEqual([
      'a     16  ██████████',
      'b      7  ████▍',
      'c  0.001  ▏',
    ]);
  });

  test('uses ASCII on terminals without block characters', () => {
    expect(linesOf(chart(bars, 40, false))).toEqual([
      'Insufficient Funds  12  ################',
      'Expired Card         3  ####',
      'Other                0',
    ]);
  });

  test('grows to both sides of an axis if a value is negative', () => {
    const net = [bar('Mon', 30, '30.00'), bar('Tue', -10, '-10.00'), bar('Wed', 0, '0.00')];
    expect(linesOf(chart(net, 34))).toEqual([
      'Mon   30.00       │███████████████',
      'Tue  -10.00  █████│',
      'Wed    0.00       │',
    ]);
    expect(linesOf(chart(net, 34, false))[1]).toBe('Tue  -10.00  #####|');
  });

  test('grows to the left if all values are negative', () => {
    expect(linesOf(chart([bar('a', -4), bar('b', -1)], 18))).toEqual([
      'a  -4  ██████████│',
      'b  -1         ▐██│',
    ]);
  });

  test('cuts labels and never numbers', () => {
    const [line] = linesOf(chart([bar('a label that goes on and on', 1, '1,000.00 AUD')], 40));
    expect(line).toBe('a label that…   1,000.00 AUD  ██████████');
  });

  test('has no bars without room for them, and is empty without room for numbers', () => {
    expect(chart([bar('Monday', 1, '25.00 AUD')], 20)).toBe('Monday  25.00 AUD\n');
    expect(chart([bar('Monday', 1, '25.00 AUD')], 16)).toBeUndefined();
  });

  test('is empty without values', () => {
    expect(chart([])).toBe('');
    expect(chart([bar('a', 0), bar('b', 0)])).toBe('a  0\nb  0\n');
  });
});

const anyBars = fc.array(
  fc
    .record({
      label: anyText,
      value: fc.oneof(
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
        fc.constantFrom(0, 1, -1),
      ),
    })
    .map(({ label, value }) => bar(label, value, value.toFixed(2))),
  { minLength: 1, maxLength: 8 },
);
const anyLine = fc.integer({ min: 40, max: 200 });

test('no line is wider than the terminal or has control characters', () => {
  fc.assert(
    fc.property(anyBars, anyLine, fc.boolean(), (bars, columns, blocks) => {
      const lines = linesOf(chart(bars, columns, blocks));
      expect(lines).toHaveLength(bars.length);
      for (const line of lines) {
        expect(measure(line)).toBeLessThanOrEqual(columns);
        expect(line).not.toMatch(DANGEROUS);
      }
    }),
  );
});

const SIZES = ' ▏▎▍▌▋▊▉█';

/** How far a line's bar reaches from its axis, in eighths of a cell. */
function reachOf(line: string): number {
  const bars = line.replace(/^.*\d {2}|^.*\d$/, '');
  return [...bars].reduce((sum, mark) => {
    if (mark === '▐') return sum + 4;
    if (mark === '#') return sum + 8;
    return sum + Math.max(0, SIZES.indexOf(mark));
  }, 0);
}

test('a larger value never has a shorter bar, and only zero has none', () => {
  fc.assert(
    fc.property(anyBars, anyLine, fc.boolean(), (bars, columns, blocks) => {
      const named = bars.map((given, i) => ({ ...given, label: String(i) }));
      const reaches = linesOf(chart(named, columns, blocks)).map(reachOf);
      for (const [i, a] of named.entries()) {
        expect(reaches[i]! > 0).toBe(a.value !== 0);
        for (const [j, b] of named.entries()) {
          const isSameSide = a.value > 0 === b.value > 0;
          if (isSameSide && Math.abs(a.value) > Math.abs(b.value))
            expect(reaches[i]!).toBeGreaterThanOrEqual(reaches[j]!);
        }
      }
    }),
  );
});
