/**
 * A bar chart for a terminal: a line for each bar, its label, its number, and a bar.
 *
 *     Insufficient Funds  12  ████████████████████
 *     Expired Card         3  █████
 *
 * The number is said beside the bar, so that nobody has to read a length. Where a value is below
 * zero, bars grow from an axis to both sides. A value that is not zero has a mark, however small.
 */
import { neutralise } from '../../host/redaction/safe.ts';
import { type Canvas, fitInto, widest } from '../text/width.ts';

export interface Bar {
  /** Free text, which is neutralised, and cut where the line is too short for it. */
  label: string;
  /** What the bar is as long as. Any finite number; below zero it grows to the left. */
  value: number;
  /** The number as it is read, for example `25.00 AUD`. Never cut. */
  text: string;
}

const GAP = '  ';
/** Below this a bar says nothing any more, and labels are cut for it. */
const LEAST_BAR_CELLS = 10;
const LEAST_LABEL_CELLS = 9;
/** Longer ones are no easier to compare. */
const MOST_BAR_CELLS = 80;

/** How a bar is drawn: whole cells, and parts of a cell, from the smallest. */
interface Pen {
  whole: string;
  /** At the right end of a bar that grows to the right. */
  parts: readonly string[];
  /** At the left end of a bar that grows to the left, of which there are fewer. */
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

/** The cells that a chart has for its bars, and what they stand for. */
interface Scale {
  left: number;
  right: number;
  /** The largest value on either side, and so the one that fills it. */
  largest: number;
}

/**
 * @returns a line for each bar, none wider than the line; without bars where there is no room for
 *   them; undefined when the line is too narrow even for the numbers
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

/** @returns how the room is shared by the two sides, or undefined where it is too little for bars */
function scaleOf(bars: readonly Bar[], room: number): Scale | undefined {
  const most = bars.reduce((largest, { value }) => Math.max(largest, value), 0);
  const least = bars.reduce((smallest, { value }) => Math.min(smallest, value), 0);
  if (room < LEAST_BAR_CELLS) return undefined;
  if (least === 0) return { left: 0, right: room, largest: most };
  // Each side has the part of its largest value, and a cell at least where there is one.
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

/** @returns the cells of a bar from its axis on: whole ones, then a part, and at least one of them */
function drawn(cells: number, most: number, whole: string, parts: readonly string[]): string[] {
  const steps = parts.length + 1;
  const shown = Math.max(1, Math.min(Math.round(cells * steps), most * steps));
  const part = parts[(shown % steps) - 1];
  return [...Array<string>(Math.floor(shown / steps)).fill(whole), ...(part ? [part] : [])];
}
