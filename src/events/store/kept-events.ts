/** Events that are kept: found, listed page by page, and forgotten. */
import { likeOf, matcher } from '../../contract/webhooks/patterns.ts';
import { eventIsOurs, namedValues, SCOPE } from '../../index/scope.ts';
import { dropDocuments } from '../../index/write.ts';
import { all, get, one, run, type SqlValues, update, type Work } from '../../store/sql.ts';
import type { StoredEvent, Verification } from '../event.ts';
import type { EventFilter, PrunedEvents } from './event-store.ts';
import { WAITING } from './forwards.ts';
import { contradictDocuments } from './index-events.ts';

/** Rows read at once; a body may have 1 MiB. */
const PAGE_ROWS = 64;

const EVENTS = `
  SELECT id, received_at AS "receivedAt", profile, mode, status, authentication, event, outcome,
         fault, subjects, customers, source, identity, is_masked AS "isMasked",
         duplicate_of AS "duplicateOf", verification, headers, body, machine
    FROM gw.events`;

type InJson = 'subjects' | 'customers' | 'headers';
type EventRow = Omit<StoredEvent, InJson | 'verification' | 'machine'> &
  Record<InJson, string> & { verification: string | null; machine: string | null };

function eventOf({ machine, body, ...row }: EventRow): StoredEvent {
  return {
    ...row,
    body: new Uint8Array(body.buffer, body.byteOffset, body.byteLength),
    subjects: JSON.parse(row.subjects),
    customers: JSON.parse(row.customers),
    headers: JSON.parse(row.headers),
    verification: row.verification === null ? null : JSON.parse(row.verification),
    isMasked: Boolean(row.isMasked),
    ...(machine !== null && { machine }),
  };
}

export function* findById(id: number): Work<StoredEvent | undefined> {
  const row = yield* get<EventRow>(`${EVENTS} WHERE id = :id`, { id });
  return row && eventOf(row);
}

/** Some of the events that a filter lets through, newest first. */
export interface EventPage {
  events: StoredEvent[];
  /** Where the next page begins; undefined after the last one. */
  below: number | undefined;
}

/** @param below only events with a smaller number @param most events of the page, at the most */
export function* pageOf(filter: EventFilter, below: number, most: number): Work<EventPage> {
  const { where, values } = conditionsOf(filter);
  const count = Math.min(most, PAGE_ROWS);
  const rows = yield* all<EventRow>(
    `${EVENTS} WHERE ${['id < :below', ...where].join(' AND ')} ORDER BY id DESC LIMIT :count`,
    { ...values, below, count },
  );
  return {
    events: rows.map(eventOf).filter((event) => fits(event, filter)),
    below: rows.length < count ? undefined : rows.at(-1)?.id,
  };
}

/** @returns conditions that let through at least what `fits` does */
function conditionsOf(filter: EventFilter): { where: string[]; values: SqlValues } {
  const { events = [], since, before, outcome, scope, among, reference, customer } = filter;
  const names = events.map((pattern, n) => [`event${n}`, likeOf(pattern)] as const);
  const like = (column: string, name: string) => `${column} LIKE :${name} ESCAPE '\\'`;
  const conditions: [isWanted: unknown, condition: string, values?: SqlValues | undefined][] = [
    [
      names.length > 0,
      `(${names.map(([name]) => like('event', name)).join(' OR ')})`,
      Object.fromEntries(names),
    ],
    [since, 'received_at >= :since', { since: since ?? '' }],
    [before, 'received_at < :before', { before: before ?? '' }],
    [outcome, 'outcome = :outcome', { outcome: outcome ?? '' }],
    [scope, eventIsOurs(SCOPE, 'mode'), scope && namedValues(scope)],
    [among, 'coalesce(duplicate_of, id) = ANY (:among)', { among: among ?? [] }],
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

export function* verifyEvent(id: number, verification: Verification): Work<void> {
  yield* update('events', { verification: JSON.stringify(verification) }, { id });
  if (verification.state === 'contradicted') yield* contradictDocuments(id);
}

/** As `EventStore.prune`. */
export function* pruneEvents(before: string): Work<PrunedEvents> {
  const { waiting } = yield* one<{ waiting: number }>(
    `SELECT count(*) AS waiting FROM gw.events WHERE received_at < :before AND id IN (${WAITING})`,
    { before },
  );
  return { events: yield* removeEvents('received_at < :before', { before }), waiting };
}

/**
 * Removes the events that a condition names, but for those that wait. The owner of a server's ledger alone may.
 * @returns how many
 */
export function* removeEvents(condition: string, values: SqlValues): Work<number> {
  const rows = yield* all<{ id: number }>(
    `SELECT id FROM gw.events WHERE ${condition} AND id NOT IN (${WAITING})`,
    values,
  );
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  yield* dropDocuments("kind = 'event' AND id = ANY (:ids)", { ids: ids.map(String) });
  for (const table of ['event_forwards', 'event_sources'])
    yield* run(`DELETE FROM gw.${table} WHERE event = ANY (:ids)`, { ids });
  yield* run('DELETE FROM gw.events WHERE id = ANY (:ids)', { ids });
  return ids.length;
}
