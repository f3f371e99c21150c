/** Events of another ledger, written to a server: known by their origin, in the order in which they came. */

import type { RunStatement } from '../../postgres/server.ts';
import { EVENT_COLUMNS, type EventRow, FORGOTTEN, numberIn } from './ledger-rows.ts';
import { unnested } from './unnested.ts';

const COLUMNS = { ...EVENT_COLUMNS, origin: 'text', id: 'bigint', duplicate_of: 'bigint' };

type NewEvent = EventRow & { id: number; duplicate_of: number | null };

/**
 * An event that somebody else received here as well repeats that.
 * @returns how many were not there. @throws as `run`; a page that met another writer is tried again
 */
export async function putEvents(
  run: RunStatement,
  ledger: string,
  rows: readonly EventRow[],
): Promise<number> {
  const asked = rows.flatMap(({ origin, repeats }) =>
    repeats === null ? [origin] : [origin, repeats],
  );
  const numbers = await numbersOf(run, ledger, asked);
  const missing = rows.filter(({ origin }) => !numbers.has(origin));
  const ids = await freeNumbers(run, missing.length);
  const known = await knownIdentities(run, missing);
  const added: NewEvent[] = [];
  for (const [i, row] of missing.entries()) {
    const id = ids[i] ?? 0;
    const same = row.is_lasting ? known.get(row.identity) : undefined;
    const repeated = row.repeats === null ? same : (numbers.get(row.repeats) ?? FORGOTTEN);
    added.push({ ...row, id, duplicate_of: repeated ?? null });
    numbers.set(row.origin, id);
    if (repeated === undefined && row.is_lasting) known.set(row.identity, id);
  }
  if (added.length > 0) await insert(run, added);
  await putSources(run, added);
  await putForwards(run, rows, numbers);
  return added.length;
}

/** @returns the numbers that events have here, by their origins */
async function numbersOf(
  run: RunStatement,
  ledger: string,
  origins: readonly string[],
): Promise<Map<string, number>> {
  const found = await run<{ id: number; origin: string }>(
    'SELECT id, origin FROM gw.events WHERE origin = ANY ($1::text[])',
    [origins],
  );
  const numbers = new Map(found.map(({ id, origin }) => [origin, id]));
  for (const origin of origins) {
    const own = numberIn(ledger, origin);
    if (own !== undefined) numbers.set(origin, own);
  }
  return numbers;
}

async function freeNumbers(run: RunStatement, count: number): Promise<number[]> {
  const rows = await run<{ id: number }>(
    "SELECT nextval('gw.events_id_seq') AS id FROM generate_series(1, $1::integer)",
    [count],
  );
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

async function knownIdentities(
  run: RunStatement,
  rows: readonly EventRow[],
): Promise<Map<string, number>> {
  const identities = rows.flatMap((row) => (row.is_lasting ? [row.identity] : []));
  const found = await run<{ id: number; identity: string }>(
    `SELECT id, identity FROM gw.events
      WHERE identity = ANY ($1::text[]) AND duplicate_of IS NULL AND is_lasting`,
    [identities],
  );
  return new Map(found.map(({ id, identity }) => [identity, id]));
}

async function insert(run: RunStatement, rows: readonly NewEvent[]): Promise<void> {
  const names = Object.keys(COLUMNS);
  const { given, values } = unnested(COLUMNS, rows);
  await run(`INSERT INTO gw.events (${names}) SELECT ${names} FROM ${given} ORDER BY nth`, values);
}

/** Of each source the last event that repeats none, unless a later one was heard of here. */
async function putSources(run: RunStatement, rows: readonly NewEvent[]): Promise<void> {
  const last = new Map(
    rows.flatMap((row) => (row.duplicate_of === null ? [[row.source, row] as const] : [])),
  );
  const sources = [...last.values()].sort((a, b) => (a.source < b.source ? -1 : 1));
  if (sources.length === 0) return;
  const columns = { source: 'text', id: 'bigint', identity: 'text' };
  const { given, values } = unnested(columns, sources);
  await run(
    `INSERT INTO gw.event_sources AS known (source, event, identity)
     SELECT source, id, identity FROM ${given} ORDER BY source
     ON CONFLICT (source) DO UPDATE SET event = excluded.event, identity = excluded.identity
      WHERE coalesce((SELECT received_at FROM gw.events WHERE id = known.event), '')
            <= (SELECT received_at FROM gw.events WHERE id = excluded.event)`,
    values,
  );
}

async function putForwards(
  run: RunStatement,
  rows: readonly EventRow[],
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  const forwards = rows.flatMap(({ origin, forwards }) =>
    forwards.map((one) => ({ ...one, event: numbers.get(origin) ?? FORGOTTEN })),
  );
  if (forwards.length === 0) return;
  const columns = {
    ...{ target: 'text', event: 'bigint', state: 'text', attempts: 'integer' },
    last_error: 'text',
  };
  const { given, values } = unnested(columns, forwards);
  await run(
    `INSERT INTO gw.event_forwards AS known (${Object.keys(columns)})
     SELECT ${Object.keys(columns)} FROM ${given} ORDER BY target, event
     ON CONFLICT (target, event) DO UPDATE
       SET state = excluded.state, attempts = excluded.attempts, last_error = excluded.last_error
      WHERE known.state = 'waiting' AND excluded.state <> 'waiting'`,
    values,
  );
}
