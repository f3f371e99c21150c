/** Maps a document to a row, in either store. */
import type { SqlValues } from '../store/sql.ts';
import type { Document } from './document.ts';

/** Columns by field of a document, in the order of the table. */
const COLUMNS: Readonly<Record<keyof Document, string>> = {
  kind: 'kind',
  id: 'id',
  at: 'at',
  seenAt: 'seen_at',
  account: 'account',
  profile: 'profile',
  environment: 'environment',
  host: 'host',
  outcome: 'outcome',
  amount: 'amount',
  currency: 'currency',
  reference: 'reference',
  who: 'who',
  email: 'email',
  lastFour: 'last_four',
  message: 'message',
  label: 'label',
  purchase: 'purchase',
  customer: 'customer',
  subscription: 'subscription',
  plan: 'plan',
  operator: 'operator',
};
const FIELDS = Object.keys(COLUMNS) as (keyof Document)[];

/** The columns that hold the fields of a document. */
export const STORED_COLUMNS = Object.values(COLUMNS);

/** The selected columns of a document, with its place in the index. */
export const DOCUMENT_COLUMNS = `
  documents.doc AS doc, ${FIELDS.map((name) => `documents.${COLUMNS[name]} AS "${name}"`)}`;

/** @returns the values of `STORED_COLUMNS` */
export function columnsOf(document: Document): SqlValues {
  const row: Record<string, Document[keyof Document]> = {};
  for (const name of FIELDS) row[COLUMNS[name]] = document[name];
  return row;
}
