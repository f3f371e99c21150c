/** Names that survive a power failure. A synced file is lost with its name, or with a folder above it, unless these are synced too. */
import { closeSync, constants, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf } from '../error-reason.ts';
import { PRIVATE_FOLDER } from './folders.ts';

/** Makes a folder and those above it, as far as they are missing, for the user only (0700). Throws the system's error. */
export function makeFolders(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  if (first === undefined) return;
  for (let made = resolve(folder); made !== dirname(made); made = dirname(made)) {
    syncFolder(dirname(made));
    if (made === first) return;
  }
}

/**
 * Makes the names in a folder durable. Windows cannot open a folder, and some file systems cannot sync one.
 * @throws the system's error if they may be lost
 */
export function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, constants.O_RDONLY);
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!['EISDIR', 'EINVAL', 'EPERM', 'EACCES', 'ENOTSUP'].includes(codeOf(error))) throw error;
  }
}
