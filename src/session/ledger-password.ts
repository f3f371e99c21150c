/** Where the password of a shared ledger's server comes from: never from a file of gw's own. */
import { Failure } from '../failure.ts';
import type { Host } from '../host/host.ts';
import { labelOfAddress } from '../postgres/address.ts';
import { passwordFromFile } from '../postgres/password-file.ts';
import type { LedgerPlace } from './ledger-place.ts';

const COMMAND_TIMEOUT_MS = 60_000;

type ServerPlace = Extract<LedgerPlace, { kind: 'server' }>;

/** @returns the account under which the keychain holds the password */
export function keychainAccountOf({ address }: Pick<ServerPlace, 'address'>): string {
  return `ledger ${labelOfAddress(address)}`;
}

/**
 * The profile's `ledgerCommand`, else PGPASSWORD or PGPASSFILE as with PostgreSQL's own programs, else
 * the keychain. Asked for only where the server wants one.
 * @throws Failure auth where there is none
 */
export async function ledgerPassword(
  { env, keychain, shell, user }: Pick<Host, 'env' | 'keychain' | 'shell' | 'user'>,
  { address, command }: Pick<ServerPlace, 'address' | 'command'>,
): Promise<string> {
  if (command !== undefined)
    return (await shell.run(command, COMMAND_TIMEOUT_MS)).replace(/\r?\n$/, '');
  if (env.PGPASSWORD) return env.PGPASSWORD;
  const password =
    (await passwordFromFile(address, user.name)) ??
    (await keychain.get(keychainAccountOf({ address })));
  if (password !== undefined) return password;
  throw new Failure('auth', `There is no password for the ledger at ${labelOfAddress(address)}.`, {
    code: 'ledger-password-missing',
    next: 'Run `gw login` for the profile; or set PGPASSFILE, or a ledgerCommand (docs/team.md).',
  });
}
