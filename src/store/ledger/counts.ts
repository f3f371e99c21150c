/** What a ledger's file is and has. */
import { Database } from '../sqlite/database.ts';
import { bytesOf } from '../sqlite/inspect-file.ts';
import { ledgerFile } from './ledger-file.ts';

export interface LedgerCounts {
  form: number;
  /** Of the file and its log. */
  bytes: number;
  entries: number;
  records: number;
  events: number;
  unresolved: number;
}

/**
 * @param path of a ledger that is there
 * @throws Failure guard or usage when it cannot be opened
 */
export function countLedger(path: string): LedgerCounts {
  const format = ledgerFile(path);
  const database = new Database(format);
  try {
    const found = database.read((queries) =>
      queries.one<Omit<LedgerCounts, 'form' | 'bytes'>>(
        `SELECT (SELECT count(*) FROM money_requests) AS entries,
                (SELECT count(*) FROM records_seen) AS records,
                (SELECT count(*) FROM events) AS events,
                (SELECT count(*) FROM money_requests
                  WHERE state IN ('sending', 'unknown')) AS unresolved`,
      ),
    );
    return { ...found, form: format.migrations.length, bytes: bytesOf(path) };
  } finally {
    database.close();
  }
}
