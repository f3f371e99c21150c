/** Making a ledger on a server. */
import { Failure } from '../../failure.ts';
import { labelOfAddress } from '../postgres/address.ts';
import type { RunStatement, Server } from '../postgres/server.ts';
import { LEDGER_FORM } from './postgres-schema.ts';

/** Which server it is, for good, and how often another one has taken over from it; NULL on a standby. */
export const SYSTEM_ID = '(SELECT system_identifier::text FROM pg_control_system())';
export const TIMELINE =
  'CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END';

/** Takes the server that is there for the ledger's, whatever it was before and whatever is missing by now. */
export async function acceptRestore(server: Server): Promise<void> {
  await server.run(
    `UPDATE gw.ledger
        SET system_id = ${SYSTEM_ID}, timeline = ${TIMELINE}, complete_since = clock_timestamp()`,
  );
}

/** @returns the form of the ledger; undefined where there is none */
export async function formOf(run: RunStatement): Promise<number | undefined> {
  const [there] = await run<{ name: string | null }>(
    "SELECT to_regclass('gw.ledger')::text AS name",
  );
  if (!there?.name) return undefined;
  const [ledger] = await run<{ form: number }>('SELECT form FROM gw.ledger');
  return ledger?.form;
}

/**
 * Runs `schema.sql`, in one transaction, which leaves what is there as it is; nothing is run where others own it. Of two that begin at the same time one
 * fails at what the other makes, and is run again (`isTransient`).
 * @param schema its text
 * @returns whether there was no ledger before
 * @throws Failure guard when another version of gw made the ledger, or the role may not make it
 */
export async function makeLedger(server: Server, schema: string): Promise<boolean> {
  return server.transaction(async (run) => {
    const form = await formOf(run);
    if (form !== undefined) refuseOtherForm(form, labelOfAddress(server.address));
    // An operator has nothing to make there.
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

/**
 * @param role one that may log in
 * @throws Failure guard when there is no such role, or it may not be made an operator
 */
export async function makeOperator(server: Server, role: string): Promise<void> {
  await server.transaction(async (run) => {
    const [operators] = await run<{ name: string }>(
      "SELECT quote_ident('gw_operator_' || current_database()) AS name",
    );
    await run(`GRANT ${operators?.name} TO "${role.replaceAll('"', '""')}"`);
  });
}

/**
 * For whoever opens the ledger, in one question.
 * @throws Failure guard when there is none, or another version of gw made it: nothing is sent then
 */
export async function checkForm(run: RunStatement, label: string): Promise<void> {
  const [ledger] = await run<{ form: number }>('SELECT form FROM gw.ledger');
  refuseOtherForm(ledger?.form ?? 0, label);
}

/** @throws Failure guard when another version of gw made the ledger */
export function refuseOtherForm(form: number, label: string): void {
  if (form === LEDGER_FORM) return;
  if (form > LEDGER_FORM)
    throw new Failure('guard', `The ledger at ${label} was made by a newer gw.`, {
      code: 'ledger-newer',
      next: 'Nothing was changed. Update gw on this machine, then run the command again.',
    });
  throw new Failure(
    'guard',
    `The ledger at ${label} was made by a development version of gw, which this gw does not read.`,
    {
      code: 'ledger-older',
      next: 'Make a new ledger in another database with `gw ledger init`.',
    },
  );
}

/** Forbids or allows what moves money to be sent without an entry; for an owner. */
export async function requireJournal(server: Server, isRequired: boolean): Promise<void> {
  await server.run('UPDATE gw.ledger SET requires_journal = $1', [isRequired]);
}
