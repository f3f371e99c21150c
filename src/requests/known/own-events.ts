/** The events that this machine received, as documents: they are in its file, whatever ledger is in use. */
import type { Host } from '../../host/host.ts';
import type { SearchIndex } from '../../index/search-index.ts';
import { StoredDocuments } from '../../index/stored-documents.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { ledgerPath } from '../../store/paths.ts';
import type { SqlStore, Work } from '../../store/sql.ts';
import { Database } from '../../store/sqlite/database.ts';
import { indexAllDue } from './index-deferred.ts';

/**
 * @returns an index of which events may be asked; undefined where there is no file yet
 * @throws Failure usage or guard when the file cannot be used
 */
export async function ownEvents({ files }: Pick<Host, 'files'>): Promise<SearchIndex | undefined> {
  const path = ledgerPath(files);
  if (files.size(path) === 0) return undefined;
  const store = openedEachTime(path);
  await indexAllDue(store);
  return new StoredDocuments(store);
}

/** Open for each question alone, so that there is nothing to be closed. */
function openedEachTime(path: string): Omit<SqlStore, 'close'> {
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
