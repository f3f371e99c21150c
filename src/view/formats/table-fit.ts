/**
 * Which columns of a table fit into a line, and in how many cells.
 *
 * Ids, amounts and dates are never cut. Where a table is too wide, it gives up in this order, and stops as soon as it
 * fits:
 *
 * 1. columns in which nothing is said, and those that may go early, the last one first;
 * 2. columns that say the same in every row: it is said once;
 * 3. the long form of what has a shorter one, the last column first;
 * 4. the ends of free text, the widest column first, no word broken;
 * 5. columns that may go late, the last one first;
 * 6. words of free text, down to LEAST_CELLS, but for the word that says what came of it;
 * 7. columns that may go at last, and then others, the last one first;
 * 8. amounts, before outcomes and ids.
 *
 * A long form comes back where, after all, there is room for it. Columns that somebody asked for by name do not go.
 */
import { type Column, NOT_SAID } from '../columns.ts';
import { fitInto, longestWord, type Measure, widest } from '../text/width.ts';
import { wrap } from '../text/wrap.ts';

export const GAP = '  ';

/** Enough for a word and the mark that there was more. */
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
  const mayGo = () => !line.isPicked && fit.count > LEAST_COLUMNS;
  const steps = [
    () => !line.isPicked && fit.dropLast(isEmpty),
    isDropped('early'),
    () => !line.isPicked && fit.dropSame(),
    () => fit.shorten(),
    () => fit.cut(leastByWord),
    isDropped('late'),
    () => fit.cut(leastAtAll),
    isDropped('last'),
    () => mayGo() && fit.dropLast((sized) => !isVital(sized)),
    () => mayGo() && fit.dropLast(({ column }) => isNumber(column)),
    () => mayGo() && fit.dropLast(() => true),
  ];
  for (const step of steps) {
    while (!fit.isDone()) if (!step()) break;
  }
  if (!fit.isDone()) return undefined;
  fit.lengthen();
  return { columns: fit.kept(), same: fit.same };
}

class Fit {
  readonly same: SizedColumn[] = [];
  readonly #line: Line;
  #kept: SizedColumn[];
  readonly #shortened: [short: SizedColumn, long: SizedColumn][] = [];
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
    const last = this.#kept.findLastIndex(
      (sized, index) => (index > 0 || sized.column.drop !== undefined) && may(sized),
    );
    if (last >= 0) this.#kept.splice(last, 1);
    return last >= 0;
  }

  dropSame(): boolean {
    const found = this.#kept.findLast(
      (sized, index) => index > 0 && mayBeSaidOnce(sized.column) && isSame(sized),
    );
    if (found) this.same.unshift(found);
    return this.dropLast((column) => column === found);
  }

  /** Takes the next shorter form of the column that has most of them, of several the last one. */
  shorten(): boolean {
    const forms = this.#kept.map(({ column: { brief = [] } }) => brief.length);
    const most = Math.max(...forms);
    const long = this.#kept[forms.lastIndexOf(most)];
    const [shorter, ...brief] = long?.column.brief ?? [];
    if (!long || !shorter) return false;
    const [header = '', ...rows] = long.cells;
    const cells = [header, ...shorter(rows)];
    const width = widest(cells, this.#line.measure);
    const short = { column: { ...long.column, brief }, cells, width };
    this.#shortened.push([short, long]);
    this.#replace(short, long);
    return true;
  }

  /** Takes back what was shortened in vain, the last one first. */
  lengthen(): void {
    for (const [short, long] of this.#shortened.toReversed()) {
      this.#replace(long, short);
      const isWhole = sum(this.#kept.map(({ width }) => width)) <= this.#room();
      if (!isWhole) this.#replace(short, long);
    }
  }

  #replace(by: SizedColumn, old: SizedColumn): void {
    this.#kept = this.#kept.map((column) => (column === old ? by : column));
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

  #usedBy({ column, cells, width }: SizedColumn, available: number): number {
    const { measure } = this.#line;
    if (width <= available) return width;
    return widest(
      cells.flatMap((cell) => linesOf(cell, column, available, measure)),
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

const isNumber = ({ align }: Column) => align === 'right';

function isVital({ column }: SizedColumn): boolean {
  return column.isVital === true || column.tinted === true;
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

function leastAtAll(sized: SizedColumn, measure: Measure): number {
  const { column, cells, width } = sized;
  if (column.wraps) return leastByWord(sized, measure);
  if (!column.tinted) return Math.min(width, LEAST_CELLS);
  const outcomes = cells.map((cell) => `${cell.split(/[ :]/, 1)[0]}…`);
  return Math.min(width, WORD_CELLS, Math.max(LEAST_CELLS, widest(outcomes, measure)));
}

/** @returns the text of a cell in so many cells of a line, a line or, where the column wraps, several */
export function linesOf(text: string, column: Column, cells: number, measure: Measure): string[] {
  const lines = column.wraps ? wrap(text, cells, measure) : [text];
  return lines.map((line) => fitInto(line, cells, measure));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
