/**
 * Finds the records of a merchant (section 5): another merchant's record is a 403, a missing one a 404.
 *
 * Tests: test/unit/emulator/gateway.test.ts, test/unit/emulator/dialects.test.ts
 */

import { firstRow } from '../../store/sql.ts';
import type { Transaction } from '../store.ts';
import { Refusal } from './handler.ts';
import type { Merchant } from './merchants.ts';
import { takenMessage } from './validation.ts';

const NO_PERMISSION = 'You do not have permissions to access this record';

export type Table = 'purchases' | 'refunds' | 'plans' | 'customers' | 'subscriptions';

export interface Wanted {
  table: Table;
  /** The id or reference to look for. */
  key: string;
  /**
   * The columns in which the text says to find `key`, the likelier first. References belong to a merchant, so only ids
   * can be a 403.
   */
  by: readonly Column[];
  /** A further column in the deployed dialect; of records with the same reference, the latest is found. */
  orBy?: Column;
}

/** A record by its id; in the deployed dialect, also by its reference. */
const BY_ID = { by: ['id'], orBy: 'reference' } as const satisfies Partial<Wanted>;

type Column = 'id' | 'reference';

/**
 * @returns the merchant's record; undefined if no merchant has one
 * @throws Refusal 403 if it belongs to another merchant
 */
export function lookUp<Row extends object>(
  tx: Transaction,
  merchant: Merchant,
  { table, key, by, orBy }: Wanted,
): Row | undefined {
  const columns = orBy && tx.dialect === 'deployed' ? [...by, orBy] : by;
  for (const column of columns) {
    const row = latest<Row>(tx, merchant, { table, key, column });
    if (row) return row;
  }
  const sql = `SELECT 1 FROM ${table} WHERE id = ? AND merchant <> ?`;
  if (tx.do(firstRow(sql, [key, merchant.prefix]))) throw new Refusal(403, [NO_PERMISSION]);
  return undefined;
}

/** Like `lookUp`, by default by id. @throws Refusal 404 if no merchant has one */
export function findRecord<Row extends object>(
  tx: Transaction,
  merchant: Merchant,
  sought: Pick<Wanted, 'table' | 'key'> & Partial<Wanted>,
): Row {
  const wanted = { ...BY_ID, ...sought };
  const row = lookUp<Row>(tx, merchant, wanted);
  if (row) return row;
  // The interface's message for a missing refund really says `Purchase`.
  const isPayment = wanted.table === 'purchases' || wanted.table === 'refunds';
  const message = `${isPayment ? 'Purchase' : 'Record'} not found`;
  throw new Refusal(404, [message, ...misplaced(tx, merchant, wanted)]);
}

/** @returns the strict dialect's messages for a record that only the deployed one would find */
export function misplaced(
  tx: Transaction,
  merchant: Merchant,
  { table, key, by, orBy }: Wanted,
): string[] {
  if (!orBy || !latest(tx, merchant, { table, key, column: orBy })) return [];
  const noun = orBy === 'id' ? 'an id' : 'a reference';
  return [`${key} is ${noun}, and ${table} are looked up by ${by.join(' or ')} here`];
}

function latest<Row extends object>(
  tx: Transaction,
  merchant: Merchant,
  { table, key, column }: { table: Table; key: string; column: Column },
): Row | undefined {
  // A purchase that was rejected for its reference does not take the reference.
  const isIts = table === 'purchases' && column === 'reference' ? "AND message <> ''" : '';
  const sql = `SELECT * FROM ${table}
    WHERE merchant = ? AND ${column} = ? ${isIts} ORDER BY rowid DESC LIMIT 1`;
  return tx.do(firstRow<Row>(sql, [merchant.prefix, key]));
}

/**
 * @param exceptId of a record that may have the reference
 * @returns a message if another record of the merchant has the reference; otherwise empty
 */
export function referenceFaults(
  tx: Transaction,
  merchant: Merchant,
  table: 'plans' | 'customers' | 'subscriptions',
  { reference, exceptId = '' }: { reference?: string | undefined; exceptId?: string },
): string[] {
  if (reference === undefined) return [];
  const sql = `SELECT 1 FROM ${table} WHERE merchant = ? AND reference = ? AND id <> ?`;
  const isTaken = tx.do(firstRow(sql, [merchant.prefix, reference, exceptId])) !== undefined;
  return isTaken ? [takenMessage('reference')] : [];
}
