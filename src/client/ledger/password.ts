/** Finds the password of a shared ledger's server, which is never in a file of gw's own. */
import { Failure } from '../../failure.ts';
import type { Host, Keychain } from '../../host/host.ts';
import { WAYS_WITHOUT_KEYCHAIN } from '../../host/secret-variables.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import { passwordFromFile } from '../../store/postgres/password-file.ts';
import type { ServerPlace } from './place.ts';

const COMMAND_TIMEOUT_MS = 60_000;

/** @returns the account under which the keychain holds the password */
export function keychainAccountOf({ address }: Pick<ServerPlace, 'address'>): string {
  return `ledger ${labelOfAddress(address)}`;
}

/** The source of the password. */
export type PasswordSource = 'ledgerCommand' | 'PGPASSWORD' | 'a password file' | 'the keychain';

export interface LedgerPassword {
  password: string;
  source: PasswordSource;
}

type Sources = Pick<Host, 'env' | 'shell' | 'user'> & { keychain: Pick<Keychain, 'get'> };

/**
 * Takes the profile's `ledgerCommand`. Without one, takes PGPASSWORD or PGPASSFILE as PostgreSQL's own programs do,
 * else the keychain. Called only if the server asks for a password, and hides it from all output.
 * @throws Failure auth if there is none
 */
export async function ledgerPassword(
  host: Sources & Pick<Host, 'hide'>,
  place: Pick<ServerPlace, 'address' | 'command'>,
): Promise<string> {
  const found = await findLedgerPassword(host, place);
  if (!found) throw noPassword(labelOfAddress(place.address));
  host.hide(found.password);
  return found.password;
}

/** @returns the password that `ledgerPassword` uses, with its source; undefined if there is none */
export async function findLedgerPassword(
  { env, keychain, shell, user }: Sources,
  { address, command }: Pick<ServerPlace, 'address' | 'command'>,
): Promise<LedgerPassword | undefined> {
  if (command !== undefined) {
    const password = (await shell.run(command, COMMAND_TIMEOUT_MS)).replace(/\r?\n$/, '');
    if (password === '') throw nothingPrinted();
    return { password, source: 'ledgerCommand' };
  }
  if (env.PGPASSWORD) return { password: env.PGPASSWORD, source: 'PGPASSWORD' };
  const ofFile = await passwordFromFile(address, user.name);
  if (ofFile !== undefined) return { password: ofFile, source: 'a password file' };
  const kept = await ofLedger(keychain.get(keychainAccountOf({ address })));
  return kept === undefined ? undefined : { password: kept, source: 'the keychain' };
}

/** Other ways to give a ledger's password without a keychain, as the end of a sentence. */
const OTHER_WAYS =
  'set PGPASSWORD, add a line to ~/.pgpass, or name a command that prints the password (`gw profile set NAME --ledger-command`)';

/**
 * @param asked a question to the keychain about a ledger's password
 * @returns its answer
 * @throws Failure auth if the keychain cannot be asked, with the other ways to give this password
 */
export async function ofLedger<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw error.with({ next: error.next.replace(WAYS_WITHOUT_KEYCHAIN, OTHER_WAYS) });
  }
}

export const NO_LEDGER_PASSWORD = 'ledger-password-missing';

function noPassword(label: string): Failure {
  return new Failure('auth', `gw found no password for the ledger at ${label}.`, {
    code: NO_LEDGER_PASSWORD,
    next: `Store one with \`gw login NAME --ledger\`, unlock the keychain if it is locked, or ${OTHER_WAYS}.`,
  });
}

function nothingPrinted(): Failure {
  return new Failure('auth', "The profile's --ledger-command did not print a password.", {
    code: 'ledger-password-invalid',
    next: 'It must print the password on one line. Run `gw whoami -p NAME` to see the command.',
  });
}
