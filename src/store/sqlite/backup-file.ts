/** Copies a database file as it is at one moment, even while others write to it. */
import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { usage } from '../../failure.ts';
import { syncFolder } from '../../host/files/durable-folders.ts';
import { PRIVATE_FILE } from '../../host/files/folders.ts';
import { Database, type FileFormat } from './database.ts';

/**
 * Writes the file under another name first, so a partial file never appears. Never replaces an existing file.
 * @param path path of the new file
 * @param fill creates the file at the path it receives
 * @throws Failure usage if the file exists or cannot be written; what `fill` throws
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
    // Unlike a rename, this fails if somebody has created the file meanwhile.
    linkSync(partial, path);
    syncFolder(dirname(path));
  } catch (error) {
    throw error instanceof Error && 'code' in error ? unwritten(path, error) : error;
  } finally {
    for (const part of ['', '-wal', '-shm', '-journal']) rmSync(partial + part, { force: true });
  }
}

/** Copies a database with everything in its log. @param to a path that does not exist yet */
export function copyDatabase(format: FileFormat, to: string): void {
  // Private from its first byte.
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
