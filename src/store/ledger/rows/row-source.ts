/** The rows of a ledger, page by page. Each page is of one moment; all of them are where the store is a snapshot. */
import { all, engine, type SqlStore, type Work } from '../../sql.ts';
import {
  BEING_SENT,
  ENTRY_COLUMNS,
  type EntryRow,
  RECORD_COLUMNS,
  type RecordRow,
  type RowSource,
} from './ledger-rows.ts';

/** Rows of a page. */
const ENTRIES_A_PAGE = 500;

/** Of an entry whose process has ended. */
const SENDER_ENDED = 'gw ended before the answer came';

/** @param isGone whether the process of this name, which writes to a file, has ended */
export function rowSource(
  store: Pick<SqlStore, 'read'>,
  isGone: (owner: string) => boolean | undefined = () => undefined,
): RowSource {
  return {
    entries: () => pages(FIRST_ENTRY, (after) => store.read(() => entriesAfter(after, isGone))),
    records: () => pages(FIRST_RECORD, (after) => store.read(() => recordsAfter(after))),
  };
}

interface Page<Row, Place> {
  rows: Row[];
  /** Undefined after the last page. */
  last: Place | undefined;
}

async function* pages<Row, Place>(
  first: Place,
  read: (after: Place) => Promise<Page<Row, Place>>,
): AsyncGenerator<Row[]> {
  for (let after = first; ; ) {
    const { rows, last } = await read(after);
    if (last === undefined) return;
    yield rows;
    after = last;
  }
}

/** In the order in which entries are listed; times as the server has them, which is finer than ISO 8601 of gw. */
interface EntryPlace {
  place: string;
  number: number;
}

const FIRST_ENTRY: EntryPlace = { place: '-infinity', number: 0 };

/** Who may be sending an entry. */
const SENDER = {
  sqlite: 'm.owner',
  postgres: 'CASE WHEN m.sends_until >= now() THEN m.owner END',
};

function* entriesAfter(
  { place, number }: EntryPlace,
  isGone: (owner: string) => boolean | undefined,
): Work<Page<EntryRow, EntryPlace>> {
  const store = yield* engine();
  const rows = yield* all<EntryRow & EntryPlace & { sender: string | null }>(
    `SELECT m.created_at::text AS place, m.rowid AS number, ${SENDER[store]} AS sender,
            ${ENTRY_COLUMNS.map((name) => `m.${name}`)}
       FROM gw.money_requests AS m
      WHERE (m.created_at, m.rowid) > (:place::timestamptz, :number::bigint)
      ORDER BY m.created_at, m.rowid LIMIT ${ENTRIES_A_PAGE}`,
    { place, number },
  );
  return {
    last: rows.at(-1),
    rows: rows.map(({ place: _, number: __, sender, ...row }) => {
      const entry = { ...row, superseded: Boolean(row.superseded) };
      if (entry.state !== 'sending') return entry;
      return unsettled(
        entry,
        sender !== null && (store === 'postgres' || isGone(sender) === false),
      );
    }),
  };
}

/** Nobody but its process can settle it here, and in another ledger nobody at all. */
function unsettled(entry: EntryRow, isBeingSent: boolean): EntryRow {
  const message = isBeingSent ? BEING_SENT : SENDER_ENDED;
  return { ...entry, state: 'unknown', status: null, record_id: null, message };
}

type RecordPlace = Record<'id' | 'account' | 'profile' | 'host' | 'kind', string>;

const FIRST_RECORD: RecordPlace = { id: '', account: '', profile: '', host: '', kind: '' };
const RECORD_PLACE = "id, coalesce(account, ''), profile, host, kind";

/** By their ids, which have an index; of one id there are few. */
function* recordsAfter(after: RecordPlace): Work<Page<RecordRow, RecordPlace>> {
  const rows = yield* all<RecordRow>(
    `SELECT ${RECORD_COLUMNS} FROM gw.records_seen
      WHERE id >= :id AND (${RECORD_PLACE}) > (:id, :account, :profile, :host, :kind)
      ORDER BY ${RECORD_PLACE} LIMIT ${ENTRIES_A_PAGE}`,
    { ...after },
  );
  const last = rows.at(-1);
  return { rows, last: last && { ...last, account: last.account ?? '' } };
}
