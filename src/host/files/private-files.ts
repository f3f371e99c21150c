/**
 * Keeps others out of gw's files. The user owns the folders and others may not enter them, whatever the modes of the
 * files inside. Windows has no such modes, but a user's profile is private there.
 */
import { chmodSync, type Stats, statSync } from 'node:fs';

export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;
const OTHERS = 0o077;
const OTHERS_MAY_WRITE = 0o022;
const ROOT = 0;

/**
 * Changes nothing.
 * @param folders may be missing on disk
 * @returns the folders that others may enter, and those that somebody else owns, following links
 */
export function findExposed(
  folders: readonly string[],
  user = process.getuid?.(),
): { open: string[]; foreign: string[] } {
  const report = { open: [] as string[], foreign: [] as string[] };
  for (const folder of user === undefined ? [] : folders) {
    const status = statusOf(folder);
    if (!status) continue;
    if (![user, ROOT].includes(status.uid)) report.foreign.push(folder);
    else if ((status.mode & OTHERS) !== 0) report.open.push(folder);
  }
  return report;
}

/**
 * Closes the folders to others.
 * @returns the folders that were open until now, and those that others can still change. Somebody else owns these, or
 *   their file system ignores the mode.
 */
export function makePrivate(folders: readonly string[]): {
  tightened: string[];
  exposed: string[];
} {
  const { open, foreign } = findExposed(folders);
  for (const folder of open) {
    try {
      chmodSync(folder, PRIVATE_FOLDER);
    } catch {
      // The next check shows the result.
    }
  }
  const left = findExposed(open).open;
  return {
    tightened: open.filter((folder) => !left.includes(folder)),
    exposed: foreign.concat(
      left.filter((folder) => ((statusOf(folder)?.mode ?? 0) & OTHERS_MAY_WRITE) !== 0),
    ),
  };
}

/** @returns undefined if the folder is missing or cannot be reached; the error shows when it is used */
function statusOf(folder: string): Stats | undefined {
  try {
    return statSync(folder);
  } catch {
    return undefined;
  }
}
