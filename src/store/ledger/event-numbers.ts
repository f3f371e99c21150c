/** Numbers of events, and what tells a repetition: for whoever receives events, and whoever copies them. */
import { all, engine, get, type Work } from '../sql.ts';

/** A number that no event has, for one that repeats what was forgotten. */
export const FORGOTTEN = -1;

/** @returns numbers that are free and nobody else's, each above all before */
export function* takeNumbers(count: number): Work<number[]> {
  if ((yield* engine()) === 'sqlite') {
    const highest = yield* get<{ seq: number }>(
      "SELECT seq FROM gw.sqlite_sequence WHERE name = 'events'",
    );
    return Array.from({ length: count }, (_, n) => (highest?.seq ?? 0) + 1 + n);
  }
  const rows = yield* all<{ id: number }>(
    "SELECT nextval('gw.events_id_seq') AS id FROM generate_series(1, :count::integer)",
    { count },
  );
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

/** @returns the first event of each identity that is never used again, of those that are known */
export function* lastingOf(
  events: readonly { identity: string; isLasting: boolean }[],
): Work<Map<string, number>> {
  const identities = events.flatMap(({ identity, isLasting }) => (isLasting ? [identity] : []));
  if (identities.length === 0) return new Map();
  const found = yield* all<{ id: number; identity: string }>(
    `SELECT id, identity FROM gw.events
      WHERE identity = ANY (:identities) AND duplicate_of IS NULL AND is_lasting /*sqlite = 1 */
      ORDER BY id DESC`,
    { identities },
  );
  // A file may have several of one; the first is the one that counts.
  return new Map(found.map(({ id, identity }) => [identity, id]));
}
