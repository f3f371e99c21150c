/** Reads what entries of the journal and records say of things. */
import type { RecordKind } from '../contract/record.ts';
import { objectOfText } from '../store/ledger/object-text.ts';
import { allRows, type Work } from '../store/sql.ts';
import type { DueSource } from '../things/deferred.ts';
import type { SourceNews, ThingNews } from '../things/read-sources.ts';
import { RECORD_COLUMNS, type RememberedRow, recordOfRow } from './entries.ts';
import type { RememberedRecord } from './ledger.ts';
import { toldByRecord } from './told-by-record.ts';
import { madeBy, type SentRequest, toldByRequest } from './told-by-request.ts';

/** @returns what those of these sources say now that are entries or records */
export function* readKept(wanted: readonly DueSource[]): Work<SourceNews[]> {
  const isRecord = ({ kind }: DueSource) => kind !== 'event' && kind !== 'request';
  return [
    ...(yield* readRecords(wanted.filter(isRecord))),
    ...(yield* readEntries(wanted.filter(({ kind }) => kind === 'request'))),
  ];
}

/** @returns what entries say now: of the record that each made, or else of itself */
function* readEntries(due: readonly DueSource[]): Work<SourceNews[]> {
  if (due.length === 0) return [];
  const rows = yield* allRows<Omit<SentRequest, 'body'> & { body: string }>(
    `SELECT id, created_at AS "createdAt", account, profile, environment, host, operation, target,
            refund_of AS "refundOf", amount, currency, reference, body, note, state,
            settled_at AS "settledAt", record_id AS "recordId", message, resolved_by AS "resolvedBy",
            transaction_date AS "transactionDate", operator
       FROM gw.money_requests WHERE id = ANY (:ids)`,
    { ids: due.map(({ id }) => id) },
  );
  const told = new Map(
    rows.map((row) => [row.id, newsOfEntry({ ...row, body: objectOfText(row.body, row) })]),
  );
  return due.map((source) => ({ source, news: [told.get(source.id) ?? []].flat() }));
}

/** @returns what an entry says: of the record that it made, or else of itself */
export function newsOfEntry(entry: SentRequest): ThingNews {
  const { account, profile, environment } = entry;
  const made = madeBy(entry) ?? ({ kind: 'request', id: entry.id } as const);
  const requests = { [entry.id]: toldByRequest(entry) };
  return { ...made, owner: { account, profile, environment }, told: { requests } };
}

/** @returns what records say now */
function* readRecords(due: readonly DueSource[]): Work<SourceNews[]> {
  if (due.length === 0) return [];
  const rows = yield* allRows<RememberedRow>(
    `SELECT ${RECORD_COLUMNS} FROM gw.records WHERE id = ANY (:ids)`,
    { ids: [...new Set(due.map(({ id }) => id))] },
  );
  const told = new Map(
    rows.map((row) => {
      const { kind, account, id } = row;
      return [nameOf({ kind, account, id }), newsOfRecord(recordOfRow(row))];
    }),
  );
  return due.map((source) => ({ source, news: [told.get(nameOf(source)) ?? []].flat() }));
}

/** @returns what a record says of its thing */
export function newsOfRecord(seen: RememberedRecord): ThingNews {
  const { kind, id, account, profile, environment } = seen;
  const owner = { account, profile, environment };
  return { kind: kind as RecordKind, id, owner, told: { record: toldByRecord(seen) } };
}

function nameOf({ kind, account, id }: DueSource): string {
  return JSON.stringify([kind, account, id]);
}
