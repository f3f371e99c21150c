/**
 * The tables of the store, and how a file gets them.
 *
 * `user_version` is the number of migrations that have been applied and `application_id` says that
 * the file is this program's. A card number is in here masked only, with what the acquirer would do
 * with it in a column of its own; a CVV is in here in no form. What no response and no charge needs
 * (a customer's address and IP address) is not kept.
 *
 * Billing finds here: the first day that is not billed yet, when a subscription is next due, when a
 * failed charge is tried again (`retry_date`), how many of the retries are used, and when a card must
 * be looked at (`card_watch`; empty is at once). Events are kept for those who are told of them: each
 * is a row of `events` with one of `deliveries` for every hook that wanted it at the time.
 */
import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/** 'gwem' */
const APPLICATION_ID = 0x6777656d;

const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE gateway (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    seed TEXT NOT NULL,
    frozen_at TEXT,
    offset_ms INTEGER NOT NULL
  );
  CREATE TABLE counters (kind TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE merchants (
    prefix TEXT PRIMARY KEY,
    username TEXT NOT NULL UNIQUE,
    token_salt TEXT NOT NULL,
    token_hash TEXT NOT NULL,
    currency TEXT NOT NULL
  );
  CREATE TABLE cards (
    token TEXT PRIMARY KEY,
    merchant TEXT NOT NULL REFERENCES merchants,
    alias TEXT,
    card_holder TEXT NOT NULL,
    card_number TEXT NOT NULL,
    expiry TEXT NOT NULL,
    card_type TEXT NOT NULL,
    behaviour TEXT NOT NULL,
    transaction_count INTEGER NOT NULL,
    UNIQUE (merchant, alias)
  );
  CREATE TABLE purchases (
    id TEXT PRIMARY KEY,
    merchant TEXT NOT NULL REFERENCES merchants,
    card_token TEXT NOT NULL REFERENCES cards,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    reference TEXT,
    successful INTEGER NOT NULL,
    message TEXT NOT NULL,
    authorization TEXT,
    transaction_date TEXT NOT NULL,
    source TEXT
  );
  CREATE TABLE refunds (
    id TEXT PRIMARY KEY,
    merchant TEXT NOT NULL REFERENCES merchants,
    purchase TEXT NOT NULL REFERENCES purchases,
    amount INTEGER NOT NULL,
    reference TEXT NOT NULL,
    authorization TEXT NOT NULL,
    transaction_date TEXT NOT NULL
  );
  CREATE INDEX refunds_of_purchase ON refunds (purchase);
  CREATE TABLE plans (
    id TEXT PRIMARY KEY,
    merchant TEXT NOT NULL REFERENCES merchants,
    reference TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    UNIQUE (merchant, reference)
  );
  CREATE TABLE customers (
    id TEXT PRIMARY KEY,
    merchant TEXT NOT NULL REFERENCES merchants,
    reference TEXT NOT NULL,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    email TEXT NOT NULL,
    created_at TEXT NOT NULL,
    card_token TEXT NOT NULL REFERENCES cards,
    UNIQUE (merchant, reference)
  );
  -- customer has no foreign key: a subscription outlives the customer it was for
  CREATE TABLE subscriptions (
    id TEXT PRIMARY KEY,
    merchant TEXT NOT NULL REFERENCES merchants,
    reference TEXT NOT NULL,
    customer TEXT NOT NULL,
    plan TEXT NOT NULL REFERENCES plans,
    frequency TEXT NOT NULL,
    start_date TEXT NOT NULL,
    end_date TEXT,
    next_billing_date TEXT,
    retry_date TEXT,
    retries_used INTEGER NOT NULL,
    last_status TEXT NOT NULL,
    is_active INTEGER NOT NULL,
    UNIQUE (merchant, reference)
  );
  CREATE INDEX subscriptions_of_plan ON subscriptions (plan);
  CREATE INDEX subscriptions_of_customer ON subscriptions (customer);
  CREATE INDEX subscriptions_due ON subscriptions (next_billing_date) WHERE is_active = 1;
  CREATE INDEX subscriptions_to_retry ON subscriptions (retry_date) WHERE is_active = 1;
  `,
  `
  ALTER TABLE gateway ADD COLUMN live INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE gateway ADD COLUMN billing_day TEXT NOT NULL DEFAULT '';
  ALTER TABLE customers ADD COLUMN card_watch TEXT DEFAULT '';
  CREATE INDEX customers_to_watch ON customers (card_watch) WHERE card_watch IS NOT NULL;
  CREATE TABLE hooks (
    id INTEGER PRIMARY KEY,
    merchant TEXT NOT NULL REFERENCES merchants,
    url TEXT NOT NULL,
    events TEXT NOT NULL,
    temporary INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    UNIQUE (merchant, url, events)
  );
  CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    merchant TEXT NOT NULL REFERENCES merchants,
    customer TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    body TEXT NOT NULL
  );
  -- hook has no foreign key: the log outlives the hook. due_at is null behind an earlier delivery of
  -- the same hook and customer, and in one that is not queued any more
  CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY,
    hook INTEGER NOT NULL,
    event INTEGER NOT NULL REFERENCES events,
    url TEXT NOT NULL,
    customer TEXT NOT NULL,
    created_at TEXT NOT NULL,
    state TEXT NOT NULL,
    due_at TEXT,
    attempts INTEGER NOT NULL,
    attempted_at TEXT,
    result TEXT
  );
  CREATE INDEX deliveries_due ON deliveries (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX deliveries_queued ON deliveries (hook, customer, id) WHERE state = 'queued';
  CREATE INDEX deliveries_of_event ON deliveries (event);
  `,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** What kind of file a database is, from its header and nothing more. */
export type FileState = 'current' | 'older' | 'newer' | 'empty' | 'foreign';

/** Runs inside a transaction, so that its answer is true of one moment. @throws what SQLite throws for a file that is no database */
export function fileState(database: DatabaseSyncInstance): FileState {
  const { version, application } = database
    .prepare(
      'SELECT user_version AS version, application_id AS application FROM pragma_user_version, pragma_application_id',
    )
    .get();
  if (application === APPLICATION_ID) {
    if (version === SCHEMA_VERSION) return 'current';
    return version > SCHEMA_VERSION ? 'newer' : 'older';
  }
  const { tables } = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get();
  return version === 0 && application === 0 && tables === 0 ? 'empty' : 'foreign';
}

/** Applies the migrations that a file lacks. Runs inside a write transaction. */
export function migrate(database: DatabaseSyncInstance): void {
  const { version } = database
    .prepare('SELECT user_version AS version FROM pragma_user_version')
    .get();
  for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
  database.exec(
    `PRAGMA user_version = ${SCHEMA_VERSION}; PRAGMA application_id = ${APPLICATION_ID}`,
  );
}

/** Removes every table, whatever version wrote it. Runs inside a write transaction without foreign keys. */
export function dropEverything(database: DatabaseSyncInstance): void {
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  for (const { name } of tables) database.exec(`DROP TABLE "${name}"`);
  database.exec('PRAGMA user_version = 0');
}
