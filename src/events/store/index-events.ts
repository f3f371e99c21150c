/**
 * Indexes received events. An event that repeats an earlier one has no document: it says nothing new, and would be
 * counted twice.
 */

import type { IndexedDocument } from '../../index/document.ts';
import { documentOfEvent, originOfEvent, originsOfEvent } from '../../index/document-of-event.ts';
import { changeOutcome, dropDocuments, putDocuments } from '../../index/write.ts';
import { all, get, type Work } from '../../store/sql.ts';
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

type IndexedRow = Omit<Indexed, 'verification'> & { verification: string | null };

const EVENTS = `
  SELECT id, received_at AS "receivedAt", profile, mode, body, verification FROM events
   WHERE duplicate_of IS NULL AND is_passing = 0`;

/** Writes the documents of a stored event; an event that is gone meanwhile has none. */
export function* indexKeptEvent(id: number): Work<void> {
  const row = yield* get<IndexedRow>(`${EVENTS} AND id = :id`, { id });
  if (row) yield* putDocuments(documentsOfEvent(indexedOf(row)));
}

/** Writes the documents of all events into an empty index. */
export function* indexEvents(): Work<void> {
  for (let after = 0; ; ) {
    const sql = `${EVENTS} AND id > :after ORDER BY id LIMIT 100`;
    const rows = yield* all<IndexedRow>(sql, { after });
    yield* putDocuments(rows.flatMap((row) => documentsOfEvent(indexedOf(row))));
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

function indexedOf({ verification, ...event }: IndexedRow): Indexed {
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
