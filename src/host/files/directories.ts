/**
 * Directories for gw's configuration, state and cache: the XDG base directories, or their equivalents on Windows. A
 * relative path in an XDG variable is ignored, as the XDG specification demands.
 */
import { homedir } from 'node:os';
import { isAbsolute, posix, win32 } from 'node:path';
import { usage } from '../../failure.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** @throws Failure usage if no variable names it and there is no home directory */
export function configDirectory(env: Env, platform: NodeJS.Platform): string {
  if (platform === 'win32') return windows(env.APPDATA, 'APPDATA', 'Roaming');
  return xdg(env.XDG_CONFIG_HOME, 'XDG_CONFIG_HOME', env, ['.config']);
}

/** @throws Failure usage if no variable names it and there is no home directory */
export function stateDirectory(env: Env, platform: NodeJS.Platform): string {
  if (platform === 'win32') return windows(env.LOCALAPPDATA, 'LOCALAPPDATA', 'Local');
  return xdg(env.XDG_STATE_HOME, 'XDG_STATE_HOME', env, ['.local', 'state']);
}

/** @throws Failure usage if no variable names it and there is no home directory */
export function cacheDirectory(env: Env, platform: NodeJS.Platform): string {
  if (platform === 'win32')
    return win32.join(windows(env.LOCALAPPDATA, 'LOCALAPPDATA', 'Local'), 'Cache');
  return xdg(env.XDG_CACHE_HOME, 'XDG_CACHE_HOME', env, ['.cache']);
}

function xdg(value: string | undefined, variable: string, env: Env, below: string[]): string {
  if (value && posix.isAbsolute(value)) return posix.join(value, 'gw');
  return posix.join(home(env.HOME, variable), ...below, 'gw');
}

function windows(value: string | undefined, variable: string, below: string): string {
  if (value && win32.isAbsolute(value)) return win32.join(value, 'gw');
  return win32.join(home(undefined, variable), 'AppData', below, 'gw');
}

function home(value: string | undefined, variable: string): string {
  const directory = value ?? homeOfAccount();
  if (directory && isAbsolute(directory)) return directory;
  throw usage(
    'home-missing',
    'gw has no home directory to keep its files in.',
    `Set HOME or ${variable} to a directory of yours.`,
  );
}

/** The account database knows a home even if HOME is not set, but may not know the account. */
function homeOfAccount(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}
