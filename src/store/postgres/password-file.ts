/** Passwords as PostgreSQL's own programs keep them: PGPASSFILE, else ~/.pgpass. */
import pgpass from 'pgpass';
import type { LedgerAddress } from './address.ts';

/** @returns the password of the first host that the file has one for; undefined where it has none */
export async function passwordFromFile(
  { hosts, database, user }: LedgerAddress,
  userName: string,
): Promise<string | undefined> {
  for (const { host, port } of hosts) {
    const asked = { host, port, database, user: user ?? userName };
    const found = await new Promise<string | undefined>((resolve) => pgpass(asked, resolve));
    if (found !== undefined) return found;
  }
  return undefined;
}
