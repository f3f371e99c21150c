/**
 * Which rows of a ledger are of the same account, for every list, report and guard.
 *
 * An account is a fingerprint of environment and username (client/profiles/credentials.ts). At a gateway of this
 * machine its port follows: two of them are two gateways, and often have the same username.
 */
import { isLoopback } from './loopback.ts';

/** Hexadecimal digits of a fingerprint. */
export const FINGERPRINT_DIGITS = 32;

/** Rows and documents have it in this form; an event has no account. */
export interface AccountScope {
  account: string | null;
  profile: string | null;
  /** With its port. */
  host: string | null;
}

/**
 * @param account fingerprint, with a port or without
 * @param baseUrl of the gateway
 * @returns the account at that gateway: `0123…cdef`, on this machine `0123…cdef:4010`
 */
export function accountAt(account: string, { protocol, hostname, port }: URL): string {
  const fingerprint = account.slice(0, FINGERPRINT_DIGITS);
  if (!isLoopback(hostname)) return fingerprint;
  return `${fingerprint}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/**
 * Of two whose accounts are known, those tell; else profile and host do. An event has no account and may
 * have no profile: then it is anybody's, and belongs to whoever has the ids that it names.
 */
export function isOf(one: AccountScope, other: AccountScope): boolean {
  if (one.account !== null && other.account !== null) return one.account === other.account;
  const fits = (mine: string | null, theirs: string | null) =>
    mine === null || theirs === null || mine === theirs;
  return fits(one.profile, other.profile) && fits(one.host, other.host);
}
