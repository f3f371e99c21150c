/** Opens a SQLite file that several processes share: private to the user, with a write-ahead log. */
import { accessSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { Failure } from '../../failure.ts';
import { makeFolders } from '../../host/files/durable-folders.ts';
import { PRIVATE_FILE } from '../../host/files/folders.ts';
import { explain, type FileNaming, isBusy, logWithoutFile, unusable } from './file-failure.ts';
import { logOf, type SameFile } from './same-file.ts';

export const IN_MEMORY = ':memory:';

const MAX_WAL_ATTEMPTS = 1_000;
/** The next process reads the log when it opens the file, which must not take long. */
const MAX_LOG_BYTES = 256 * 1024;

/**
 * @param timeoutMs how long a statement waits while another process writes
 * @param same starts checking that the file stays the one at its path
 * @throws Failure usage if the file cannot be opened; guard if only its log is left; what `SameFile.begin` throws
 */
export function openFile(
  naming: FileNaming,
  timeoutMs: number,
  same?: SameFile,
): DatabaseSyncInstance {
  const { path } = naming;
  try {
    // Check in this order: a process that is creating the file writes to it before there is a log.
    const isLost = naming.isIrreplaceable && logBytes(path) > 0 && sizeOf(path) === 0;
    if (isLost) throw logWithoutFile(naming);
    if (path !== IN_MEMORY && !existsSync(path)) {
      makeFolders(dirname(path));
      // SQLite gives its -wal and -shm files the mode of this one.
      closeSync(openSync(path, 'a', PRIVATE_FILE));
    }
    same?.begin();
    return new DatabaseSync(path, { timeout: timeoutMs });
  } catch (error) {
    const failure = explain(error, naming);
    throw failure === error && error instanceof Error && !(error instanceof Failure)
      ? unusable(naming, error.message, error)
      : failure;
  }
}

/**
 * Changes nothing.
 * @throws Failure usage, as `openFile` or the first write does, if this user may not make the file or write to it
 */
export function checkWritable(naming: FileNaming): void {
  let there = naming.path;
  while (!existsSync(there) && there !== dirname(there)) there = dirname(there);
  const isFile = there === naming.path;
  try {
    if (isFile) accessSync(there, constants.R_OK | constants.W_OK);
    // The log is made beside the file. The dot refuses what is no folder.
    accessSync(`${isFile ? dirname(there) : there}/.`, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(naming, error instanceof Error ? error.message : String(error), error);
  }
}

/**
 * When several processes open a new file at once, SQLite does not wait for the lock that this switch needs. It does
 * wait for a write lock. So each further attempt runs after another process is done.
 */
export function useWriteAheadLog(database: DatabaseSyncInstance): void {
  for (let attempt = 1; ; attempt++) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || attempt === MAX_WAL_ATTEMPTS) throw error;
      database.exec('BEGIN IMMEDIATE; ROLLBACK');
    }
  }
}

/**
 * Closes a file that `openFile` opened. SQLite writes the log back when the last connection closes. But this package
 * leaves the statements of a connection open, and so the connection, until the process ends. So this function writes
 * the log back itself, if it is long and nobody else is using it.
 * @param isThere whether the file is still the one at its path; if not, the log there belongs to another file
 */
export function closeFile(database: DatabaseSyncInstance, path: string, isThere: boolean): void {
  try {
    if (isThere && logBytes(path) > MAX_LOG_BYTES)
      database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Everything is in the log, where the next process finds it.
  }
  database.close();
}

function logBytes(path: string): number {
  return path === IN_MEMORY ? 0 : sizeOf(logOf(path));
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
