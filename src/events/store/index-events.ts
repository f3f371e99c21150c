/**
 * Received events in the index. One that repeats an earlier one is no fact of its own: it says nothing
 * new, and would be counted twice.
 */
import type { IndexedFact } from '../../index/document.ts';
import { factOfEvent, originOfEvent, originsOfEvent } from '../../index/document-of-event.ts';
import { addFact, changeOutcome, dropFacts, putFact } from '../../index/sqlite/write.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import type { NewEvent, Verification } from '../event.ts';
import { readDelivery } from '../read/read-delivery.ts';

type Indexed = Pick<NewEvent, 'receivedAt' | 'profile' | 'mode' | 'body'> & {
  id: number;
  verification: Verification | null;
};

/** @returns the facts of an event, one for each object in it, each with what it is of */
export function factsOfEvent(event: Indexed): { origin: string; fact: IndexedFact }[] {
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
    fact: factOfEvent(said, part),
  }));
}

/** Writes the facts of an event. */
export function indexEvent(queries: Queries, event: Indexed, put = putFact): void {
  for (const { origin, fact } of factsOfEvent(event)) put(queries, origin, fact);
}

type Row = Omit<Indexed, 'verification'> & { verification: string | null };

const EVENTS = `
  SELECT id, received_at AS receivedAt, profile, mode, body, verification FROM events
   WHERE duplicate_of IS NULL AND is_passing = 0`;

/** Writes the facts of an event that is kept. */
export function indexKeptEvent(queries: Queries, id: number): void {
  const row = queries.get<Row>(`${EVENTS} AND id = ?`, id);
  if (row) indexEvent(queries, indexedOf(row));
}

/** Writes the facts of all events into an index that was cleared. */
export function indexEvents(queries: Queries): void {
  for (let after = 0; ; ) {
    const rows = queries.all<Row>(`${EVENTS} AND id > ? ORDER BY id LIMIT 100`, after);
    for (const row of rows) {
      indexEvent(queries, indexedOf(row), addFact);
      after = row.id;
    }
    if (rows.length === 0) return;
  }
}

function indexedOf({ verification, ...event }: Row): Indexed {
  return { ...event, verification: verification && JSON.parse(verification) };
}

/** Notes that the gateway does not confirm an event: it is found, and counted no more. */
export function contradictFacts(queries: Queries, id: number): void {
  changeOutcome(queries, originsInRange(id), 'contradicted');
}

/** Takes all facts of one event out of the index. */
export function dropFactsOfEvent(queries: Queries, id: number): void {
  dropFacts(queries, 'origin >= ? AND origin < ?', ...originsInRange(id));
}

/** @param events a query for their ids, with one value */
export function dropEventFacts(queries: Queries, events: string, value: string): void {
  dropFacts(queries, `kind = 'event' AND CAST(id AS INTEGER) IN (${events})`, value);
}

/** @returns origins of one event: its own text, and those that go on from it */
export function originsInRange(id: number): [from: string, below: string] {
  const prefix = originsOfEvent(id);
  return [prefix, `${prefix}~`];
}
