/** The folders in which other programs of this user have their settings, and the command that starts this gw. */
import { join } from 'node:path';
import type { Host } from './host.ts';

export interface UserFolders {
  home: string;
  /** The folder in which programs with a window have folders of their own. */
  settings: string;
}

/** @returns undefined if there is no home directory */
export function userFolders(
  { env }: Pick<Host, 'env'>,
  platform: NodeJS.Platform = process.platform,
): UserFolders | undefined {
  const home = platform === 'win32' ? env.USERPROFILE : env.HOME;
  if (!home) return undefined;
  if (platform === 'darwin')
    return { home, settings: join(home, 'Library', 'Application Support') };
  const own = platform === 'win32' ? env.APPDATA : env.XDG_CONFIG_HOME;
  const usual = platform === 'win32' ? join('AppData', 'Roaming') : '.config';
  return { home, settings: own || join(home, usual) };
}

/**
 * A program with a window may have no PATH that leads to Node or gw.
 * @param root folder of the program
 * @returns Node and the file of gw, by their whole paths
 */
export function ownCommand(root: string): readonly [node: string, program: string] {
  return [process.execPath, join(root, 'bin', 'gw.cjs')];
}
