/** Whose money it is, as the journal names it. */
import { createHash } from 'node:crypto';
import { accountAt, FINGERPRINT_DIGITS } from '../../base/account.ts';
import type { Environment } from './profile.ts';

/**
 * A fingerprint of environment and username. Neither host nor name of the profile is in it, so an
 * account is the same one under every name of its gateway; nor is the API token, which is rotated.
 * A gateway of this machine has a port of its own instead of names: that follows.
 * @param baseUrl of the gateway; the embedded one in this process is called by none
 * @returns 32 hex digits, which tell nothing of the username, and perhaps `:` and a port
 */
export function accountOf(environment: Environment, username: string, baseUrl?: URL): string {
  const text = ['gw account 1', environment, username].join('\0');
  const digits = createHash('sha256').update(text).digest('hex').slice(0, FINGERPRINT_DIGITS);
  return environment === 'local' || !baseUrl ? digits : accountAt(digits, baseUrl);
}
