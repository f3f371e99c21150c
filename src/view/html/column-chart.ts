/**
 * A chart of columns as inline SVG, with its numbers in a table beside it: nobody has to read a height, and a screen reader
 * reads the table.
 *
 * Tests: test/unit/view/html/column-chart.test.ts
 */
import { cut } from '../../host/redaction/safe.ts';
import { Html, html } from './html.ts';

/** One value of a chart, for a page as for a terminal. */
export interface Bar {
  /** Free text. */
  label: string;
  /** A few characters that stand for the label below a column. */
  mark?: string;
  /** The length of the bar: any finite number. Below zero it grows to the other side. */
  value: number;
  /** The number as text, for example `25.00 AUD`. Never cut. */
  text: string;
}

/** Units of the drawing, which takes the width of its place. */
const WIDTH = 720;
const HEIGHT = 180;
/** Room for the labels below. */
const LABELS = 16;
/** The most labels that stand beside each other without touching. */
const MOST_LABELS = 31;
/** The units that a character of a label takes. */
const CHARACTER = 6;
/** Every value but zero can be seen. */
const LEAST_HEIGHT = 1;

/** @param table names of the columns of its table, the label and the number; or a table that has more @returns the chart above it */
export function columnChart(
  title: string,
  bars: readonly Bar[],
  table: readonly [string, string] | Html,
): Html {
  return html`<figure>
<figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT + LABELS}" aria-hidden="true">${drawn(bars)}</svg>
${table instanceof Html ? table : numbers(bars, table)}
</figure>`;
}

function numbers(bars: readonly Bar[], columns: readonly [string, string]): Html {
  return html`<table class="numbers"><thead><tr><th>${columns[0]}</th><th class="number">${columns[1]}</th></tr></thead>
<tbody>${bars.map(({ label, text }) => html`<tr><td>${label}</td><td class="number">${text}</td></tr>`)}</tbody></table>`;
}

function drawn(bars: readonly Bar[]): Html[] {
  const values = bars.map(({ value }) => value);
  const [top, bottom] = [Math.max(0, ...values), Math.min(0, ...values)];
  const scale = top === bottom ? 0 : HEIGHT / (top - bottom);
  const axis = top * scale;
  const step = WIDTH / Math.max(1, bars.length);
  const every = Math.ceil(bars.length / MOST_LABELS);
  const columns = bars.map(({ label, mark = label, value, text }, n) => {
    const height = value === 0 ? 0 : Math.max(LEAST_HEIGHT, Math.abs(value) * scale);
    const y = value < 0 ? axis : axis - height;
    const left = n * step;
    const name =
      n % every === 0
        ? html`<text x="${round(left + step / 2)}" y="${HEIGHT + LABELS - 4}">${cut(mark, Math.floor((step * every) / CHARACTER))}</text>`
        : null;
    return html`<rect${value < 0 ? html` class="below"` : null} x="${round(left + step * 0.1)}" y="${round(y)}" width="${round(step * 0.8)}" height="${round(height)}"><title>${label}: ${text}</title></rect>${name}`;
  });
  return [...columns, html`<line x1="0" x2="${WIDTH}" y1="${round(axis)}" y2="${round(axis)}"/>`];
}

/** @returns the number without digits that nobody sees */
function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}
