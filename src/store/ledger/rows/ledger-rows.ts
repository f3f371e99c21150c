/**
 * The rows of a ledger as they travel from one to another, whatever the one and the other are: by their
 * columns' names, times as ISO 8601 in UTC, truth as such.
 *
 * What is copied is known by names that no two ledgers share: an entry by its id, a record by its
 * account and id. So all of it may be copied any number of times, and from several ledgers into one.
 *
 * This folder reads the rows of a ledger, and writes them to another one.
 */

export interface EntryRow {
  id: string;
  created_at: string;
  account: string | null;
  profile: string;
  environment: string;
  host: string;
  operation: string;
  target: string | null;
  refund_of: string | null;
  amount: number | null;
  currency: string | null;
  reference: string | null;
  body: string;
  batch: string | null;
  line: string | null;
  operator: string | null;
  machine: string | null;
  state: string;
  settled_at: string | null;
  status: number | null;
  record_id: string | null;
  message: string | null;
  superseded: boolean;
  resolution: string | null;
  resolved_by: string | null;
}

export interface RecordRow {
  account: string | null;
  profile: string;
  host: string;
  kind: string;
  id: string;
  environment: string;
  reference: string | null;
  name: string | null;
  last_four: string | null;
  amount: number | null;
  first_seen_at: string;
  last_seen_at: string;
  seen_by: string;
  record: string;
}

/** Names of the columns, of each row type. */
export const ENTRY_COLUMNS = [
  ...['id', 'created_at', 'account', 'profile', 'environment', 'host', 'operation', 'target'],
  ...['refund_of', 'amount', 'currency', 'reference', 'body', 'batch', 'line', 'operator'],
  ...['machine', 'state', 'settled_at', 'status', 'record_id', 'message', 'superseded'],
  ...['resolution', 'resolved_by'],
] as const satisfies readonly (keyof EntryRow)[];

export const RECORD_COLUMNS = [
  ...['account', 'profile', 'host', 'kind', 'id', 'environment', 'reference', 'name', 'last_four'],
  ...['amount', 'first_seen_at', 'last_seen_at', 'seen_by', 'record'],
] as const satisfies readonly (keyof RecordRow)[];

/** Of a request that is being sent while it is copied. */
export const BEING_SENT = 'it was still being sent when the ledger was copied';

export interface RowSource {
  entries(): AsyncIterable<EntryRow[]>;
  records(): AsyncIterable<RecordRow[]>;
}

export interface EntriesPut {
  added: number;
  /** Ids of entries whose line another entry of that ledger holds: both were sent. */
  conflicts: readonly string[];
}

export interface RowTarget {
  /** One that is there already is settled, if it was not. */
  putEntries(rows: readonly EntryRow[]): Promise<EntriesPut>;
  /** @returns how many were not known */
  putRecords(rows: readonly RecordRow[]): Promise<number>;
}
