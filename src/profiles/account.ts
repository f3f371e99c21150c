/** Whose money it is, as the journal names it. */
import { createHash } from 'node:crypto';
import type { Environment } from './profile.ts';

const DIGITS = 32;

/**
 * A fingerprint of environment and username. Neither host nor name of the profile is in it, so an
 * account is the same one under every name of its gateway; nor is the API token, which is rotated.
 * @returns 32 hex digits, which tell nothing of the username
 */
export function accountOf(environment: Environment, username: string): string {
  const text = ['gw account 1', environment, username].join('\0');
  return createHash('sha256').update(text).digest('hex').slice(0, DIGITS);
}
