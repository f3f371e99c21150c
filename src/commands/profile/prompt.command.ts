import { command } from '../../cli/dispatch/command.ts';
import { option } from '../../cli/flags/flag.ts';
import { profileFlag } from '../../cli/flags/global-flags.ts';
import { glanceProfile } from '../../client/profiles/glance.ts';
import { PROMPT_SHELLS, promptText } from './shell-prompt.ts';

export default command({
  summary: "Print the profile in use, for your shell's prompt",
  description: `Prints a short text such as gw:sandbox, or gw:LIVE in red, to show before each command
    where your money goes. It prints nothing if no profile is chosen.

    gw reads only its list of profiles, and asks neither the keychain nor a gateway.

    --shell marks the colours for that shell, so that it counts the width of the prompt
    right.`,
  examples: [
    'gw profile prompt',
    `PS1='$(gw profile prompt --shell bash) \\w \\$ '`,
    "PROMPT='$(gw profile prompt --shell zsh) %~ %# '",
  ],
  flags: {
    shell: option({
      options: PROMPT_SHELLS,
      description: 'Colour the text as a prompt of this shell; NO_COLOR turns that off.',
    }),
    ...profileFlag,
  },

  async run({ host }, { flags: { shell, profile: flag } }) {
    const { env, files, stdout } = host;
    const profile = glanceProfile(flag, env, files);
    if (!profile) return;
    const hasColor = shell === undefined ? stdout.color : !env.NO_COLOR && env.TERM !== 'dumb';
    await stdout.write(`${promptText(profile, hasColor ? (shell ?? 'none') : undefined)}\n`);
  },
});
