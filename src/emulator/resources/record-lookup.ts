/** Whose record it is (section 5): one's own is found, another merchant's is 403, no record is 404. */

import type { Transaction } from '../store.ts';
import type { Merchant } from './merchants.ts';
import { Refusal } from './refusal.ts';

const NO_PERMISSION = 'You do not have permissions to access this record';

export type Table = 'purchases' | 'refunds' | 'plans' | 'customers' | 'subscriptions';

/**
 * @param key what the record is looked up by
 * @param columns what `key` may be, the likelier first. References are per merchant, so 403 is for ids only
 * @returns the merchant's record, or undefined where nobody has one
 * @throws Refusal 403 when it is another merchant's
 */
export function lookUp<Row extends object>(
  tx: Transaction,
  table: Table,
  merchant: Merchant,
  key: string,
  columns: readonly ('id' | 'reference')[],
): Row | undefined {
  for (const column of columns) {
    const row = tx.get<Row>(
      `SELECT * FROM ${table} WHERE merchant = ? AND ${column} = ?`,
      merchant.prefix,
      key,
    );
    if (row) return row;
  }
  const isAnothers = tx.get(`SELECT 1 FROM ${table} WHERE id = ?`, key) !== undefined;
  if (isAnothers) throw new Refusal(403, [NO_PERMISSION]);
  return undefined;
}

/** As `lookUp`. @throws Refusal 404 with `missing` where nobody has one */
export function findRecord<Row extends object>(
  tx: Transaction,
  table: Table,
  merchant: Merchant,
  key: string,
  columns: readonly ('id' | 'reference')[],
  missing = 'Record not found',
): Row {
  const row = lookUp<Row>(tx, table, merchant, key, columns);
  if (!row) throw new Refusal(404, [missing]);
  return row;
}

/** @returns whether another record of the merchant has the reference already */
export function isReferenceTaken(
  tx: Transaction,
  table: 'plans' | 'customers' | 'subscriptions',
  merchant: Merchant,
  reference: string,
  ownId = '',
): boolean {
  const row = tx.get(
    `SELECT 1 FROM ${table} WHERE merchant = ? AND reference = ? AND id <> ?`,
    merchant.prefix,
    reference,
    ownId,
  );
  return row !== undefined;
}
