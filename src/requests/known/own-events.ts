/** The events that this machine received, as things. They are in its own file, whatever ledger is in use. */
import type { Host } from '../../host/host.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { ledgerPath } from '../../store/paths.ts';
import type { SqlStore, Work } from '../../store/sql.ts';
import { Database } from '../../store/sqlite/database.ts';
import { StoredThings } from '../../things/stored-things.ts';
import type { LotHost } from '../lots.ts';
import { learnInLots, readSources } from './learn-due.ts';

/**
 * @returns an index for questions about events; undefined if there is no file yet
 * @throws Failure usage or guard if the file cannot be used; interrupted while it learns
 */
export async function ownEvents(
  host: LotHost & Pick<Host, 'files'>,
): Promise<StoredThings | undefined> {
  const store = ownStore(host);
  if (!store) return undefined;
  await learnInLots(host, store);
  return new StoredThings(store, readSources);
}

/** @returns the file, opened for each question alone, so that nothing has to be closed; undefined if there is none yet */
export function ownStore({ files }: Pick<Host, 'files'>): Omit<SqlStore, 'close'> | undefined {
  const path = ledgerPath(files);
  if (files.size(path) === 0) return undefined;
  const ask = async <Result>(kind: 'read' | 'write', work: () => Work<Result>) => {
    const database = new Database(ledgerFile(path));
    try {
      return database[kind]((queries) => queries.do(work()));
    } finally {
      database.close();
    }
  };
  return { read: (work) => ask('read', work), write: (work) => ask('write', work) };
}
