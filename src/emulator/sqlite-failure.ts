/** What SQLite's errors mean to the person whose file it is. */
import { Failure } from '../failure.ts';

const BUSY = 5;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;
/** The file system's doing: permissions, a full disk, a directory in the way. */
const UNUSABLE: ReadonlySet<number> = new Set([3, 8, 10, 13, 14]);

/** The file is damaged, or not one of this gateway; `gw emulator reset` moves it aside. */
export class NotAStore extends Failure {
  constructor(what: string, cause?: unknown) {
    super('usage', what, {
      next: 'Choose another file, or make a new one with `gw emulator reset`.',
      cause,
    });
  }
}

/** @returns whether another process held the lock for too long */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === BUSY;
}

/** @returns a Failure that names the file, or the error itself when it is a defect */
export function explain(error: unknown, path: string): unknown {
  const code = codeOf(error);
  if (code === CORRUPT || code === NOT_A_DATABASE)
    return new NotAStore(`The embedded gateway's file ${path} is damaged or no database.`, error);
  if (isBusy(error)) {
    return new Failure('usage', `The embedded gateway's file ${path} is locked.`, {
      next: 'Another program keeps it busy: end that program, or choose another file.',
      cause: error,
    });
  }
  if (code !== undefined && UNUSABLE.has(code)) {
    return unusable(path, error instanceof Error ? error.message : 'unknown error', error);
  }
  return error;
}

/** @param reason what the system said */
export function unusable(path: string, reason: string, cause: unknown): Failure {
  return new Failure('usage', `The embedded gateway's file ${path} cannot be used: ${reason}.`, {
    next: 'Check the path, its permissions and the space on its disk.',
    cause,
  });
}

function codeOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  // The low byte is the primary code; the rest of an extended one only refines it.
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}
