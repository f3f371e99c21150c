/**
 * That nobody else may read or change what gw keeps: its directories, and the files in them.
 *
 * A mode that lets others in is mended; what belongs to somebody else, or cannot be mended, is told.
 * Windows has no such modes: there a user's directories are private because the user's profile is.
 */
import fs from 'node:fs';
import path from 'node:path';

const OTHERS = 0o077;
const OTHERS_MAY_WRITE = 0o022;
const ROOT = 0;

export interface PrivacyReport {
  /** What others could get at until now. */
  tightened: string[];
  /** What others can still change: theirs, or on a file system that does not take the mode. */
  exposed: string[];
}

/** @param directories of gw's own; there may be none */
export function makeAllPrivate(
  directories: readonly string[],
  user = process.getuid?.(),
): PrivacyReport {
  const report: PrivacyReport = { tightened: [], exposed: [] };
  if (user === undefined) return report;
  for (const directory of directories) {
    // The directory first: from then on nobody can put another file in the place of one.
    for (const file of [directory, ...filesOf(directory)]) makePrivate(file, user, report);
  }
  return report;
}

/** Changes nothing. @returns what others can get at: by its mode, and because it is somebody else's */
export function findExposed(
  directories: readonly string[],
  user = process.getuid?.(),
): { open: string[]; foreign: string[] } {
  const report = { open: [] as string[], foreign: [] as string[] };
  if (user === undefined) return report;
  const files = directories.flatMap((directory) => [directory, ...filesOf(directory)]);
  for (const file of files) {
    const found = lookAt(file, user);
    if (found?.isForeign) report.foreign.push(file);
    else if (found && (found.mode & OTHERS) !== 0) report.open.push(file);
  }
  return report;
}

/**
 * Of each that is a link, what it leads to is looked at as well.
 * @returns undefined where there is neither file nor directory
 */
function lookAt(file: string, user: number): { isForeign: boolean; mode: number } | undefined {
  const link = statusOf(file, fs.lstatSync);
  const target = statusOf(file, fs.statSync);
  if (!link || !target || !(target.isFile() || target.isDirectory())) return undefined;
  const isForeign = [link.uid, target.uid].some((uid) => uid !== user && uid !== ROOT);
  return { isForeign, mode: target.mode };
}

function makePrivate(file: string, user: number, { tightened, exposed }: PrivacyReport): void {
  const found = lookAt(file, user);
  if (!found) return;
  if (found.isForeign) return void exposed.push(file);
  if ((found.mode & OTHERS) === 0) return;
  try {
    fs.chmodSync(file, found.mode & ~OTHERS & 0o777);
  } catch {
    // What came of it is looked at next.
  }
  const mode = statusOf(file, fs.statSync)?.mode ?? 0;
  if ((mode & OTHERS) === 0) tightened.push(file);
  else if ((mode & OTHERS_MAY_WRITE) !== 0) exposed.push(file);
}

/** @returns undefined where there is none, or it cannot be reached: that shows when it is used */
function statusOf(file: string, look: (file: string) => fs.Stats): fs.Stats | undefined {
  try {
    return look(file);
  } catch {
    return undefined;
  }
}

function filesOf(directory: string): string[] {
  try {
    return fs.readdirSync(directory).map((name) => path.join(directory, name));
  } catch {
    return [];
  }
}
