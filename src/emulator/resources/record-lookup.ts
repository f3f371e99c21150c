/** Whose record it is (section 5): one's own is found, another merchant's is 403, no record is 404. */

import type { Transaction } from '../store.ts';
import { Refusal } from './handler.ts';
import type { Merchant } from './merchants.ts';
import { taken } from './validation.ts';

const NO_PERMISSION = 'You do not have permissions to access this record';

export type Table = 'purchases' | 'refunds' | 'plans' | 'customers' | 'subscriptions';

export interface Wanted {
  table: Table;
  /** What the record is looked up by. */
  key: string;
  /** What `key` is according to the text, the likelier first. References are per merchant, so 403 is for ids only. */
  by: readonly Column[];
  /** What it may be beside that in the deployed dialect; of records with the same reference it is the latest. */
  orBy?: Column;
}

type Column = 'id' | 'reference';

/**
 * @returns the merchant's record, or undefined where nobody has one
 * @throws Refusal 403 when it is another merchant's
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
  if (tx.get(sql, key, merchant.prefix)) throw new Refusal(403, [NO_PERMISSION]);
  return undefined;
}

/** As `lookUp`. @throws Refusal 404 with `missing` where nobody has one */
export function findRecord<Row extends object>(
  tx: Transaction,
  merchant: Merchant,
  { missing = 'Record not found', ...wanted }: Wanted & { missing?: string },
): Row {
  const row = lookUp<Row>(tx, merchant, wanted);
  if (!row) throw new Refusal(404, [missing, ...misplaced(tx, merchant, wanted)]);
  return row;
}

/** @returns what the strict dialect says of a record that the deployed one would find; else nothing */
export function misplaced(
  tx: Transaction,
  merchant: Merchant,
  { table, key, by, orBy }: Wanted,
): string[] {
  if (!orBy || !latest(tx, merchant, { table, key, column: orBy })) return [];
  return [`${key} is ${AS_NOUN[orBy]}, and ${table} are looked up by ${by.join(' or ')} here`];
}

const AS_NOUN = { id: 'an id', reference: 'a reference' } as const;

function latest<Row extends object>(
  tx: Transaction,
  merchant: Merchant,
  { table, key, column }: { table: Table; key: string; column: Column },
): Row | undefined {
  // What was rejected for its reference does not have it.
  const isIts = table === 'purchases' && column === 'reference' ? "AND message <> ''" : '';
  const sql = `SELECT * FROM ${table}
    WHERE merchant = ? AND ${column} = ? ${isIts} ORDER BY rowid DESC LIMIT 1`;
  return tx.get<Row>(sql, merchant.prefix, key);
}

interface WantedReference {
  table: 'plans' | 'customers' | 'subscriptions';
  /** undefined where none is submitted, or none that is right. */
  reference: string | undefined;
  /** Id of the record that may have it. */
  exceptId?: string;
}

/** @returns a message when another record of the merchant has the reference already, else nothing */
export function referenceFaults(
  tx: Transaction,
  merchant: Merchant,
  { table, reference, exceptId = '' }: WantedReference,
): string[] {
  if (reference === undefined) return [];
  const sql = `SELECT 1 FROM ${table} WHERE merchant = ? AND reference = ? AND id <> ?`;
  const isTaken = tx.get(sql, merchant.prefix, reference, exceptId) !== undefined;
  return isTaken ? [taken('reference')] : [];
}
