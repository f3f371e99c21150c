import { basename } from 'node:path';
import { command } from '../../cli/dispatch/command.ts';
import { usage } from '../../failure.ts';
import { SHELLS } from './scripts.ts';

export default command({
  summary: 'Print the script that completes gw commands in your shell',
  description: `After you add one line to your shell's startup file, the Tab key completes commands, flags,
    profiles and short lists of values.

    bash: put eval "$(gw completion bash)" into ~/.bashrc.

    zsh: put eval "$(gw completion zsh)" into ~/.zshrc.

    fish: put gw completion fish | source into ~/.config/fish/config.fish.

    Completion uses neither the network nor the keychain.`,
  examples: ['gw completion bash', 'gw completion fish'],
  args: {
    shell: {
      description: 'The shell: bash, zsh or fish. Default: the one in SHELL.',
      choices: Object.keys(SHELLS),
    },
  },
  async run({ host: { env, stdout, stderr } }, { args }) {
    const name = args.shell ?? basename(env.SHELL ?? '');
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
