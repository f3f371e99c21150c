/**
 * Money requests as documents. A request becomes one when its outcome is written, so that an intent waits for
 * nothing but itself; what has no outcome yet is made one before anybody searches.
 */
import { ownersOf } from '../../index/customer-of-purchase.ts';
import { documentOfRequest, originOfRequest } from '../../index/document-of-request.ts';
import { putDocuments } from '../../index/write.ts';
import { all, type Work } from '../../store/sql.ts';
import type { LedgerEntry } from '../ledger.ts';
import { ENTRIES, type EntryRow, entryOf } from './request-queries.ts';

/** Writes the document of an entry as it is by now. */
export function indexRequest(id: string): Work<void> {
  return indexEntries([id]);
}

/** As `indexRequest`, of several. */
export function* indexEntries(ids: readonly string[]): Work<void> {
  if (ids.length > 0) yield* putDocuments(yield* documentsOf(ids));
}

function* documentsOf(ids: readonly string[]) {
  const rows = yield* all<EntryRow>(`${ENTRIES} WHERE id = ANY (:ids)`, { ids });
  const entries = rows.map(entryOf);
  const owners = yield* ownersOf(entries.flatMap((entry) => nameOf(entry) ?? []));
  return entries.map((entry) => ({
    origin: originOfRequest(entry.id),
    document: documentOfRequest(entry, owners.get(nameOf(entry) ?? '')),
  }));
}

/** @returns what a request is about, where that says whose it is; of one that names a card itself nothing */
function nameOf({ target, body }: LedgerEntry): string | undefined {
  return target !== null && body.card_number === undefined ? target : undefined;
}

/** @returns ids of the entries that are no documents so far */
export function* unindexedRequests(): Work<string[]> {
  const rows = yield* all<{ id: string }>(
    `SELECT id FROM gw.money_requests
      WHERE state IN ('sending', 'unknown')
        AND NOT EXISTS (SELECT 1 FROM gw.facts WHERE origin = 'request ' || money_requests.id)`,
  );
  return rows.map(({ id }) => id);
}

const PAGE_ROWS = 1_000;

/**
 * Writes the documents of requests again whose name is known from records and events that have changed.
 * @param isTheirs whether a name is one that it is about
 */
export function* reindexRequestsOf(isTheirs: (who: string) => boolean): Work<void> {
  for (let after = 0; ; ) {
    const rows = yield* all<{ doc: number; id: string; who: string | null }>(
      `SELECT doc, id, who FROM gw.facts WHERE kind = 'request' AND doc > :after
        ORDER BY doc LIMIT ${PAGE_ROWS}`,
      { after },
    );
    yield* indexEntries(rows.flatMap(({ id, who }) => (who !== null && isTheirs(who) ? id : [])));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ROWS) return;
    after = last.doc;
  }
}

/** Writes the documents of all entries into an index that was cleared. */
export function* indexRequests(): Work<void> {
  for (let after = 0; ; ) {
    const rows = yield* all<{ number: number; id: string }>(
      `SELECT rowid AS number, id FROM gw.money_requests WHERE rowid > :after
        ORDER BY rowid LIMIT ${PAGE_ROWS}`,
      { after },
    );
    yield* indexEntries(rows.map(({ id }) => id));
    const last = rows.at(-1);
    if (!last) return;
    after = last.number;
  }
}
