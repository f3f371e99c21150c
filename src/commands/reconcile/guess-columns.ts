/**
 * Guesses the fields of columns in a bank's or a shop's file, by names and cells. gw only shows the guess: the user
 * runs the printed command, or corrects it.
 */
import { currencyExponent } from '../../contract/currency.ts';
import { kindOfId, plainId } from '../../contract/record.ts';

/** A table as written. */
export interface Written {
  /** The first row. */
  names: readonly string[];
  rows: readonly (readonly string[])[];
}

interface Column {
  name: string;
  /** The cells that are not blank. */
  cells: readonly string[];
}

const REFERENCE = /\b(?:ref(?:erence)?|invoice|order)\b/i;
const AMOUNT = /\b(?:amount|total|gross|credit|paid|value|sum)\b/i;

const all =
  (isSo: (cell: string) => boolean) =>
  ({ cells }: Column): boolean =>
    cells.every(isSo);
const isWhole = all((cell) => /^-?\d+$/.test(cell));
const isDecimal = all((cell) => /^-?\d+(?:[.,]\d+)?$/.test(cell));
const isCalled = ({ name }: Column, words: RegExp) => words.test(inWords(name));

/** The fields in the order of guessing. A field takes the first column that fits. */
const FIELDS: readonly (readonly [field: string, fits: (column: Column) => boolean])[] = [
  ['id', all((cell) => kindOfId(plainId(cell)) !== undefined)],
  ['reference', (column) => isCalled(column, REFERENCE)],
  ['currency', all((cell) => currencyExponent(cell.toUpperCase()) !== undefined)],
  ['amount', (column) => isCalled(column, AMOUNT) && isWhole(column)],
  ['decimal_amount', (column) => isCalled(column, AMOUNT) && isDecimal(column)],
];

/**
 * @returns the name of a field's column, by field; undefined if no column names a record, or a column of amounts cannot
 *   be read, which a guess would leave out
 */
export function guessColumns({ names, rows }: Written): Map<string, string> | undefined {
  const columns = names.map((name, place): Column => {
    const cells = rows.map((row) => row[place] ?? '');
    return { name, cells: cells.filter((cell) => cell !== '') };
  });
  const free = new Set(columns.filter(({ name, cells }) => name !== '' && cells.length > 0));
  const mapped = new Map<string, string>();
  for (const [field, fits] of FIELDS) {
    if (field === 'decimal_amount' && mapped.has('amount')) continue;
    const found = [...free].find(fits);
    if (!found) continue;
    free.delete(found);
    mapped.set(field, found.name);
  }
  const isRead = mapped.has('amount') || mapped.has('decimal_amount');
  if (!isRead && [...free].some((column) => isCalled(column, AMOUNT))) return undefined;
  return mapped.has('id') || mapped.has('reference') ? mapped : undefined;
}

/** `Reference_No` and `referenceNo` are two words each. */
function inWords(name: string): string {
  return name.replaceAll(/[_-]/g, ' ').replaceAll(/([a-z])([A-Z])/g, '$1 $2');
}
