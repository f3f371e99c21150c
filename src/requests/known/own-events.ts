/** The events that this machine received, as documents: they are in its file, whatever ledger is in use. */
import type { Host } from '../../host/host.ts';
import type { SearchIndex } from '../../index/search-index.ts';
import { StoredDocuments } from '../../index/stored-documents.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { ledgerPath } from '../../store/paths.ts';
import { Database } from '../../store/sqlite/database.ts';
import { indexAllDue } from './index-deferred.ts';

/**
 * @returns an index of which events may be asked; undefined where there is no file yet
 * @throws Failure usage or guard when the file cannot be used
 */
export function ownEvents({ files }: Pick<Host, 'files'>): SearchIndex | undefined {
  const path = ledgerPath(files);
  if (files.size(path) === 0) return undefined;
  indexAllDue(path);
  return new StoredDocuments({
    // Open for each question alone, so that there is nothing to be closed.
    async read(work) {
      const database = new Database(ledgerFile(path));
      try {
        return database.read((queries) => queries.do(work(), ''));
      } finally {
        database.close();
      }
    },
  });
}
