/**
 * Directories for gw's configuration, state and cache: the XDG base directories, or their equivalents on Windows. A
 * relative path in an XDG variable is ignored, as the XDG specification demands.
 */
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
