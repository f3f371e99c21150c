/** Records seen, on a server: as in the file (journal/records/snapshots.ts), a row for each record of an account. */
import { earlierNamesOf, sameAccount } from '../../base/account.ts';
import type { JsonObject } from '../../base/json.ts';
import { factOfRecord, originOfRecord } from '../../index/document-of-record.ts';
import { scopeIn, Values } from '../../index/postgres/postgres-conditions.ts';
import type { OriginatedFact } from '../../index/postgres/postgres-write-facts.ts';
import { requestIsOurs } from '../../index/scope.ts';
import type { RunStatement } from '../../store/postgres/server.ts';
import type { RememberedRecord, Sighting, WantedRecords } from '../ledger.ts';
import { tiesOf } from './postgres-ties.ts';

const TYPES = {
  ...{ account: 'text', profile: 'text', host: 'text', kind: 'text', id: 'text' },
  ...{ environment: 'text', reference: 'text', name: 'text', last_four: 'text', amount: 'bigint' },
  ...{ first_seen_at: 'text', last_seen_at: 'text', seen_by: 'text', record: 'text' },
} as const;
const NAMES = Object.keys(TYPES) as (keyof typeof TYPES)[];
const GIVEN = NAMES.map((name, i) => `$${i + 1}::${TYPES[name]}[]`);

/** As `UPDATED` of the file. */
const UPDATED = `
  DO UPDATE SET
    profile = excluded.profile,
    host = excluded.host,
    environment = excluded.environment,
    reference = coalesce(excluded.reference, known.reference),
    name = coalesce(excluded.name, known.name),
    last_four = coalesce(excluded.last_four, known.last_four),
    amount = coalesce(excluded.amount, known.amount),
    last_seen_at = excluded.last_seen_at,
    seen_by = excluded.seen_by,
    record = excluded.record
    WHERE excluded.last_seen_at >= known.last_seen_at`;

/** The two unique indexes of the table; in one order by all, so that nobody waits for ever. */
const PUT = `
  WITH given AS (SELECT * FROM unnest(${GIVEN}) AS given (${NAMES})
  ), of_account AS (
    INSERT INTO gw.records_seen AS known (${NAMES})
    SELECT ${NAMES} FROM given WHERE account IS NOT NULL ORDER BY account, kind, id
    ON CONFLICT (account, kind, id) WHERE account IS NOT NULL ${UPDATED}
  )
  INSERT INTO gw.records_seen AS known (${NAMES})
  SELECT ${NAMES} FROM given WHERE account IS NULL ORDER BY profile, host, kind, id
  ON CONFLICT (profile, host, kind, id) WHERE account IS NULL ${UPDATED}`;

const COLUMNS = `
  r.account, r.profile, r.environment, r.host, r.kind, r.id, r.reference, r.name,
  r.last_four AS "lastFour", r.amount, r.seen_by AS "seenBy", r.record,
  r.first_seen_at AS "firstSeenAt", r.last_seen_at AS "lastSeenAt"`;

type Row = Omit<RememberedRecord, 'record'> & { record: string };

const recordOf = (row: Row): RememberedRecord => ({
  ...row,
  record: JSON.parse(row.record) as JsonObject,
});

/**
 * Writes what was seen, one look after the other.
 * @returns the facts of it
 */
export async function takeIn(
  run: RunStatement,
  sightings: readonly Sighting[],
): Promise<OriginatedFact[]> {
  if (sightings.length === 0) return [];
  const seen = sightings.map(asRecord);
  const known = await knownOf(run, seen);
  const touched = new Set<string>();
  for (const one of seen) {
    const origin = originOfRecord(one);
    const before = known.get(origin) ?? (await takeOver(run, known, one));
    known.set(origin, before ? mergedOf(before, one) : one);
    touched.add(origin);
  }
  const records = [...touched].flatMap((origin) => known.get(origin) ?? []);
  await putRecords(run, records);
  return factsOfRecords(run, records);
}

/** @returns facts of records as they are given */
export async function factsOfRecords(
  run: RunStatement,
  records: readonly RememberedRecord[],
): Promise<OriginatedFact[]> {
  const refunds = records.filter(({ kind }) => kind === 'refund');
  const ties = await tiesOf(
    run,
    refunds.map((refund) => ({ ...refund, refund: refund.id, purchase: null })),
  );
  const tieOf = new Map(refunds.map((refund, i) => [refund, ties[i]]));
  return records.map((record) => ({
    origin: originOfRecord(record),
    fact: factOfRecord(record, tieOf.get(record)),
  }));
}

function asRecord({ seenAt, ...seen }: Sighting): RememberedRecord {
  return { ...seen, firstSeenAt: seenAt, lastSeenAt: seenAt };
}

/** A later look may know less; an earlier one that comes in late knows nothing better. */
function mergedOf(known: RememberedRecord, seen: RememberedRecord): RememberedRecord {
  if (seen.lastSeenAt < known.lastSeenAt) return known;
  return {
    ...seen,
    reference: seen.reference ?? known.reference,
    name: seen.name ?? known.name,
    lastFour: seen.lastFour ?? known.lastFour,
    amount: seen.amount ?? known.amount,
    firstSeenAt: known.firstSeenAt,
  };
}

/** @param records each once */
async function putRecords(run: RunStatement, records: readonly RememberedRecord[]): Promise<void> {
  const rows = records.map(columnsOf);
  await run(
    PUT,
    NAMES.map((name) => rows.map((row) => row[name])),
  );
}

function columnsOf({
  lastFour,
  firstSeenAt,
  lastSeenAt,
  seenBy,
  record,
  ...same
}: RememberedRecord) {
  return {
    ...same,
    last_four: lastFour,
    first_seen_at: firstSeenAt,
    last_seen_at: lastSeenAt,
    seen_by: seenBy,
    record: JSON.stringify(record),
  };
}

/** @returns what is known of records so far, also without their account, by their origins */
async function knownOf(
  run: RunStatement,
  records: readonly RememberedRecord[],
): Promise<Map<string, RememberedRecord>> {
  const rows = await run<Row>(
    `SELECT ${COLUMNS}
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
              AS a (account, profile, host, kind, id)
       JOIN gw.records_seen AS r ON r.id = a.id AND r.kind = a.kind
        AND ${sameAccount('r.', 'a.')}`,
    (['account', 'profile', 'host', 'kind', 'id'] as const).map((name) =>
      records.map((record) => record[name]),
    ),
  );
  return new Map(rows.map((row) => [originOfRecord(row), recordOf(row)]));
}

/**
 * What an older gw saw here belongs to the account that sees it again. Its fact becomes that of the
 * account, which writes it anew.
 * @returns it, as it is known of the account from now on
 */
async function takeOver(
  run: RunStatement,
  known: Map<string, RememberedRecord>,
  seen: RememberedRecord,
): Promise<RememberedRecord | undefined> {
  const { account } = seen;
  const names = earlierNamesOf(account).map((name) => originOfRecord({ ...seen, account: name }));
  const origin = names.find((name) => known.has(name)) ?? '';
  const before = known.get(origin);
  if (!before) return undefined;
  known.delete(origin);
  const { profile, host, kind, id } = before;
  await run(
    `UPDATE gw.records_seen SET account = $1
      WHERE account IS NOT DISTINCT FROM $2 AND profile = $3 AND host = $4 AND kind = $5 AND id = $6`,
    [account, before.account, profile, host, kind, id],
  );
  await run('UPDATE gw.facts SET origin = $1 WHERE origin = $2', [originOfRecord(seen), origin]);
  return { ...before, account };
}

/** @returns as `Ledger.remembered` */
export async function rememberedRecords(
  run: RunStatement,
  { kind, id, scope }: WantedRecords,
  limit: number,
): Promise<RememberedRecord[]> {
  const values = new Values();
  const where = ['true'];
  if (id !== undefined) where.push(`r.id = ${values.add(id)}`);
  if (kind !== undefined) where.push(`r.kind = ${values.add(kind)}`);
  if (scope !== undefined) where.push(requestIsOurs(scopeIn(values, scope)));
  const rows = await run<Row>(
    `SELECT ${COLUMNS} FROM gw.records_seen AS r WHERE ${where.join(' AND ')}
      ORDER BY r.last_seen_at DESC, r.id LIMIT ${values.add(limit)}`,
    values.all,
  );
  return rows.map(recordOf);
}

/** @returns all records of these ids */
export async function recordsById(
  run: RunStatement,
  ids: readonly string[],
): Promise<RememberedRecord[]> {
  const rows = await run<Row>(
    `SELECT ${COLUMNS} FROM gw.records_seen AS r WHERE r.id = ANY ($1::text[])`,
    [ids],
  );
  return rows.map(recordOf);
}
