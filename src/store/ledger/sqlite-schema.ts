/**
 * Tables of the ledger in a file. Migrations begin with the first release.
 *
 * Tests: test/unit/journal/sqlite/sqlite-ledger.test.ts
 */

/** `user_version` of a file with these tables. */
export const LEDGER_FILE_FORM = 39;

/**
 * Money requests. `body` is from object-text.ts. `refund_of` is the purchase that an entry refunds. `account` says whose the entry is. `line` is the
 * digest of a batch line, and `occurrence` its number among lines with this digest. An attempt no longer holds its line
 * once it did not happen, or once it was sent again: it is then `superseded`. `owner` names the sending process.
 * `reference_key` is the same for references that a spreadsheet does not tell apart (base/spreadsheet-text.ts). A proposal
 * can be released until `proposed_until`; the request that it was released for names it as its `proposal`.
 *
 * The unique index is the last line of defence: no defect elsewhere can create two live attempts at one line. No index
 * of what was asked has the state, because each outcome would take an entry out of it and put it back. One index finds
 * attempts and refunds: each further one takes a page of the log for a line of a batch. A batch is found by its lines and
 * by its superseded attempts, of which there are few.
 *
 * `copied_at` of the ledger is when this copy of it was made, until its owner accepts that it may lack what was sent since.
 *
 * `pruned_refunds` has what is left of a refund whose entry was pruned: it still counts in what is left of its purchase.
 */
const MONEY = `
  CREATE TABLE money_requests (
    id TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    account TEXT NOT NULL,
    profile TEXT NOT NULL,
    environment TEXT NOT NULL,
    host TEXT NOT NULL,
    operation TEXT NOT NULL,
    target TEXT,
    refund_of TEXT,
    amount INTEGER,
    currency TEXT,
    reference TEXT,
    reference_key TEXT,
    body TEXT NOT NULL,
    note TEXT,
    batch TEXT,
    line TEXT,
    occurrence INTEGER,
    owner TEXT,
    operator TEXT,
    machine TEXT,
    state TEXT NOT NULL,
    settled_at TEXT,
    status INTEGER,
    record_id TEXT,
    message TEXT,
    transaction_date TEXT,
    response_code TEXT,
    superseded INTEGER NOT NULL DEFAULT 0,
    resolution TEXT,
    resolved_by TEXT,
    proposed_until TEXT,
    proposal TEXT,
    approved_by TEXT
  );
  CREATE INDEX money_requests_by_time ON money_requests (created_at);
  CREATE INDEX money_requests_unresolved ON money_requests (created_at)
    WHERE state IN ('sending', 'unknown');
  CREATE UNIQUE INDEX money_requests_by_line
    ON money_requests (account, operation, batch, line, occurrence)
    WHERE batch IS NOT NULL AND NOT superseded;
  CREATE INDEX money_requests_superseded ON money_requests (account, operation, batch)
    WHERE batch IS NOT NULL AND superseded;
  CREATE INDEX money_requests_by_target ON money_requests (target, reference_key, amount);
  CREATE INDEX money_requests_by_record ON money_requests (record_id) WHERE record_id IS NOT NULL;
  CREATE INDEX money_requests_proposed ON money_requests (state, target)
    WHERE proposed_until IS NOT NULL;
  CREATE UNIQUE INDEX money_requests_by_proposal ON money_requests (proposal)
    WHERE proposal IS NOT NULL;
  CREATE TABLE pruned_refunds (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    profile TEXT NOT NULL,
    purchase TEXT NOT NULL,
    amount INTEGER NOT NULL
  );
  CREATE INDEX pruned_refunds_by_purchase ON pruned_refunds (purchase);
  CREATE TABLE ledger (id TEXT NOT NULL, copied_at TEXT);
  INSERT INTO ledger (id) SELECT lower(hex(randomblob(16)));
`;

/** Records as last seen (object-text.ts), and what people did to them (a JSON list). */
const RECORDS = `
  CREATE TABLE records (
    account TEXT NOT NULL,
    profile TEXT NOT NULL,
    host TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    environment TEXT NOT NULL,
    reference TEXT,
    name TEXT,
    last_four TEXT,
    amount INTEGER,
    currency TEXT,
    first_seen_at TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    seen_by TEXT NOT NULL,
    record TEXT NOT NULL,
    deeds TEXT NOT NULL DEFAULT '[]'
  );
  CREATE UNIQUE INDEX records_of_account ON records (id, kind, account);
  CREATE INDEX records_by_time ON records (last_seen_at);
`;

/**
 * Received events.
 *
 * `body` holds the bytes as received, `headers` a JSON list of [name, value]. Everything else can be derived from these
 * two. It has columns of its own to filter lists and find duplicates. If a profile remembers nothing, its events are
 * kept whole only while they wait to be forwarded (`is_passing`).
 *
 * `event_marks` has the texts by which a repeated delivery is recognised, up to the event in `last_marked_event`. The
 * listener has those of later events in memory (src/events/store/repeats.ts).
 *
 * A row of `event_forwards` promises to forward an event. gw keeps it until it is `done`.
 */
const EVENTS = `
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
    source TEXT NOT NULL,
    identity TEXT NOT NULL,
    is_lasting INTEGER NOT NULL,
    is_masked INTEGER NOT NULL,
    is_passing INTEGER NOT NULL DEFAULT 0,
    duplicate_of INTEGER,
    verification TEXT,
    headers TEXT NOT NULL,
    body BLOB NOT NULL
  );
  CREATE TABLE event_marks (
    mark TEXT PRIMARY KEY,
    event INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE last_marked_event (id INTEGER NOT NULL);
  INSERT INTO last_marked_event VALUES (0);
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

/** The questions of assistants on this machine (src/events/store/assistant-calls.ts). */
const CALLS = `
  CREATE TABLE assistant_calls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    profile TEXT NOT NULL,
    client TEXT NOT NULL,
    tool TEXT NOT NULL,
    arguments TEXT NOT NULL,
    outcome TEXT NOT NULL,
    rows INTEGER NOT NULL,
    ms INTEGER NOT NULL
  );
`;

/**
 * The table of things: one row for each record, whoever told of it, and for what led to none (src/things).
 *
 * `doc` is the second in which it happened times 2^14, plus a number, and takes six bytes. So a search finds the newest first, and a period
 * is a range of `doc`. This works inside the full-text index too, which cannot sort by anything else without reading
 * all matches. `sources` has the ids of the entries and events that tell of it; a record has the row's own id.
 *
 * `thing_keys` has the names that find a row exactly. Trigrams find any part of a word of its text, from three characters
 * on. The same text holds the beginnings of names, such as Li (src/things/name-beginnings.ts). No table has the names and
 * the text of a row: both are made from its columns (src/things/words.ts), of which `texts` has what the others do not
 * show. Filters have columns too.
 *
 * `sources_due` names the records, entries and events that are to be learnt (src/things/deferred.ts). The transaction
 * that writes, changes or deletes a source adds the row. The one that writes the things deletes it. `event_owners` has
 * the account for which the events of a profile were learnt (src/events/store/learn-events.ts).
 */
const THINGS = `
  CREATE TABLE things (
    doc INTEGER PRIMARY KEY,
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
    token TEXT,
    operator TEXT,
    note TEXT,
    ends_on TEXT,
    card_expiry TEXT,
    told TEXT NOT NULL,
    sources TEXT NOT NULL,
    texts TEXT
  );
  CREATE UNIQUE INDEX things_of_account ON things (kind, id, account);
  CREATE INDEX things_of_subscription ON things (subscription, doc)
    WHERE kind = 'purchase' AND subscription IS NOT NULL;
  CREATE INDEX things_by_kind ON things (kind, doc);
  CREATE INDEX things_by_outcome ON things (outcome, doc);
  CREATE INDEX things_by_profile ON things (profile, kind, doc);
  CREATE INDEX things_by_amount ON things (abs(amount), doc);
  CREATE INDEX things_by_card ON things (last_four, doc);
  CREATE INDEX things_by_operator ON things (operator, doc) WHERE operator IS NOT NULL;
  CREATE TABLE thing_keys (
    key TEXT NOT NULL,
    doc INTEGER NOT NULL,
    PRIMARY KEY (key, doc)
  ) WITHOUT ROWID;
  CREATE VIRTUAL TABLE things_text USING fts5 (
    text, content = '', tokenize = 'trigram', columnsize = 0, detail = none
  );
  CREATE TABLE sources_due (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    account TEXT,
    id TEXT NOT NULL
  );
  CREATE TABLE event_owners (
    profile TEXT NOT NULL,
    side TEXT NOT NULL,
    account TEXT,
    environment TEXT,
    PRIMARY KEY (profile, side)
  ) WITHOUT ROWID;
`;

/**
 * The account and environment that a profile uses from an instant on. Otherwise the newest entry or record of a profile
 * would have to be looked for among those of all others.
 */
const PROFILE_USES = `
  CREATE TABLE profile_uses (
    profile TEXT NOT NULL,
    used_at TEXT NOT NULL,
    environment TEXT NOT NULL,
    account TEXT NOT NULL
  );
  CREATE INDEX profile_uses_by_time ON profile_uses (profile, used_at);
  ${[
    ['profile_sent', 'INSERT ON money_requests', 'created_at'],
    ['profile_first_saw', 'INSERT ON records', 'last_seen_at'],
    ['profile_saw', 'UPDATE OF last_seen_at ON records', 'last_seen_at'],
  ]
    .map(
      ([name, change, time]) => `
  CREATE TRIGGER ${name} AFTER ${change}
    WHEN (NEW.environment, NEW.account) IS NOT
         (SELECT environment, account FROM profile_uses
           WHERE profile = NEW.profile AND used_at <= NEW.${time} ORDER BY used_at DESC, rowid DESC LIMIT 1)
  BEGIN
    INSERT INTO profile_uses VALUES (NEW.profile, NEW.${time}, NEW.environment, NEW.account);
  END;`,
    )
    .join('')}
`;

export const LEDGER_TABLES: string = MONEY + RECORDS + PROFILE_USES + EVENTS + CALLS + THINGS;
