/** The steps from an empty file to the ledger of today; `user_version` counts those a file has had. */
const MONEY_MIGRATION = `
  CREATE TABLE money_requests (
    id TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    profile TEXT NOT NULL,
    environment TEXT NOT NULL,
    host TEXT NOT NULL,
    operation TEXT NOT NULL,
    target TEXT,
    amount INTEGER,
    currency TEXT,
    reference TEXT,
    body TEXT NOT NULL,
    state TEXT NOT NULL,
    settled_at TEXT,
    status INTEGER,
    record_id TEXT,
    message TEXT
  );
  CREATE INDEX money_requests_by_time ON money_requests (created_at);
  CREATE INDEX money_requests_unresolved ON money_requests (created_at)
    WHERE state IN ('sending', 'unknown');
`;

/**
 * Who sends, for which line of which batch. An attempt whose outcome is unknown and which was tried
 * again all the same is `superseded`; it stays unresolved. The unique index is the last line of
 * defence: no defect of a program above can have two live attempts at one line.
 */
const ATTEMPTS_MIGRATION = `
  ALTER TABLE money_requests ADD COLUMN owner TEXT;
  ALTER TABLE money_requests ADD COLUMN batch TEXT;
  ALTER TABLE money_requests ADD COLUMN line TEXT;
  ALTER TABLE money_requests ADD COLUMN superseded INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE money_requests ADD COLUMN resolution TEXT;
  CREATE UNIQUE INDEX money_requests_by_line ON money_requests (batch, line)
    WHERE batch IS NOT NULL AND superseded = 0 AND state IN ('sending', 'unknown', 'done');
  CREATE INDEX money_requests_by_content ON money_requests (target, reference, amount)
    WHERE state IN ('sending', 'unknown', 'done');
`;

/** What a purchase's balance is summed up from, by itself: its other columns are never read then. */
const REFUNDS_MIGRATION = `
  CREATE INDEX money_requests_refunds
    ON money_requests (target, profile, host, state, amount, batch, line)
    WHERE operation = 'refund create' AND state IN ('sending', 'unknown', 'done');
`;

const RECORDS_MIGRATION = `
  CREATE TABLE records_seen (
    profile TEXT NOT NULL,
    host TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    environment TEXT NOT NULL,
    reference TEXT,
    name TEXT,
    last_four TEXT,
    amount INTEGER,
    first_seen_at TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    seen_by TEXT NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (profile, host, kind, id)
  ) WITHOUT ROWID;
  CREATE INDEX records_seen_by_id ON records_seen (id);
  CREATE INDEX records_seen_by_reference ON records_seen (reference);
  CREATE INDEX records_seen_by_last_four ON records_seen (last_four);
  CREATE INDEX records_seen_by_time ON records_seen (last_seen_at);
`;

/**
 * The tables of received events.
 *
 * `body` holds the bytes as received, `headers` a JSON list of [name, value]. What else there is can
 * be read from those two again; it has columns of its own where lists are filtered or duplicates are
 * looked for. `subjects` and `customers` are JSON lists, since a delivery may speak of several.
 *
 * `event_sources` has the latest event of each source that is no duplicate. It is a table of its own,
 * since an index would spread the rows of one transaction over as many pages as they have sources;
 * identities begin with a date for the same reason.
 *
 * A row of `event_forwards` is a promise to pass an event on, kept until it is `done`.
 */
const EVENTS_MIGRATION = `
  CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    received_at TEXT NOT NULL,
    profile TEXT,
    mode TEXT,
    status INTEGER NOT NULL,
    authentication TEXT NOT NULL,
    event TEXT,
    outcome TEXT NOT NULL,
    fault TEXT,
    subjects TEXT NOT NULL,
    customers TEXT NOT NULL,
    source TEXT NOT NULL,
    identity TEXT NOT NULL,
    is_lasting INTEGER NOT NULL,
    is_masked INTEGER NOT NULL,
    duplicate_of INTEGER,
    verification TEXT,
    headers TEXT NOT NULL,
    body BLOB NOT NULL
  );
  CREATE INDEX events_by_identity ON events (identity)
    WHERE duplicate_of IS NULL AND is_lasting = 1;
  CREATE TABLE event_sources (
    source TEXT PRIMARY KEY,
    event INTEGER NOT NULL,
    identity TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE event_forwards (
    target TEXT NOT NULL,
    event INTEGER NOT NULL REFERENCES events,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    last_error TEXT,
    PRIMARY KEY (target, event)
  ) WITHOUT ROWID;
  CREATE INDEX event_forwards_waiting ON event_forwards (target, event) WHERE state = 'waiting';
`;

/**
 * From which purchase an entry gives money back. Until then it was said by the operation's name,
 * which only this step, for entries of that time, still has to know.
 */
const REFUND_OF_MIGRATION = `
  ALTER TABLE money_requests ADD COLUMN refund_of TEXT;
  UPDATE money_requests SET refund_of = target WHERE operation = 'refund create';
  DROP INDEX money_requests_refunds;
  CREATE INDEX money_requests_by_refund_of
    ON money_requests (refund_of, profile, host, state, amount, batch, line)
    WHERE refund_of IS NOT NULL AND state IN ('sending', 'unknown', 'done');
`;

/**
 * Whose each entry and record is. What was written before has no account, and is told by profile and
 * host as before. What succeeded without a reference is no duplicate of anything, and there may be
 * any number of the same amount, so it is not in that index.
 */
const ACCOUNT_MIGRATION = `
  ALTER TABLE money_requests ADD COLUMN account TEXT;
  DROP INDEX money_requests_by_content;
  CREATE INDEX money_requests_by_content ON money_requests (target, reference, amount)
    WHERE state IN ('sending', 'unknown', 'done') AND (reference IS NOT NULL OR state <> 'done');
  DROP INDEX money_requests_by_refund_of;
  CREATE INDEX money_requests_by_refund_of
    ON money_requests (refund_of, account, profile, host, state, amount, batch, line)
    WHERE refund_of IS NOT NULL AND state IN ('sending', 'unknown', 'done');
  ALTER TABLE records_seen RENAME TO records_seen_before;
  CREATE TABLE records_seen (
    account TEXT,
    profile TEXT NOT NULL,
    host TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    environment TEXT NOT NULL,
    reference TEXT,
    name TEXT,
    last_four TEXT,
    amount INTEGER,
    first_seen_at TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    seen_by TEXT NOT NULL,
    record TEXT NOT NULL
  );
  INSERT INTO records_seen SELECT NULL, * FROM records_seen_before;
  DROP TABLE records_seen_before;
  CREATE UNIQUE INDEX records_seen_of_account ON records_seen (account, kind, id)
    WHERE account IS NOT NULL;
  CREATE UNIQUE INDEX records_seen_of_profile ON records_seen (profile, host, kind, id)
    WHERE account IS NULL;
  CREATE INDEX records_seen_by_id ON records_seen (id);
  CREATE INDEX records_seen_by_reference ON records_seen (reference);
  CREATE INDEX records_seen_by_last_four ON records_seen (last_four);
  CREATE INDEX records_seen_by_time ON records_seen (last_seen_at);
`;

/**
 * What a line without a reference is known by: see `src/journal/requests/line-claim.ts`. And lines are those
 * of an account: two of them may have a profile and a host in common.
 */
const LINES_MIGRATION = `
  CREATE INDEX money_requests_without_reference ON money_requests (target, amount)
    WHERE reference IS NULL AND state IN ('sending', 'unknown', 'done');
  DROP INDEX money_requests_by_line;
  CREATE UNIQUE INDEX money_requests_by_line ON money_requests (coalesce(account, ''), batch, line)
    WHERE batch IS NOT NULL AND superseded = 0 AND state IN ('sending', 'unknown', 'done');
`;

/** Which entry made a record is asked when a record is shown, and when an outcome is resolved. */
const MADE_MIGRATION = `
  CREATE INDEX money_requests_by_record ON money_requests (record_id) WHERE record_id IS NOT NULL;
`;

/**
 * The index of all that gw knows: a document for each record seen, each money request and each object of an
 * event, written in the transaction of what it indexes (src/index).
 *
 * `doc` is the second in which it happened times 2^20, and a number: whatever is found is then found
 * newest first, and a period is a range of it, also inside the full-text index, which sorts nothing
 * else without reading all that fits. `origin` names what the document is of. `keys` are the names by
 * which it is found exactly, a JSON list; `fact_keys` is the same turned around.
 *
 * Trigrams find any part of a word of three characters or more; what finds the beginnings of names, such
 * as Li, and what a filter lets through, stands in the same text (src/index/search-terms.ts). The index is told
 * the text when a row is taken out, so it is a column.
 *
 * A ledger that had something before has an index that is not whole until it is rebuilt.
 */
const DOCUMENTS_MIGRATION = `
  CREATE TABLE facts (
    doc INTEGER PRIMARY KEY,
    origin TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    at TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    account TEXT,
    profile TEXT,
    environment TEXT,
    host TEXT,
    outcome TEXT,
    amount INTEGER,
    currency TEXT,
    reference TEXT,
    who TEXT,
    email TEXT,
    last_four TEXT,
    message TEXT,
    label TEXT,
    purchase TEXT,
    customer TEXT,
    subscription TEXT,
    plan TEXT,
    keys TEXT NOT NULL,
    text TEXT NOT NULL
  );
  CREATE INDEX facts_by_kind ON facts (kind, doc);
  CREATE TABLE fact_keys (
    key TEXT NOT NULL,
    doc INTEGER NOT NULL,
    PRIMARY KEY (key, doc)
  ) WITHOUT ROWID;
  CREATE VIRTUAL TABLE facts_text USING fts5 (
    text, content = 'facts', content_rowid = 'doc', tokenize = 'trigram', columnsize = 0
  );
  CREATE TABLE facts_state (is_whole INTEGER NOT NULL);
  INSERT INTO facts_state
    SELECT NOT EXISTS (SELECT 1 FROM money_requests)
       AND NOT EXISTS (SELECT 1 FROM records_seen)
       AND NOT EXISTS (SELECT 1 FROM events);
`;

/** Events of a profile that remembers nothing are kept whole only while they wait to be passed on. */
const PASSING_MIGRATION = `
  ALTER TABLE events ADD COLUMN is_passing INTEGER NOT NULL DEFAULT 0;
`;

/** Who sent an entry, who resolved it, and which ledger it is, for what is copied into another one. */
const AUTHOR_MIGRATION = `
  ALTER TABLE money_requests ADD COLUMN operator TEXT;
  ALTER TABLE money_requests ADD COLUMN machine TEXT;
  ALTER TABLE money_requests ADD COLUMN resolved_by TEXT;
  ALTER TABLE facts ADD COLUMN operator TEXT;
  CREATE TABLE ledger (id TEXT NOT NULL);
  INSERT INTO ledger SELECT lower(hex(randomblob(16)));
`;

/** Which machine received an event, and where one that was copied into this file came from. */
const ORIGINS_MIGRATION = `
  ALTER TABLE events ADD COLUMN machine TEXT;
  ALTER TABLE events ADD COLUMN origin TEXT;
  CREATE UNIQUE INDEX events_by_origin ON events (origin) WHERE origin IS NOT NULL;
`;

/** What another process that runs the same batch has made of a line. */
const ENDED_MIGRATION = `
  CREATE INDEX money_requests_ended ON money_requests (line, created_at)
    WHERE batch IS NOT NULL AND state IN ('declined', 'rejected');
`;

/**
 * What is still to become a document (src/index/deferred.ts): `kind` and `key` say which event, entry or
 * record. A row is written in the transaction of what it names, and goes in that of its document.
 */
const DUE_MIGRATION = `
  CREATE TABLE facts_due (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL);
`;

/** Until when an entry may be sent; of a file the process tells. */
const SENDS_UNTIL_MIGRATION = `
  ALTER TABLE money_requests ADD COLUMN sends_until TEXT;
`;

export const LEDGER_MIGRATIONS: readonly string[] = [
  MONEY_MIGRATION,
  ATTEMPTS_MIGRATION,
  RECORDS_MIGRATION,
  EVENTS_MIGRATION,
  REFUNDS_MIGRATION,
  REFUND_OF_MIGRATION,
  ACCOUNT_MIGRATION,
  LINES_MIGRATION,
  MADE_MIGRATION,
  DOCUMENTS_MIGRATION,
  PASSING_MIGRATION,
  AUTHOR_MIGRATION,
  ORIGINS_MIGRATION,
  ENDED_MIGRATION,
  DUE_MIGRATION,
  SENDS_UNTIL_MIGRATION,
];
