/** Prints the script of a shell; and to a person, what to do with it. */
import { usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { SCRIPTS, SET_UP, type ShellName } from './scripts.ts';

const OTHER_NAMES: Readonly<Record<string, ShellName>> = { pwsh: 'powershell', ps: 'powershell' };

/** @param named the shell; that of SHELL without it. @throws Failure usage when gw has no script for it */
export async function runCompletion(
  { env, stdout, stderr }: Pick<Host, 'env' | 'stdout' | 'stderr'>,
  named: string | undefined,
): Promise<void> {
  const shell = shellOf(named ?? env.SHELL ?? '');
  if (shell === undefined) throw unknownShell(named);
  if (stdout.isTerminal) {
    const { file, line } = SET_UP[shell];
    await stderr.write(`Add this line to ${file}, and open a new shell:\n\n  ${line}\n`);
    return;
  }
  await stdout.write(SCRIPTS[shell]);
}

/** @param name of a shell, or the path of its program */
function shellOf(name: string): ShellName | undefined {
  const base =
    name
      .toLowerCase()
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.exe$/, '') ?? '';
  if (Object.hasOwn(SCRIPTS, base)) return base as ShellName;
  return Object.hasOwn(OTHER_NAMES, base) ? OTHER_NAMES[base] : undefined;
}

function unknownShell(named: string | undefined) {
  return usage(
    'shell-unknown',
    named === undefined
      ? 'No shell given, and SHELL is not one that gw supports.'
      : `gw has no completion for the shell ${JSON.stringify(named)}.`,
    'Name bash, zsh, fish or powershell: `gw completion bash`.',
  );
}
