/**
 * Who may do what in a ledger on a server. Operators add rows and settle them: what an entry asked for,
 * when and by whom, is in columns that they cannot change. They delete nothing but the index, which can be
 * written anew. An owner may do everything, and owns the tables, so that any owner can bring them up to date.
 *
 * Roles are the server's, so their names have that of the database: two ledgers on one server have roles of
 * their own. Older ledgers shared `gw_operator` and `gw_owner`.
 */
import { createHash } from 'node:crypto';
import { Failure } from '../../failure.ts';
import { isLost, type RunStatement, type Server } from '../postgres/server.ts';
import { LEDGER_PARTS } from './postgres-schema.ts';

/** Names of roles; where they stand in SQL they are identifiers already. */
export interface Roles {
  operator: string;
  owner: string;
}

/** What begins the names; the roles of an older ledger are called so. */
export const SHARED_ROLES: Roles = { operator: 'gw_operator', owner: 'gw_owner' };
/** What a server keeps of a name, in bytes. */
export const MAX_NAME_BYTES = 63;
const DIGITS = 12;

/** @returns the roles of the ledger in a database, by the name of that */
function rolesOf(database: string): Roles {
  const named = (role: string) => {
    const name = `${role}_${database}`;
    if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
    return `${role}_${createHash('sha256').update(database).digest('hex').slice(0, DIGITS)}`;
  };
  return { operator: named(SHARED_ROLES.operator), owner: named(SHARED_ROLES.owner) };
}

const asIdentifiers = ({ operator, owner }: Roles): Roles => ({
  operator: quoted(operator),
  owner: quoted(owner),
});

/** What operators only read: which ledger it is, and the rows that they lock. */
const FIXED = ['ledger', 'target_locks', 'makers'];

/** What operators say of a new row; of other tables all. The rest of these is the server's word. */
const SAID: Readonly<Record<string, readonly string[]>> = {
  money_requests: [
    ...['id', 'created_at', 'account', 'profile', 'environment', 'host', 'operation', 'target'],
    ...['refund_of', 'amount', 'currency', 'reference', 'body', 'batch', 'line', 'owner'],
    ...['sends_until', 'operator', 'machine', 'state', 'settled_at', 'status', 'record_id'],
    ...['message', 'superseded', 'resolution', 'resolved_by'],
  ],
  outcomes: ['entry', 'state', 'status', 'record_id', 'message', 'resolution', 'resolved_by'],
};

/**
 * What operators change. Of an entry it is its outcome; of a record how it was seen last; the rest is
 * derived from others.
 */
const CHANGED: Readonly<Record<string, readonly string[] | 'all'>> = {
  target_locks: ['note'],
  money_requests: [
    ...['state', 'settled_at', 'status', 'record_id', 'message'],
    ...['superseded', 'resolution', 'resolved_by'],
  ],
  records_seen: [
    ...['account', 'profile', 'host', 'environment', 'reference', 'name', 'last_four'],
    ...['amount', 'first_seen_at', 'last_seen_at', 'seen_by', 'record'],
  ],
  facts: 'all',
  facts_state: 'all',
};

/** What operators delete: all that is derived. */
const DELETED = ['facts', 'fact_keys', 'facts_due'];

/** In the order in which they are made. */
const TABLES = namesOf('TABLE');
const SEQUENCES = namesOf('SEQUENCE');

/**
 * @param roles as identifiers
 * @returns the statements that give both their rights; run by whoever owns the tables
 */
export function rightsOfRoles({ operator, owner }: Roles): string[] {
  return [
    `GRANT USAGE ON SCHEMA gw TO ${operator}, ${owner}`,
    ...['makers', ...TABLES].map((table) => `${rightsOfOperators(table)} TO ${operator}`),
    ...SEQUENCES.map((name) => `GRANT USAGE ON SEQUENCE gw.${name} TO ${operator}`),
    `GRANT ALL ON ALL TABLES IN SCHEMA gw TO ${owner}`,
    `GRANT ALL ON ALL SEQUENCES IN SCHEMA gw TO ${owner}`,
  ];
}

function rightsOfOperators(table: string): string {
  const changed = CHANGED[table];
  const rights = [
    'SELECT',
    ...(FIXED.includes(table) ? [] : [rightOn('INSERT', SAID[table] ?? 'all')]),
    ...(changed === undefined ? [] : [rightOn('UPDATE', changed)]),
    ...(DELETED.includes(table) ? ['DELETE'] : []),
  ];
  return `GRANT ${rights.join(', ')} ON gw.${table}`;
}

function rightOn(right: string, columns: readonly string[] | 'all'): string {
  return columns === 'all' ? right : `${right} (${columns.join(', ')})`;
}

/** @returns the statements that hand the tables to the owners; run by one of them who has them so far */
export function handOver({ owner }: Roles): string[] {
  return [
    // First, since a table is only given to whoever may make one there.
    `ALTER SCHEMA gw OWNER TO ${owner}`,
    ...['makers', ...TABLES].map((name) => `ALTER TABLE gw.${name} OWNER TO ${owner}`),
    ...SEQUENCES.map((name) => `ALTER SEQUENCE gw.${name} OWNER TO ${owner}`),
  ];
}

function namesOf(what: 'TABLE' | 'SEQUENCE'): string[] {
  const created = new RegExp(`CREATE ${what} gw\\.(\\w+)`, 'g');
  return LEDGER_PARTS.flatMap(([, sql]) => [...sql.matchAll(created)].map(([, name = '']) => name));
}

/** @param name of a role @returns it as SQL has it */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export interface RolesReport {
  /** Those of this ledger. */
  roles: Roles;
  /** Roles that were made now. */
  made: readonly string[];
  /** Roles that are not there, and that this one may not make. */
  missing: readonly string[];
  /** false where others have the tables, and gave the rights. */
  isOwner: boolean;
  /** Why the owners do not own the tables, in the server's words; they may do everything all the same. */
  notHandedOver: string | undefined;
}

interface RoleState {
  may: boolean;
  isSuperuser: boolean;
  isOwner: boolean;
  database: string;
}

/**
 * Makes the roles that are missing and gives them their rights; both again where it was done before.
 * @throws Failure guard when the server cannot be asked
 */
export async function makeRoles(server: Server): Promise<RolesReport> {
  const [standing] = await server.run<RoleState>(STANDING);
  const { may, isSuperuser, isOwner, database } = standing as RoleState;
  const roles = rolesOf(database);
  const missing = await missingOf(server, [roles.operator, roles.owner]);
  const report = { roles, made: missing, missing: [], isOwner, notHandedOver: undefined };
  if (missing.length > 0 && !may) return { ...report, made: [], missing };
  await server.transaction(async (run) => {
    for (const role of missing) await run(`CREATE ROLE ${quoted(role)} NOLOGIN`);
  });
  if (!isOwner) return report;
  await server.transaction((run) => runAll(run, rightsOfRoles(asIdentifiers(roles))));
  const notHandedOver = await handedOver(server, roles, { isSuperuser, database });
  if (may) await leaveShared(server, roles);
  return { ...report, notHandedOver };
}

const STANDING = `
  SELECT rolsuper OR rolcreaterole AS may, rolsuper AS "isSuperuser", current_database() AS database,
         EXISTS (SELECT 1 FROM pg_namespace
                  WHERE nspname = 'gw' AND pg_has_role(current_user, nspowner, 'USAGE')) AS "isOwner"
    FROM pg_roles WHERE rolname = current_user`;

async function missingOf(server: Server, roles: readonly string[]): Promise<string[]> {
  const there = await server.run<{ name: string }>(
    'SELECT rolname::text AS name FROM pg_roles WHERE rolname = ANY ($1::text[])',
    [roles],
  );
  return roles.filter((role) => !there.some(({ name }) => name === role));
}

/** @returns why not, in the server's words */
async function handedOver(
  server: Server,
  roles: Roles,
  { isSuperuser, database }: Pick<RoleState, 'isSuperuser' | 'database'>,
): Promise<string | undefined> {
  const { owner } = asIdentifiers(roles);
  try {
    await server.transaction(async (run) => {
      if (!isSuperuser) await run(`GRANT ${owner} TO CURRENT_USER`);
      await run(`GRANT CREATE ON DATABASE ${quoted(database)} TO ${owner}`);
      await runAll(run, handOver(asIdentifiers(roles)));
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure) || isLost(error)) throw error;
    return error.message;
  }
}

/** Whoever has a role that ledgers of this server shared gets that of this one; the shared one loses it. */
async function leaveShared(server: Server, roles: Roles): Promise<void> {
  for (const kind of ['operator', 'owner'] as const) {
    const shared = SHARED_ROLES[kind];
    const members = await server.run<{ name: string | null }>(
      `SELECT member.rolname::text AS name
         FROM pg_roles AS shared
         LEFT JOIN pg_auth_members ON pg_auth_members.roleid = shared.oid
         LEFT JOIN pg_roles AS member ON member.oid = pg_auth_members.member
        WHERE shared.rolname = $1 AND has_schema_privilege(shared.oid, 'gw', 'USAGE')
          AND NOT shared.rolsuper`,
      [shared],
    );
    if (members.length === 0) continue;
    const people = members.flatMap(({ name }) => name ?? []);
    await server.transaction((run) =>
      runAll(run, [
        ...people.map((name) => `GRANT ${quoted(roles[kind])} TO ${quoted(name)}`),
        `REVOKE ALL ON ALL TABLES IN SCHEMA gw FROM ${shared}`,
        `REVOKE ALL ON ALL SEQUENCES IN SCHEMA gw FROM ${shared}`,
        `REVOKE ALL ON SCHEMA gw FROM ${shared}`,
      ]),
    );
  }
}

/**
 * @param role one that may log in
 * @throws Failure guard when there is no such role, or it may not be made an operator
 */
export async function makeOperator(server: Server, role: string): Promise<void> {
  const [at] = await server.run<{ database: string }>('SELECT current_database() AS database');
  const { operator } = rolesOf(at?.database ?? '');
  await server.run(`GRANT ${quoted(operator)} TO ${quoted(role)}`);
}

async function runAll(run: RunStatement, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await run(statement);
}
