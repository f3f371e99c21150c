/** A chart of columns: each value is drawn to scale, and stands in the table. */
import { expect, test } from 'vitest';
import { columnChart } from '../../../../src/view/html/column-chart.ts';

const bar = (value: number) => ({ label: `d${value}`, value, text: `${value}.00` });
const heights = (text: string) =>
  [...text.matchAll(/ y="([\d.]+)" width="[\d.]+" height="([\d.]+)"/g)].map(([, y, height]) => [
    Number(y),
    Number(height),
  ]);

test('values above and below zero grow from one axis, on one scale', () => {
  const { text } = columnChart('Net', [bar(20), bar(-10), bar(0)], ['day', 'amount']);
  expect(heights(text)).toEqual([
    [0, 120],
    [120, 60],
    [120, 0],
  ]);
  expect(text.match(/class="below"/g)).toHaveLength(1);
  for (const value of ['20.00', '-10.00', '0.00']) expect(text).toContain(`>${value}</td>`);
});

test('a small value can be seen beside a large one', () => {
  const { text } = columnChart('Net', [bar(1_000_000), bar(1)], ['day', 'amount']);
  expect(heights(text)[1]).toEqual([179, 1]);
});

test.each([[[]], [[bar(0), bar(0)]]])('a chart of %j has an axis', (bars) => {
  const { text } = columnChart('Net', bars, ['day', 'amount']);
  expect(text).toContain('<line x1="0"');
  expect(text).not.toContain('NaN');
});
