/** Sightings: one row for each record of a gateway, as it was seen last, and when and how. */
import type { JsonObject } from '../base/json.ts';
import type { Queries } from '../storage/queries.ts';
import type { RememberedRecord, Sighting } from './ledger.ts';

/**
 * A later look may know less (a refund shows its reference when it is made and never again); an
 * earlier one that comes in late knows nothing better.
 */
const SEEN_BEFORE = `
  ON CONFLICT (profile, host, kind, id) DO UPDATE SET
    environment = excluded.environment,
    reference = coalesce(excluded.reference, reference),
    name = coalesce(excluded.name, name),
    last_four = coalesce(excluded.last_four, last_four),
    amount = coalesce(excluded.amount, amount),
    last_seen_at = excluded.last_seen_at,
    seen_by = excluded.seen_by,
    record = excluded.record
    WHERE excluded.last_seen_at >= last_seen_at`;

export function remember(queries: Queries, sightings: readonly Sighting[]): void {
  for (const sighting of sightings) {
    const row = {
      profile: sighting.profile,
      host: sighting.host,
      kind: sighting.kind,
      id: sighting.id,
      environment: sighting.environment,
      reference: sighting.reference,
      name: sighting.name,
      last_four: sighting.lastFour,
      amount: sighting.amount,
      first_seen_at: sighting.seenAt,
      last_seen_at: sighting.seenAt,
      seen_by: sighting.seenBy,
      record: JSON.stringify(sighting.record),
    };
    queries.insert('records_seen', row, SEEN_BEFORE);
  }
}

/**
 * @param purchase its id
 * @returns what it was paid with, in minor units, when it was seen and approved
 */
export function amountPaid(
  queries: Queries,
  { profile, host, purchase }: { profile: string; host: string; purchase: string },
): number | undefined {
  const row = queries.get<{ amount: number }>(
    `SELECT amount FROM records_seen
      WHERE profile = ? AND host = ? AND kind = 'purchase' AND id = ? AND amount > 0`,
    profile,
    host,
    purchase,
  );
  return row?.amount;
}

/** @returns as `Ledger.remembered` */
export function findSightings(queries: Queries, text: string, limit: number): RememberedRecord[] {
  const like = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return queries
    .all<Omit<RememberedRecord, 'record'> & { record: string }>(
      `SELECT profile, environment, host, kind, id, reference, name, last_four AS lastFour, amount,
              seen_by AS seenBy, record, first_seen_at AS firstSeenAt, last_seen_at AS lastSeenAt
         FROM records_seen
        WHERE :text = '' OR id = :text OR reference = :text OR last_four = :text
           OR name LIKE :like ESCAPE '\\'
        ORDER BY last_seen_at DESC, id LIMIT :limit`,
      { text, like, limit },
    )
    .map((row) => ({ ...row, record: JSON.parse(row.record) as JsonObject }));
}

/** Forgets every record of a profile. */
export function forgetSightings(queries: Queries, profile: string): void {
  queries.run('DELETE FROM records_seen WHERE profile = ?', profile);
}

/** @param before ISO 8601, UTC @returns how many records were forgotten */
export function pruneSightings(queries: Queries, before: string): number {
  return queries.run('DELETE FROM records_seen WHERE last_seen_at < ?', before);
}
