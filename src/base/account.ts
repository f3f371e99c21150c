/**
 * Which rows of a ledger are of the same account, for every list, report and guard.
 *
 * An account is a fingerprint of environment and username (client/profiles/credentials.ts). At a gateway of this
 * machine its port follows: two of them are two gateways, and often have the same username. An older gw
 * left the port out, and one before it the account: such rows are told by their host, as they name it.
 */
import { isLoopback } from './loopback.ts';

/** Hexadecimal digits of a fingerprint. */
export const FINGERPRINT_DIGITS = 32;

/** As rows have it; null where it is not known. */
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
  const fingerprint = fingerprintOf(account);
  if (!isLoopback(hostname)) return fingerprint;
  return `${fingerprint}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/** @returns what an older gw called an account: itself, unless it has a port */
function fingerprintOf(account: string): string {
  return account.slice(0, FINGERPRINT_DIGITS);
}

/** @returns what records of this account have as theirs that an older gw saw, at the same host */
export function earlierNamesOf(account: string | null): (string | null)[] {
  if (account === null) return [];
  const fingerprint = fingerprintOf(account);
  return fingerprint === account ? [null] : [fingerprint, null];
}

/**
 * Of two whose accounts are known, those tell; else profile and host do. An event has no account and may
 * have no profile: then it is anybody's, and belongs to whoever has the ids that it names.
 */
export function isOf(one: AccountScope, other: AccountScope): boolean {
  if (one.account !== null && other.account !== null) {
    const isAlike = fingerprintOf(one.account) === fingerprintOf(other.account);
    return one.account === other.account || (isAlike && one.host === other.host);
  }
  const fits = (mine: string | null, theirs: string | null) =>
    mine === null || theirs === null || mine === theirs;
  return fits(one.profile, other.profile) && fits(one.host, other.host);
}

/**
 * @param one what stands before the names of columns, such as `facts.`; nothing of the only table
 * @param other account and host, as expressions of SQL
 * @returns a condition of SQL (SQLite, PostgreSQL): both accounts are known, and the same
 */
export function sameKnownAccount(one: string, other: Record<'account' | 'host', string>): string {
  const start = (account: string) => `substr(${account}, 1, ${FINGERPRINT_DIGITS})`;
  return `(${one}account = ${other.account}
    OR ${start(`${one}account`)} = ${start(other.account)} AND ${one}host = ${other.host})`;
}

/**
 * As `sameKnownAccount`; where one of the accounts is not known, profile and host tell.
 * @param other what stands before the names of the other, a table's or `:` of parameters
 */
export function sameAccount(one: string, other: string): string {
  const known = { account: `${other}account`, host: `${other}host` };
  return `(${sameKnownAccount(one, known)}
    OR (${one}account IS NULL OR ${other}account IS NULL)
       AND ${one}profile = ${other}profile AND ${one}host = ${other}host)`;
}

/** Of the only table: rows of the same account as `:account`, `:profile` and `:host`. */
export const SAME_ACCOUNT = sameAccount('', ':');
