/**
 * The rows of a ledger as they travel from one to another, whatever the one and the other are: by their
 * columns' names, times as ISO 8601 in UTC, truth as such.
 *
 * What is copied is known by names that no two ledgers share: an entry by its id, a record by its
 * account and id, an event by its origin, which is the ledger that received it and its number there.
 * So all of it may be copied any number of times, and from several ledgers into one.
 *
 * This folder reads the rows of a file, and writes them there.
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

type Types<Row> = Readonly<Record<keyof Row, string>>;

/** Types as a server has them. */
export const ENTRY_COLUMNS: Types<EntryRow> = {
  ...{ id: 'text', created_at: 'timestamptz', account: 'text', profile: 'text' },
  ...{ environment: 'text', host: 'text', operation: 'text', target: 'text', refund_of: 'text' },
  ...{ amount: 'bigint', currency: 'text', reference: 'text', body: 'text', batch: 'text' },
  ...{ line: 'text', operator: 'text', machine: 'text', state: 'text' },
  ...{ settled_at: 'timestamptz', status: 'integer', record_id: 'text', message: 'text' },
  ...{ superseded: 'boolean', resolution: 'text', resolved_by: 'text' },
};

export const RECORD_COLUMNS: Types<RecordRow> = {
  ...{ account: 'text', profile: 'text', host: 'text', kind: 'text', id: 'text' },
  ...{ environment: 'text', reference: 'text', name: 'text', last_four: 'text' },
  ...{ amount: 'bigint', first_seen_at: 'text', last_seen_at: 'text', seen_by: 'text' },
  record: 'text',
};

export const EVENT_COLUMNS: Types<StoredEventRow> = {
  ...{ received_at: 'text', profile: 'text', mode: 'text', status: 'integer' },
  ...{ authentication: 'text', event: 'text', outcome: 'text', fault: 'text', subjects: 'text' },
  ...{ customers: 'text', source: 'text', identity: 'text', is_lasting: 'boolean' },
  ...{ is_masked: 'boolean', is_passing: 'boolean', verification: 'text', headers: 'text' },
  ...{ body: 'bytea', machine: 'text' },
};

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
/** Of one whose process has ended. */
export const SENDER_ENDED = 'gw ended before the answer came';

/** Pages: few enough to be a short transaction. A body may have 1 MiB. */
export const ENTRIES_A_PAGE = 500;
export const EVENTS_A_PAGE = 32;

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

/** @returns what an event is called among all ledgers */
export function originOf(ledger: string, number: number): string {
  return `${ledger}:${number}`;
}

/** @returns the number that an event with this origin has in the ledger that received it */
export function numberIn(ledger: string, origin: string): number | undefined {
  const prefix = `${ledger}:`;
  return origin.startsWith(prefix) ? Number(origin.slice(prefix.length)) : undefined;
}

/** A number that no event has, for one that repeats what was forgotten. */
export const FORGOTTEN = -1;
