/** What a ledger on a server is and has, asked cheaply however large it is. */
import type { RunStatement, Server } from '../postgres/server.ts';

export interface ServerStatus {
  /** Of the server, as `17.5`. */
  version: string;
  form: number;
  /** Of all its tables and indexes. */
  bytes: number;
  /** The server's time. ISO 8601. */
  now: string;
  entries: number;
  records: number;
  events: number;
  /** Whether one of the counts is the server's own estimate. */
  isEstimated: boolean;
  unresolved: number;
}

/** A process that sends, or did a moment ago. */
export interface ActiveSender {
  operator: string;
  machine: string;
  /** ISO 8601, UTC. */
  since: string;
  /** Requests of it whose outcome is not known yet. */
  unresolved: number;
}

/** What a role may do, for whoever looks for what is wrong. */
export interface RoleRights {
  role: string;
  mayWrite: boolean;
  mayDelete: boolean;
}

/** A larger table is not counted row by row. */
const COUNTED_BYTES = 64 * 1024 * 1024;

interface TableSize {
  bytes: number;
  estimate: number;
}

/** @throws Failure guard when there is no ledger, or it may not be read */
export async function serverStatus(server: Server): Promise<ServerStatus> {
  return server.transaction(async (run) => {
    const [ledger] = await run<{ form: number; version: string; now: string; bytes: number }>(
      `SELECT form, current_setting('server_version') AS version, now() AS now,
              (SELECT sum(pg_total_relation_size(pg_class.oid))::bigint
                 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
                WHERE nspname = 'gw' AND relkind = 'r') AS bytes
         FROM gw.ledger`,
    );
    const [unresolved] = await run<{ count: number }>(
      "SELECT count(*) AS count FROM gw.money_requests WHERE state IN ('sending', 'unknown')",
    );
    const entries = await countOf(run, 'money_requests');
    const records = await countOf(run, 'records_seen');
    const events = await countOf(run, 'events');
    return {
      version: (ledger?.version ?? '').split(' ')[0] ?? '',
      form: ledger?.form ?? 0,
      bytes: ledger?.bytes ?? 0,
      now: ledger?.now ?? '',
      entries: entries.count,
      records: records.count,
      events: events.count,
      isEstimated: [entries, records, events].some(({ isEstimated }) => isEstimated),
      unresolved: unresolved?.count ?? 0,
    };
  });
}

async function countOf(
  run: RunStatement,
  table: string,
): Promise<{ count: number; isEstimated: boolean }> {
  const [size] = await run<TableSize>(
    `SELECT pg_relation_size(oid) AS bytes, reltuples::bigint AS estimate
       FROM pg_class WHERE oid = to_regclass($1)`,
    [`gw.${table}`],
  );
  if (size && size.bytes > COUNTED_BYTES && size.estimate >= 0)
    return { count: size.estimate, isEstimated: true };
  const [row] = await run<{ count: number }>(`SELECT count(*) AS count FROM gw.${table}`);
  return { count: row?.count ?? 0, isEstimated: false };
}

/** @returns those whose lease holds, by when they began */
export async function activeSenders(server: Server): Promise<ActiveSender[]> {
  return server.run<ActiveSender>(
    `SELECT operator, machine, started_at AS since,
            (SELECT count(*) FROM gw.money_requests
              WHERE sender = senders.id AND state IN ('sending', 'unknown')) AS unresolved
       FROM gw.senders WHERE lease_until >= now() ORDER BY started_at`,
  );
}

/** @returns what the role of this connection may do with entries */
export async function rightsOfRole(server: Server): Promise<RoleRights> {
  const [rights] = await server.run<RoleRights>(
    `SELECT current_user::text AS role,
            has_table_privilege('gw.money_requests', 'INSERT')
              AND has_column_privilege('gw.money_requests', 'state', 'UPDATE')
              AND has_column_privilege('gw.turns', 'turn', 'UPDATE') AS "mayWrite",
            has_table_privilege('gw.money_requests', 'DELETE') AS "mayDelete"`,
  );
  return rights as RoleRights;
}

const ROUNDS = 3;
const TRIPS = 5;

/**
 * @param now in ms
 * @returns how long a question and its answer take, in ms: the median of a few
 */
export async function latencyOf(server: Server, now: () => number): Promise<number> {
  const found: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const from = now();
    for (let trip = 0; trip < TRIPS; trip++) await server.run('SELECT 1');
    found.push((now() - from) / TRIPS);
  }
  return found.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}
