import fs from 'node:fs';
import path from 'node:path';

const PRIVATE = 0o700;

/**
 * Makes a directory, and those above it that are missing, for this user alone. Node's own way to make
 * several goes round for ever where a file system says of each of them that there is none, as /proc does.
 * @throws Error of the file system when it cannot be made
 */
export function makeDirectory(directory: string): void {
  if (isDirectory(directory)) return;
  const parent = path.dirname(directory);
  if (parent !== directory) makeDirectory(parent);
  try {
    fs.mkdirSync(directory, PRIVATE);
  } catch (error) {
    // Another process may have been first.
    if (!isDirectory(directory)) throw error;
  }
}

function isDirectory(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
