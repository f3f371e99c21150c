/**
 * Turns SQLite's errors into messages for the owner of the file.
 *
 * Tests: test/unit/store/sqlite/same-file.test.ts, test/unit/emulator/state.test.ts
 */

import { Failure } from '../../failure.ts';
import type { FailureCode } from '../../failure-codes.ts';

/** How messages name a database file. */
export interface FileNaming {
  path: string;
  /** Begins a sentence, before the path: `The ledger's file`. */
  name: string;
  /** One sentence: what to do with a file that is damaged or not gw's. */
  repair: string;
  /** Set if nobody can recreate the data. Then gw never lets SQLite discard a log whose file is gone. */
  isIrreplaceable?: true;
}

const BUSY = 5;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;
/** Errors of the file system: permissions, a read-only or full disk, a directory in the way. */
const UNUSABLE: ReadonlySet<number> = new Set([3, 8, 10, 13, 14]);

/** The file is damaged, or not what it should be. */
export class NotOurFile extends Failure {
  /** @param code why the file is refused */
  constructor(code: FailureCode, what: string, { repair }: FileNaming, cause?: unknown) {
    super(code, what, repair, { kind: 'usage', cause });
  }
}

/** @returns whether another process held the lock for too long */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === BUSY;
}

/** @returns a Failure that names the file, or the error itself if it is a defect of gw */
export function explain(error: unknown, naming: FileNaming): unknown {
  const code = codeOf(error);
  const file = `${naming.name} ${naming.path}`;
  if (code === CORRUPT || code === NOT_A_DATABASE) {
    return new NotOurFile(
      'file-damaged',
      `${file} is damaged or is not a database.`,
      naming,
      error,
    );
  }
  if (isBusy(error)) {
    return new Failure(
      'file-locked',
      `${file} is locked.`,
      'Another program is using it. End that program, or choose another file.',
      { cause: error },
    );
  }
  if (code !== undefined && UNUSABLE.has(code)) {
    return unusable(naming, error instanceof Error ? error.message : 'unknown error', error);
  }
  return error;
}

/** @returns the failure for data that was written but may not be on disk. @param error the system's error */
export function explainSync(error: unknown, naming: FileNaming): Failure {
  return unusable(naming, error instanceof Error ? error.message : String(error), error);
}

/** @returns the failure for a file that is gone or empty although its log exists; SQLite would discard the log */
export function logWithoutFile({ name, path }: FileNaming): Failure {
  return new Failure(
    'file-lost',
    `${name} ${path} is gone or empty, but its log ${path}-wal is not.`,
    `Put the file back: the log has the newest entries, and cannot be read without it. To start again without them, move ${path}-wal away as well.`,
  );
}

/** @returns the failure for an open file that is gone from its path */
export function fileMoved({ name, path, isIrreplaceable }: FileNaming): Failure {
  const back = `Put back the file that was there, with its log ${path}-wal`;
  return new Failure(
    'file-moved',
    `${name} ${path} was moved, deleted or replaced while gw was using it.`,
    isIrreplaceable
      ? `${back}. Without them gw does not know what it has sent, and would send it again.`
      : `${back}, or start gw again to use what is there now.`,
  );
}

/** @returns the failure for a file with a second path, which has a log of its own */
export function fileLinked({ name, path }: FileNaming): Failure {
  return new Failure(
    'file-linked',
    `${name} ${path} has a second name (a hard link).`,
    `Each name has its own log, so each lacks what the other has. Remove the other name. ${SHARED}`,
  );
}

/** @returns the failure for a file that is mounted elsewhere, without its log */
export function fileMounted({ name, path }: FileNaming): Failure {
  return new Failure(
    'file-mounted',
    `${name} ${path} is mounted without its directory.`,
    `Its log is not mounted with it, so each place lacks what the other has. Unmount the file. ${SHARED}`,
  );
}

const SHARED =
  'To use one file in two places, mount or link its directory. Several machines need a ledger on a server (`gw ledger init`).';

/** @param reason the system's message */
export function unusable({ name, path }: FileNaming, reason: string, cause: unknown): Failure {
  return new Failure(
    'file-unusable',
    `${name} ${path} cannot be used: ${reason}.`,
    'Check the path, its permissions and the space on its disk.',
    { cause },
  );
}

function codeOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  // The low byte is the primary code; the rest of an extended one only refines it.
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}
