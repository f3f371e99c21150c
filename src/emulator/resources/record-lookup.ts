/** Whose record it is (section 5): one's own is found, another merchant's is 403, no record is 404. */

import type { Transaction } from '../store.ts';
import type { Merchant } from './merchants.ts';
import { Refusal } from './refusal.ts';

const NO_PERMISSION = 'You do not have permissions to access this record';

export type Table = 'purchases' | 'refunds' | 'plans' | 'customers' | 'subscriptions';

export interface Wanted {
  table: Table;
  /** What the record is looked up by. */
  key: string;
  /** What `key` may be, the likelier first. References are per merchant, so 403 is for ids only. */
  by: readonly ('id' | 'reference')[];
}

/**
 * @returns the merchant's record, or undefined where nobody has one
 * @throws Refusal 403 when it is another merchant's
 */
export function lookUp<Row extends object>(
  tx: Transaction,
  merchant: Merchant,
  { table, key, by }: Wanted,
): Row | undefined {
  for (const column of by) {
    const sql = `SELECT * FROM ${table} WHERE merchant = ? AND ${column} = ?`;
    const row = tx.get<Row>(sql, merchant.prefix, key);
    if (row) return row;
  }
  const isAnothers = tx.get(`SELECT 1 FROM ${table} WHERE id = ?`, key) !== undefined;
  if (isAnothers) throw new Refusal(403, [NO_PERMISSION]);
  return undefined;
}

/** As `lookUp`. @throws Refusal 404 with `missing` where nobody has one */
export function findRecord<Row extends object>(
  tx: Transaction,
  merchant: Merchant,
  { missing = 'Record not found', ...wanted }: Wanted & { missing?: string },
): Row {
  const row = lookUp<Row>(tx, merchant, wanted);
  if (!row) throw new Refusal(404, [missing]);
  return row;
}

interface WantedReference {
  table: 'plans' | 'customers' | 'subscriptions';
  reference: string;
  /** Id of the record that may have it. */
  exceptId?: string;
}

/** @returns whether another record of the merchant has the reference already */
export function isReferenceTaken(
  tx: Transaction,
  merchant: Merchant,
  { table, reference, exceptId = '' }: WantedReference,
): boolean {
  const sql = `SELECT 1 FROM ${table} WHERE merchant = ? AND reference = ? AND id <> ?`;
  return tx.get(sql, merchant.prefix, reference, exceptId) !== undefined;
}
