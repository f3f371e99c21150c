/**
 * Says what the columns of a sheet of refunds have, by their cells: the ids or references of purchases that are known
 * here, the customers who paid them, references of the refunds, and money. A name such as `Invoice` does not say which of
 * two references it is.
 *
 * Tests: test/scripts/commands/batch-sheet.script
 */
import { kindOfId, plainId, type RecordKind } from '../../contract/record.ts';
import type { NamedOtherwise } from '../known/named-record.ts';
import { isMoneyColumn } from './decimal-cell.ts';
import { type FieldColumns, type Proof, plainName } from './engine/columns.ts';
import type { InputRow } from './engine/rows.ts';
import { isPayer, type KnownPurchase } from './known-purchases.ts';

/** Finds out what this machine knows of the texts of cells. */
export interface KnownNames {
  /** @returns the records that these texts name here, for texts that are not ids themselves */
  namedOtherwise(
    kind: RecordKind,
    texts: readonly string[],
  ): Promise<ReadonlyMap<string, NamedOtherwise>>;
  /** @returns the purchases with these ids that are known here, by id */
  knownPurchases(ids: readonly string[]): Promise<ReadonlyMap<string, KnownPurchase>>;
}

/** A sheet that people write has fewer rows; of a larger file, the first ones decide. */
const MOST_ROWS = 1_000;

interface Column {
  name: string;
  /** One for each row; blank for none. */
  cells: readonly string[];
}

/** @returns what the columns without a known name have, and whether purchases are named by references */
export async function provenColumns(
  columns: FieldColumns,
  rows: Iterable<InputRow>,
  options: KnownNames,
): Promise<Proof & { isByReference: boolean }> {
  const maps = new Map<string, string>();
  const { cells: header = [] } = columns.header ?? {};
  const read = firstOf(rows);
  const columnAt = (place: number): Column => ({
    name: header[place] ?? '',
    cells: read.map(({ cells }) => cells?.[place] ?? ''),
  });
  const strange = columns.strange.map((name) => columnAt(header.indexOf(name)));
  const [stated, reference] = [columns.placeOf('transaction_id'), columns.placeOf('reference')];
  const candidates =
    stated >= 0
      ? [columnAt(stated)]
      : [...strange, ...(reference >= 0 ? [columnAt(reference)] : [])];
  const found = await purchasesOf(candidates, options);
  const amount = columns.placeOf('amount');
  const isMoney = amount >= 0 && columns.placeOf('decimal_amount') < 0;
  if (isMoney && isMoneyColumn(columnAt(amount).cells))
    maps.set('decimal_amount', columnAt(amount).name);
  if (!found) return { maps, none: ['customer'], isByReference: false };
  if (stated < 0) maps.set('transaction_id', found.column.name);
  const others = strange.filter(({ name }) => name !== found.column.name);
  const isOpen = others.length > 0 && columns.placeOf('customer') < 0;
  const customer = isOpen ? await customersOf(others, found, options) : undefined;
  if (customer) maps.set('customer', customer.name);
  const rest = others.filter((column) => column !== customer);
  const own =
    reference < 0 ? await find(rest, (one) => isOfRefunds(one, found, options)) : undefined;
  if (own) maps.set('reference', own.name);
  return { maps, none: ['customer'], isByReference: found.isByReference };
}

/** @returns the first rows of a table that can be read */
function firstOf(rows: Iterable<InputRow>): InputRow[] {
  const read: InputRow[] = [];
  for (const row of rows) {
    if (row.cells && !row.problem) read.push(row);
    if (read.length === MOST_ROWS) break;
  }
  return read;
}

interface Purchases {
  column: Column;
  /** Ids by cell. */
  ids: ReadonlyMap<string, string>;
  isByReference: boolean;
}

/** @returns the column most of whose cells name purchases */
async function purchasesOf(
  columns: readonly Column[],
  { namedOtherwise }: KnownNames,
): Promise<Purchases | undefined> {
  const all: Purchases[] = [];
  for (const column of columns) {
    const texts = [...new Set(column.cells)].filter((text) => text !== '');
    const ids = texts.filter((text) => kindOfId(plainId(text)) === 'purchase');
    const named = await namedOtherwise('purchase', texts);
    const references = [...named].filter(([, { ids, by }]) => by === 'reference' && ids.length > 0);
    if ((ids.length + references.length) * 2 <= texts.length) continue;
    all.push({
      column,
      ids: new Map([
        ...ids.map((text) => [text, plainId(text)] as const),
        ...references.map(([text, { ids }]) => [text, ids[0] ?? text] as const),
      ]),
      isByReference: references.length > 0,
    });
  }
  return most(all, ({ ids }) => ids.size);
}

/** @returns the column most of whose cells name people known here, who may be others than those who paid */
async function customersOf(
  columns: readonly Column[],
  { column: purchases, ids }: Purchases,
  { namedOtherwise, knownPurchases }: KnownNames,
): Promise<Column | undefined> {
  const known = await knownPurchases([...new Set(ids.values())]);
  const all: { column: Column; count: number }[] = [];
  for (const column of columns) {
    const named = await namedOtherwise('customer', [...new Set(column.cells)].filter(Boolean));
    const people = column.cells.filter((text, row) => {
      const purchase = known.get(ids.get(purchases.cells[row] ?? '') ?? '');
      return named.has(text) || (text !== '' && purchase && isPayer(text, purchase.payer));
    });
    all.push({ column, count: people.length });
  }
  return most(all, ({ count }) => count)?.column;
}

/** Names such as `Refund reference` and `Ref no`, but for those of a customer. */
const REFERENCE_NAME = /^(?!customer|client)(?:.*_)?ref(?:erence)?(?:_(?:no|number|nr|id))?$/;

/** @returns whether each line has a reference of its own in the column, and none of these is that of a purchase */
async function isOfRefunds(
  { name, cells }: Column,
  { column: purchases }: Purchases,
  { namedOtherwise }: KnownNames,
): Promise<boolean> {
  const texts = cells.filter((_, row) => purchases.cells[row] !== '');
  const isEachOwn = !texts.includes('') && new Set(texts).size === texts.length;
  if (!REFERENCE_NAME.test(plainName(name).replace(/\.$/, '')) || !isEachOwn) return false;
  if (texts.some((text) => kindOfId(plainId(text)) === 'purchase')) return false;
  return (await namedOtherwise('purchase', texts)).size === 0;
}

async function find<One>(
  all: readonly One[],
  is: (one: One) => Promise<boolean>,
): Promise<One | undefined> {
  for (const one of all) if (await is(one)) return one;
  return undefined;
}

/** @returns the first of those with the most, which is more than none */
function most<One>(all: readonly One[], countOf: (one: One) => number): One | undefined {
  const [best] = all
    .map((one) => ({ one, count: countOf(one) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  return best?.one;
}
