/**
 * Decides which rows of a ledger belong to the same account, for every list, report and guard.
 *
 * An account is a fingerprint of environment and username (client/profiles/credentials.ts). For a gateway on this
 * machine, its port follows. Two ports mean two gateways, which often share a username.
 */
import { isLoopback } from './loopback.ts';

/** Hexadecimal digits of a fingerprint. */
export const FINGERPRINT_DIGITS = 32;

/** The form of rows and things; an event has no account. */
export interface AccountScope {
  account: string | null;
  profile: string | null;
  /** Includes the port. */
  host: string | null;
}

/**
 * @param account fingerprint, with or without a port
 * @param baseUrl base address of the gateway
 * @returns the account at that gateway: `0123…cdef`, or on this machine `0123…cdef:4010`
 */
export function accountAt(account: string, { protocol, hostname, port }: URL): string {
  const fingerprint = account.slice(0, FINGERPRINT_DIGITS);
  if (!isLoopback(hostname)) return fingerprint;
  return `${fingerprint}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/**
 * If both accounts are known, compares the accounts. Otherwise compares profile and host. An event has no account and
 * may have no profile. Then it fits any account, and belongs to the owner of the ids that it names.
 */
export function isOf(one: AccountScope, other: AccountScope): boolean {
  if (one.account !== null && other.account !== null) return one.account === other.account;
  const fits = (mine: string | null, theirs: string | null) =>
    mine === null || theirs === null || mine === theirs;
  return fits(one.profile, other.profile) && fits(one.host, other.host);
}
