/** Maps a row of the table to a document and back, in either store. */
import type { SqlValues } from '../store/sql.ts';
import type { Document, FoundDocument } from './document.ts';
import { sourcesIn, textOfSources } from './sources.ts';

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
  token: 'token',
  operator: 'operator',
  note: 'note',
  told: 'told',
  sources: 'sources',
};
const FIELDS = Object.keys(COLUMNS) as (keyof Document)[];

/** The columns that hold the fields of a document. */
export const STORED_COLUMNS = Object.values(COLUMNS);

/** The selected columns of a document, with its place in the table. */
export const DOCUMENT_COLUMNS = `
  documents.doc AS doc, ${FIELDS.map((name) => `documents.${COLUMNS[name]} AS "${name}"`)}`;

/** @returns the values of `STORED_COLUMNS` */
export function columnsOf(document: Document): SqlValues {
  const row: Record<string, string | number | null> = {};
  for (const name of FIELDS) {
    const value = name === 'sources' ? textOfSources(document.sources, document) : document[name];
    row[COLUMNS[name]] = value;
  }
  return row;
}

export function documentIn(found: FoundDocument): Document {
  // Copying rows of this width with a spread takes longer than reading them.
  const document: Partial<Record<keyof Document, unknown>> = {};
  for (const name of FIELDS) document[name] = found[name];
  document.sources = sourcesIn(found.sources, document as Document);
  return document as Document;
}
