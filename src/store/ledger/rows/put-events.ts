/** Events of another ledger: known by their origin, in the order in which they came. */
import { all, insertAll, insertCounted, met, one, type Work } from '../../sql.ts';
import { FORGOTTEN, lastingOf, takeNumbers } from '../event-numbers.ts';
import { EVENT_COLUMNS, type EventRow } from './ledger-rows.ts';

type NewEvent = EventRow & { id: number; duplicate_of: number | null };

/**
 * An event that somebody else received here as well repeats that.
 * @returns how many were not there. @throws Failure what makes a transaction begin anew (`met`)
 */
export function* putEvents(rows: readonly EventRow[]): Work<number> {
  const numbers = yield* numbersOf(rows);
  const missing = rows.filter(({ origin }) => !numbers.has(origin));
  const ids = yield* takeNumbers(missing.length);
  const known = yield* lastingOf(
    missing.map(({ identity, is_lasting }) => ({ identity, isLasting: is_lasting })),
  );
  const added = missing.map((row, i): NewEvent => {
    const id = ids[i] as number;
    const same = row.is_lasting ? known.get(row.identity) : undefined;
    const repeated = row.repeats === null ? same : (numbers.get(row.repeats) ?? FORGOTTEN);
    numbers.set(row.origin, id);
    if (repeated === undefined && row.is_lasting) known.set(row.identity, id);
    return { ...row, id, duplicate_of: repeated ?? null };
  });
  const count = yield* insertCounted('events', added.map(rowOf), 'ON CONFLICT DO NOTHING');
  // Others have written one of them meanwhile: what was decided by what there was is not true.
  if (count < added.length) throw met();
  yield* putSources(added);
  yield* putForwards(rows, numbers);
  return count;
}

/** @returns the numbers that events and those they repeat have here, by their origins */
function* numbersOf(rows: readonly EventRow[]): Work<Map<string, number>> {
  const { id: ledger } = yield* one<{ id: string }>('SELECT id FROM gw.ledger');
  const origins = rows.flatMap(({ origin, repeats }) =>
    repeats === null ? [origin] : [origin, repeats],
  );
  const found = yield* all<{ id: number; origin: string }>(
    'SELECT id, origin FROM gw.events WHERE origin = ANY (:origins) AND origin IS NOT NULL',
    { origins },
  );
  const numbers = new Map(found.map(({ id, origin }) => [origin, id]));
  for (const origin of origins)
    if (origin.startsWith(`${ledger}:`))
      numbers.set(origin, Number(origin.slice(ledger.length + 1)));
  return numbers;
}

function rowOf(event: NewEvent) {
  const columns = EVENT_COLUMNS.map((name) => [name, event[name]]);
  const { id, origin, duplicate_of } = event;
  return { ...Object.fromEntries(columns), id, origin, duplicate_of };
}

/** Of each source the last event that repeats none, unless a later one was heard of here. */
function* putSources(events: readonly NewEvent[]): Work<void> {
  const last = new Map(
    events.flatMap(({ source, id, identity, duplicate_of }) =>
      duplicate_of === null ? [[source, { source, event: id, identity }] as const] : [],
    ),
  );
  // In one order, so that two who write never wait for each other.
  const sources = [...last.values()].sort((a, b) => (a.source < b.source ? -1 : 1));
  yield* insertAll(
    'event_sources',
    sources,
    `ON CONFLICT (source) DO UPDATE SET event = excluded.event, identity = excluded.identity
      WHERE coalesce((SELECT received_at FROM gw.events WHERE id = event_sources.event), '')
            <= (SELECT received_at FROM gw.events WHERE id = excluded.event)`,
  );
}

function* putForwards(rows: readonly EventRow[], numbers: ReadonlyMap<string, number>): Work<void> {
  const forwards = rows.flatMap(({ origin, forwards }) =>
    forwards.map((one) => ({ ...one, event: numbers.get(origin) ?? FORGOTTEN })),
  );
  yield* insertAll(
    'event_forwards',
    forwards,
    `ON CONFLICT (target, event) DO UPDATE
       SET state = excluded.state, attempts = excluded.attempts, last_error = excluded.last_error
     WHERE event_forwards.state = 'waiting' AND excluded.state <> 'waiting'`,
  );
}
