/** Making a ledger on a server. */
import { Failure } from '../../failure.ts';
import { labelOfAddress } from '../postgres/address.ts';
import type { RunStatement, Server } from '../postgres/server.ts';
import { LEDGER_FORM, LEDGER_PARTS } from './postgres-schema.ts';

/** Which server it is, for good, and how often another one has taken over from it; NULL on a standby. */
export const SYSTEM_ID = '(SELECT system_identifier::text FROM pg_control_system())';
export const TIMELINE =
  'CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END';
/** The ledger is this server's from now on; for an owner. */
export const ACCEPTED = `UPDATE gw.ledger SET system_id = ${SYSTEM_ID}, timeline = ${TIMELINE}`;

/** Takes the server that is there for the ledger's, whatever it was before and whatever is missing by now. */
export async function acceptRestore(server: Server): Promise<void> {
  await server.run(`${ACCEPTED}, complete_since = clock_timestamp()`);
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
 * Makes the tables where there are none, in one transaction; of two that begin at the same time one waits for the
 * other and finds nothing to do.
 * @param id of a ledger that is made
 * @returns whether it was made now
 * @throws Failure guard when another version of gw made the ledger, or the role may not make it
 */
export async function makeLedger(server: Server, id: string): Promise<boolean> {
  return server.transaction(async (run) => {
    // Whoever makes a schema that another one is making waits for it.
    await run('CREATE SCHEMA IF NOT EXISTS gw');
    await run('CREATE TABLE IF NOT EXISTS gw.makers (one integer PRIMARY KEY)');
    await run('LOCK TABLE gw.makers IN EXCLUSIVE MODE');
    const form = await formOf(run);
    if (form !== undefined) refuseOtherForm(form, labelOfAddress(server.address));
    if (form !== undefined) return false;
    for (const [, sql] of LEDGER_PARTS)
      for (const statement of statementsOf(sql)) await run(statement);
    await run('INSERT INTO gw.ledger (id, form) VALUES ($1, $2)', [id, LEDGER_FORM]);
    await run(ACCEPTED);
    return true;
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

/** @param sql without a semicolon in a text of its own @returns its statements */
function statementsOf(sql: string): string[] {
  return sql
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
