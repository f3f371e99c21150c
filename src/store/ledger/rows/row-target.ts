/** Rows of another ledger, written into this one; each page is one transaction. */
import {
  all,
  engine,
  insertAll,
  insertCounted,
  run,
  type SqlStore,
  type SqlValues,
  update,
  type Work,
} from '../../sql.ts';
import {
  type EntriesPut,
  type EntryRow,
  RECORD_COLUMNS,
  type RecordRow,
  type RowTarget,
} from './ledger-rows.ts';

export function rowTarget(store: Pick<SqlStore, 'write'>): RowTarget {
  return {
    putEntries: (rows) =>
      store.write(function* () {
        const put = yield* putEntries(rows);
        yield* witness(rows.map(({ id }) => id));
        return put;
      }),
    putRecords: (rows) => store.write(() => putRecords(rows)),
  };
}

const LIVE = ['sending', 'unknown', 'done'];
const OPEN = ['sending', 'unknown'];

/** What settling an entry changes. */
const SETTLED = [
  ...(['state', 'settled_at', 'status', 'record_id', 'message'] as const),
  ...(['superseded', 'resolution', 'resolved_by'] as const),
];

/**
 * An outcome is never taken back. An entry whose line another one holds here was sent all the same: it
 * stays, and holds the line no more.
 */
function* putEntries(rows: readonly EntryRow[]): Work<EntriesPut> {
  const states = yield* statesOf(rows);
  const holders = yield* holdersOf(rows);
  const missing: SqlValues[] = [];
  const conflicts: string[] = [];
  for (const row of rows) {
    const line = lineOf(row);
    const holder = holders.get(line);
    const isHeld = holdsLine(row) && holder !== undefined && holder !== row.id;
    if (isHeld) conflicts.push(row.id);
    const entry = { ...row, superseded: row.superseded || isHeld };
    if (holdsLine(entry)) holders.set(line, row.id);
    else if (holder === row.id) holders.delete(line);
    const known = states.get(row.id);
    if (known === undefined) missing.push({ ...entry });
    else if (isFurther(row.state, known)) yield* settle(entry);
  }
  const added = yield* insertCounted('money_requests', missing, 'ON CONFLICT DO NOTHING');
  if (added === missing.length) return { added, conflicts };
  // Others have written the same entry or line meanwhile, and what they wrote is seen by now.
  const again = yield* putEntries(rows);
  return { ...again, added: again.added + added };
}

/** On a server each outcome is a row that stays. */
function* witness(ids: readonly string[]): Work<void> {
  if ((yield* engine()) === 'sqlite') return;
  const said = 'state, status, record_id, message, resolution, resolved_by';
  yield* run(
    `INSERT INTO gw.outcomes (entry, ${said})
     SELECT id, ${said} FROM gw.money_requests AS m
      WHERE id = ANY (:ids) AND state <> 'sending'
        AND state IS DISTINCT FROM (SELECT o.state FROM gw.outcomes AS o WHERE o.entry = m.id
                                     ORDER BY o.number DESC LIMIT 1)
      ORDER BY number`,
    { ids },
  );
}

function* statesOf(rows: readonly EntryRow[]): Work<Map<string, string>> {
  const found = yield* all<{ id: string; state: string }>(
    'SELECT id, state FROM gw.money_requests WHERE id = ANY (:ids) ORDER BY id FOR UPDATE',
    { ids: rows.map(({ id }) => id) },
  );
  return new Map(found.map(({ id, state }) => [id, state]));
}

type Line = Pick<EntryRow, 'account' | 'batch' | 'line'>;

/** @returns the entries that hold the lines of batches, by line */
function* holdersOf(rows: readonly EntryRow[]): Work<Map<string, string>> {
  const asked = rows.filter(holdsLine);
  const each = (value: (row: EntryRow) => string | null) => [
    ...new Set(asked.map((row) => value(row) ?? '')),
  ];
  const found = yield* all<Line & { id: string }>(
    `SELECT id, account, batch, line FROM gw.money_requests
      WHERE coalesce(account, '') = ANY (:accounts) AND batch = ANY (:batches)
        AND line = ANY (:lines) AND batch IS NOT NULL
        AND NOT superseded /*sqlite AND superseded = 0 */ AND state IN (${LIVE.map((state) => `'${state}'`)})`,
    {
      accounts: each(({ account }) => account),
      batches: each(({ batch }) => batch),
      lines: each(({ line }) => line),
    },
  );
  return new Map(found.map((row) => [lineOf(row), row.id]));
}

function lineOf({ account, batch, line }: Line): string {
  return JSON.stringify([account ?? '', batch, line]);
}

function holdsLine({ batch, line, superseded, state }: EntryRow): boolean {
  return batch !== null && line !== null && !superseded && LIVE.includes(state);
}

/** That nobody is sending any more is something. */
function isFurther(state: string, known: string): boolean {
  if (!OPEN.includes(known)) return false;
  return !OPEN.includes(state) || (known === 'sending' && state === 'unknown');
}

function* settle(entry: EntryRow): Work<void> {
  const outcome = Object.fromEntries(SETTLED.map((name) => [name, entry[name]]));
  yield* update('money_requests', outcome, { id: entry.id });
}

/** What was seen last is what a record is; an earlier look may know what that left out. */
const LATER = RECORD_COLUMNS.filter(
  (name) => !['account', 'kind', 'id', 'first_seen_at'].includes(name),
).map((name) => {
  const known = `records_seen.${name}`;
  const isKept = ['reference', 'name', 'last_four', 'amount'].includes(name);
  const seen = isKept ? `coalesce(excluded.${name}, ${known})` : `excluded.${name}`;
  return `${name} = CASE WHEN excluded.last_seen_at >= records_seen.last_seen_at THEN ${seen} ELSE ${known} END`;
});
const MERGED = `
  first_seen_at = CASE WHEN excluded.first_seen_at < records_seen.first_seen_at
                       THEN excluded.first_seen_at ELSE records_seen.first_seen_at END, ${LATER}`;

const OF_ACCOUNT = '(account, kind, id) WHERE account IS NOT NULL';
const OF_PROFILE = '(profile, host, kind, id) WHERE account IS NULL';

function* putRecords(rows: readonly RecordRow[]): Work<number> {
  const ofAccounts = rows.filter(({ account }) => account !== null);
  const ofProfiles = rows.filter(({ account }) => account === null);
  return (yield* merge(ofAccounts, OF_ACCOUNT)) + (yield* merge(ofProfiles, OF_PROFILE));
}

/** @param key of the rows, as `ON CONFLICT` has it @returns how many were not known */
function* merge(rows: readonly RecordRow[], key: string): Work<number> {
  const values = rows.map((row) => ({ ...row }));
  const added = yield* insertCounted('records_seen', values, `ON CONFLICT ${key} DO NOTHING`);
  if (added < rows.length)
    yield* insertAll('records_seen', values, `ON CONFLICT ${key} DO UPDATE SET ${MERGED}`);
  return added;
}
