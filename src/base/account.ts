/**
 * Decides which rows of a ledger belong to the same account, for every list, report and guard.
 *
 * An account is an environment and a username, such as `live/shop`. Neither contains a colon. For a gateway on this
 * machine, its port follows: `sandbox/shop:4010`. Two ports mean two gateways, which often share a username.
 */
import { isLoopback } from './loopback.ts';

export type Environment = 'live' | 'sandbox' | 'local';

/** The form of rows and things; an event has no account. */
export interface AccountScope {
  account: string | null;
  profile: string | null;
  /** Includes the port. */
  host: string | null;
}

/**
 * @param account an account, with or without a port
 * @param baseUrl base address of the gateway
 * @returns the account at that gateway
 */
export function accountAt(account: string, { protocol, hostname, port }: URL): string {
  const [name = ''] = account.split(':');
  if (!isLoopback(hostname)) return name;
  return `${name}:${port || (protocol === 'https:' ? 443 : 80)}`;
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
