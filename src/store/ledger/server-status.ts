/** What a ledger on a server is. */
import type { Server } from '../postgres/server.ts';

export interface ServerStatus {
  /** Of the server, as `17.5`. */
  version: string;
  form: number;
}

/** @throws Failure guard when there is no ledger, or it may not be read */
export async function serverStatus(server: Server): Promise<ServerStatus> {
  const [status] = await server.runAgain<ServerStatus>(
    `SELECT form, split_part(current_setting('server_version'), ' ', 1) AS version
       FROM gw.ledger`,
  );
  return status as ServerStatus;
}

/** What a role may do, for whoever looks for what is wrong. */
export interface RoleRights {
  role: string;
  mayWrite: boolean;
  mayDelete: boolean;
}

/** @returns what the role of this connection may do with entries */
export async function rightsOfRole(server: Server): Promise<RoleRights> {
  const [rights] = await server.run<RoleRights>(
    `SELECT current_user::text AS role,
            has_column_privilege('gw.money_requests', 'id', 'INSERT')
              AND has_column_privilege('gw.money_requests', 'state', 'UPDATE')
              AND has_column_privilege('gw.target_locks', 'note', 'UPDATE') AS "mayWrite",
            has_table_privilege('gw.money_requests', 'DELETE') AS "mayDelete"`,
  );
  return rights as RoleRights;
}

/** What the server promises of a commit that it has answered. */
export interface Durability {
  /** Whether it is on the disk of this server when it is answered, and a crash leaves it whole. */
  isOnDisk: boolean;
  /** On how many servers it is then, this one included. */
  hosts: number;
  /** Settings that keep it from that, as the server has them. */
  weak: readonly string[];
}

/** @throws Failure guard when the server cannot be asked */
export async function durabilityOf(server: Server): Promise<Durability> {
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
  // `local` waits for no standby, whatever else is set.
  const waits = standbys !== '' && commit !== 'off' && commit !== 'local';
  const wanted = Number(/^(?:FIRST|ANY)?\s*(\d+)\s*\(/i.exec(standbys)?.[1] ?? 1);
  return { isOnDisk: weak.length === 0, hosts: waits ? 1 + wanted : 1, weak };
}
