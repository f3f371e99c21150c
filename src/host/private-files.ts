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

/** Of each that is a link, what it leads to is looked at as well. */
function makePrivate(file: string, user: number, { tightened, exposed }: PrivacyReport): void {
  const link = statusOf(file, fs.lstatSync);
  const target = statusOf(file, fs.statSync);
  if (!link || !target || !(target.isFile() || target.isDirectory())) return;
  const isForeign = [link.uid, target.uid].some((uid) => uid !== user && uid !== ROOT);
  if (isForeign) return void exposed.push(file);
  if ((target.mode & OTHERS) === 0) return;
  try {
    fs.chmodSync(file, target.mode & ~OTHERS & 0o777);
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
