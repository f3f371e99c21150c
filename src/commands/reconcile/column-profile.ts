/**
 * The properties that all cells of a column share.
 *
 * Tests: test/unit/commands/reconcile/read-table.test.ts
 */
import { DateColumn } from '../../base/date-column.ts';
import { currencyExponent } from '../../contract/currency.ts';
import { NumberColumn, sideOf } from '../../contract/number-column.ts';
import { kindOfId, plainId } from '../../contract/record.ts';
import type { TableLine } from '../../requests/batch/engine/rows.ts';
import { type NamedRole, roleOfName } from './bank-words.ts';
import { isOutcomeWord, RECONCILED_KINDS } from './book-row.ts';

/** The tests that every cell of a column may pass. A column without cells passes all of them. */
const KINDS = {
  id: (cell: string) => {
    const kind = kindOfId(plainId(cell));
    return RECONCILED_KINDS.some((known) => known === kind);
  },
  currency: (cell: string) => currencyExponent(cell.toUpperCase()) !== undefined,
  mark: (cell: string) => sideOf(cell) !== undefined,
  outcome: (cell: string) => isOutcomeWord(cell),
  flag: (cell: string) => /^(?:true|false)$/i.test(cell),
  /** Digits alone: minor units, or a number of something. */
  whole: (cell: string) => /^[-+]?\d+$/.test(cell),
  /** Digits with a mark before other digits. */
  fraction: (cell: string) => /\d[.,]\d/.test(cell),
} as const;
type CellKind = keyof typeof KINDS;

/** The meanings of names that only columns of money have. */
const MONEY: ReadonlySet<string> = new Set(['amount', 'debit', 'credit']);

export class ColumnProfile {
  readonly name: string;
  readonly place: number;
  readonly role: NamedRole | undefined;
  readonly numbers = new NumberColumn();
  readonly days: DateColumn;
  readonly #kinds = new Set(Object.keys(KINDS) as CellKind[]);
  #numberCount = 0;
  #areDays = true;
  #count = 0;

  /** @param today `YYYY-MM-DD` */
  constructor(name: string, place: number, today: string) {
    this.name = name;
    this.place = place;
    this.role = roleOfName(name);
    const takesNumbers = this.role === 'date' || this.role === 'value_date';
    this.days = new DateColumn({ today, takesNumbers });
  }

  /** @param cell not blank @param exponent decimals of the currency of the row, if that is known */
  add(cell: string, exponent: number | undefined): void {
    this.#count++;
    for (const kind of this.#kinds) if (!KINDS[kind](cell)) this.#kinds.delete(kind);
    const isToBeRead = this.#numberCount === this.#count - 1 || MONEY.has(this.role ?? '');
    if (isToBeRead && this.numbers.add(cell, exponent)) this.#numberCount++;
    this.#areDays &&= this.days.add(cell);
  }

  get isBlank(): boolean {
    return this.#count === 0;
  }

  /** Whether every cell is a number; of a column with the name of money, half of them: the others are faults. */
  get areNumbers(): boolean {
    const least = MONEY.has(this.role ?? '') ? this.#count / 2 : this.#count;
    return (this.#numberCount > 0 || this.isBlank) && this.#numberCount >= least && !this.areDays;
  }

  get areDays(): boolean {
    return this.#areDays && !this.isBlank;
  }

  is(kind: CellKind): boolean {
    return this.#kinds.has(kind);
  }

  /** Whether this may be money: numbers, some with decimals. */
  get areDecimals(): boolean {
    return !this.isBlank && this.areNumbers && this.numbers.hasFraction;
  }
}

/**
 * @param names of the columns
 * @param exponentOf decimals of the currency of a row, if that is known
 * @returns what the cells of each column have in common
 */
export function profilesOf(
  names: readonly string[],
  rows: readonly TableLine[],
  {
    today,
    exponentOf,
  }: { today: string; exponentOf: (cells: readonly string[]) => number | undefined },
): ColumnProfile[] {
  const profiles = names.map((name, place) => new ColumnProfile(name, place, today));
  for (const { cells } of rows) {
    const exponent = exponentOf(cells);
    for (const profile of profiles) {
      const cell = cells[profile.place] ?? '';
      if (cell !== '') profile.add(cell, exponent);
    }
  }
  return profiles;
}
