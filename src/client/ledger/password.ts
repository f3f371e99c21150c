/** Finds the password of a shared ledger's server, which is never in a file of gw's own. */
import { Failure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { WAYS_WITHOUT_KEYCHAIN } from '../../host/secret-variables.ts';
import { type LedgerAddress, labelOfAddress } from '../../store/postgres/address.ts';
import { type LedgerPassword, passwordFromFile } from '../../store/postgres/password-file.ts';
import type { ServerPlace } from './place.ts';

const COMMAND_TIMEOUT_MS = 60_000;
/** The source of a password that a command printed. */
export const LEDGER_COMMAND = "the profile's --ledger-command";

/** @returns the account under which the keychain holds the password */
export function keychainAccountOf({ address }: Pick<ServerPlace, 'address'>): string {
  return `ledger ${labelOfAddress(address)}`;
}

type Sources = Pick<Host, 'env' | 'keychain' | 'shell' | 'user'>;

/**
 * Takes the profile's `ledgerCommand`. Without one, takes PGPASSWORD or PGPASSFILE as PostgreSQL's own programs do,
 * else the keychain. Called only if the server asks for a password, and hides it from all output.
 * @throws Failure auth if there is none
 */
export async function ledgerPassword(
  host: Sources & Pick<Host, 'hide'>,
  place: Pick<ServerPlace, 'address' | 'command'>,
): Promise<LedgerPassword> {
  const found = await findLedgerPassword(host, place);
  if (!found) throw noPassword(labelOfAddress(place.address));
  host.hide(found.password);
  return found;
}

/** @returns the password that `ledgerPassword` uses, with its source; undefined if there is none */
async function findLedgerPassword(
  { keychain, shell, ...host }: Sources,
  { address, command }: Pick<ServerPlace, 'address' | 'command'>,
): Promise<LedgerPassword | undefined> {
  if (command !== undefined) {
    const printed = await shell.run(command, COMMAND_TIMEOUT_MS, 'ledger command');
    const password = printed.replace(/\r?\n$/, '');
    if (password === '') throw nothingPrinted();
    return { password, source: LEDGER_COMMAND };
  }
  const ofLibpq = passwordOfLibpq(host, address);
  if (ofLibpq) return ofLibpq;
  const kept = await ofLedger(keychain.get(keychainAccountOf({ address })));
  return kept === undefined ? undefined : { password: kept, source: 'the keychain' };
}

/** @returns the password that PostgreSQL's own programs would use without asking */
export function passwordOfLibpq(
  { env, user }: Pick<Host, 'env' | 'user'>,
  address: LedgerAddress,
): LedgerPassword | undefined {
  return env.PGPASSWORD
    ? { password: env.PGPASSWORD, source: 'PGPASSWORD' }
    : passwordFromFile(address, address.user ?? user.name, env);
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
  return new Failure(
    NO_LEDGER_PASSWORD,
    `gw found no password for the ledger at ${label}.`,
    `Store one with \`gw login NAME --ledger\`, unlock the keychain if it is locked, or ${OTHER_WAYS}.`,
  );
}

function nothingPrinted(): Failure {
  return new Failure(
    'ledger-password-invalid',
    "The profile's --ledger-command did not print a password.",
    'It must print the password on one line. Run `gw whoami -p NAME` to see the command.',
  );
}
