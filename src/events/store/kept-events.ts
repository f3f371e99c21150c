/** Events that are kept: found, listed page by page, and forgotten. */
import { likeOf, matcher } from '../../contract/webhooks/patterns.ts';
import { eventIsOurs, type SearchScope } from '../../index/scope.ts';
import { dropDocuments } from '../../index/write.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import type { StoredEvent, Verification } from '../event.ts';
import { WAITING } from './append-events.ts';
import { contradictDocuments } from './index-events.ts';

export interface EventFilter {
  /** Names with `*` for any text; an event has to fit one of them. None: all. */
  events?: readonly string[];
  /** ISO 8601, UTC: received at this time or later. */
  since?: string;
  /** ISO 8601, UTC: received before this time. */
  before?: string;
  reference?: string;
  /** Any of the names of `NewEvent.customers`, in lower case. */
  customer?: string;
  outcome?: string;
  /** Whose. */
  scope?: SearchScope | undefined;
  /** Only these events, by their numbers, and those that repeat one of them. */
  among?: readonly number[];
  limit: number;
}

export interface PrunedEvents {
  events: number;
  /** Events of that age which stay because they wait to be passed on. */
  waiting: number;
}

/** Rows read at once; a body may have 1 MiB. */
const PAGE_ROWS = 64;

const EVENTS = `
  SELECT id, received_at AS "receivedAt", profile, mode, status, authentication, event, outcome,
         fault, subjects, customers, source, identity, is_masked AS "isMasked",
         duplicate_of AS "duplicateOf", verification, headers, body
    FROM events`;

type InJson = 'subjects' | 'customers' | 'headers';
type EventRow = Omit<StoredEvent, InJson | 'verification'> &
  Record<InJson, string> & { verification: string | null };

function eventOf({ body, ...row }: EventRow): StoredEvent {
  return {
    ...row,
    body: new Uint8Array(body.buffer, body.byteOffset, body.byteLength),
    subjects: JSON.parse(row.subjects),
    customers: JSON.parse(row.customers),
    headers: JSON.parse(row.headers),
    verification: row.verification === null ? null : JSON.parse(row.verification),
    isMasked: Boolean(row.isMasked),
  };
}

export function findById(queries: Queries, id: number): StoredEvent | undefined {
  const row = queries.get<EventRow>(`${EVENTS} WHERE id = ?`, id);
  return row && eventOf(row);
}

/** Some of the events that a filter lets through, newest first. */
export interface EventPage {
  events: StoredEvent[];
  /** Where the next page begins; undefined after the last one. */
  below: number | undefined;
}

/** @param page events with a smaller number than `from` are wanted, and `most` of them */
export function pageOf(
  queries: Queries,
  filter: EventFilter,
  { from, most }: { from: number; most: number },
): EventPage {
  const { where, values } = conditionsOf(filter);
  const count = Math.min(most, PAGE_ROWS);
  const rows = queries.all<EventRow>(
    `${EVENTS} WHERE ${['id < :from', ...where].join(' AND ')} ORDER BY id DESC LIMIT :count`,
    { ...values, from, count },
  );
  return {
    events: rows.map(eventOf).filter((event) => fits(event, filter)),
    below: rows.length < count ? undefined : rows.at(-1)?.id,
  };
}

type Values = Readonly<Record<string, string | number | null | readonly number[]>>;

const SCOPE = { profile: ':profile', environment: ':environment' };

/** @returns conditions that let through at least what `fits` does */
function conditionsOf(filter: EventFilter): { where: string[]; values: Values } {
  const { events = [], since, before, outcome, scope, among, reference, customer } = filter;
  const names = events.map((pattern, n) => [`event${n}`, likeOf(pattern)] as const);
  const like = (column: string, name: string) => `${column} LIKE :${name} ESCAPE '\\'`;
  const conditions: [isWanted: unknown, condition: string, values?: Values | undefined][] = [
    [
      names.length > 0,
      `(${names.map(([name]) => like('event', name)).join(' OR ')})`,
      Object.fromEntries(names),
    ],
    [since, 'received_at >= :since', { since: since ?? '' }],
    [before, 'received_at < :before', { before: before ?? '' }],
    [outcome, 'outcome = :outcome', { outcome: outcome ?? '' }],
    [
      scope,
      eventIsOurs(SCOPE, 'mode'),
      scope && { profile: scope.profile, environment: scope.environment },
    ],
    [
      among,
      'coalesce(duplicate_of, id) IN (SELECT value FROM json_each(:among))',
      { among: among ?? [] },
    ],
    [reference, like('subjects', 'reference'), { reference: inList(reference) }],
    [customer, like('customers', 'customer'), { customer: inList(customer) }],
  ];
  const wanted = conditions.filter(([isWanted]) => isWanted !== undefined && isWanted !== false);
  return {
    where: wanted.map(([, condition]) => condition),
    values: Object.assign({}, ...wanted.map(([, , values]) => values)),
  };
}

/** @returns a pattern for a list, as JSON, that has a text */
function inList(text = ''): string {
  return `%${JSON.stringify(text).replace(/[\\%_]/g, '\\$&')}%`;
}

/** SQL's LIKE does not tell capitals in a file, and finds the text of a name in another one. */
function fits(event: StoredEvent, { events = [], reference, customer }: EventFilter): boolean {
  return (
    (events.length === 0 || (event.event !== null && matcher(events)(event.event))) &&
    (reference === undefined || event.subjects.includes(reference)) &&
    (customer === undefined || event.customers.includes(customer))
  );
}

export function verifyEvent(queries: Queries, id: number, verification: Verification): void {
  queries.run('UPDATE events SET verification = ? WHERE id = ?', JSON.stringify(verification), id);
  if (verification.state === 'contradicted') contradictDocuments(queries, id);
}

/** `EventFile.prune` says what it removes. */
export function pruneEvents(queries: Queries, before: string): PrunedEvents {
  const { waiting } = queries.one<{ waiting: number }>(
    `SELECT count(*) AS waiting FROM events WHERE received_at < ? AND id IN (${WAITING})`,
    before,
  );
  return { events: removeEvents(queries, 'received_at < :before', { before }), waiting };
}

/**
 * Removes the events that a condition names, but for those that wait.
 * @returns how many
 */
export function removeEvents(
  queries: Queries,
  condition: string,
  values: Readonly<Record<string, string>>,
): number {
  const rows = queries.all<{ id: number }>(
    `SELECT id FROM events WHERE ${condition} AND id NOT IN (${WAITING})`,
    values,
  );
  const ids = rows.map(({ id }) => id);
  const documents = dropDocuments("kind = 'event' AND id = ANY (:ids)", { ids: ids.map(String) });
  queries.do(documents);
  for (const id of ids) {
    queries.run('DELETE FROM event_forwards WHERE event = ?', id);
    queries.run('DELETE FROM event_sources WHERE event = ?', id);
    queries.run('DELETE FROM events WHERE id = ?', id);
  }
  return ids.length;
}
