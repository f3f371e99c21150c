/** Sightings: one row for each record of an account, as it was seen last, and when and how. */
import type { JsonObject } from '../base/json.ts';
import type { Queries } from '../storage/queries.ts';
import type { Destination, RememberedRecord, Sighting } from './ledger.ts';
import { SAME_ACCOUNT } from './same-account.ts';

/**
 * A later look may know less (a refund shows its reference when it is made and never again); an
 * earlier one that comes in late knows nothing better.
 */
const UPDATED = `
  DO UPDATE SET
    profile = excluded.profile,
    host = excluded.host,
    environment = excluded.environment,
    reference = coalesce(excluded.reference, reference),
    name = coalesce(excluded.name, name),
    last_four = coalesce(excluded.last_four, last_four),
    amount = coalesce(excluded.amount, amount),
    last_seen_at = excluded.last_seen_at,
    seen_by = excluded.seen_by,
    record = excluded.record
    WHERE excluded.last_seen_at >= last_seen_at`;
/** The two unique indexes of the table. */
const SEEN_BEFORE = `
  ON CONFLICT (account, kind, id) WHERE account IS NOT NULL ${UPDATED}
  ON CONFLICT (profile, host, kind, id) WHERE account IS NULL ${UPDATED}`;

export function remember(queries: Queries, sightings: readonly Sighting[]): void {
  for (const sighting of sightings) {
    giveAccount(queries, sighting);
    const row = {
      account: sighting.account,
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

/** What an older gw saw here belongs to the account that sees it again, unless that knows it already. */
function giveAccount(queries: Queries, { account, profile, host, kind, id }: Sighting): void {
  if (account === null) return;
  queries.run(
    `UPDATE OR IGNORE records_seen SET account = :account
      WHERE account IS NULL AND profile = :profile AND host = :host AND kind = :kind AND id = :id`,
    { account, profile, host, kind, id },
  );
}

/**
 * @param purchase its id
 * @returns what it was paid with, in minor units, when it was seen and approved
 */
export function amountPaid(
  queries: Queries,
  { account, profile, host }: Pick<Destination, 'account' | 'profile' | 'host'>,
  purchase: string,
): number | undefined {
  const row = queries.get<{ amount: number }>(
    `SELECT amount FROM records_seen
      WHERE id = :purchase AND kind = 'purchase' AND amount > 0 AND ${SAME_ACCOUNT}
      ORDER BY account IS NULL LIMIT 1`,
    { purchase, account, profile, host },
  );
  return row?.amount;
}

/** @returns as `Ledger.remembered` */
export function findSightings(queries: Queries, text: string, limit: number): RememberedRecord[] {
  const like = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return queries
    .all<Omit<RememberedRecord, 'record'> & { record: string }>(
      `SELECT account, profile, environment, host, kind, id, reference, name, last_four AS lastFour, amount,
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
