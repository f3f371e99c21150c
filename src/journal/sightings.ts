/** Records seen: one row for each record of a gateway, as it was seen last, and when and how. */
import type { JsonObject } from '../base/json.ts';
import { numberOrNull, type Row, type Statements, textOrNull } from '../storage/statements.ts';
import type { Destination, RememberedRecord, SeenRecord } from './ledger.ts';

/**
 * A later look may know less (a refund shows its reference when it is made and never again); an
 * earlier one that comes in late knows nothing better.
 */
const REMEMBER = `
  INSERT INTO records_seen
    (profile, host, kind, id, environment, reference, name, last_four, amount, first_seen_at, last_seen_at, seen_by, record)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
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

export function rememberRecord(statements: Statements, seen: SeenRecord): void {
  statements.run(
    REMEMBER,
    seen.profile,
    seen.host,
    seen.kind,
    seen.id,
    seen.environment,
    seen.reference,
    seen.name,
    seen.lastFour,
    seen.amount,
    seen.seenAt,
    seen.seenAt,
    seen.seenBy,
    JSON.stringify(seen.record),
  );
}

/** @returns what a purchase was paid with, in minor units, when it was seen and approved */
export function amountPaid(
  statements: Statements,
  { profile, host }: Destination,
  purchaseId: string,
): number | undefined {
  const row = statements.get(
    `SELECT amount FROM records_seen
      WHERE profile = ? AND host = ? AND kind = 'purchase' AND id = ? AND amount > 0`,
    profile,
    host,
    purchaseId,
  );
  return row && (numberOrNull(row.amount) ?? undefined);
}

export function findRecords(
  statements: Statements,
  text: string,
  limit: number,
): RememberedRecord[] {
  const like = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return statements
    .all(
      `SELECT * FROM records_seen
        WHERE ? = '' OR id = ? OR reference = ? OR last_four = ? OR name LIKE ? ESCAPE '\\'
        ORDER BY last_seen_at DESC, id LIMIT ?`,
      text,
      text,
      text,
      text,
      like,
      limit,
    )
    .map(recordOf);
}

/** Forgets every record of a profile. */
export function forgetRecords(statements: Statements, profile: string): void {
  statements.run('DELETE FROM records_seen WHERE profile = ?', profile);
}

export function pruneRecords(statements: Statements, before: string): number {
  return statements.run('DELETE FROM records_seen WHERE last_seen_at < ?', before);
}

function recordOf(row: Row): RememberedRecord {
  const text = (column: string) => row[column] as string;
  return {
    profile: text('profile'),
    environment: text('environment'),
    host: text('host'),
    kind: row.kind as RememberedRecord['kind'],
    id: text('id'),
    reference: textOrNull(row.reference),
    name: textOrNull(row.name),
    lastFour: textOrNull(row.last_four),
    amount: numberOrNull(row.amount),
    seenBy: text('seen_by'),
    record: JSON.parse(text('record')) as JsonObject,
    firstSeenAt: text('first_seen_at'),
    lastSeenAt: text('last_seen_at'),
  };
}
