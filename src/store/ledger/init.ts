/** Making a ledger on a server, or bringing one up to date. */
import { Failure } from '../../failure.ts';
import { labelOfAddress } from '../postgres/address.ts';
import type { RunStatement, Server } from '../postgres/server.ts';
import { LEDGER_FORM, LEDGER_STEPS } from './postgres-schema.ts';

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

/** As the server counts the steps that a ledger has had; undefined where there is none. */
export async function formOf(run: RunStatement): Promise<number | undefined> {
  const [there] = await run<{ name: string | null }>(
    "SELECT to_regclass('gw.ledger')::text AS name",
  );
  if (!there?.name) return undefined;
  const [ledger] = await run<{ form: number }>('SELECT form FROM gw.ledger');
  return ledger?.form;
}

/**
 * All steps that are missing, in one transaction; of two that begin at the same time one waits for the
 * other and finds nothing to do.
 * @param id of a ledger that is made
 * @returns how many steps it had before, and has
 * @throws Failure guard when the ledger is newer than this gw, or the role may not make it
 */
export async function bringUpToDate(
  server: Server,
  id: string,
): Promise<{ from: number; to: number }> {
  return server.transaction(async (run) => {
    // Whoever makes a schema that another one is making waits for it.
    await run('CREATE SCHEMA IF NOT EXISTS gw');
    await run('CREATE TABLE IF NOT EXISTS gw.makers (one integer PRIMARY KEY)');
    await run('LOCK TABLE gw.makers IN EXCLUSIVE MODE');
    const from = (await formOf(run)) ?? 0;
    // Whoever writes has read the form: those are waited for, and the next ones wait.
    if (from > 0) await run('LOCK TABLE gw.ledger IN ACCESS EXCLUSIVE MODE');
    refuseNewer(from, labelOfAddress(server.address));
    for (const step of LEDGER_STEPS.slice(from))
      for (const statement of statementsOf(step)) await run(statement);
    await run(
      from === 0
        ? 'INSERT INTO gw.ledger (id, form) VALUES ($1, $2)'
        : 'UPDATE gw.ledger SET form = $1',
      from === 0 ? [id, LEDGER_FORM] : [LEDGER_FORM],
    );
    await run(`${ACCEPTED} WHERE system_id IS NULL`);
    return { from, to: LEDGER_FORM };
  });
}

/**
 * For whoever opens the ledger, in one question.
 * @throws Failure guard when there is none, or a newer or an older gw made it: nothing is sent then
 */
export async function checkForm(run: RunStatement, label: string): Promise<void> {
  const [ledger] = await run<{ form: number }>('SELECT form FROM gw.ledger');
  refuseOtherForm(ledger?.form ?? 0, label);
}

/** @throws Failure guard when a newer or an older gw made the ledger */
export function refuseOtherForm(form: number, label: string): void {
  refuseNewer(form, label);
  if (form === LEDGER_FORM) return;
  throw new Failure('guard', `The ledger at ${label} has an older format than this gw writes.`, {
    code: 'ledger-older',
    next: 'Its owner can update it with `gw ledger init`.',
  });
}

/** @throws Failure guard when a newer gw made the ledger */
export function refuseNewer(form: number, label: string): void {
  if (form <= LEDGER_FORM) return;
  throw new Failure('guard', `The ledger at ${label} was made by a newer gw.`, {
    code: 'ledger-newer',
    next: 'Nothing was changed. Update gw on this machine, then run the command again.',
  });
}

/** Forbids or allows what moves money to be sent without an entry; for an owner. */
export async function requireJournal(server: Server, isRequired: boolean): Promise<void> {
  await server.run('UPDATE gw.ledger SET requires_journal = $1', [isRequired]);
}

/** @param step without a semicolon in a text of its own @returns its statements */
function statementsOf(step: string): string[] {
  return step
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
