/** Reads the version, rights and durability of a ledger's server. */
import type { Server } from '../postgres/server.ts';

export interface ServerStatus {
  /** Version of the server, such as `17.5`. */
  version: string;
  form: number;
}

/** @throws Failure guard if there is no ledger, or the role may not read it */
export async function serverStatus(server: Server): Promise<ServerStatus> {
  const [status] = await server.runAgain<ServerStatus>(
    `SELECT form, split_part(current_setting('server_version'), ' ', 1) AS version
       FROM gw.ledger`,
  );
  return status as ServerStatus;
}

/** Rights of a role, for diagnosis. */
export interface RoleRights {
  role: string;
  mayWrite: boolean;
  mayDelete: boolean;
}

/** @returns the rights of this connection's role on entries */
export async function rightsOfRole(server: Server): Promise<RoleRights> {
  const [rights] = await server.run<RoleRights>(
    `SELECT current_user::text AS role,
            has_column_privilege('gw.money_requests', 'id', 'INSERT')
              AND has_column_privilege('gw.outcomes', 'entry', 'INSERT')
              AND has_column_privilege('gw.target_locks', 'note', 'UPDATE') AS "mayWrite",
            has_table_privilege('gw.money_requests', 'DELETE') AS "mayDelete"`,
  );
  return rights as RoleRights;
}

/** Rows that are not as they are derived from others (docs/schema.sql). */
export interface ChangedRows {
  /** `entry` for its state, `key` for the names that find things, else a kind of thing. */
  kind: string;
  count: number;
  /** Id of one of them. */
  example: string;
}

/** @returns what differs; nothing if all is as it is derived */
export function differencesIn(server: Server): Promise<ChangedRows[]> {
  return server.runAgain<ChangedRows>(
    'SELECT kind, count(*) AS count, min(id) AS example FROM gw.differences GROUP BY kind ORDER BY kind',
  );
}

/** @returns ids of purchases of which more was seen to be paid than before, with the role that wrote it */
export function raisedAmounts(server: Server): Promise<{ id: string; role: string }[]> {
  return server.runAgain('SELECT id, role FROM gw.raised_amounts ORDER BY id');
}

/** Guarantees the server gives for a commit that it has acknowledged. */
export interface CommitGuarantee {
  /** Whether the commit is on this server's disk when acknowledged, and survives a crash. */
  isOnDisk: boolean;
  /** Number of servers that have the commit by then, including this one. */
  hosts: number;
  /** Settings that weaken the guarantee, such as `fsync = off`. */
  weak: readonly string[];
}

/** @throws Failure guard if the server cannot be asked */
export async function durabilityOf(server: Server): Promise<CommitGuarantee> {
  const [settings] = await server.run<Record<'fsync' | 'pages' | 'commit' | 'standbys', string>>(
    `SELECT current_setting('fsync') AS fsync,
            coalesce(current_setting('full_page_writes', true), 'on') AS pages,
            current_setting('synchronous_commit') AS commit,
            coalesce(current_setting('synchronous_standby_names', true), '') AS standbys`,
  );
  const { fsync = 'on', pages = 'on', commit = 'on', standbys = '' } = settings ?? {};
  const weak = Object.entries({ fsync, synchronous_commit: commit, full_page_writes: pages })
    .filter(([, value]) => value === 'off')
    .map(([name]) => `${name} = off`);
  // `local` waits for no standby, whatever the other settings are.
  const waits = standbys !== '' && commit !== 'off' && commit !== 'local';
  const wanted = Number(/^(?:FIRST|ANY)?\s*(\d+)\s*\(/i.exec(standbys)?.[1] ?? 1);
  return { isOnDisk: weak.length === 0, hosts: waits ? 1 + wanted : 1, weak };
}
