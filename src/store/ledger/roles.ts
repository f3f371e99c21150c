/**
 * Who may do what in a ledger on a server. Operators add rows and settle them: what an entry asked for,
 * when and by whom, is in columns that they cannot change, and they delete nothing. An owner may do
 * everything, and owns the tables, so that any owner can bring them up to date.
 *
 * Roles are the server's: two ledgers on one server have the same ones.
 */
import { Failure } from '../../failure.ts';
import { isLost, type RunStatement, type Server } from '../postgres/server.ts';
import { LEDGER_STEPS } from './postgres-schema.ts';

export const OPERATOR_ROLE = 'gw_operator';
export const OWNER_ROLE = 'gw_owner';

/** What operators only read: which ledger it is, and whose turn is made with it. */
const FIXED = ['ledger', 'turns', 'makers'];

/**
 * What operators change. Of an entry it is its outcome; of a record how it was seen last; the rest is
 * derived from others, or says how far something has come. `events` loses what a profile that
 * remembers nothing had only to pass on.
 */
const CHANGED: Readonly<Record<string, readonly string[] | 'all'>> = {
  turns: ['turn'],
  senders: ['seen_at', 'lease_until'],
  money_requests: [
    ...['state', 'settled_at', 'status', 'record_id', 'message'],
    ...['superseded', 'resolution', 'resolved_by'],
  ],
  records_seen: [
    ...['account', 'profile', 'host', 'environment', 'reference', 'name', 'last_four'],
    ...['amount', 'first_seen_at', 'last_seen_at', 'seen_by', 'record'],
  ],
  events: ['verification', 'headers', 'body'],
  event_sources: 'all',
  event_forwards: ['state', 'attempts', 'last_error'],
  event_leases: ['holder', 'lease_until'],
  facts: 'all',
};

/** Of all steps, in the order in which they are made. */
const TABLES = namesOf('TABLE');
const SEQUENCES = namesOf('SEQUENCE');

/** @returns the statements that give both roles their rights; run by whoever owns the tables */
export function rightsOfRoles(): string[] {
  return [
    `GRANT USAGE ON SCHEMA gw TO ${OPERATOR_ROLE}, ${OWNER_ROLE}`,
    ...['makers', ...TABLES].map(rightsOfOperators),
    // Events that are copied get their numbers before they are written.
    ...[...SEQUENCES, 'events_id_seq'].map(
      (name) => `GRANT USAGE ON SEQUENCE gw.${name} TO ${OPERATOR_ROLE}`,
    ),
    `GRANT ALL ON ALL TABLES IN SCHEMA gw TO ${OWNER_ROLE}`,
    `GRANT ALL ON ALL SEQUENCES IN SCHEMA gw TO ${OWNER_ROLE}`,
  ];
}

function rightsOfOperators(table: string): string {
  const changed = CHANGED[table];
  const rights = [
    'SELECT',
    ...(FIXED.includes(table) ? [] : ['INSERT']),
    ...(changed === undefined
      ? []
      : [changed === 'all' ? 'UPDATE' : `UPDATE (${changed.join(', ')})`]),
  ];
  return `GRANT ${rights.join(', ')} ON gw.${table} TO ${OPERATOR_ROLE}`;
}

/** @returns the statements that hand the tables to the owners; run by one of them who has them so far */
export function handOver(): string[] {
  return [
    // First, since a table is only given to whoever may make one there.
    `ALTER SCHEMA gw OWNER TO ${OWNER_ROLE}`,
    ...['makers', ...TABLES].map((name) => `ALTER TABLE gw.${name} OWNER TO ${OWNER_ROLE}`),
    ...SEQUENCES.map((name) => `ALTER SEQUENCE gw.${name} OWNER TO ${OWNER_ROLE}`),
  ];
}

function namesOf(what: 'TABLE' | 'SEQUENCE'): string[] {
  const made = LEDGER_STEPS.join('\n').matchAll(/CREATE (TABLE|SEQUENCE) gw\.(\w+)/g);
  return [...made].filter(([, kind]) => kind === what).map(([, , name = '']) => name);
}

/** @param name of a role @returns it as SQL has it */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export interface RolesReport {
  /** Roles that were made now. */
  made: readonly string[];
  /** Roles that are not there, and that this one may not make. */
  missing: readonly string[];
  /** false where others have the tables, and gave the rights. */
  isOwner: boolean;
  /** Why the owners do not own the tables, in the server's words; they may do everything all the same. */
  notHandedOver: string | undefined;
}

interface Standing {
  may: boolean;
  isSuperuser: boolean;
  isOwner: boolean;
  database: string;
  there: string;
}

/**
 * Makes the roles that are missing and gives them their rights; both again where it was done before.
 * @throws Failure guard when the server cannot be asked
 */
export async function makeRoles(server: Server): Promise<RolesReport> {
  const [standing] = await server.run<Standing>(STANDING);
  const { may, isSuperuser, isOwner, database, there } = standing as Standing;
  const missing = [OPERATOR_ROLE, OWNER_ROLE].filter((role) => !there.split(' ').includes(role));
  if (missing.length > 0 && !may) return { made: [], missing, isOwner, notHandedOver: undefined };
  await server.transaction(async (run) => {
    for (const role of missing) await run(`CREATE ROLE ${role} NOLOGIN`);
  });
  if (!isOwner) return { made: missing, missing: [], isOwner, notHandedOver: undefined };
  await server.transaction((run) => runAll(run, rightsOfRoles()));
  const notHandedOver = await handedOver(server, { isSuperuser, database });
  return { made: missing, missing: [], isOwner, notHandedOver };
}

const STANDING = `
  SELECT rolsuper OR rolcreaterole AS may, rolsuper AS "isSuperuser", current_database() AS database,
         EXISTS (SELECT 1 FROM pg_namespace
                  WHERE nspname = 'gw' AND pg_has_role(current_user, nspowner, 'USAGE')) AS "isOwner",
         coalesce((SELECT string_agg(rolname, ' ') FROM pg_roles
                    WHERE rolname IN ('${OPERATOR_ROLE}', '${OWNER_ROLE}')), '') AS there
    FROM pg_roles WHERE rolname = current_user`;

/** @returns why not, in the server's words */
async function handedOver(
  server: Server,
  { isSuperuser, database }: Pick<Standing, 'isSuperuser' | 'database'>,
): Promise<string | undefined> {
  try {
    await server.transaction(async (run) => {
      if (!isSuperuser) await run(`GRANT ${OWNER_ROLE} TO CURRENT_USER`);
      await run(`GRANT CREATE ON DATABASE ${quoted(database)} TO ${OWNER_ROLE}`);
      await runAll(run, handOver());
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure) || isLost(error)) throw error;
    return error.message;
  }
}

/**
 * @param role one that may log in
 * @throws Failure guard when there is no such role, or it may not be made an operator
 */
export async function makeOperator(server: Server, role: string): Promise<void> {
  await server.run(`GRANT ${OPERATOR_ROLE} TO ${quoted(role)}`);
}

async function runAll(run: RunStatement, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await run(statement);
}
