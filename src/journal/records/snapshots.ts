/** RecordSnapshots: one row for each record of an account, as it was seen last, and when and how. */

import { earlierNamesOf, isOf, SAME_ACCOUNT } from '../../base/account.ts';
import type { JsonObject } from '../../base/json.ts';
import { deferDocument } from '../../index/deferred.ts';
import { documentOfRecord, originOfRecord } from '../../index/document-of-record.ts';
import { namedValues, requestIsOurs, SCOPE } from '../../index/scope.ts';
import { dropDocuments, type OriginatedDocument, putDocuments } from '../../index/write.ts';
import {
  all,
  change,
  engine,
  get,
  insertAll,
  run,
  type SqlValues,
  update,
  type Work,
} from '../../store/sql.ts';
import type { Destination, RecordSnapshot, RememberedRecord, WantedRecords } from '../ledger.ts';
import { refundTies } from './refund-currency.ts';

/** What a record is known by. */
type RecordKey = Pick<RecordSnapshot, 'account' | 'profile' | 'host' | 'kind' | 'id'>;

/** A record with the number of its row. */
export type NumberedRecord = RememberedRecord & { number: number };

/** As it is known while looks are taken in one after the other; without a number where none is written yet. */
type StoredSnapshot = RememberedRecord & { number?: number };

/** Another machine may have seen it meanwhile: the rule of `merged`. */
const UPDATED = `
  DO UPDATE SET
    profile = excluded.profile,
    host = excluded.host,
    environment = excluded.environment,
    reference = coalesce(excluded.reference, records_seen.reference),
    name = coalesce(excluded.name, records_seen.name),
    last_four = coalesce(excluded.last_four, records_seen.last_four),
    amount = coalesce(excluded.amount, records_seen.amount),
    last_seen_at = excluded.last_seen_at,
    seen_by = excluded.seen_by,
    record = excluded.record
    WHERE excluded.last_seen_at >= records_seen.last_seen_at`;
/** The two unique indexes of the table. */
const OF_ACCOUNT = `ON CONFLICT (account, kind, id) WHERE account IS NOT NULL ${UPDATED}`;
const OF_PROFILE = `ON CONFLICT (profile, host, kind, id) WHERE account IS NULL ${UPDATED}`;

/** @param isDeferred the documents of what was seen are written later */
export function* remember(snapshots: readonly RecordSnapshot[], isDeferred = false): Work<void> {
  if (snapshots.length === 0) return;
  const rows = yield* withIds(snapshots.map(({ id }) => id));
  const known = new Map<string, StoredSnapshot>(rows.map((row) => [originOfRecord(row), row]));
  const seen = new Set<string>();
  for (const snapshot of snapshots) {
    const origin = originOfRecord(snapshot);
    const before = known.get(origin) ?? (yield* takeOver(known, snapshot));
    known.set(origin, merged(before, snapshot));
    seen.add(origin);
  }
  const records = [...seen].flatMap((origin) => known.get(origin) ?? []);
  // On a server in one order by all, so that of two who see the same neither waits for the other for ever.
  const isShared = (yield* engine()) === 'postgres';
  yield* write(isShared ? records.toSorted(byOrigin) : records);
  if (!isDeferred) return yield* putRecords(records);
  for (const record of records) yield* deferDocument('record', keyOf(record));
}

function byOrigin(one: StoredSnapshot, other: StoredSnapshot): number {
  return originOfRecord(one) < originOfRecord(other) ? -1 : 1;
}

/** @returns all that is known under some ids, whosever it is */
function withIds(ids: readonly string[]): Work<NumberedRecord[]> {
  return recordsWhere('id = ANY (:ids)', { ids });
}

/**
 * What an older gw saw here belongs to the account that sees it again. Its document becomes that of the
 * account.
 * @returns it, as it is known of the account from now on
 */
function* takeOver(
  known: Map<string, StoredSnapshot>,
  seen: RecordSnapshot,
): Work<StoredSnapshot | undefined> {
  const { account, host } = seen;
  const names = earlierNamesOf(account).map((name) => originOfRecord({ ...seen, account: name }));
  const earlier = names.find((name) => known.get(name)?.host === host) ?? '';
  const before = known.get(earlier);
  if (!before) return undefined;
  // Once: of two accounts that see it the first has it.
  known.delete(earlier);
  if (before.number !== undefined) {
    yield* update('records_seen', { account }, { rowid: before.number });
    const origin = originOfRecord(seen);
    yield* run('UPDATE gw.facts SET origin = :origin WHERE origin = :earlier', { origin, earlier });
  }
  return { ...before, account };
}

/**
 * A later look may know less (a refund shows its reference when it is made and never again); an
 * earlier one that comes in late knows nothing better.
 */
function merged(
  known: StoredSnapshot | undefined,
  { seenAt, ...seen }: RecordSnapshot,
): StoredSnapshot {
  if (!known) return { ...seen, firstSeenAt: seenAt, lastSeenAt: seenAt };
  if (seenAt < known.lastSeenAt) return known;
  return {
    ...seen,
    reference: seen.reference ?? known.reference,
    name: seen.name ?? known.name,
    lastFour: seen.lastFour ?? known.lastFour,
    amount: seen.amount ?? known.amount,
    firstSeenAt: known.firstSeenAt,
    lastSeenAt: seenAt,
    ...(known.number !== undefined && { number: known.number }),
  };
}

/** @param records each once */
function* write(records: readonly RememberedRecord[]): Work<void> {
  const rows = records.map(rowOf);
  const isOfAccount = ({ account }: { account: string | null }) => account !== null;
  yield* insertAll('records_seen', rows.filter(isOfAccount), OF_ACCOUNT);
  yield* insertAll(
    'records_seen',
    rows.filter((row) => !isOfAccount(row)),
    OF_PROFILE,
  );
}

function rowOf(known: RememberedRecord) {
  return {
    account: known.account,
    profile: known.profile,
    host: known.host,
    kind: known.kind,
    id: known.id,
    environment: known.environment,
    reference: known.reference,
    name: known.name,
    last_four: known.lastFour,
    amount: known.amount,
    first_seen_at: known.firstSeenAt,
    last_seen_at: known.lastSeenAt,
    seen_by: known.seenBy,
    record: JSON.stringify(known.record),
  };
}

/** Writes the documents of records as they are given. */
export function* putRecords(records: readonly RememberedRecord[]): Work<void> {
  yield* putDocuments(yield* documentsOf(records));
}

function* documentsOf(records: readonly RememberedRecord[]): Work<OriginatedDocument[]> {
  const refunds = records.filter(({ kind }) => kind === 'refund');
  const ties = yield* refundTies(refunds);
  return records.map((known) => ({
    origin: originOfRecord(known),
    document: documentOfRecord(known, ties[refunds.indexOf(known)]),
  }));
}

/** The key of a record as a text. */
function keyOf({ account, profile, host, kind, id }: RecordKey): string {
  return JSON.stringify([account, profile, host, kind, id]);
}

/** Writes the document of a record as it is by now. @param key of `keyOf` */
export function* indexRecord(key: string): Work<void> {
  const [account, profile, host, kind, id] = JSON.parse(key);
  const origin = originOfRecord({ account, profile, host, kind, id });
  const records = yield* withIds([id]);
  yield* putRecords(records.filter((known) => originOfRecord(known) === origin));
}

/** Writes the documents of all records of some ids. */
export function* indexRecordsOf(ids: readonly string[]): Work<void> {
  yield* putRecords(yield* withIds(ids));
}

/** Of a table that is gone over whole. */
export const PAGE_ROWS = 1_000;

/** Writes the documents of all records into an index that was cleared. */
export function* indexRecords(): Work<void> {
  for (let after = 0; ; ) {
    const page = `rowid > :after ORDER BY rowid LIMIT ${PAGE_ROWS}`;
    const records = yield* recordsWhere(page, { after });
    yield* putRecords(records);
    const last = records.at(-1);
    if (!last) return;
    after = last.number;
  }
}

/**
 * @param purchase its id
 * @returns what it was paid with, in minor units, when it was seen and approved
 */
export function* amountPaid(
  { account, profile, host }: Pick<Destination, 'account' | 'profile' | 'host'>,
  purchase: string,
): Work<number | undefined> {
  const seen = yield* get<{ amount: number }>(PAID, { purchase, account, profile, host });
  return seen?.amount;
}

const PAID = `
  SELECT amount FROM gw.records_seen
   WHERE id = :purchase AND kind = 'purchase' AND amount > 0 AND ${SAME_ACCOUNT}
   ORDER BY account IS NULL LIMIT 1`;

/** As `amountPaid`, of many. @returns those that are known, by the ids of the purchases */
export function* amountsPaid(
  destination: Pick<Destination, 'account' | 'profile' | 'host'>,
  purchases: readonly string[],
): Work<Map<string, number>> {
  const rows = yield* all<RecordKey & { amount: number }>(
    `SELECT account, profile, host, id, amount FROM gw.records_seen
      WHERE id = ANY (:purchases) AND kind = 'purchase' AND amount > 0
      ORDER BY account IS NOT NULL`,
    { purchases },
  );
  const theirs = rows.filter((row) => isOf(row, destination));
  return new Map(theirs.map(({ id, amount }) => [id, amount]));
}

/** @returns as `Ledger.remembered` */
export function* findSnapshots(
  { kind, id, scope }: WantedRecords,
  limit: number,
): Work<RememberedRecord[]> {
  // A clause that a value may turn off would keep SQLite from its index of ids.
  const clauses = [
    ...(id === undefined ? [] : ['id = :id']),
    ...(kind === undefined ? [] : ['kind = :kind']),
    ...(scope === undefined ? [] : [requestIsOurs(SCOPE)]),
  ];
  const values = {
    ...(id !== undefined && { id }),
    ...(kind !== undefined && { kind }),
    ...(scope && namedValues(scope)),
    limit,
  };
  const where = clauses.length === 0 ? 'true' : clauses.join(' AND ');
  const found = yield* recordsWhere(`${where} ORDER BY last_seen_at DESC, id LIMIT :limit`, values);
  return found.map(({ number: _, ...known }) => known);
}

/** @param clause of SQL on the table, with an order where it matters */
export function* recordsWhere(clause: string, values: SqlValues): Work<NumberedRecord[]> {
  const rows = yield* all<Omit<NumberedRecord, 'record'> & { record: string }>(
    `SELECT account, profile, environment, host, kind, id, reference, name, last_four AS "lastFour",
            amount, seen_by AS "seenBy", record, first_seen_at AS "firstSeenAt",
            last_seen_at AS "lastSeenAt", rowid AS "number"
       FROM gw.records_seen WHERE ${clause}`,
    values,
  );
  return rows.map((row) => ({ ...row, record: JSON.parse(row.record) as JsonObject }));
}

/** Forgets every record of a profile. */
export function* forgetSnapshots(profile: string): Work<void> {
  yield* run('DELETE FROM gw.records_seen WHERE profile = :profile', { profile });
  yield* dropDocuments("profile = :profile AND kind NOT IN ('request', 'event')", { profile });
}

/** @param before ISO 8601, UTC @returns how many records were forgotten */
export function* pruneSnapshots(before: string): Work<number> {
  yield* dropDocuments("seen_at < :before AND kind NOT IN ('request', 'event')", { before });
  return yield* change('DELETE FROM gw.records_seen WHERE last_seen_at < :before', { before });
}
