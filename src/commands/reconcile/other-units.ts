/**
 * Notices a file whose amounts are in another unit than they were read in: minor units that were read as money, or the
 * other way. Then every amount differs, each by the same factor.
 *
 * Tests: test/scripts/commands/reconcile-units.script
 */
import { commandText } from '../../base/shell.ts';
import { count, plural } from '../../base/text.ts';
import { minorUnitsOfOne } from '../../contract/money.ts';
import type { Book } from './book.ts';
import type { ReconcileOptions } from './reconcile-options.ts';
import type { Reconciled } from './reconciled-row.ts';

/** The unit in which an amount of the file would agree. */
type Unit = 'minor' | 'whole';

const UNIT_NAMES: Readonly<Record<Unit, string>> = {
  minor: 'minor units',
  whole: 'whole units of the currency',
};

/** The advice for columns of debits and credits, and for JSON, which no flag reads in the other unit. */
const HOW_TO_WRITE: Readonly<Record<Unit, string>> = {
  minor: 'Write 45.00 for 4500 in each field but amount.',
  whole: 'Write 4500 for 45.00 in the field amount.',
};

export class OtherUnits {
  readonly #counts: Record<Unit, number> = { minor: 0, whole: 0 };
  #differing = 0;

  add({ differences, currency }: Pick<Reconciled, 'differences' | 'currency'>): void {
    const { file, gateway } = differences.find(({ field }) => field === 'amount') ?? {};
    if (typeof file !== 'number' || typeof gateway !== 'number') return;
    this.#differing++;
    const unit = unitOf(Math.abs(file), Math.abs(gateway), currency);
    if (unit) this.#counts[unit]++;
  }

  /** @returns the unit in which most of the amounts that differ would agree; undefined if that is none */
  get unit(): Unit | undefined {
    return (['minor', 'whole'] as const).find((unit) => this.#counts[unit] * 2 > this.#differing);
  }

  /**
   * @param source the path of the file, or `-`
   * @returns a line with what to type instead; empty if the unit is right
   */
  text(source: string, book: Pick<Book, 'columns'>, { batch }: ReconcileOptions): string {
    const { unit } = this;
    if (!unit) return '';
    const [read, other] =
      unit === 'minor' ? ['decimal_amount', 'amount'] : ['amount', 'decimal_amount'];
    const { header, names } = book.columns;
    const column = header?.cells[names.indexOf(read)];
    const { map = [] } = batch.typed as { map?: readonly string[] };
    const others = map.filter((text) => text.split('=')[0]?.trim() !== read);
    const flags = { ...batch.typed, map: [...others, `${other}=${column}`] };
    const command = column && commandText(['reconcile', source], Object.entries(flags));
    const n = this.#counts[unit];
    const were = plural(n, 'amount that differs', 'amounts that differ');
    const next = command ? `\`${command}\` reads them so.` : HOW_TO_WRITE[unit];
    return `${count(n)} of ${count(this.#differing)} ${were} would agree in ${UNIT_NAMES[unit]}. ${next}\n`;
  }
}

function unitOf(file: number, gateway: number, currency: string | null): Unit | undefined {
  const factor = minorUnitsOfOne(currency);
  if (file === 0 || factor === 1) return undefined;
  if (file * factor === gateway) return 'whole';
  return file === gateway * factor ? 'minor' : undefined;
}
