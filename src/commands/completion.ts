import path from 'node:path';
import { SHELLS } from '../cli/completion/scripts.ts';
import { command } from '../cli/dispatch/command.ts';
import { usage } from '../failure.ts';

export default command({
  summary: 'Print the script that completes gw commands in your shell',
  description: `The Tab key then completes commands, flags, profiles, and values that are one of a
    few: formats, test cards, events. Add the line for your shell to its startup file: for bash, eval "$(gw
    completion bash)" in ~/.bashrc; for zsh, eval "$(gw completion zsh)" in ~/.zshrc; for fish, gw
    completion fish | source in ~/.config/fish/config.fish. Completion uses neither the network nor the keychain.`,
  examples: ['gw completion bash', 'gw completion fish'],
  args: {
    shell: { description: 'The shell: bash, zsh or fish. Default: the one in SHELL.' },
  },
  async run({ host: { env, stdout, stderr } }, { args }) {
    const name = args.shell ?? path.basename(env.SHELL ?? '');
    const shell = Object.entries(SHELLS).find(([known]) => known === name)?.[1];
    if (shell === undefined) {
      throw usage(
        'shell-unknown',
        args.shell === undefined
          ? 'No shell given, and SHELL is not one that gw supports.'
          : 'gw has no completion for that shell.',
        'Name bash, zsh or fish: `gw completion bash`.',
      );
    }
    if (!stdout.isTerminal) return stdout.write(shell.script);
    await stderr.write(
      `Add this line to ${shell.file}, and open a new shell:\n\n  ${shell.line}\n`,
    );
  },
});
