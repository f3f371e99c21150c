/** Reads passwords from the file of PostgreSQL's own programs: PGPASSFILE, else ~/.pgpass. */
import pgpass from 'pgpass';
import type { LedgerAddress } from './address.ts';

/** @returns the password; undefined if the file has none */
export function passwordFromFile(
  { host, port, database, user }: LedgerAddress,
  userName: string,
): Promise<string | undefined> {
  const asked = { host, port, database, user: user ?? userName };
  return new Promise((resolve) => pgpass(asked, resolve));
}
