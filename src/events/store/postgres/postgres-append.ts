/**
 * Keeping a batch of deliveries on a server that several listeners share, as one transaction.
 *
 * What a delivery repeats is decided as in the file (events/store/sqlite-event-store.ts), while the rows of its
 * source are locked: of two listeners that are given the same delivery one waits for the other, and
 * finds what that one kept. So the numbers of the events of a source are in the order in which they
 * were kept. Two sources can only meet in an identity that is never used again, which is unique.
 */
import { putFacts } from '../../../index/postgres/postgres-write-facts.ts';
import type { LedgerAddress } from '../../../store/postgres/address.ts';
import { met } from '../../../store/postgres/failures.ts';
import type { RunStatement, SqlValue } from '../../../store/postgres/server.ts';
import type { Appended, NewEvent } from '../../event.ts';
import { factsOfEvent } from '../index-events.ts';

/** Bytes of the bodies of one statement; they are sent twice as long. */
const MAX_STATEMENT_BYTES = 16 * 1024 * 1024;

/** What is known of the sources and the identities of a batch. */
interface Known {
  /** The latest event of a source that was none of its repetitions, and its identity. */
  latest: Map<string, { id: number; identity: string | null }>;
  /** The first event of an identity that is never used again. */
  lasting: Map<string, number>;
}

/** An event with its number and what it repeats. */
type Decided = NewEvent & Appended;

export interface Append {
  events: readonly NewEvent[];
  /** Of the ledger, for messages. */
  address: LedgerAddress;
  /** Name of this machine. */
  machine: string;
  /** Told of the numbers of the events before they are kept. */
  numbered: (ids: readonly number[]) => void;
}

/** @param run of a transaction @throws Failure what is undone may be tried again (`met`) */
export async function appendEvents(
  run: RunStatement,
  { events, address, machine, numbered }: Append,
): Promise<Appended[]> {
  const latest = await lockSources(run, events);
  const { ids, lasting } = await takeNumbers(run, events);
  numbered(ids);
  const decided = decide(events, ids, { latest, lasting });
  for (const part of partsOf(decided)) {
    // Another listener has kept the same under another source meanwhile: what is decided is not true.
    if (!(await insertEvents(run, part, machine))) throw met(address);
  }
  await noteSources(run, decided);
  await insertForwards(run, decided);
  const indexed = decided.filter((event) => event.duplicateOf === null && !event.isPassing);
  const facts = indexed.flatMap(factsOfEvent);
  if (facts.length > 0) await putFacts(run, facts);
  return decided.map(({ id, duplicateOf }) => ({ id, duplicateOf }));
}

/**
 * Waits for whoever is keeping events of the same sources, and keeps others waiting.
 * @returns what was heard of each
 */
export async function lockSources(
  run: RunStatement,
  events: readonly NewEvent[],
): Promise<Known['latest']> {
  const sources = [...new Set(events.map(({ source }) => source))];
  // In one order, so that two batches never wait for each other.
  const rows = await run<{ source: string; id: number; identity: string | null }>(
    `INSERT INTO gw.event_sources (source, event, identity)
     SELECT source, 0, NULL FROM unnest($1::text[]) AS source ORDER BY source
     ON CONFLICT (source) DO UPDATE SET event = event_sources.event
     RETURNING source, event AS id, identity`,
    [sources],
  );
  return new Map(rows.map(({ source, id, identity }) => [source, { id, identity }]));
}

/** After the sources are locked, so that all is seen that was kept before. */
async function takeNumbers(run: RunStatement, events: readonly NewEvent[]) {
  const lasting = events.flatMap(({ isLasting, identity }) => (isLasting ? [identity] : []));
  const rows = await run<{ identity: string | null; id: number }>(
    `SELECT NULL AS identity, nextval(pg_get_serial_sequence('gw.events', 'id')) AS id
       FROM generate_series(1, $1::integer)
     UNION ALL
     SELECT identity, id FROM gw.events
      WHERE identity = ANY ($2::text[]) AND duplicate_of IS NULL AND is_lasting`,
    [events.length, [...new Set(lasting)]],
  );
  const ids: number[] = [];
  const known: Known['lasting'] = new Map();
  for (const { identity, id } of rows)
    if (identity === null) ids.push(id);
    else known.set(identity, id);
  return { ids: ids.sort((a, b) => a - b), lasting: known };
}

/** @param known is brought up to date with each event, since those of one batch repeat each other too */
function decide(events: readonly NewEvent[], ids: readonly number[], known: Known): Decided[] {
  return events.map((event, i) => {
    const id = ids[i] as number;
    const duplicateOf = earlier(event, known);
    if (duplicateOf === null) {
      known.latest.set(event.source, { id, identity: event.identity });
      if (event.isLasting) known.lasting.set(event.identity, id);
    }
    return { ...event, id, duplicateOf };
  });
}

function earlier({ isLasting, identity, source }: NewEvent, { latest, lasting }: Known) {
  if (isLasting) return lasting.get(identity) ?? null;
  const last = latest.get(source);
  return last?.identity === identity ? last.id : null;
}

/** @returns the events in lots that a statement takes */
function partsOf(events: readonly Decided[]): Decided[][] {
  const parts: Decided[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const event of events) {
    bytes += event.body.length;
    if (bytes > MAX_STATEMENT_BYTES) {
      parts.push([]);
      bytes = event.body.length;
    }
    parts.at(-1)?.push(event);
  }
  return parts;
}

/** Columns of an event, with their types and what is in them. */
const COLUMNS: Readonly<
  Record<
    string,
    [type: string, of: (event: Decided) => string | number | boolean | null | Uint8Array]
  >
> = {
  id: ['bigint', ({ id }) => id],
  received_at: ['text', ({ receivedAt }) => receivedAt],
  profile: ['text', ({ profile }) => profile],
  mode: ['text', ({ mode }) => mode],
  status: ['integer', ({ status }) => status],
  authentication: ['text', ({ authentication }) => authentication],
  event: ['text', ({ event }) => event],
  outcome: ['text', ({ outcome }) => outcome],
  fault: ['text', ({ fault }) => fault],
  subjects: ['text', ({ subjects }) => JSON.stringify(subjects)],
  customers: ['text', ({ customers }) => JSON.stringify(customers)],
  source: ['text', ({ source }) => source],
  identity: ['text', ({ identity }) => identity],
  is_lasting: ['boolean', ({ isLasting }) => isLasting],
  is_masked: ['boolean', ({ isMasked }) => isMasked],
  is_passing: ['boolean', ({ isPassing }) => isPassing ?? false],
  duplicate_of: ['bigint', ({ duplicateOf }) => duplicateOf],
  verification: ['text', ({ verification }) => verification && JSON.stringify(verification)],
  headers: ['text', ({ headers }) => JSON.stringify(headers)],
  body: ['bytea', ({ body }) => body],
};
const NAMES = Object.keys(COLUMNS).join(', ');
const ARRAYS = Object.values(COLUMNS).map(([type], i) => `$${i + 1}::${type}[]`);
const INSERT = `
  INSERT INTO gw.events (${NAMES}, machine)
  SELECT ${NAMES}, $${ARRAYS.length + 1} FROM unnest(${ARRAYS.join(', ')}) AS new (${NAMES})
  ON CONFLICT (identity) WHERE duplicate_of IS NULL AND is_lasting DO NOTHING RETURNING id`;

/** @returns whether all of them are new */
async function insertEvents(
  run: RunStatement,
  events: readonly Decided[],
  machine: string,
): Promise<boolean> {
  const arrays: SqlValue[] = Object.values(COLUMNS).map(([, of]) => events.map(of));
  const kept = await run(INSERT, [...arrays, machine]);
  return kept.length === events.length;
}

async function noteSources(run: RunStatement, events: readonly Decided[]): Promise<void> {
  const latest = new Map<string, { id: number; identity: string | null }>();
  for (const { source, id, identity, duplicateOf } of events) {
    if (duplicateOf === null) latest.set(source, { id, identity });
    // One that was only just made goes when that event does.
    else if (!latest.has(source)) latest.set(source, { id, identity: null });
  }
  const rows = [...latest];
  await run(
    `UPDATE gw.event_sources AS known SET event = new.event, identity = new.identity
       FROM unnest($1::text[], $2::bigint[], $3::text[]) AS new (source, event, identity)
      WHERE known.source = new.source AND (new.identity IS NOT NULL OR known.event = 0)`,
    [
      rows.map(([source]) => source),
      rows.map(([, { id }]) => id),
      rows.map(([, { identity }]) => identity),
    ],
  );
}

async function insertForwards(run: RunStatement, events: readonly Decided[]): Promise<void> {
  const waiting = events.filter(({ forwardTo }) => forwardTo !== null);
  if (waiting.length === 0) return;
  await run(
    `INSERT INTO gw.event_forwards (target, event, state, attempts)
     SELECT target, event, 'waiting', 0 FROM unnest($1::text[], $2::bigint[]) AS new (target, event)`,
    [waiting.map(({ forwardTo }) => forwardTo), waiting.map(({ id }) => id)],
  );
}
