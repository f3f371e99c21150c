/**
 * A bar chart for a terminal: a line for each bar, with its label, its number, and the bar.
 *
 *     Insufficient Funds  12  ████████████████████
 *     Expired Card         3  █████
 *
 * The number stands beside the bar, so nobody has to read a length. If a value is below zero, bars grow from an axis to
 * both sides. Every value but zero has a mark, however small.
 */
import { neutralise } from '../../host/redaction/safe.ts';
import type { Bar } from '../../view/html/column-chart.ts';
import { type Canvas, fitInto, widest } from '../../view/text/width.ts';

const GAP = '  ';
/** The fewest cells that make a bar readable; labels are cut to leave this many. */
const LEAST_BAR_CELLS = 10;
const LEAST_LABEL_CELLS = 9;
/** The most cells of a bar; a longer one is no easier to compare. */
const MOST_BAR_CELLS = 80;

/** The characters of a bar: whole cells, and parts of a cell from the smallest. */
interface Pen {
  whole: string;
  /** Parts for the right end of a bar that grows to the right. */
  parts: readonly string[];
  /** Parts for the left end of a bar that grows to the left; there are fewer characters for these. */
  partsToLeft: readonly string[];
  axis: string;
}

const BLOCKS: Pen = {
  whole: '█',
  parts: ['▏', '▎', '▍', '▌', '▋', '▊', '▉'],
  partsToLeft: ['▐'],
  axis: '│',
};
const PLAIN: Pen = { whole: '#', parts: [], partsToLeft: [], axis: '|' };

/** The cells for bars on either side of the axis, and their scale. */
interface Scale {
  left: number;
  right: number;
  /** The value that fills the wider side. */
  largest: number;
}

/**
 * @returns a line for each bar, none wider than the terminal. Bars are left out if they do not fit. Undefined if even
 *   the numbers do not fit
 */
export function renderChart(
  bars: readonly Bar[],
  style: Pick<Canvas, 'columns' | 'blocks' | 'measure'>,
): string | undefined {
  const { columns, measure } = style;
  const labels = bars.map(({ label }) => neutralise(label));
  const texts = bars.map(({ text }) => neutralise(text));
  const textCells = widest(texts, measure);
  const labelCells = Math.min(
    widest(labels, measure),
    Math.max(LEAST_LABEL_CELLS, columns - textCells - LEAST_BAR_CELLS - 2 * GAP.length),
  );
  const numbers = labelCells + GAP.length + textCells;
  if (numbers > columns) return undefined;

  const pen = style.blocks ? BLOCKS : PLAIN;
  const room = Math.min(MOST_BAR_CELLS, columns - numbers - GAP.length);
  const scale = scaleOf(bars, room);
  const lines = bars.map(({ value }, i) => {
    const label = fitInto(labels[i] ?? '', labelCells, measure);
    const text = texts[i] ?? '';
    const line = [
      label + ' '.repeat(labelCells - measure(label)),
      ' '.repeat(textCells - measure(text)) + text,
      scale ? barOf(value, scale, pen) : '',
    ].join(GAP);
    return `${line.trimEnd()}\n`;
  });
  return lines.join('');
}

/** @returns the split of the room between the two sides; undefined if the room is too small for bars */
function scaleOf(bars: readonly Bar[], room: number): Scale | undefined {
  const most = bars.reduce((largest, { value }) => Math.max(largest, value), 0);
  const least = bars.reduce((smallest, { value }) => Math.min(smallest, value), 0);
  if (room < LEAST_BAR_CELLS) return undefined;
  if (least === 0) return { left: 0, right: room, largest: most };
  // Each side gets a share by its largest value, and at least one cell if it has a value.
  const cells = room - 1;
  const left = most === 0 ? cells : bounded((cells * -least) / (most - least), 1, cells - 1);
  const right = cells - left;
  const perCell = Math.max(-least / left, right === 0 ? 0 : most / right);
  return { left, right, largest: perCell * Math.max(left, right) };
}

function bounded(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, Math.round(value)));
}

function barOf(value: number, { left, right, largest }: Scale, pen: Pen): string {
  const side = Math.max(left, right);
  const cells = largest === 0 ? 0 : (Math.abs(value) / largest) * side;
  const marksOf = (most: number, parts: readonly string[]) =>
    value === 0 ? [] : drawn(cells, most, pen.whole, parts);
  if (value >= 0) {
    const axis = left === 0 ? '' : ' '.repeat(left) + pen.axis;
    return axis + marksOf(right, pen.parts).join('');
  }
  const marks = marksOf(left, pen.partsToLeft);
  return ' '.repeat(left - marks.length) + marks.reverse().join('') + pen.axis;
}

/** @returns the cells of a bar from its axis on: whole ones, then a part. A bar has at least one of them */
function drawn(cells: number, most: number, whole: string, parts: readonly string[]): string[] {
  const steps = parts.length + 1;
  const shown = Math.max(1, Math.min(Math.round(cells * steps), most * steps));
  const part = parts[(shown % steps) - 1];
  return [...Array<string>(Math.floor(shown / steps)).fill(whole), ...(part ? [part] : [])];
}
