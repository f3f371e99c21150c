/** Whether the keychain can be asked. Nobody is asked to unlock it. */
import { Failure } from '../../failure.ts';
import type { Keychain } from '../../host/host.ts';
import type { Finding } from '../../view/records/check.ts';
import { ok, warning } from './finding.ts';

/** Any account will do: what the keychain holds for it is not looked at. */
const SOME_ACCOUNT = 'sandbox';

/** @param users profiles that keep their credentials there */
export async function checkKeychain(
  keychain: Pick<Keychain, 'name' | 'peek'>,
  users: readonly string[],
): Promise<Finding> {
  try {
    await keychain.peek(users[0] ?? SOME_ACCOUNT);
    return ok(`${keychain.name} answers`);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    if (users.length === 0) return ok(`no profile needs one (${withoutEnd(error.message)})`);
    return warning(`${error.message} Needed by ${users.join(', ')}.`, error.next);
  }
}

const withoutEnd = (sentence: string) => sentence.replace(/\.$/, '');
