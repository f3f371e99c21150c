/**
 * Shops write a row for each item of an order. In the further rows of an order its amount is blank (Shopify), or the
 * same again (WooCommerce). An order is one payment, so these rows are none.
 *
 * Tests: test/unit/commands/reconcile/order-items.test.ts
 */
import type { TableLine } from '../../requests/batch/engine/rows.ts';
import { plainWords } from './bank-words.ts';
import type { ColumnProfile } from './column-profile.ts';
import { AMOUNTS, type ColumnRoles, IDS } from './column-roles.ts';

const ITEM = /item|product|produkt|\bsku\b|artikel|articulo|articolo|produit|prodotto|variant/;

/** @returns the rows that are further items of the order in a row above */
export function furtherItems(
  rows: readonly TableLine[],
  { fields, texts, aside }: ColumnRoles,
): ReadonlySet<TableLine> {
  const further = new Set<TableLine>();
  const all = [...fields.values(), ...texts, ...aside.map(({ column }) => column)];
  const items = all.filter(isItem);
  const amounts = AMOUNTS.flatMap((field) => fields.get(field) ?? []);
  const named = [...IDS, 'reference'].flatMap((field) => fields.get(field) ?? []);
  const order = orderOf(rows, [...named, ...texts]);
  if (items.length === 0 || amounts.length === 0 || !order) return further;
  const cellsOf = ({ cells }: TableLine, columns: readonly ColumnProfile[]) =>
    columns.map(({ place }) => cells[place] ?? '').join('\n');
  let first: TableLine | undefined;
  for (const row of rows) {
    const isSame = first !== undefined && cellsOf(first, [order]) === cellsOf(row, [order]);
    const isBlank = cellsOf(row, amounts).trim() === '';
    const isAgain =
      isSame &&
      first !== undefined &&
      cellsOf(first, amounts) === cellsOf(row, amounts) &&
      cellsOf(first, items) !== cellsOf(row, items);
    if (isSame && (isBlank || isAgain)) further.add(row);
    else first = row;
  }
  return further;
}

const isItem = ({ name }: ColumnProfile) => ITEM.test(plainWords(name));

/** @returns the column with the number of the order: filled in every row, with more values than any other such column */
function orderOf(
  rows: readonly TableLine[],
  columns: readonly ColumnProfile[],
): ColumnProfile | undefined {
  const counted = columns
    .filter((column) => !isItem(column) && rows.every(({ cells }) => cells[column.place]))
    .map((column) => ({
      column,
      values: new Set(rows.map(({ cells }) => cells[column.place])).size,
    }));
  return counted.sort((one, other) => other.values - one.values)[0]?.column;
}
