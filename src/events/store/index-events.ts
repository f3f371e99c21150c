/**
 * Indexes received events. An event that repeats an earlier one has no document: it says nothing new, and would be
 * counted twice.
 */

import type { IndexedDocument } from '../../index/document.ts';
import { documentOfEvent, originOfEvent, originsOfEvent } from '../../index/document-of-event.ts';
import { changeOutcome, dropDocuments, putDocuments } from '../../index/write.ts';
import { all, engine, runSql, type Work } from '../../store/sql.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import type { NewEvent, Verification } from '../event.ts';
import { readDelivery } from '../read/read-delivery.ts';

type Indexed = Pick<NewEvent, 'receivedAt' | 'profile' | 'mode' | 'body'> & {
  id: number;
  verification: Verification | null;
};

/** @returns the documents of an event, one for each object in it, each with its origin */
function documentsOfEvent(event: Indexed): { origin: string; document: IndexedDocument }[] {
  const { kept, parts } = readDelivery(event.body);
  const isContradicted = event.verification?.state === 'contradicted';
  const said = {
    id: event.id,
    receivedAt: event.receivedAt,
    profile: event.profile,
    environment: event.mode,
    event: kept.event,
    outcome: isContradicted ? 'contradicted' : kept.outcome,
    message: kept.fault,
  };
  return parts.map((part, index) => ({
    origin: originOfEvent(event.id, index),
    document: documentOfEvent(said, part),
  }));
}

/** Writes the documents of an event. */
export function indexEvent(queries: Queries, event: Indexed): void {
  queries.do(putDocuments(documentsOfEvent(event)));
}

type IndexedRow = Omit<Indexed, 'verification'> & {
  verification: string | null;
  isSearched: number;
};

/** A body may have 1 MiB. */
const PAGE_ROWS = 100;
const NEW_EVENTS = `
  SELECT id, received_at AS "receivedAt", profile, mode, body, verification,
         duplicate_of IS NULL AND is_passing = 0 AS "isSearched"
    FROM events WHERE id > (SELECT id FROM last_indexed_event) ORDER BY id LIMIT :limit`;

/**
 * Writes the documents of the oldest events that are not indexed yet. Indexing an event takes ten times as long as
 * keeping it, so that is left for a search.
 * @returns the number of these events, at most `limit`; 0 for a ledger on a server, which has no events
 */
export function* indexNewEvents(limit: number): Work<number> {
  if ((yield* engine()) === 'postgres') return 0;
  let count = 0;
  for (;;) {
    const rows = yield* all<IndexedRow>(NEW_EVENTS, { limit: Math.min(PAGE_ROWS, limit - count) });
    const last = rows.at(-1);
    if (!last) return count;
    const searched = rows.filter(({ isSearched }) => isSearched);
    yield* putDocuments(searched.flatMap((row) => documentsOfEvent(indexedOf(row))));
    yield* runSql('UPDATE last_indexed_event SET id = :id', { id: last.id });
    count += rows.length;
  }
}

function indexedOf({ verification, isSearched: _, ...event }: IndexedRow): Indexed {
  return { ...event, verification: verification && JSON.parse(verification) };
}

/** Records that the gateway contradicts an event: a search finds it, but it does not count. */
export function contradictDocuments(queries: Queries, id: number): void {
  queries.do(changeOutcome(originsInRange(id), 'contradicted'));
}

/** Removes all documents of one event from the index. */
export function dropDocumentsOfEvent(queries: Queries, id: number): void {
  const [from, below] = originsInRange(id);
  queries.do(dropDocuments('origin >= :from AND origin < :below', { from, below }));
}

/** @returns the range of origins that begin with this event's */
function originsInRange(id: number): [from: string, below: string] {
  const prefix = originsOfEvent(id);
  return [prefix, `${prefix}~`];
}
