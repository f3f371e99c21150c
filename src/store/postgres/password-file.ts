/** Reads passwords from the file of PostgreSQL's own programs, PGPASSFILE or else ~/.pgpass, as they do. */
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { LedgerAddress } from './address.ts';

/** Directories where PostgreSQL's programs look by themselves. Lines for these say `localhost`. */
const USUAL_SOCKETS = ['/var/run/postgresql', '/tmp'];

export interface LedgerPassword {
  password: string;
  /** Where it is from, in a message: `PGPASSWORD`, the path of a file. */
  source: string;
}

/**
 * @param role the role that logs in
 * @returns the password of the first line that fits; undefined if there is none, or others can read the file
 */
export function passwordFromFile(
  { host, port, database }: LedgerAddress,
  role: string,
  env: Readonly<Record<string, string | undefined>>,
): LedgerPassword | undefined {
  const usual =
    path.sep === '/'
      ? path.join(env.HOME || homedir(), '.pgpass')
      : path.join(env.APPDATA ?? '', 'postgresql', 'pgpass.conf');
  const source = env.PGPASSFILE || usual;
  const asked = [USUAL_SOCKETS.includes(host) ? 'localhost' : host, `${port}`, database, role];
  const fits = (fields: readonly string[]) =>
    fields.length > 4 && asked.every((one, i) => ['*', one].includes(fields[i] ?? ''));
  const password = linesOf(source).map(fieldsOf).find(fits)?.[4];
  return password ? { password, source } : undefined;
}

function linesOf(file: string): string[] {
  try {
    const status = statSync(file);
    const isPrivate = path.sep !== '/' || (status.mode & 0o77) === 0;
    const text = status.isFile() && isPrivate ? readFileSync(file, 'utf8') : '';
    return text.split(/\r?\n/).filter((line) => !line.startsWith('#'));
  } catch {
    return [];
  }
}

/** A backslash takes the meaning of the character after it. The password ends at the next colon. */
function fieldsOf(line: string): string[] {
  return line.replace(/\\(.)|:/g, (_, plain?: string) => plain ?? '\0').split('\0');
}
