/**
 * Finds stored events, lists them page by page, and deletes them.
 *
 * Tests: test/unit/events/store/event-file.test.ts, test/unit/commands/events/run-list.test.ts
 */
import { globOf } from '../../contract/webhooks/patterns.ts';
import { allRows, firstRow, onlyRow, runSql, update } from '../../store/sql.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import { type Owner, ownerCondition } from '../../things/owner.ts';
import type { StoredEvent, Verification } from '../event.ts';
import { namesOfCustomer, readDelivery, referencesOf } from '../read/read-delivery.ts';
import { deferEvent, WAITING } from './append-events.ts';
import type { Repeats } from './repeats.ts';

export interface EventFilter {
  /** Names with `*` for any text; an event must fit one of them. Empty for all. */
  events?: readonly string[];
  /** ISO 8601, UTC: received at this time or later. */
  since?: string;
  /** ISO 8601, UTC: received before this time. */
  before?: string;
  /** The reference of the subscription or the purchase. */
  reference?: string;
  /** One of the customer's names, in lower case. */
  customer?: string;
  outcomes?: readonly string[];
  /** The account and environment. */
  scope?: Owner | undefined;
  /** Only these events, by their numbers, and events that repeat one of them. */
  among?: readonly number[];
  /** Only these deliveries, by their numbers. */
  deliveries?: readonly number[] | undefined;
  limit: number;
}

/** Numbers of events that were received before an instant. */
export interface OlderEvents {
  events: number;
  /** The old events that stay because they wait to be passed on. */
  waiting: number;
}

/** The columns of an `EventRow`. */
export const EVENT_COLUMNS = `
  id, received_at AS "receivedAt", profile, mode, status, authentication, event, outcome, fault,
  source, identity, is_masked AS "isMasked", duplicate_of AS "duplicateOf", verification, headers, body`;
const EVENTS = `SELECT ${EVENT_COLUMNS} FROM events`;

export type EventRow = Omit<StoredEvent, 'headers' | 'verification'> & {
  headers: string;
  verification: string | null;
};

export function eventOf({ body, ...row }: EventRow): StoredEvent {
  return {
    ...row,
    body: new Uint8Array(body.buffer, body.byteOffset, body.byteLength),
    headers: JSON.parse(row.headers),
    verification: row.verification === null ? null : JSON.parse(row.verification),
    isMasked: Boolean(row.isMasked),
  };
}

export function findById(queries: Queries, id: number): StoredEvent | undefined {
  const row = queries.do(firstRow<EventRow>(`${EVENTS} WHERE id = ?`, [id]));
  return row && eventOf(row);
}

/** @returns those of the events that are there, in order */
export function findByIds(queries: Queries, ids: readonly number[]): StoredEvent[] {
  const rows = queries.do(
    allRows<EventRow>(`${EVENTS} WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY id`, {
      ids,
    }),
  );
  return rows.map(eventOf);
}

/** An event has no account. */
const OF_PROFILE = ownerCondition(
  { account: 'NULL', profile: ':profile', environment: ':environment' },
  { account: 'NULL', profile: 'profile', environment: 'mode' },
);

/** A condition whose value is null does not apply. A body with a backslash may have any text in another form. */
const LISTED = `${EVENTS}
   WHERE id < :below
     AND (:events IS NULL OR EXISTS (SELECT 1 FROM json_each(:events) WHERE event GLOB value))
     AND (:since IS NULL OR received_at >= :since)
     AND (:before IS NULL OR received_at < :before)
     AND (:isAny OR outcome = ANY (:outcomes))
     AND (instr(body, x'5c') > 0 OR NOT EXISTS
          (SELECT 1 FROM json_each(:texts) WHERE instr(lower(CAST(body AS TEXT)), value) = 0))
     AND (:among IS NULL OR coalesce(duplicate_of, id) IN (SELECT value FROM json_each(:among)))
     AND (:deliveries IS NULL OR id IN (SELECT value FROM json_each(:deliveries)))
     AND (:profile IS NULL OR ${OF_PROFILE})
   ORDER BY id DESC LIMIT :limit`;

/**
 * @returns the newest events that fit a filter, with numbers smaller than `below`; `isAbout` has to apply the names of
 *   the filter
 */
export function eventsBelow(queries: Queries, below: number, filter: EventFilter): StoredEvent[] {
  const { events = [], since = null, before = null, outcomes = [], scope } = filter;
  const { reference = '', customer = '', among = null, deliveries = null, limit } = filter;
  const rows = queries.do(
    allRows<EventRow>(LISTED, {
      below,
      events: events.length > 0 ? events.map(globOf) : null,
      since,
      before,
      isAny: outcomes.length === 0,
      outcomes,
      texts: [...textsOf(reference), ...textsOf(customer)],
      among,
      deliveries,
      profile: scope?.profile ?? null,
      environment: scope?.environment ?? null,
      limit,
    }),
  );
  return rows.map(eventOf);
}

/** @returns what a JSON text with this name has: the whole value, or words, which may be of several values */
function textsOf(name: string): string[] {
  const small = name.toLowerCase();
  const texts = /\s/.test(small) ? small.split(/\s+/) : [`"${small}"`];
  // SQLite knows capitals of ASCII only.
  return name === '' ? [] : texts.filter((text) => /^[\x20-\x7e]*$/.test(text));
}

/** @returns whether an event has the reference and the customer of a filter; only its body has them */
export function isAbout({ body }: StoredEvent, { reference, customer }: EventFilter): boolean {
  if (reference === undefined && customer === undefined) return true;
  const { parts } = readDelivery(body);
  return (
    (reference === undefined || parts.some((part) => referencesOf(part).includes(reference))) &&
    (customer === undefined || parts.some((part) => namesOfCustomer(part).includes(customer)))
  );
}

/** See `EventFile.verify`. */
export function markVerified(
  queries: Queries,
  repeats: Repeats,
  id: number,
  verification: Verification,
): number | null {
  const event = findById(queries, id);
  if (!event) return null;
  const { state } = verification;
  const isKnown = state === 'waiting';
  const duplicate_of = isKnown ? event.duplicateOf : repeats.settle(queries, event, state);
  queries.do(
    update('events', { verification: JSON.stringify(verification), duplicate_of }, { id }),
  );
  if (!isKnown) deferEvent(queries, id);
  return duplicate_of;
}

/** More in a transaction keep a listener waiting; fewer read the marks of all events more often. */
const LOT = 5_000;

/** See `EventFile.older`. */
export function countOlderEvents(queries: Queries, before: string): OlderEvents {
  const { all, waiting } = queries.do(
    onlyRow<{ all: number; waiting: number }>(
      `SELECT count(*) AS "all", count(*) FILTER (WHERE id IN (${WAITING})) AS waiting
       FROM events WHERE received_at < ?`,
      [before],
    ),
  );
  return { events: all - waiting, waiting };
}

/** See `EventFile.prune`. */
export function pruneEvents(queries: Queries, before: string): number {
  return removeEvents(queries, 'received_at < :before', { before }, LOT);
}

/** See `EventFile.forget`. */
export function forgetEvents(queries: Queries, profile: string): number {
  const waiting = queries.do(
    allRows(
      `DELETE FROM event_forwards
      WHERE state = 'waiting' AND event IN (SELECT id FROM events WHERE profile = ?) RETURNING event`,
      [profile],
    ),
  );
  removeEvents(queries, 'profile = :profile', { profile });
  return waiting.length;
}

const IDS = 'SELECT value FROM json_each(:ids)';

/**
 * Removes the events that match a condition, except those that wait.
 * @param most how many at most, the oldest first; -1 for all
 * @returns the number of removed events
 */
function removeEvents(
  queries: Queries,
  condition: string,
  values: Readonly<Record<string, string>>,
  most = -1,
): number {
  const rows = queries.do(
    allRows<{ id: number }>(
      `SELECT id FROM events WHERE ${condition} AND id NOT IN (${WAITING}) ORDER BY id LIMIT ${most}`,
      values,
    ),
  );
  const ids = rows.map(({ id }) => id);
  for (const id of ids) deferEvent(queries, id);
  // Neither table has an index of events, so a statement for each event would read all of it each time.
  for (const table of ['event_forwards', 'event_marks'])
    queries.do(runSql(`DELETE FROM ${table} WHERE event IN (${IDS})`, { ids }));
  queries.do(runSql(`DELETE FROM events WHERE id IN (${IDS})`, { ids }));
  return ids.length;
}
