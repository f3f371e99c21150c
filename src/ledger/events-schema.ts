/**
 * The tables of received events, as one migration of the ledger's file.
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
export const EVENTS_MIGRATION = `
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
