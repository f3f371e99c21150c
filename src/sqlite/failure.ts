/** What SQLite's errors mean to the person whose file it is. */
import { Failure } from '../failure.ts';

/** How a database file is spoken of. */
export interface FileNaming {
  path: string;
  /** At the beginning of a sentence: `The ledger`. */
  name: string;
  /** One sentence: what to do with a file that is damaged. */
  repair: string;
}

const BUSY = 5;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;
/** The file system's doing: permissions, a read-only or full disk, a directory in the way. */
const UNUSABLE: ReadonlySet<number> = new Set([3, 8, 10, 13, 14]);

/** @returns whether the file is no database, or no longer one */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  return code === CORRUPT || code === NOT_A_DATABASE;
}

/** @returns whether another process held the lock for too long */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === BUSY;
}

/** @returns a Failure that names the file, or the error itself when it is a defect */
export function explain(error: unknown, { path, name, repair }: FileNaming): unknown {
  if (isDamage(error)) {
    return new Failure('usage', `${name} in ${path} is damaged or no database.`, {
      next: repair,
      cause: error,
    });
  }
  if (isBusy(error)) {
    return new Failure('usage', `${name} in ${path} is locked.`, {
      next: 'Another program keeps it busy: end that program, or try again.',
      cause: error,
    });
  }
  const code = codeOf(error);
  const reason = error instanceof Error ? error.message : String(error);
  if (code !== undefined && UNUSABLE.has(code)) return unusable({ path, name }, reason, error);
  return error;
}

/** @param reason what the system said */
export function unusable(
  { path, name }: Pick<FileNaming, 'path' | 'name'>,
  reason: string,
  cause: unknown,
): Failure {
  return new Failure('usage', `${name} in ${path} cannot be used: ${reason}.`, {
    next: 'Check the path, its permissions and the space on its disk.',
    cause,
  });
}

function codeOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  // The low byte is the primary code; the rest of an extended one only refines it.
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}
