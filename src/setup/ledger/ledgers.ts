/** A ledger as what is copied from, and to. */

import { openFile } from '../../client/ledger/open.ts';
import { openServer } from '../../client/ledger/open-on-server.ts';
import type { LedgerPlace, ServerPlace } from '../../client/ledger/place.ts';
import { rebuildIndex } from '../../desk/query/rebuild-index.ts';
import { indexEventsOf } from '../../events/store/postgres/postgres-index.ts';
import { Failure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { indexEntriesOf, indexRecordsOf } from '../../journal/postgres/postgres-index.ts';
import { checkForm } from '../../store/ledger/init.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { fileSource } from '../../store/ledger/rows/file-source.ts';
import { fileTarget } from '../../store/ledger/rows/file-target.ts';
import type {
  EntryRow,
  EventRow,
  RecordRow,
  RowSource,
  RowTarget,
} from '../../store/ledger/rows/ledger-rows.ts';
import { serverLedgerId, serverSource } from '../../store/ledger/rows/server-source.ts';
import { serverTarget } from '../../store/ledger/rows/server-target.ts';
import { ledgerPath } from '../../store/paths.ts';
import type { RunStatement, Server } from '../../store/postgres/server.ts';
import { Database } from '../../store/sqlite/database.ts';
import { labelOfPlace } from './named-ledger.ts';

/** Rows that were written, to be found. */
export interface RowIndex {
  records(rows: readonly RecordRow[]): Promise<void>;
  events(rows: readonly EventRow[]): Promise<void>;
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
    const server = await openChecked(host, place);
    const run: RunStatement = (sql, values) => server.runAgain(sql, values);
    const rows = serverSource(run, await serverLedgerId(run));
    return { rows, close: () => server.close() };
  }
  const { path } = place;
  if (host.files.size(path) === 0)
    throw new Failure('notFound', `There is no ledger ${path}.`, {
      code: 'ledger-missing',
      next: 'Name another one. `gw ledger status` shows the one in use.',
    });
  // What look-ups have seen, and is not in it yet, belongs to it.
  if (host.files.isSame(path, ledgerPath(host.files))) await (await openFile(host, path)).close();
  const database = new Database(ledgerFile(path));
  const rows = fileSource(database, (owner) => host.processes.isGone(owner));
  return { rows, close: async () => database.close() };
}

/** @throws Failure when it cannot be written to */
export async function openTarget(host: Host, place: LedgerPlace): Promise<OpenTarget> {
  if (place.kind === 'server') {
    const server = await openChecked(host, place);
    const id = await serverLedgerId((sql, values) => server.runAgain(sql, values));
    return {
      rows: serverTarget(server, id),
      index: serverIndex(server),
      close: () => server.close(),
    };
  }
  return openFileTarget(place.path);
}

/** A file that is not there is made. */
export function openFileTarget(path: string): OpenTarget {
  const database = new Database(ledgerFile(path));
  const nothing = async () => undefined;
  return {
    rows: fileTarget(database),
    index: {
      records: nothing,
      events: nothing,
      entries: nothing,
      finish: () => rebuildIndex(path),
    },
    close: async () => database.close(),
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
  return {
    records: (rows) =>
      server.transaction((run) =>
        indexRecordsOf(
          run,
          rows.map(({ id }) => id),
        ),
      ),
    events: (rows) =>
      server.transaction((run) =>
        indexEventsOf(
          run,
          rows.map(({ origin }) => origin),
        ),
      ),
    entries: (rows) =>
      server.transaction((run) =>
        indexEntriesOf(
          run,
          rows.map(({ id }) => id),
        ),
      ),
    finish: () => undefined,
  };
}
