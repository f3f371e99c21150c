/**
 * Going over all that a server keeps of records and money requests, and changing it, with its facts
 * (journal/sqlite/rewrite.ts does so in the file). The owner of the ledger alone may.
 */
import { factOfRecord, originOfRecord } from '../../index/document-of-record.ts';
import { dropFacts, putFacts } from '../../index/postgres/postgres-write-facts.ts';
import type { RunStatement } from '../../store/postgres/server.ts';
import type { RememberedRecord } from '../ledger.ts';
import type { Rewritten, RewrittenEntry } from '../sqlite/rewrite.ts';
import { entriesOf } from './postgres-entries.ts';
import { factsOfEntries } from './postgres-settlements.ts';

const PAGE_ROWS = 1_000;

/** What tells a record from all others: its account where that is known, else profile and host. */
export type RecordKey = Pick<RememberedRecord, 'account' | 'profile' | 'host' | 'kind' | 'id'>;

type RecordRow = Omit<RememberedRecord, 'record'> & { record: string };
type EntryRow = Omit<RewrittenEntry, 'body'> & { body: string };

const RECORDS = `
  SELECT account, profile, environment, host, kind, id, reference, name, last_four AS "lastFour",
         amount, seen_by AS "seenBy", record, first_seen_at AS "firstSeenAt",
         last_seen_at AS "lastSeenAt"
    FROM gw.records_seen`;
const THE_RECORD = `
  kind = $1 AND id = $2
    AND (account = $3 OR $3::text IS NULL AND account IS NULL AND profile = $4 AND host = $5)`;
const ENTRIES = `
  SELECT id, profile, created_at AS "createdAt", state, target, reference, message, body
    FROM gw.money_requests`;

/**
 * @param run of a transaction where rows are changed
 * @param only those that are changed, as they are by now; without them all are asked about, and none is changed
 * @returns those that would be another, or were
 */
export async function rewriteRecords(
  run: RunStatement,
  rewrite: (known: RememberedRecord) => Rewritten<RememberedRecord>,
  only?: readonly RecordKey[],
): Promise<RecordKey[]> {
  const touched: RecordKey[] = [];
  for await (const row of only ? givenRecords(run, only) : allRecords(run)) {
    const known = { ...row, record: JSON.parse(row.record) };
    const becomes = rewrite(known);
    if (becomes === 'same') continue;
    touched.push(known);
    if (only) await changeRecord(run, known, becomes);
  }
  return touched;
}

async function* allRecords(run: RunStatement): AsyncGenerator<RecordRow> {
  const order = "id, kind, profile, host, coalesce(account, '')";
  for (let after = ['', '', '', '', '']; ; ) {
    const rows = await run<RecordRow>(
      `${RECORDS} WHERE (${order}) > ($1, $2, $3, $4, $5) ORDER BY ${order} LIMIT ${PAGE_ROWS}`,
      after,
    );
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ROWS) return;
    after = [last.id, last.kind, last.profile, last.host, last.account ?? ''];
  }
}

async function* givenRecords(
  run: RunStatement,
  keys: readonly RecordKey[],
): AsyncGenerator<RecordRow> {
  for (const key of keys)
    yield* await run<RecordRow>(`${RECORDS} WHERE ${THE_RECORD} FOR UPDATE`, valuesOf(key));
}

const valuesOf = ({ kind, id, account, profile, host }: RecordKey) => [
  ...[kind, id, account, profile, host],
];

async function changeRecord(
  run: RunStatement,
  known: RememberedRecord,
  becomes: 'dropped' | RememberedRecord,
): Promise<void> {
  const origin = originOfRecord(known);
  if (becomes === 'dropped') {
    await run(`DELETE FROM gw.records_seen WHERE ${THE_RECORD}`, valuesOf(known));
    await dropFacts(run, 'origin = $1', [origin]);
    return;
  }
  const { reference, name, lastFour, record } = becomes;
  await run(
    `UPDATE gw.records_seen SET reference = $6, name = $7, last_four = $8, record = $9
      WHERE ${THE_RECORD}`,
    [...valuesOf(known), reference, name, lastFour, JSON.stringify(record)],
  );
  // Of a refund its purchase and currency, which its record does not say.
  const [tie] = await run<{ purchase: string | null; currency: string | null }>(
    'SELECT purchase, currency FROM gw.facts WHERE origin = $1',
    [origin],
  );
  const { purchase, currency } = known.kind === 'refund' && tie ? tie : {};
  const fact = factOfRecord(becomes, {
    purchase: purchase ?? undefined,
    currency: currency ?? undefined,
  });
  await putFacts(run, [{ origin, fact }]);
}

/** As `rewriteRecords`; an entry is never dropped, since it is what money is known by. */
export async function rewriteEntries(
  run: RunStatement,
  rewrite: (entry: RewrittenEntry) => 'same' | RewrittenEntry,
  only?: readonly string[],
): Promise<string[]> {
  const touched: string[] = [];
  for await (const row of only ? givenEntries(run, only) : allEntries(run)) {
    const becomes = rewrite({ ...row, body: JSON.parse(row.body) });
    if (becomes === 'same') continue;
    const { id, target, reference, message, body } = becomes;
    touched.push(id);
    if (!only) continue;
    await run(
      `UPDATE gw.money_requests SET target = $2, reference = $3, message = $4, body = $5
        WHERE id = $1`,
      [id, target, reference, message, JSON.stringify(body)],
    );
  }
  if (only) await indexEntries(run, touched);
  return touched;
}

async function* allEntries(run: RunStatement): AsyncGenerator<EntryRow> {
  for (let after = ''; ; ) {
    const sql = `${ENTRIES} WHERE id > $1 ORDER BY id LIMIT ${PAGE_ROWS}`;
    const rows = await run<EntryRow>(sql, [after]);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ROWS) return;
    after = last.id;
  }
}

async function* givenEntries(run: RunStatement, ids: readonly string[]): AsyncGenerator<EntryRow> {
  for (const id of ids) yield* await run<EntryRow>(`${ENTRIES} WHERE id = $1 FOR UPDATE`, [id]);
}

/** As `reindexRequestsOf` of the file. */
export async function reindexRequestsOf(
  run: RunStatement,
  isTheirs: (who: string) => boolean,
): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await run<{ doc: number; id: string; who: string | null }>(
      `SELECT doc, id, who FROM gw.facts WHERE kind = 'request' AND doc > $1
        ORDER BY doc LIMIT ${PAGE_ROWS}`,
      [after],
    );
    const theirs = rows.filter(({ who }) => who !== null && isTheirs(who));
    await indexEntries(
      run,
      theirs.map(({ id }) => id),
    );
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ROWS) return;
    after = last.doc;
  }
}

/** Writes the facts of entries as they are by now. */
async function indexEntries(run: RunStatement, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await putFacts(run, await factsOfEntries(run, await entriesOf(run, ids)));
}
