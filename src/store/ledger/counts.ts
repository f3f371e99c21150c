/** Counts the contents of a ledger. */
import type { Server } from '../postgres/server.ts';
import { onlyRow } from '../sql.ts';
import type { Database } from '../sqlite/database.ts';

export interface LedgerCounts {
  entries: number;
  records: number;
  unresolved: number;
}

const countsIn = (schema: 'gw.' | '') => `
  SELECT count(*) AS entries, (SELECT count(*) FROM ${schema}records) AS records,
         count(*) FILTER (WHERE state IN ('sending', 'unknown')) AS unresolved
    FROM ${schema}money_requests`;

/** @throws Failure guard if there is no ledger, or the role may not read it */
export async function countServer(server: Server): Promise<LedgerCounts> {
  const [counts] = await server.runAgain<LedgerCounts>(countsIn('gw.'));
  return counts as LedgerCounts;
}

/** @throws Failure usage if the file is damaged or cannot be used */
export function countFile(file: Database): LedgerCounts & { events: number } {
  return file.read((queries) => ({
    ...queries.do(onlyRow<LedgerCounts>(countsIn(''))),
    ...queries.do(onlyRow<{ events: number }>('SELECT count(*) AS events FROM events')),
  }));
}
