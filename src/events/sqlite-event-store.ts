/**
 * Received events in the ledger's SQLite file. One transaction keeps a whole batch of deliveries, so
 * that deliveries that arrive together share one write to the disk.
 *
 * A delivery is a duplicate when an earlier one has its identity and that identity is never used
 * again, or when the latest delivery of its source has it: the same subscription is announced in the
 * same words every day (charge:pending), but then something else was heard of it in between.
 */
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { explain } from '../storage/file-failure.ts';
import { ledgerNaming, openLedgerDatabase } from '../storage/ledger-file.ts';
import { closeDatabase } from '../storage/open-file.ts';
import { globOf } from '../webhooks/patterns.ts';
import type {
  Appended,
  EventFilter,
  EventStore,
  Header,
  NewEvent,
  StoredEvent,
  Verification,
} from './event-store.ts';

/** Rows read at once; a body may have 1 MiB. */
const PAGE_ROWS = 64;

/**
 * A stream of deliveries changes the same pages again and again. When they stay in memory, and are
 * copied from the log to the file in larger lots, they are written a few times in place of many:
 * several times the deliveries. The log then has up to 32 MiB.
 */
const FOR_MANY_DELIVERIES = 'PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 8000';

/**
 * Opens the events of the ledger, made with its directories where there is none.
 * @throws Failure usage or guard when the file cannot be used
 */
export async function openEventStore(path: string): Promise<EventStore> {
  const naming = ledgerNaming(path);
  const explained = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw explain(error, naming);
    }
  };
  const database = explained(() => openLedgerDatabase(naming));
  database.exec(FOR_MANY_DELIVERIES);
  const inTransaction = <Result>(work: () => Result): Result =>
    explained(() => transact(database, work));
  const append = appender(database);
  const markVerified = database.prepare('UPDATE events SET verification = ? WHERE id = ?');
  const settle = database.prepare(
    'UPDATE event_forwards SET state = ?, attempts = ?, last_error = ? WHERE target = ? AND event = ?',
  );
  return {
    append: async (events) => inTransaction(() => events.map(append)),
    list: (filter) => pages(filter, (sql, values) => explained(() => rows(database, sql, values))),
    async find(id) {
      return explained(() => rows(database, 'WHERE id = ?', [id]))[0];
    },
    async verify(id, verification) {
      explained(() => markVerified.run(JSON.stringify(verification), id));
    },
    async waiting(target) {
      return explained(() =>
        database
          .prepare(
            `SELECT id, source, attempts FROM event_forwards JOIN events ON id = event_forwards.event
             WHERE target = ? AND state = 'waiting' ORDER BY id`,
          )
          .all(target)
          .map(({ id, source, attempts }) => ({ id, source, attempts })),
      );
    },
    async settleForwards(results) {
      inTransaction(() => {
        for (const { state, attempts, error, target, id } of results)
          settle.run(state, attempts, error, target, id);
      });
    },
    async prune(before) {
      return inTransaction(() => {
        const number = (sql: string) => Number(database.prepare(sql).get(before).n);
        const remove = (from: string) =>
          Number(database.prepare(`DELETE FROM ${from}`).run(before).changes);
        const waiting = number(
          `SELECT count(*) AS n FROM events WHERE received_at < ? AND id IN (${WAITING})`,
        );
        remove(`event_forwards WHERE event IN (${PRUNABLE})`);
        remove(`event_sources WHERE event IN (${PRUNABLE})`);
        return { events: remove(`events WHERE id IN (${PRUNABLE})`), waiting };
      });
    },
    async close() {
      closeDatabase(database, path);
    },
  };
}

const WAITING = "SELECT event FROM event_forwards WHERE state = 'waiting'";
const PRUNABLE = `SELECT id FROM events WHERE received_at < ? AND id NOT IN (${WAITING})`;

function transact<Result>(database: DatabaseSyncInstance, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** @returns what keeps one event, inside a transaction */
function appender(database: DatabaseSyncInstance): (event: NewEvent) => Appended {
  const everSeen = database.prepare(
    `SELECT id FROM events
     WHERE identity = ? AND duplicate_of IS NULL AND is_lasting = 1 ORDER BY id LIMIT 1`,
  );
  const latestOfSource = database.prepare(
    'SELECT event AS id, identity FROM event_sources WHERE source = ?',
  );
  const becomeLatest = database.prepare(
    `INSERT INTO event_sources (source, event, identity) VALUES (?, ?, ?)
     ON CONFLICT (source) DO UPDATE SET event = excluded.event, identity = excluded.identity`,
  );
  const insert = database.prepare(
    `INSERT INTO events
       (received_at, profile, mode, status, authentication, event, outcome, fault, subjects,
        customers, source, identity, is_lasting, is_masked, duplicate_of, headers, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const promise = database.prepare(
    "INSERT INTO event_forwards (target, event, state, attempts) VALUES (?, ?, 'waiting', 0)",
  );
  const earlier = ({ identity, isLasting, source }: NewEvent): number | null => {
    if (isLasting) return everSeen.get(identity)?.id ?? null;
    const latest = latestOfSource.get(source);
    return latest?.identity === identity ? latest.id : null;
  };
  return (event) => {
    const duplicateOf = earlier(event);
    const { lastInsertRowid } = insert.run(
      event.receivedAt,
      event.profile,
      event.mode,
      event.status,
      event.authentication,
      event.event,
      event.outcome,
      event.fault,
      JSON.stringify(event.subjects),
      JSON.stringify(event.customers),
      event.source,
      event.identity,
      event.isLasting ? 1 : 0,
      event.isMasked ? 1 : 0,
      duplicateOf,
      JSON.stringify(event.headers),
      event.body,
    );
    const id = Number(lastInsertRowid);
    if (duplicateOf === null) becomeLatest.run(event.source, id, event.identity);
    if (event.forwardTo !== null) promise.run(event.forwardTo, id);
    return { id, duplicateOf };
  };
}

type Value = string | number;

async function* pages(
  filter: EventFilter,
  read: (sql: string, values: Value[]) => StoredEvent[],
): AsyncGenerator<StoredEvent> {
  const [conditions, values] = conditionsOf(filter);
  let below = Number.MAX_SAFE_INTEGER;
  for (let left = filter.limit; left > 0; ) {
    const count = Math.min(left, PAGE_ROWS);
    const where = ['id < ?', ...conditions].join(' AND ');
    const page = read(`WHERE ${where} ORDER BY id DESC LIMIT ?`, [below, ...values, count]);
    yield* page;
    if (page.length < count) return;
    left -= count;
    below = page.at(-1)?.id ?? 0;
  }
}

function conditionsOf(filter: EventFilter): [conditions: string[], values: Value[]] {
  const parts: [string, Value[]][] = [];
  const add = (condition: string, ...values: Value[]) => parts.push([condition, values]);
  const { events = [], since, before, reference, customer, outcome } = filter;
  if (events.length > 0)
    add(`(${events.map(() => 'event GLOB ?').join(' OR ')})`, ...events.map(globOf));
  if (since !== undefined) add('received_at >= ?', since);
  if (before !== undefined) add('received_at < ?', before);
  if (outcome !== undefined) add('outcome = ?', outcome);
  const among = (column: string) => `EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ?)`;
  if (reference !== undefined) add(among('subjects'), reference);
  if (customer !== undefined) add(among('customers'), customer);
  return [parts.map(([condition]) => condition), parts.flatMap(([, values]) => values)];
}

function rows(database: DatabaseSyncInstance, clause: string, values: Value[]): StoredEvent[] {
  return database
    .prepare(`SELECT * FROM events ${clause}`)
    .all(...values)
    .map(eventOf);
}

function eventOf(row: Record<string, unknown>): StoredEvent {
  const text = (column: string) => row[column] as string;
  const verification = row.verification as string | null;
  return {
    id: row.id as number,
    receivedAt: text('received_at'),
    profile: row.profile as string | null,
    mode: row.mode as string | null,
    status: row.status as number,
    authentication: row.authentication as StoredEvent['authentication'],
    event: row.event as string | null,
    outcome: text('outcome'),
    fault: row.fault as string | null,
    subjects: JSON.parse(text('subjects')) as string[],
    customers: JSON.parse(text('customers')) as string[],
    source: text('source'),
    identity: text('identity'),
    isMasked: row.is_masked === 1,
    duplicateOf: row.duplicate_of as number | null,
    verification: verification === null ? null : (JSON.parse(verification) as Verification),
    headers: JSON.parse(text('headers')) as Header[],
    body: row.body as Uint8Array,
  };
}
