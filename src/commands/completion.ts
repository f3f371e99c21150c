import { runCompletion } from '../cli/completion/run-completion.ts';
import { command } from '../cli/dispatch/command.ts';

export default command({
  summary: 'Print the script that completes gw commands in your shell',
  description: `The Tab key then completes commands, flags and values: formats, profiles, test
    cards, events, and the ids and references known on this machine. Add the line for your shell to its startup file: for bash, eval "$(gw completion bash)" in ~/.bashrc; for zsh, eval "$(gw
    completion zsh)" in ~/.zshrc; for fish, gw completion fish | source in
    ~/.config/fish/config.fish; for PowerShell, gw completion powershell | Out-String |
    Invoke-Expression in $PROFILE. Completion uses neither the network nor the keychain.`,
  examples: ['gw completion bash', 'gw completion fish'],
  args: {
    shell: { description: 'The shell: bash, zsh, fish or powershell. Default: the one in SHELL.' },
  },
  async run({ host }, { args }) {
    await runCompletion(host, args.shell);
  },
});
