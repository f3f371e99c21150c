import { basename, join } from 'node:path';
import { command } from '../../cli/dispatch/command.ts';
import { usage } from '../../failure.ts';
import { SHELLS, scriptFor } from './scripts.ts';

const isShell = (name: string): name is keyof typeof SHELLS => Object.hasOwn(SHELLS, name);

export default command({
  summary: 'Print the script that completes gw commands in your shell',
  description: `After you add one line to your shell's startup file, the Tab key completes commands,
    flags, profiles, time zones and short lists of values.

    It also completes ids and references of records that the ledger of this machine knows, newest
    first. It leaves out what a command cannot use: purchases that are refunded in full, for
    \`gw refund create\`, and stopped subscriptions, for \`gw subscription stop\`. Look-ups and webhooks
    count from the next search, list or report on.

    bash: put eval "$(gw completion bash)" into ~/.bashrc.

    zsh: put eval "$(gw completion zsh)" into ~/.zshrc.

    fish: put gw completion fish | source into ~/.config/fish/config.fish.

    PowerShell: put gw completion powershell | Out-String | Invoke-Expression into $PROFILE.

    Completion uses neither the network nor the keychain, so it completes no records of a ledger on
    a server.`,
  examples: ['gw completion bash', 'gw completion powershell'],
  args: {
    shell: {
      description: 'The shell: bash, zsh, fish or powershell. Default: the one in SHELL.',
      choices: Object.keys(SHELLS),
    },
  },
  async run({ root, host: { env, stdout, stderr } }, { args }) {
    const name = args.shell ?? basename(env.SHELL ?? '').replace('pwsh', 'powershell');
    if (!isShell(name)) {
      throw usage(
        'shell-unknown',
        args.shell === undefined
          ? 'No shell given, and SHELL is not one that gw supports.'
          : 'gw has no completion for that shell.',
        'Name bash, zsh, fish or powershell: `gw completion bash`.',
      );
    }
    if (!stdout.isTerminal) return stdout.write(scriptFor(name, join(root, 'bin/gw.cjs')));
    const { file, line } = SHELLS[name];
    await stderr.write(`Add this line to ${file}, and open a new shell:\n\n  ${line}\n`);
  },
});
