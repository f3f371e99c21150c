/**
 * Keeping a batch of deliveries, in one transaction: those that arrive together share one write to the disk.
 *
 * A delivery is a duplicate when an earlier one has its identity and that identity is never used
 * again, or when the latest delivery of its source has it: the same subscription is announced in the
 * same words every day (charge:pending), but then something else was heard of it in between.
 */
import { deferEvents } from '../../index/deferred.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import type { Appended, NewEvent } from '../event.ts';

/** The latest event of a source that was none of its repetitions. */
interface Heard {
  id: number;
  identity: string;
}

/** An event with its number and what it repeats. */
interface Decided extends Appended {
  event: NewEvent;
}

/** @returns one entry for each event, in the same order */
export function appendEvents(queries: Queries, events: readonly NewEvent[]): Appended[] {
  const latest = latestOf(queries, events);
  const { decided, heard } = decide(events, {
    first: nextNumber(queries),
    latest,
    lasting: lastingOf(queries, events),
  });
  queries.insertAll('events', decided.map(rowOf));
  for (const [source, { id, identity }] of heard)
    queries.insert(
      'event_sources',
      { source, event: id, identity },
      'ON CONFLICT (source) DO UPDATE SET event = excluded.event, identity = excluded.identity',
    );
  queries.insertAll('event_forwards', decided.flatMap(forwardOf));
  // To index an event takes ten times as long as to keep it, and nobody waits for that.
  const fresh = decided.filter((one) => one.duplicateOf === null && !one.event.isTransient);
  queries.do(deferEvents(fresh.map(({ id }) => id)));
  return decided.map(({ id, duplicateOf }) => ({ id, duplicateOf }));
}

function latestOf(queries: Queries, events: readonly NewEvent[]): Map<string, Heard> {
  const rows = queries.all<Heard & { source: string }>(
    `SELECT source, event AS id, identity FROM event_sources
      WHERE source IN (SELECT value FROM json_each(:sources))`,
    { sources: [...new Set(events.map(({ source }) => source))] },
  );
  return new Map(rows.map(({ source, ...heard }) => [source, heard]));
}

/** @returns the number of the next event; none is used again */
function nextNumber(queries: Queries): number {
  const highest = queries.get<{ seq: number }>(
    "SELECT seq FROM sqlite_sequence WHERE name = 'events'",
  );
  return (highest?.seq ?? 0) + 1;
}

/** @returns the first event of each identity that is never used again, of those that are known */
function lastingOf(queries: Queries, events: readonly NewEvent[]): Map<string, number> {
  const identities = events.flatMap(({ identity, isLasting }) => (isLasting ? [identity] : []));
  if (identities.length === 0) return new Map();
  const found = queries.all<{ id: number; identity: string }>(
    `SELECT id, identity FROM events
      WHERE identity IN (SELECT value FROM json_each(:identities))
        AND duplicate_of IS NULL AND is_lasting = 1`,
    { identities },
  );
  return new Map(found.map(({ id, identity }) => [identity, id]));
}

/**
 * @param known `first` is the number of the first event; `lasting` has the first event of each identity that is
 *   never used again, and is brought up to date, since those of one batch repeat each other too
 * @returns the events, and what was heard of their sources
 */
function decide(
  events: readonly NewEvent[],
  known: { first: number; latest: ReadonlyMap<string, Heard>; lasting: Map<string, number> },
): { decided: Decided[]; heard: Map<string, Heard> } {
  const { first, latest, lasting } = known;
  const heard = new Map<string, Heard>();
  const decided = events.map((event, i) => {
    const { source, identity, isLasting } = event;
    const id = first + i;
    const last = heard.get(source) ?? latest.get(source);
    const ofSource = last?.identity === identity ? last.id : undefined;
    const duplicateOf = (isLasting ? lasting.get(identity) : ofSource) ?? null;
    if (duplicateOf === null) {
      heard.set(source, { id, identity });
      if (isLasting) lasting.set(identity, id);
    }
    return { event, id, duplicateOf };
  });
  return { decided, heard };
}

function rowOf({ event, id, duplicateOf }: Decided) {
  return {
    id,
    received_at: event.receivedAt,
    profile: event.profile,
    mode: event.mode,
    status: event.status,
    authentication: event.authentication,
    event: event.event,
    outcome: event.outcome,
    fault: event.fault,
    subjects: JSON.stringify(event.subjects),
    customers: JSON.stringify(event.customers),
    source: event.source,
    identity: event.identity,
    is_lasting: Number(event.isLasting),
    is_masked: Number(event.isMasked),
    duplicate_of: duplicateOf,
    verification: event.verification && JSON.stringify(event.verification),
    is_passing: Number(event.isTransient ?? false),
    headers: JSON.stringify(event.headers),
    body: event.body,
  };
}

function forwardOf({ event: { forwardTo }, id }: Decided) {
  return forwardTo === null
    ? []
    : [{ target: forwardTo, event: id, state: 'waiting', attempts: 0 }];
}
