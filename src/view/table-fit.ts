/**
 * Which columns of a table fit into a line, and in how many cells.
 *
 * Ids, amounts and dates are never cut. Where a table is too wide, it gives up in this order, and stops as soon as it
 * fits:
 *
 * 1. columns in which nothing is said, and those that may go early, the last one first;
 * 2. columns that say the same in every row: it is said once;
 * 3. the long form of what has a short one, the last column first;
 * 4. the ends of free text, the widest column first, no word broken;
 * 5. columns that may go late, the last one first;
 * 6. words of free text, down to LEAST_CELLS;
 * 7. columns that may go at last, and then all but the first two, the last one first.
 *
 * Columns that somebody asked for by name do not go.
 */
import type { Column } from './columns.ts';
import { fitInto, longestWord, type Measure } from './width.ts';

export const GAP = '  ';
export const NOT_SAID = '-';

/** Enough for `DECLINED…`. */
const LEAST_CELLS = 9;
/** A longer word than this is broken rather than a column left out for it. */
const WORD_CELLS = 18;

export interface SizedColumn {
  column: Column;
  /** The cells of the column, its header first. */
  cells: readonly string[];
  width: number;
}

export interface Fitted {
  columns: SizedColumn[];
  /** Columns that were left out since every row says the same. */
  same: SizedColumn[];
}

interface Line {
  /** Cells of a line. */
  columns: number;
  measure: Measure;
  /** true where every column was asked for. */
  isPicked?: boolean | undefined;
}

/** With fewer it is no table. */
const LEAST_COLUMNS = 2;

/**
 * @param columns in full, each as wide as its widest cell
 * @returns what fits into the line; undefined where nothing does
 */
export function fitColumns(columns: readonly SizedColumn[], line: Line): Fitted | undefined {
  const fit = new Fit(columns, line);
  const isDropped = (when: Column['drop']) => () =>
    fit.dropLast(({ column }) => column.drop === when);
  const steps = [
    () => !line.isPicked && fit.dropLast(isEmpty),
    isDropped('early'),
    () => !line.isPicked && fit.dropSame(),
    () => fit.shorten(),
    () => fit.cut(leastByWord),
    isDropped('late'),
    () => fit.cut(leastAtAll),
    isDropped('last'),
    () => !line.isPicked && fit.dropLast(() => fit.count > LEAST_COLUMNS),
  ];
  for (const step of steps) {
    while (!fit.isDone()) if (!step()) break;
  }
  return fit.isDone() ? { columns: fit.kept(), same: fit.same } : undefined;
}

class Fit {
  readonly same: SizedColumn[] = [];
  readonly #line: Line;
  #kept: SizedColumn[];
  /** The least width that a column may be cut to; its own where it is not in here. */
  #least = new Map<SizedColumn, number>();

  constructor(columns: readonly SizedColumn[], line: Line) {
    this.#kept = [...columns];
    this.#line = line;
  }

  get count(): number {
    return this.#kept.length;
  }

  isDone(): boolean {
    return sum(this.#kept.map((column) => this.#leastOf(column))) <= this.#room();
  }

  dropLast(may: (column: SizedColumn) => boolean): boolean {
    const last = this.#kept.findLastIndex((column, index) => index > 0 && may(column));
    if (last > 0) this.#kept.splice(last, 1);
    return last > 0;
  }

  dropSame(): boolean {
    const found = this.#kept.findLast(
      (sized, index) => index > 0 && mayBeSaidOnce(sized.column) && isSame(sized),
    );
    if (found) this.same.unshift(found);
    return this.dropLast((column) => column === found);
  }

  /** Takes the short form of the last column that has one. */
  shorten(): boolean {
    const last = this.#kept.findLastIndex(({ column }) => column.brief !== undefined);
    const long = this.#kept[last];
    if (!long?.column.brief) return false;
    const { brief, ...column } = long.column;
    const [header = '', ...cells] = long.cells;
    const short = [header, ...brief(cells)];
    this.#kept[last] = { column, cells: short, width: widest(short, this.#line.measure) };
    return true;
  }

  cut(leastOf: (column: SizedColumn, measure: Measure) => number): false {
    const cuttable = this.#kept.filter(({ column }) => column.cuttable);
    this.#least = new Map(cuttable.map((column) => [column, leastOf(column, this.#line.measure)]));
    return false;
  }

  /** @returns the columns in widths that fit, where they do */
  kept(): SizedColumn[] {
    const widths = this.#kept.map(({ width }) => width);
    while (sum(widths) > this.#room()) {
      const spare = this.#kept.map((column, i) => {
        const width = widths[i] ?? 0;
        return width > this.#leastOf(column) ? width : 0;
      });
      const most = spare.indexOf(Math.max(...spare));
      widths[most] = (widths[most] ?? 0) - 1;
    }
    // What a column leaves free since it ends with a word, another one can use.
    const used = this.#kept.map((column, i) => this.#usedBy(column, widths[i] ?? 0));
    const free = this.#room() - sum(used);
    const lack = this.#kept.map(({ width }, i) => width - (used[i] ?? 0));
    const another = lack.indexOf(Math.max(...lack));
    return this.#kept.map((column, i) => {
      const width = (used[i] ?? 0) + (i === another ? free : 0);
      return { ...column, width: this.#usedBy(column, width) };
    });
  }

  #usedBy({ cells, width }: SizedColumn, available: number): number {
    const { measure } = this.#line;
    if (width <= available) return width;
    return widest(
      cells.map((cell) => fitInto(cell, available, measure)),
      measure,
    );
  }

  #leastOf(column: SizedColumn): number {
    return this.#least.get(column) ?? column.width;
  }

  #room(): number {
    return this.#line.columns - GAP.length * (this.#kept.length - 1);
  }
}

/** Outcomes and numbers are looked for in their row. */
function mayBeSaidOnce({ align, tinted }: Column): boolean {
  return align === undefined && !tinted;
}

/** Of two rows nothing is gained: the note takes a line. */
function isSame({ cells: [, first, ...others] }: SizedColumn): boolean {
  return others.length > 1 && others.every((cell) => cell === first);
}

function isEmpty({ cells: [, ...rows] }: SizedColumn): boolean {
  return rows.every((cell) => cell === NOT_SAID || cell === '');
}

/** A word, and the mark that there was more. */
function leastByWord({ cells, width }: SizedColumn, measure: Measure): number {
  const word = cells.reduce((most, cell) => Math.max(most, longestWord(cell, measure)), 0);
  return Math.min(width, Math.max(LEAST_CELLS, Math.min(WORD_CELLS, word + 1)));
}

function leastAtAll({ width }: SizedColumn): number {
  return Math.min(width, LEAST_CELLS);
}

export function widest(cells: readonly string[], measure: Measure): number {
  return cells.reduce((most, cell) => Math.max(most, measure(cell)), 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
