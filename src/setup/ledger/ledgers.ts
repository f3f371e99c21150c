/** A ledger as what is copied from, and to. */

import { openFile } from '../../client/ledger/open.ts';
import { openServer } from '../../client/ledger/open-on-server.ts';
import type { LedgerPlace, ServerPlace } from '../../client/ledger/place.ts';
import { Failure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { indexRecordsOf } from '../../journal/records/snapshots.ts';
import { indexEntries } from '../../journal/requests/index-requests.ts';
import { rebuildIndex } from '../../requests/known/rebuild-index.ts';
import { checkForm } from '../../store/ledger/init.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import type {
  EntryRow,
  RecordRow,
  RowSource,
  RowTarget,
} from '../../store/ledger/rows/ledger-rows.ts';
import { rowSource } from '../../store/ledger/rows/row-source.ts';
import { rowTarget } from '../../store/ledger/rows/row-target.ts';
import { ledgerPath } from '../../store/paths.ts';
import { PostgresStore } from '../../store/postgres/postgres-store.ts';
import type { Server } from '../../store/postgres/server.ts';
import { Database } from '../../store/sqlite/database.ts';
import { SqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { labelOfPlace } from './named-ledger.ts';

/** Rows that were written, to be found. */
export interface RowIndex {
  records(rows: readonly RecordRow[]): Promise<void>;
  entries(rows: readonly EntryRow[]): Promise<void>;
  /** After the last one. */
  finish(): void;
}

export interface OpenSource {
  rows: RowSource;
  close(): Promise<void>;
}

export interface OpenTarget {
  rows: RowTarget;
  index: RowIndex;
  close(): Promise<void>;
}

/** @throws Failure when there is no such ledger, or it cannot be read */
export async function openSource(host: Host, place: LedgerPlace): Promise<OpenSource> {
  if (place.kind === 'server') {
    const store = new PostgresStore(await openChecked(host, place));
    return { rows: rowSource(store), close: () => store.close() };
  }
  const { path } = place;
  if (host.files.size(path) === 0)
    throw new Failure('notFound', `There is no ledger ${path}.`, {
      code: 'ledger-missing',
      next: 'Name another one. `gw ledger status` shows the one in use.',
    });
  // What look-ups have seen, and is not in it yet, belongs to it.
  if (host.files.isSame(path, ledgerPath(host.files))) await (await openFile(host, path)).close();
  const store = new SqliteStore(new Database(ledgerFile(path)), host.clock);
  const rows = rowSource(store, (owner) => host.processes.isGone(owner));
  return { rows, close: () => store.close() };
}

/** @throws Failure when it cannot be written to */
export async function openTarget(host: Host, place: LedgerPlace): Promise<OpenTarget> {
  if (place.kind === 'file') return openFileTarget(host, place.path);
  const server = await openChecked(host, place);
  return {
    rows: rowTarget(new PostgresStore(server)),
    index: serverIndex(server),
    close: () => server.close(),
  };
}

/** A file that is not there is made. */
export function openFileTarget({ clock }: Pick<Host, 'clock'>, path: string): OpenTarget {
  const store = new SqliteStore(new Database(ledgerFile(path)), clock);
  const nothing = async () => undefined;
  return {
    rows: rowTarget(store),
    index: {
      records: nothing,
      entries: nothing,
      finish: () => rebuildIndex(path),
    },
    close: () => store.close(),
  };
}

async function openChecked(host: Host, place: ServerPlace): Promise<Server> {
  const server = openServer(host, place);
  try {
    await checkForm((sql, values) => server.runAgain(sql, values), labelOfPlace(place));
    return server;
  } catch (error) {
    await server.close();
    throw error;
  }
}

function serverIndex(server: Server): RowIndex {
  const store = new PostgresStore(server);
  return {
    records: (rows) => store.write(() => indexRecordsOf(rows.map(({ id }) => id))),
    entries: (rows) => store.write(() => indexEntries(rows.map(({ id }) => id))),
    finish: () => undefined,
  };
}
