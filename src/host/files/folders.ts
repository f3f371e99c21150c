/**
 * gw's folders: their places, and who may enter them.
 *
 * Configuration, state and cache are in the XDG base directories, or in their equivalents on Windows. A relative path in
 * an XDG variable is ignored, as the XDG specification demands.
 *
 * The user owns the folders and others may not enter them, whatever the modes of the files inside. Windows has no such
 * modes, but a user's profile is private there.
 */
import { chmodSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, posix, win32 } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;
type DirectoryKind = 'config' | 'state' | 'cache';

const XDG = {
  config: { variable: 'XDG_CONFIG_HOME', below: ['.config'] },
  state: { variable: 'XDG_STATE_HOME', below: ['.local', 'state'] },
  cache: { variable: 'XDG_CACHE_HOME', below: ['.cache'] },
};
const WINDOWS = {
  config: { variable: 'APPDATA', below: ['Roaming', 'gw'] },
  state: { variable: 'LOCALAPPDATA', below: ['Local', 'gw'] },
  cache: { variable: 'LOCALAPPDATA', below: ['Local', 'gw', 'Cache'] },
};

/** @returns the variable that names it */
export function directoryVariable(kind: DirectoryKind, platform: NodeJS.Platform): string {
  return (platform === 'win32' ? WINDOWS : XDG)[kind].variable;
}

/** @returns undefined if no variable names it and there is no home directory */
export function directoryOf(
  kind: DirectoryKind,
  env: Env,
  platform: NodeJS.Platform,
): string | undefined {
  const value = env[directoryVariable(kind, platform)];
  if (platform === 'win32') {
    const { below } = WINDOWS[kind];
    if (value && win32.isAbsolute(value)) return win32.join(value, ...below.slice(1));
    const home = homeIn(undefined);
    return home && win32.join(home, 'AppData', ...below);
  }
  if (value && posix.isAbsolute(value)) return posix.join(value, 'gw');
  const home = homeIn(env.HOME);
  return home && posix.join(home, ...XDG[kind].below, 'gw');
}

function homeIn(value: string | undefined): string | undefined {
  const directory = value ?? homeOfAccount();
  return directory && isAbsolute(directory) ? directory : undefined;
}

/** The account database knows a home even if HOME is not set, but may not know the account. */
function homeOfAccount(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

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
