/** Creates and administers a ledger on a server. */
import { shellWord } from '../../base/shell.ts';
import { Failure } from '../../failure.ts';
import { labelOfAddress } from '../postgres/address.ts';
import type { RunStatement, Server } from '../postgres/server.ts';
import { LEDGER_FORM } from './postgres-schema.ts';

/**
 * `SYSTEM_ID` identifies the server and the database: one that a dump was restored to is another. `TIMELINE` changes when a
 * standby takes over, and is NULL on a standby.
 */
export const SYSTEM_ID = `(SELECT system_identifier || '/' || oid
                             FROM pg_control_system(), pg_database WHERE datname = current_database())`;
export const TIMELINE =
  'CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END';

/**
 * Accepts the current server as the ledger's own, whatever it was before and whatever entries are missing.
 * @param doubts numbers of the doubts that are accepted; one that came after them stays
 */
export async function acceptRestore(server: Server, doubts: readonly number[]): Promise<void> {
  await server.run(
    `WITH accepted AS (
       UPDATE gw.doubts SET accepted_by = session_user, accepted_at = clock_timestamp()
        WHERE number = ANY ($1::bigint[]))
     UPDATE gw.ledger
        SET system_id = ${SYSTEM_ID}, timeline = ${TIMELINE}, complete_since = clock_timestamp()`,
    [doubts],
  );
}

/** @returns the form of the ledger; undefined if there is none */
export async function formOf(run: RunStatement): Promise<number | undefined> {
  const [there] = await run<{ name: string | null }>(
    "SELECT to_regclass('gw.ledger')::text AS name",
  );
  if (!there?.name) return undefined;
  const [ledger] = await run<{ form: number }>('SELECT form FROM gw.ledger');
  return ledger?.form;
}

/**
 * Runs `schema.sql` in one transaction, which leaves existing tables alone. Skips it if another role owns the schema.
 * If two clients begin at once, one fails on what the other creates and runs again (`isTransientError`).
 * @param schema text of the schema
 * @returns whether there was no ledger before
 * @throws Failure guard if another version of gw made the ledger, or the role may not create it
 */
export async function makeLedger(server: Server, schema: string): Promise<boolean> {
  return server.transaction(async (run) => {
    const form = await formOf(run);
    if (form !== undefined) refuseOtherForm(form, labelOfAddress(server.address));
    // An operator does not own the schema and creates nothing.
    if (form === undefined || (await isOwner(run))) await run(schema);
    return form === undefined;
  });
}

async function isOwner(run: RunStatement): Promise<boolean> {
  const [schema] = await run<{ isOwner: boolean }>(
    `SELECT pg_has_role(current_user, nspowner, 'USAGE') AS "isOwner"
       FROM pg_namespace WHERE nspname = 'gw'`,
  );
  return schema?.isOwner === true;
}

/** @returns how many roles are operators of the ledger, approvers among them */
export async function countMembers(server: Server): Promise<number> {
  const [members] = await server.run<{ count: number }>(
    `SELECT count(*)::int AS count
       FROM pg_auth_members JOIN pg_roles ON pg_roles.oid = roleid
      WHERE rolname IN ('gw_operator_' || current_database(), 'gw_approver_' || current_database())
        AND member NOT IN (SELECT oid FROM pg_roles WHERE rolname = 'gw_approver_' || current_database())`,
  );
  return members?.count ?? 0;
}

/**
 * @param role a role that may log in
 * @param as an approver may also release what others proposed
 * @throws Failure guard if there is no such role, it inherits no rights, or this role may not give it any
 */
export async function makeOperator(
  server: Server,
  role: string,
  as: 'operator' | 'approver' = 'operator',
): Promise<void> {
  await server.transaction(async (run) => {
    const [operators] = await run<{ name: string; isThere: boolean }>(
      `SELECT quote_ident('gw_' || $2 || '_' || current_database()) AS name,
              EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS "isThere"`,
      [role, as],
    );
    if (!operators?.isThere)
      throw new Failure(
        'ledger-role-missing',
        `The server has no role ${role}.`,
        `Whoever runs the server makes it (\`createuser -P ${shellWord(role)}\`). Then run the command again.`,
      );
    const name = `"${role.replaceAll('"', '""')}"`;
    await run(`GRANT ${operators.name} TO ${name}`);
    const [rights] = await run<{ mayUse: boolean }>(
      "SELECT has_schema_privilege($1, 'gw', 'USAGE') AS \"mayUse\"",
      [role],
    );
    if (!rights?.mayUse)
      throw new Failure(
        'ledger-role-without-rights',
        `The role ${role} does not inherit the rights of operators.`,
        `Whoever runs the server changes that (\`ALTER ROLE ${name} INHERIT\`). Then run the command again.`,
      );
  });
}

/**
 * Checks with one question that the ledger has the form of this gw.
 * @throws Failure guard if there is no ledger, or another version of gw made it; then nothing may be sent
 */
export async function checkForm(run: RunStatement, label: string): Promise<void> {
  const [ledger] = await run<{ form: number }>('SELECT form FROM gw.ledger');
  refuseOtherForm(ledger?.form ?? 0, label);
}

/** @throws Failure guard if another version of gw made the ledger */
export function refuseOtherForm(form: number, label: string): void {
  if (form === LEDGER_FORM) return;
  if (form > LEDGER_FORM)
    throw new Failure(
      'ledger-newer',
      `The ledger at ${label} was made by a newer gw.`,
      'Nothing was changed. Update gw on this machine, then run the command again.',
    );
  throw new Failure(
    'ledger-older',
    `The ledger at ${label} was made by a development version of gw, which this gw does not read.`,
    'Make a new ledger in another database with `gw ledger init`.',
  );
}

/** Sets whether a request that moves money needs an entry. Only an owner may call this. */
export async function requireJournal(server: Server, isRequired: boolean): Promise<void> {
  await server.run('UPDATE gw.ledger SET requires_journal = $1', [isRequired]);
}
