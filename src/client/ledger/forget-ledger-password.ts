/** Removes the password of a shared ledger from the keychain. */
import { plural } from '../../base/text.ts';
import type { Host } from '../../host/host.ts';
import {
  type LedgerAddress,
  labelOfAddress,
  parseLedgerAddress,
} from '../../store/postgres/address.ts';
import { readProfiles } from '../profiles/store.ts';
import { keychainAccountOf, ofLedger } from './password.ts';

/**
 * Removes the password, unless other profiles use the same ledger.
 * @param name the profile that no longer needs it
 * @returns a sentence about the result; undefined if there was no password
 * @throws Failure auth if the keychain cannot be asked
 */
export async function forgetLedgerPassword(
  { files, keychain }: Pick<Host, 'files' | 'keychain'>,
  name: string,
  address: LedgerAddress,
): Promise<string | undefined> {
  const label = labelOfAddress(address);
  const { profiles } = await readProfiles(files);
  const others = [...profiles].flatMap(([other, { ledger }]) =>
    other !== name && ledger !== undefined && labelOf(ledger) === label ? [other] : [],
  );
  if (others.length > 0)
    return `The password for the ledger at ${label} stays: ${others.join(', ')} ${plural(others.length, 'uses', 'use')} it too.`;
  return (await ofLedger(keychain.delete(keychainAccountOf({ address }))))
    ? `Removed the password for the ledger at ${label} from the keychain.`
    : undefined;
}

const labelOf = (ledger: string) => labelOfAddress(parseLedgerAddress(ledger, 'The ledger'));
