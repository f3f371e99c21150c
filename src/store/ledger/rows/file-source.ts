/** The rows of a ledger's file, page by page. */
import type { Database } from '../../sqlite/database.ts';
import type { Columns, Queries } from '../../sqlite/queries.ts';
import {
  BEING_SENT,
  ENTRIES_A_PAGE,
  ENTRY_COLUMNS,
  type EntryRow,
  EVENT_COLUMNS,
  EVENTS_A_PAGE,
  type EventRow,
  type ForwardRow,
  originOf,
  RECORD_COLUMNS,
  type RecordRow,
  type RowSource,
  SENDER_ENDED,
} from './ledger-rows.ts';

type Numbered<Row> = Row & { number: number };

/** @returns which ledger a file is, for good */
export function ledgerIdOf(queries: Queries): string {
  return queries.one<{ id: string }>('SELECT id FROM ledger').id;
}

/** @param isGone whether the process of this name has ended */
export function fileSource(
  database: Database,
  isGone: (owner: string) => boolean | undefined,
): RowSource {
  const id = database.read(ledgerIdOf);
  return {
    entries: () =>
      pages((after) => database.read((queries) => entriesAfter(queries, after, isGone))),
    records: () => pages((after) => database.read((queries) => recordsAfter(queries, after))),
    events: () => pages((after) => database.read((queries) => eventsAfter(queries, after, id))),
  };
}

async function* pages<Row>(
  read: (after: number) => { rows: Row[]; last: number | undefined },
): AsyncGenerator<Row[]> {
  for (let after = 0; ; ) {
    const { rows, last } = read(after);
    if (last === undefined) return;
    yield rows;
    after = last;
  }
}

function entriesAfter(
  queries: Queries,
  after: number,
  isGone: (owner: string) => boolean | undefined,
) {
  const rows = queries.all<
    Numbered<Omit<EntryRow, 'superseded'>> & { superseded: number; owner: string | null }
  >(
    `SELECT rowid AS number, owner, ${Object.keys(ENTRY_COLUMNS)} FROM money_requests
      WHERE rowid > ? ORDER BY rowid LIMIT ${ENTRIES_A_PAGE}`,
    after,
  );
  return {
    last: rows.at(-1)?.number,
    rows: rows.map(({ number: _, owner, superseded, ...row }): EntryRow => {
      const entry = { ...row, superseded: superseded === 1 };
      return entry.state === 'sending'
        ? unsettled(entry, owner !== null && isGone(owner) === false)
        : entry;
    }),
  };
}

/** Nobody but its process can settle it here, and in another ledger nobody at all. */
export function unsettled(entry: EntryRow, isBeingSent: boolean): EntryRow {
  const message = isBeingSent ? BEING_SENT : SENDER_ENDED;
  return { ...entry, state: 'unknown', status: null, record_id: null, message };
}

function recordsAfter(queries: Queries, after: number) {
  const rows = queries.all<Numbered<RecordRow>>(
    `SELECT rowid AS number, ${Object.keys(RECORD_COLUMNS)} FROM records_seen
      WHERE rowid > ? ORDER BY rowid LIMIT ${ENTRIES_A_PAGE}`,
    after,
  );
  return { last: rows.at(-1)?.number, rows: rows.map(({ number: _, ...row }) => row) };
}

const FLAGS = ['is_lasting', 'is_masked', 'is_passing'] as const;

interface StoredEvent extends Columns {
  number: number;
  origin: string | null;
  repeats: number | null;
  repeats_origin: string | null;
}

function eventsAfter(queries: Queries, after: number, ledger: string) {
  const columns = Object.keys(EVENT_COLUMNS).map((name) => `events.${name}`);
  const rows = queries.all<StoredEvent>(
    `SELECT events.id AS number, events.origin, events.duplicate_of AS repeats,
            repeated.origin AS repeats_origin, ${columns}
       FROM events LEFT JOIN events AS repeated ON repeated.id = events.duplicate_of
      WHERE events.id > ? ORDER BY events.id LIMIT ${EVENTS_A_PAGE}`,
    after,
  );
  return {
    last: rows.at(-1)?.number,
    rows: rows.map(({ number, origin, repeats, repeats_origin, ...row }): EventRow => {
      const flags = Object.fromEntries(FLAGS.map((name) => [name, row[name] === 1]));
      return {
        ...(row as unknown as EventRow),
        ...flags,
        origin: origin ?? originOf(ledger, number),
        repeats: repeats === null ? null : (repeats_origin ?? originOf(ledger, repeats)),
        forwards: queries.all<ForwardRow>(
          'SELECT target, state, attempts, last_error FROM event_forwards WHERE event = ? ORDER BY target',
          number,
        ),
      };
    }),
  };
}
