/**
 * The rows of a ledger as they travel from one to another, whatever the one and the other are: by their
 * columns' names, times as ISO 8601 in UTC, truth as such.
 *
 * What is copied is known by names that no two ledgers share: an entry by its id, a record by its
 * account and id, an event by its origin, which is the ledger that received it and its number there.
 * So all of it may be copied any number of times, and from several ledgers into one.
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

export interface StoredEventRow {
  received_at: string;
  profile: string | null;
  mode: string | null;
  status: number;
  authentication: string;
  event: string | null;
  outcome: string;
  fault: string | null;
  subjects: string;
  customers: string;
  source: string;
  identity: string;
  is_lasting: boolean;
  is_masked: boolean;
  is_passing: boolean;
  verification: string | null;
  headers: string;
  body: Uint8Array;
  machine: string | null;
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

export const EVENT_COLUMNS = [
  ...['received_at', 'profile', 'mode', 'status', 'authentication', 'event', 'outcome', 'fault'],
  ...['subjects', 'customers', 'source', 'identity', 'is_lasting', 'is_masked', 'is_passing'],
  ...['verification', 'headers', 'body', 'machine'],
] as const satisfies readonly (keyof StoredEventRow)[];

export interface ForwardRow {
  target: string;
  state: string;
  attempts: number;
  last_error: string | null;
}

/** An event with its name among all ledgers. */
export interface EventRow extends StoredEventRow {
  origin: string;
  /** Origin of the event that it repeats; null where it repeats none. */
  repeats: string | null;
  forwards: readonly ForwardRow[];
}

/** Of a request that is being sent while it is copied. */
export const BEING_SENT = 'it was still being sent when the ledger was copied';

export interface RowSource {
  entries(): AsyncIterable<EntryRow[]>;
  records(): AsyncIterable<RecordRow[]>;
  events(): AsyncIterable<EventRow[]>;
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
  /** @returns how many were not there */
  putEvents(rows: readonly EventRow[]): Promise<number>;
}
