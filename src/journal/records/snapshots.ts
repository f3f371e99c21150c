/** Sightings: one row for each record of an account, as it was seen last, and when and how. */
import { earlierNamesOf, SAME_ACCOUNT } from '../../base/account.ts';
import type { JsonObject } from '../../base/json.ts';
import { deferFact } from '../../index/deferred.ts';
import { factOfRecord, originOfRecord } from '../../index/document-of-record.ts';
import { NAMED, namedValues, requestIsOurs } from '../../index/scope.ts';
import { addFact, dropFact, dropFacts, putFact } from '../../index/sqlite/write.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import type { Destination, RememberedRecord, Sighting, WantedRecords } from '../ledger.ts';
import { refundTie } from './refund-currency.ts';

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

/** @param isDeferred the facts of what was seen are written later */
export function remember(
  queries: Queries,
  sightings: readonly Sighting[],
  isDeferred = false,
): void {
  for (const sighting of sightings) {
    giveAccount(queries, sighting);
    const isKnown = !isDeferred && isSeen(queries, sighting);
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
    if (isDeferred) {
      deferFact(queries, 'record', keyOf(sighting));
      continue;
    }
    const { seenAt, ...seen } = sighting;
    // What is known by now may be more than was seen just now.
    const known = isKnown
      ? seenAs(queries, sighting)
      : { ...seen, firstSeenAt: seenAt, lastSeenAt: seenAt };
    if (known) putRecord(queries, known);
  }
}

const OF_ACCOUNT = 'account = :account AND kind = :kind AND id = :id';
const OF_PROFILE =
  'account IS NULL AND profile = :profile AND host = :host AND kind = :kind AND id = :id';

/** What a record is known by. */
type RecordKey = Pick<Sighting, 'account' | 'profile' | 'host' | 'kind' | 'id'>;

function isSeen(queries: Queries, { account, profile, host, kind, id }: RecordKey): boolean {
  const clause = account === null ? OF_PROFILE : OF_ACCOUNT;
  const values = { account, profile, host, kind, id };
  return queries.get(`SELECT 1 FROM records_seen WHERE ${clause}`, values) !== undefined;
}

function seenAs(
  queries: Queries,
  { account, profile, host, kind, id }: RecordKey,
): RememberedRecord | undefined {
  const clause = account === null ? OF_PROFILE : OF_ACCOUNT;
  return recordsWhere(queries, clause, { account, profile, host, kind, id }, 1)[0];
}

/** Writes the fact of a record as it is given. */
export function putRecord(queries: Queries, known: RememberedRecord, put = putFact): void {
  const tie = known.kind === 'refund' ? refundTie(queries, known, known.id) : {};
  put(queries, originOfRecord(known), factOfRecord(known, tie));
}

/** The key of a record as a text. */
function keyOf({ account, profile, host, kind, id }: RecordKey): string {
  return JSON.stringify([account, profile, host, kind, id]);
}

/** Writes the fact of a record as it is by now. @param key of `keyOf` */
export function indexRecord(queries: Queries, key: string): void {
  const [account, profile, host, kind, id] = JSON.parse(key);
  const known = seenAs(queries, { account, profile, host, kind, id });
  if (known) putRecord(queries, known);
}

/** Writes the facts of all records into an index that was cleared. */
export function indexRecords(queries: Queries): void {
  for (let after = 0; ; ) {
    const rows = queries.all<{ number: number }>(
      'SELECT rowid AS number FROM records_seen WHERE rowid > ? ORDER BY rowid LIMIT 1000',
      after,
    );
    for (const { number } of rows) {
      for (const known of recordsWhere(queries, 'rowid = :number', { number }, 1))
        putRecord(queries, known, addFact);
      after = number;
    }
    if (rows.length === 0) return;
  }
}

/** What an older gw saw here belongs to the account that sees it again, unless that knows it already. */
function giveAccount(queries: Queries, { account, profile, host, kind, id }: Sighting): void {
  for (const before of earlierNamesOf(account)) {
    queries.run(
      `UPDATE OR IGNORE records_seen SET account = :account
        WHERE account IS :before AND (account IS NOT NULL OR profile = :profile)
          AND host = :host AND kind = :kind AND id = :id`,
      { account, before, profile, host, kind, id },
    );
    if (queries.changes() > 0)
      dropFact(queries, originOfRecord({ account: before, profile, host, kind, id }));
  }
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
  const values = { purchase, account, profile, host };
  return queries.get<{ amount: number }>(PAID, values)?.amount;
}

const PAID = `
  SELECT amount FROM records_seen
   WHERE id = :purchase AND kind = 'purchase' AND amount > 0 AND ${SAME_ACCOUNT}
   ORDER BY account IS NULL LIMIT 1`;

/** @returns as `Ledger.remembered` */
export function findSightings(
  queries: Queries,
  { kind, id, scope }: WantedRecords,
  limit: number,
): RememberedRecord[] {
  // A clause that a value may turn off would keep SQLite from its index of ids.
  const ofId = id === undefined ? '' : ' AND id = :id';
  const ofKind = kind === undefined ? '' : ' AND kind = :kind';
  const ofScope = scope === undefined ? '' : ` AND ${requestIsOurs(NAMED)}`;
  const values = {
    ...(id !== undefined && { id }),
    ...(kind !== undefined && { kind }),
    ...(scope && namedValues(scope)),
  };
  return recordsWhere(queries, `1${ofId}${ofKind}${ofScope}`, values, limit);
}

/** @param clause of SQL on the table; latest seen first */
export function recordsWhere(
  queries: Queries,
  clause: string,
  values: Readonly<Record<string, string | number | null>>,
  limit: number,
): RememberedRecord[] {
  return queries
    .all<Omit<RememberedRecord, 'record'> & { record: string }>(
      `SELECT account, profile, environment, host, kind, id, reference, name, last_four AS lastFour, amount,
              seen_by AS seenBy, record, first_seen_at AS firstSeenAt, last_seen_at AS lastSeenAt
         FROM records_seen
        WHERE ${clause}
        ORDER BY last_seen_at DESC, id LIMIT :limit`,
      { ...values, limit },
    )
    .map((row) => ({ ...row, record: JSON.parse(row.record) as JsonObject }));
}

/** Forgets every record of a profile. */
export function forgetSightings(queries: Queries, profile: string): void {
  queries.run('DELETE FROM records_seen WHERE profile = ?', profile);
  dropFacts(queries, "profile = ? AND kind NOT IN ('request', 'event')", profile);
}

/** @param before ISO 8601, UTC @returns how many records were forgotten */
export function pruneSightings(queries: Queries, before: string): number {
  dropFacts(queries, "seen_at < ? AND kind NOT IN ('request', 'event')", before);
  queries.run('DELETE FROM records_seen WHERE last_seen_at < ?', before);
  return queries.changes();
}
