/**
 * Keeping a batch of deliveries, in one transaction: those that arrive together share one write to the disk.
 *
 * A delivery is a duplicate when an earlier one has its identity and that identity is never used
 * again, or when the latest delivery of its source has it: the same subscription is announced in the
 * same words every day (charge:pending), but then something else was heard of it in between.
 *
 * This is decided while the rows of the sources are locked: of two listeners that are given the same
 * delivery one waits for the other, and finds what that one kept. So the numbers of the events of a
 * source are in the order in which they were kept. Two sources can only meet in an identity that is
 * never used again, which is unique where several listeners write.
 */
import { deferEvents } from '../../index/deferred.ts';
import { putDocuments } from '../../index/write.ts';
import { lastingOf, takeNumbers } from '../../store/ledger/event-numbers.ts';
import { all, engine, insertAll, insertCounted, met, run, type Work } from '../../store/sql.ts';
import type { Appended, NewEvent } from '../event.ts';
import { documentsOfEvent } from './index-events.ts';

/** The latest event of a source that was none of its repetitions. */
interface Heard {
  /** 0 of a source of which none is known. */
  id: number;
  /** null where nothing but repetitions of other sources was heard. */
  identity: string | null;
}

/** An event with its number and what it repeats. */
interface Decided extends Appended {
  event: NewEvent;
}

/**
 * @param machine name of this machine; null where the ledger is that of one machine
 * @returns work that keeps them; where the answer to it was lost and it is done again, it finds what it kept
 */
export function appending(
  events: readonly NewEvent[],
  machine: string | null,
): () => Work<Appended[]> {
  let ids: readonly number[] = [];
  return function* () {
    // Waits for the end of that whose answer was lost, if it has not ended.
    const latest = yield* lockSources(events);
    const kept = yield* appendedOf(ids);
    if (kept.length > 0) return kept;
    ids = yield* takeNumbers(events.length);
    const { decided, heard } = decide(events, ids, latest, yield* lastingOf(events));
    const rows = decided.map((one) => rowOf(one, machine));
    const added = yield* insertCounted('events', rows, 'ON CONFLICT DO NOTHING');
    // Another listener has kept the same under another source meanwhile: what is decided is not true.
    if (added < rows.length) throw met();
    yield* noteSources(heard);
    yield* insertAll('event_forwards', decided.flatMap(forwardOf));
    yield* indexNew(decided);
    return decided.map(({ id, duplicateOf }) => ({ id, duplicateOf }));
  };
}

/** Waits for whoever is keeping events of the same sources, and keeps others waiting. */
function* lockSources(events: readonly NewEvent[]): Work<Map<string, Heard>> {
  const sources = [...new Set(events.map(({ source }) => source))];
  // Whoever writes to a file is alone; elsewhere only a row that is there can be locked.
  if ((yield* engine()) === 'postgres')
    yield* run(
      `INSERT INTO gw.event_sources (source, event)
       SELECT source, 0 FROM unnest(:sources::text[]) AS source ORDER BY source
       ON CONFLICT DO NOTHING`,
      { sources },
    );
  // In one order, so that two batches never wait for each other.
  const rows = yield* all<Heard & { source: string }>(
    `SELECT source, event AS id, identity FROM gw.event_sources
      WHERE source = ANY (:sources) ORDER BY source FOR UPDATE`,
    { sources },
  );
  return new Map(rows.map(({ source, ...heard }) => [source, heard]));
}

function* appendedOf(ids: readonly number[]): Work<Appended[]> {
  if (ids.length === 0) return [];
  return yield* all<Appended>(
    `SELECT id, duplicate_of AS "duplicateOf" FROM gw.events WHERE id = ANY (:ids) ORDER BY id`,
    { ids },
  );
}

/**
 * @param lasting the first event of each identity that is never used again; those of one batch repeat each
 *   other too, so it is brought up to date
 * @returns the events, and what was heard of their sources
 */
function decide(
  events: readonly NewEvent[],
  ids: readonly number[],
  latest: ReadonlyMap<string, Heard>,
  lasting: Map<string, number>,
): { decided: Decided[]; heard: Map<string, Heard> } {
  const heard = new Map<string, Heard>();
  const decided = events.map((event, i) => {
    const { source, identity, isLasting } = event;
    const id = ids[i] as number;
    const last = heard.get(source) ?? latest.get(source);
    const ofSource = last?.identity === identity ? last.id : undefined;
    const duplicateOf = (isLasting ? lasting.get(identity) : ofSource) ?? null;
    if (duplicateOf === null) {
      heard.set(source, { id, identity });
      if (isLasting) lasting.set(identity, id);
    } else if (last?.id === 0) {
      // The row that was made to be locked goes when that event does.
      heard.set(source, { id, identity: null });
    }
    return { event, id, duplicateOf };
  });
  return { decided, heard };
}

function rowOf({ event, id, duplicateOf }: Decided, machine: string | null) {
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
    is_lasting: event.isLasting,
    is_masked: event.isMasked,
    duplicate_of: duplicateOf,
    verification: event.verification && JSON.stringify(event.verification),
    is_passing: event.isTransient ?? false,
    headers: JSON.stringify(event.headers),
    body: event.body,
    machine,
  };
}

function* noteSources(heard: ReadonlyMap<string, Heard>): Work<void> {
  const rows = [...heard].map(([source, { id, identity }]) => ({ source, event: id, identity }));
  yield* insertAll(
    'event_sources',
    rows,
    'ON CONFLICT (source) DO UPDATE SET event = excluded.event, identity = excluded.identity',
  );
}

function forwardOf({ event: { forwardTo }, id }: Decided) {
  return forwardTo === null
    ? []
    : [{ target: forwardTo, event: id, state: 'waiting', attempts: 0 }];
}

function* indexNew(events: readonly Decided[]): Work<void> {
  const fresh = events.filter((one) => one.duplicateOf === null && !one.event.isTransient);
  // To index an event takes ten times as long as to keep it, and nobody waits for that in a file.
  if ((yield* engine()) === 'sqlite') yield* deferEvents(fresh.map(({ id }) => id));
  else yield* putDocuments(fresh.flatMap(({ event, id }) => documentsOfEvent({ ...event, id })));
}
