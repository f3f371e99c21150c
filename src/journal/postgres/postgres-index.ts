/** Records and entries that were copied to a server, written to its index. */
import { putFacts } from '../../index/postgres/postgres-write-facts.ts';
import type { RunStatement } from '../../store/postgres/server.ts';
import { ENTRIES, type EntryRow, entryOf } from './postgres-entries.ts';
import { factsOfEntries } from './postgres-settlements.ts';
import { factsOfRecords, recordsById } from './postgres-sightings.ts';

/** @param ids of records that are there; all of one id are written */
export async function indexRecordsOf(run: RunStatement, ids: readonly string[]): Promise<void> {
  await putFacts(run, await factsOfRecords(run, await recordsById(run, ids)));
}

/** Whose they are is known from the records, which come first. @param ids of entries that are there */
export async function indexEntriesOf(run: RunStatement, ids: readonly string[]): Promise<void> {
  const rows = await run<EntryRow>(`${ENTRIES} WHERE m.id = ANY ($1::text[])`, [ids]);
  await putFacts(run, await factsOfEntries(run, rows.map(entryOf)));
}
