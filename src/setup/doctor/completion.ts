/** Whether the user's shell completes the commands of gw. */
import path from 'node:path';
import { shellOf } from '../../cli/completion/run-completion.ts';
import { SET_UP, type ShellName } from '../../cli/completion/scripts.ts';
import { Failure } from '../../failure.ts';
import type { Files, Host } from '../../host/host.ts';
import type { Finding } from '../../view/records/check.ts';
import { ok, warning } from './finding.ts';

const MAX_FILE_BYTES = 1024 * 1024;
const MENTION = /\bgw completion\b/;

export function checkCompletion(env: Host['env'], files: Pick<Files, 'read'>): Finding {
  const shell = shellOf(env.SHELL ?? '');
  if (shell === undefined || shell === 'powershell' || !env.HOME)
    return ok('not checked: SHELL is not bash, zsh or fish');
  const found = startupFiles(shell, env).find((file) => MENTION.test(textOf(files, file)));
  if (found !== undefined) return ok(`set up in ${found}`);
  const { file, line } = SET_UP[shell];
  return warning(
    `${shell} does not complete gw commands yet.`,
    `Add this line to ${file}: \`${line}\``,
  );
}

function startupFiles(shell: ShellName, env: Host['env']): string[] {
  const home = env.HOME ?? '';
  const config = path.join(env.XDG_CONFIG_HOME || path.join(home, '.config'), 'fish');
  const data = env.XDG_DATA_HOME || path.join(home, '.local/share');
  switch (shell) {
    case 'zsh':
      return [path.join(env.ZDOTDIR || home, '.zshrc')];
    case 'fish':
      return [path.join(config, 'config.fish'), path.join(config, 'completions/gw.fish')];
    default:
      return [
        path.join(home, '.bashrc'),
        path.join(home, '.bash_profile'),
        path.join(data, 'bash-completion/completions/gw'),
      ];
  }
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
