/**
 * That nobody else gets at what gw keeps: its folders are the user's own, and others may not enter them, whatever the
 * modes of the files in there. Windows has no such modes: a user's folders are private because the user's profile is.
 */
import fs from 'node:fs';

export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;
const OTHERS = 0o077;
const OTHERS_MAY_WRITE = 0o022;
const ROOT = 0;

/**
 * Changes nothing.
 * @param folders there may be none
 * @returns those that others may enter, and those that are somebody else's, links followed
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
 * Takes from others the right to enter the folders.
 * @returns those that others could enter until now; those that others can still change: theirs, or on a file system
 *   that does not take the mode
 */
export function makePrivate(folders: readonly string[]): {
  tightened: string[];
  exposed: string[];
} {
  const { open, foreign } = findExposed(folders);
  for (const folder of open) {
    try {
      fs.chmodSync(folder, PRIVATE_FOLDER);
    } catch {
      // What came of it is looked at next.
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

/** @returns undefined where there is none, or it cannot be reached: that shows when it is used */
function statusOf(folder: string): fs.Stats | undefined {
  try {
    return fs.statSync(folder);
  } catch {
    return undefined;
  }
}
