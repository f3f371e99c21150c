/** Whether the user's shell completes the commands of gw. */
import path from 'node:path';
import { Failure } from '../failure.ts';
import type { Files, Host } from '../host/host.ts';
import { type Finding, ok, warning } from './finding.ts';

const MAX_FILE_BYTES = 1024 * 1024;
/** Where the instructions of `gw autocomplete` have their line put. */
const STARTUP_FILES: Readonly<Record<string, string>> = { bash: '.bashrc', zsh: '.zshrc' };
const SET_UP = /# gw autocomplete setup/;

export function checkCompletion(env: Host['env'], files: Pick<Files, 'read'>): Finding {
  const shell = path.basename(env.SHELL ?? '');
  const name = Object.hasOwn(STARTUP_FILES, shell) ? STARTUP_FILES[shell] : undefined;
  if (name === undefined || !env.HOME)
    return ok('not looked at: SHELL is neither bash nor zsh, whose settings gw knows');
  const folder = (shell === 'zsh' && env.ZDOTDIR) || env.HOME;
  const file = path.join(folder, name);
  return SET_UP.test(textOf(files, file))
    ? ok(`set up in ${file}`)
    : warning(
        `${shell} does not complete the commands of gw yet.`,
        `Run \`gw autocomplete ${shell}\`, which says how.`,
      );
}

/** A startup file that cannot be read is not gw's affair. */
function textOf(files: Pick<Files, 'read'>, file: string): string {
  try {
    return files.read(file, MAX_FILE_BYTES) ?? '';
  } catch (error) {
    if (error instanceof Failure) return '';
    throw error;
  }
}
