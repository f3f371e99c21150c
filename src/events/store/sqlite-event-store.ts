/**
 * Received events in the ledger's SQLite file. One transaction keeps a whole batch of deliveries, so
 * that deliveries that arrive together share one write to the disk.
 *
 * A delivery is a duplicate when an earlier one has its identity and that identity is never used
 * again, or when the latest delivery of its source has it: the same subscription is announced in the
 * same words every day (charge:pending), but then something else was heard of it in between.
 */

import { globOf } from '../../contract/webhooks/patterns.ts';
import { deferEvents } from '../../index/deferred.ts';
import { eventIsOurs, NAMED, namedValues } from '../../index/scope.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { Database } from '../../store/sqlite/database.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import type { Appended, NewEvent, StoredEvent, Verification } from '../event.ts';
import type {
  EventFilter,
  EventStore,
  ForwardResult,
  PrunedEvents,
  WaitingForward,
} from './event-store.ts';
import { contradictFacts, dropEventFacts } from './index-events.ts';

/** Rows read at once; a body may have 1 MiB. */
const PAGE_ROWS = 64;

/**
 * Opens the events of the ledger, made with its directories where there is none.
 * @param path file of the ledger
 * @throws Failure usage or guard when the file cannot be used
 */
export async function openEventStore(path: string): Promise<EventStore> {
  return new SqliteEventStore(path);
}

export class SqliteEventStore implements EventStore {
  /** One is written while the disk takes the one before. */
  readonly appendsAtOnce = 2;
  readonly #database: Database;

  /** As `openEventStore`. */
  constructor(path: string) {
    this.#database = new Database(ledgerFile(path));
    // A stream of deliveries changes the same pages again and again, so they stay in memory. They are copied
    // from the log to the file in small lots, since everybody who is waiting for an answer waits for that, too.
    this.#database.set('cache_size = -65536');
    this.#database.set('wal_autocheckpoint = 500');
    // Who needs what they wrote to be on disk waits for that while the next is written.
    this.#database.waitForDisk(false);
  }

  async append(events: readonly NewEvent[]): Promise<Appended[]> {
    const appended = this.#database.write((queries) => appendAll(queries, events));
    await this.#database.synced();
    return appended;
  }

  async *list(filter: EventFilter): AsyncGenerator<StoredEvent> {
    const { events, since, before, reference, customer, outcome, scope, among } = filter;
    const wanted = {
      events: events && events.length > 0 ? JSON.stringify(events.map(globOf)) : null,
      since: since ?? null,
      before: before ?? null,
      reference: reference ?? null,
      customer: customer ?? null,
      outcome: outcome ?? null,
      ...(scope && namedValues(scope)),
      among: among ? JSON.stringify(among) : null,
    };
    const whose = scope ? ` AND ${eventIsOurs(NAMED, 'mode')}` : '';
    let below = Number.MAX_SAFE_INTEGER;
    for (let left = filter.limit; left > 0; left -= PAGE_ROWS) {
      const count = Math.min(left, PAGE_ROWS);
      const page = this.#database.read((queries) =>
        queries.all<Row>(`${EVENTS} ${WANTED}${whose} ORDER BY id DESC LIMIT :count`, {
          ...wanted,
          below,
          count,
        }),
      );
      for (const row of page) {
        below = row.id;
        yield eventOf(row);
      }
      if (page.length < count) return;
    }
  }

  async find(id: number): Promise<StoredEvent | undefined> {
    const row = this.#database.read((queries) => queries.get<Row>(`${EVENTS} WHERE id = ?`, id));
    return row && eventOf(row);
  }

  async verify(id: number, verification: Verification): Promise<void> {
    const changes = { verification: JSON.stringify(verification) };
    this.#database.write((queries) => {
      queries.update('events', changes, { id });
      if (verification.state === 'contradicted') contradictFacts(queries, id);
    });
  }

  async waiting(target: string): Promise<WaitingForward[]> {
    const rows = this.#database.read((queries) =>
      queries.all<Omit<WaitingForward, 'verification'> & { verification: string | null }>(
        `SELECT id, source, attempts, verification
           FROM event_forwards JOIN events ON id = event_forwards.event
          WHERE target = ? AND state = 'waiting' ORDER BY id`,
        target,
      ),
    );
    return rows.map((row) => ({ ...row, verification: verificationOf(row) }));
  }

  async settleForwards(results: readonly ForwardResult[]): Promise<void> {
    this.#database.write((queries) => {
      for (const { state, attempts, error, target, id } of results) {
        const changes = { state, attempts, last_error: error };
        queries.update('event_forwards', changes, { target, event: id });
        if (state !== 'waiting') letGo(queries, id);
      }
    });
  }

  async prune(before: string): Promise<PrunedEvents> {
    const pruned = this.#database.write((queries) => {
      const { waiting } = queries.one<{ waiting: number }>(
        `SELECT count(*) AS waiting FROM events WHERE received_at < ? AND id IN (${WAITING})`,
        before,
      );
      return { events: remove(queries, 'received_at < ?', before), waiting };
    });
    await this.#database.synced();
    return pruned;
  }

  async forget(profile: string): Promise<void> {
    this.#database.write((queries) => remove(queries, 'profile = ?', profile));
    await this.#database.synced();
  }

  async close(): Promise<void> {
    await this.#database.closeSynced();
  }
}

const WAITING = "SELECT event FROM event_forwards WHERE state = 'waiting'";

/** Removes the events that a condition with one value names, but for those that wait. @returns how many */
function remove(queries: Queries, condition: string, value: string): number {
  const removed = `SELECT id FROM events WHERE ${condition} AND id NOT IN (${WAITING})`;
  dropEventFacts(queries, removed, value);
  queries.run(`DELETE FROM event_forwards WHERE event IN (${removed})`, value);
  queries.run(`DELETE FROM event_sources WHERE event IN (${removed})`, value);
  queries.run(`DELETE FROM events WHERE id IN (${removed})`, value);
  return queries.changes();
}

/** Of an event that is only passing, what nobody waits for any more. */
function letGo(queries: Queries, id: number): void {
  queries.run(
    `UPDATE events SET headers = '[]', body = x''
      WHERE id = ? AND is_passing = 1 AND id NOT IN (${WAITING})`,
    id,
  );
}

/** Keeps events, inside a transaction. */
function appendAll(queries: Queries, events: readonly NewEvent[]): Appended[] {
  const due: number[] = [];
  const all = events.map((event) => {
    const appended = append(queries, event);
    if (appended.duplicateOf === null && !event.isPassing) due.push(appended.id);
    return appended;
  });
  // To index an event takes ten times as long as to keep it, and nobody waits for that.
  deferEvents(queries, due);
  return all;
}

/** Keeps one event, inside a transaction. */
function append(queries: Queries, event: NewEvent): Appended {
  const { source, identity, forwardTo } = event;
  const duplicateOf = earlier(queries, event);
  queries.insert('events', {
    received_at: event.receivedAt,
    profile: event.profile,
    mode: event.mode,
    status: event.status,
    authentication: event.authentication,
    event: event.event,
    outcome: event.outcome,
    fault: event.fault,
    subjects: JSON.stringify(event.subjects),
    customers: JSON.stringify(event.customers),
    source,
    identity,
    is_lasting: Number(event.isLasting),
    is_masked: Number(event.isMasked),
    duplicate_of: duplicateOf,
    verification: event.verification && JSON.stringify(event.verification),
    is_passing: Number(event.isPassing ?? false),
    headers: JSON.stringify(event.headers),
    body: event.body,
  });
  const id = queries.lastNumber();
  if (duplicateOf === null)
    queries.insert(
      'event_sources',
      { source, event: id, identity },
      'ON CONFLICT (source) DO UPDATE SET event = excluded.event, identity = excluded.identity',
    );
  if (forwardTo !== null)
    queries.insert('event_forwards', {
      target: forwardTo,
      event: id,
      state: 'waiting',
      attempts: 0,
    });
  return { id, duplicateOf };
}

/** @returns the id of the event that this one repeats, if it does */
function earlier(queries: Queries, { identity, isLasting, source }: NewEvent): number | null {
  if (isLasting) {
    const everSeen = queries.get<{ id: number }>(
      `SELECT id FROM events
        WHERE identity = ? AND duplicate_of IS NULL AND is_lasting = 1 ORDER BY id LIMIT 1`,
      identity,
    );
    return everSeen?.id ?? null;
  }
  const latest = queries.get<{ id: number; identity: string }>(
    'SELECT event AS id, identity FROM event_sources WHERE source = ?',
    source,
  );
  return latest?.identity === identity ? latest.id : null;
}

const EVENTS = `
  SELECT id, received_at AS receivedAt, profile, mode, status, authentication, event, outcome, fault,
         subjects, customers, source, identity, is_masked AS isMasked, duplicate_of AS duplicateOf,
         verification, headers, body
    FROM events`;

/** A filter that is null lets everything through. */
const WANTED = `
  WHERE id < :below
    AND (:events IS NULL OR EXISTS (SELECT 1 FROM json_each(:events) WHERE event GLOB value))
    AND (:since IS NULL OR received_at >= :since)
    AND (:before IS NULL OR received_at < :before)
    AND (:outcome IS NULL OR outcome = :outcome)
    AND (:among IS NULL OR coalesce(duplicate_of, id) IN (SELECT value FROM json_each(:among)))
    AND (:reference IS NULL OR EXISTS (SELECT 1 FROM json_each(subjects) WHERE value = :reference))
    AND (:customer IS NULL OR EXISTS (SELECT 1 FROM json_each(customers) WHERE value = :customer))`;

type InJson = 'subjects' | 'customers' | 'headers';
type Row = Omit<StoredEvent, InJson | 'verification' | 'isMasked'> &
  Record<InJson, string> & { verification: string | null; isMasked: number };

function eventOf(row: Row): StoredEvent {
  return {
    ...row,
    subjects: JSON.parse(row.subjects),
    customers: JSON.parse(row.customers),
    headers: JSON.parse(row.headers),
    verification: verificationOf(row),
    isMasked: row.isMasked === 1,
  };
}

function verificationOf({ verification }: { verification: string | null }): Verification | null {
  return verification === null ? null : JSON.parse(verification);
}
