/** What a ledger has, asked cheaply however large it is. */
import { engine, get, one, type Work } from '../sql.ts';

export interface LedgerCounts {
  entries: number;
  records: number;
  /** Of a file; a server has none. */
  events?: number;
  /** Whether one of these is a server's own estimate. */
  isEstimated: boolean;
  unresolved: number;
}

/** A larger table of a server is not counted row by row. */
const COUNTED_BYTES = 64 * 1024 * 1024;

export function* countLedger(): Work<LedgerCounts> {
  const entries = yield* countOf('money_requests');
  const records = yield* countOf('records_seen');
  const events = (yield* engine()) === 'sqlite' ? yield* countOf('events') : undefined;
  const unresolved = yield* one<{ count: number }>(
    "SELECT count(*) AS count FROM gw.money_requests WHERE state IN ('sending', 'unknown')",
  );
  return {
    entries: entries.count,
    records: records.count,
    ...(events && { events: events.count }),
    isEstimated: [entries, records].some(({ isEstimated }) => isEstimated),
    unresolved: unresolved.count,
  };
}

function* countOf(table: string): Work<{ count: number; isEstimated: boolean }> {
  const estimate = (yield* engine()) === 'postgres' ? yield* estimateOf(table) : undefined;
  if (estimate !== undefined) return { count: estimate, isEstimated: true };
  const { count } = yield* one<{ count: number }>(`SELECT count(*) AS count FROM gw.${table}`);
  return { count, isEstimated: false };
}

/** @returns about how many rows a large table has; undefined for one that is to be counted */
function* estimateOf(table: string): Work<number | undefined> {
  const size = yield* get<{ bytes: number; estimate: number }>(
    `SELECT pg_relation_size(oid) AS bytes, reltuples::bigint AS estimate
       FROM pg_class WHERE oid = to_regclass(:name)`,
    { name: `gw.${table}` },
  );
  return size && size.bytes > COUNTED_BYTES && size.estimate >= 0 ? size.estimate : undefined;
}
