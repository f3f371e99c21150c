/**
 * The file of the store: its tables, and the marks by which gw recognises it.
 *
 * A card number is only stored masked; a column of its own says how the acquirer treats the card. A CVV is not stored
 * in any form. Data that no answer and no charge needs (a customer's address and IP address) is not kept.
 *
 * Billing reads these columns: the first day that is not billed yet, the next due date of a subscription, the day of a
 * retry (`retry_date`), the number of used retries, and the day on which a card must be looked at (`card_watch`; empty
 * is at once, null never). Each event is a row of `events`, with a row of `deliveries` for every hook that wanted it at
 * the time.
 *
 * Tests: test/unit/emulator/state.test.ts
 */
import type { FileFormat } from '../store/sqlite/database.ts';
import { NotOurFile } from '../store/sqlite/file-failure.ts';

/** 'gwem' */
const APPLICATION_ID = 0x6777656d;
const BUSY_TIMEOUT_MS = 15_000;
/** Billing a day writes all over the file, and a page that does not fit into the cache is written more than once. */
const CACHE_KIB = 32 * 1024;
/**
 * Ids are spread over their indexes, so a page is written to the log many times before it is full. Rarer copying to the
 * file copies it fewer times. The log may then reach 32 MiB.
 */
const LOG_PAGES = 8192;

/** The `user_version` of a file with these tables. Migrations begin with the first release. */
const FORM = 24;

const TABLES = `
  CREATE TABLE gateway (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    seed TEXT NOT NULL,
    frozen_at TEXT,
    offset_ms INTEGER NOT NULL,
    live INTEGER NOT NULL DEFAULT 0,
    billing_day TEXT NOT NULL DEFAULT '',
    dialect TEXT NOT NULL DEFAULT 'deployed'
  );
  -- each move of the clock: the outer time, and the gateway's time before it
  CREATE TABLE clock_moves (outer_at TEXT NOT NULL, gateway_at TEXT NOT NULL);
  -- state: of the numbers that ids are made of, one of 64 bits in decimal digits
  CREATE TABLE random (kind TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE merchants (
    prefix TEXT PRIMARY KEY,
    username TEXT NOT NULL UNIQUE,
    token_hash TEXT,
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
  -- captured: 0 is only authorised, if it was approved. metadata: JSON as it was sent
  -- card_holder and card_expiry: the card when it paid, once it has been changed; null is as it is now
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
    source TEXT,
    response_code TEXT NOT NULL DEFAULT '00',
    captured INTEGER NOT NULL DEFAULT 1,
    metadata TEXT,
    card_holder TEXT,
    card_expiry TEXT
  );
  CREATE INDEX purchases_of_reference ON purchases (merchant, reference);
  CREATE TABLE refunds (
    id TEXT PRIMARY KEY,
    merchant TEXT NOT NULL REFERENCES merchants,
    purchase TEXT NOT NULL REFERENCES purchases,
    amount INTEGER NOT NULL,
    reference TEXT NOT NULL,
    authorization TEXT NOT NULL,
    transaction_date TEXT NOT NULL,
    metadata TEXT
  );
  CREATE INDEX refunds_of_purchase ON refunds (purchase);
  CREATE INDEX refunds_of_reference ON refunds (merchant, reference);
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
    card_watch TEXT DEFAULT '',
    metadata TEXT,
    UNIQUE (merchant, reference)
  );
  CREATE INDEX customers_to_watch ON customers (card_watch) WHERE card_watch IS NOT NULL;
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
  -- the log names a hook that is gone, so its number is not used again
  CREATE TABLE hooks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
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
`;

/** @returns the format of the store's file; any other file or version is refused with `NotOurFile` */
export function storeFile(path: string): FileFormat {
  const file = {
    path,
    name: "The built-in test gateway's file",
    repair: 'Choose another file, or create a new one with `gw emulator reset`.',
    applicationId: APPLICATION_ID,
    tables: TABLES,
    form: FORM,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    settings: `PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${LOG_PAGES}; PRAGMA cache_size = -${CACHE_KIB}`,
  };
  const sentences = {
    foreign: `${path} is a database, but not one of the built-in test gateway.`,
    newer: `${file.name} ${path} was written by a newer gw.`,
    older: `${file.name} ${path} was written by a development version of gw, which this gw does not read.`,
  };
  return { ...file, refuse: (what) => new NotOurFile(`file-${what}`, sentences[what], file) };
}
