/** A copy of a database file, whole and of one moment, whoever writes to it meanwhile. */
import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs';
import { usage } from '../../failure.ts';
import { PRIVATE_FILE } from '../../host/files/private-files.ts';
import { Database, type FileFormat } from './database.ts';

/**
 * Writes a file under another name first, so that there is never half of one, and never in place of
 * one that is there.
 * @param path of the file that is to be
 * @param fill makes it, at the path that it is given
 * @throws Failure usage when there is a file already, or it cannot be written; what `fill` throws
 */
export async function makeBackup(
  path: string,
  fill: (path: string) => Promise<void> | void,
): Promise<void> {
  if (existsSync(path)) throw thereAlready(path);
  const partial = `${path}.partial-${randomUUID()}`;
  try {
    await fill(partial);
    chmodSync(partial, PRIVATE_FILE);
    const file = openSync(partial, 'r');
    fsyncSync(file);
    closeSync(file);
    // Unlike a move this fails where somebody else has made the file meanwhile.
    linkSync(partial, path);
  } catch (error) {
    throw error instanceof Error && 'code' in error ? unwritten(path, error) : error;
  } finally {
    for (const part of ['', '-wal', '-shm', '-journal']) rmSync(partial + part, { force: true });
  }
}

/** Copies a database with all that is in its log. @param to a path where nothing is */
export function copyDatabase(format: FileFormat, to: string): void {
  // Private from its first byte on.
  closeSync(openSync(to, 'wx', PRIVATE_FILE));
  const database = new Database(format);
  try {
    database.copyTo(to);
  } finally {
    database.close();
  }
}

function thereAlready(path: string) {
  return usage(
    'file-exists',
    `${path} already exists.`,
    'Choose another name: a backup never replaces a file.',
  );
}

function unwritten(path: string, error: Error & { code?: unknown }) {
  if (error.code === 'EEXIST') return thereAlready(path);
  if (typeof error.code !== 'string' || !/^E[A-Z]+$/.test(error.code)) return error;
  return usage(
    'file-unusable',
    `${path} cannot be written: ${error.message}.`,
    'Check the path, its permissions and the free space on its disk.',
  );
}
