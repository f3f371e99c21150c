import { command } from '../../cli/dispatch/command.ts';
import { toggle } from '../../cli/flags/flag.ts';
import { ASSISTANTS } from '../../setup/assistants.ts';
import mcp from './mcp.command.ts';

export default command({
  summary: 'Print or write the configuration by which an assistant starts gw',
  description: `Prints what to add to the settings of the program of an assistant, and where. There is no secret in
    it: credentials stay in the keychain.

    With --write, gw adds it to that file, and leaves everything else in it as it is. End the program
    before, because it may write the file too.`,
  examples: [
    'gw mcp install claude-desktop --profile local',
    'gw mcp install cursor --profile local --write',
  ],
  args: {
    client: {
      description: `The program: ${Object.keys(ASSISTANTS).join(', ')}.`,
      choices: Object.keys(ASSISTANTS),
    },
  },
  flags: {
    write: toggle({ description: "Add it to the program's own file." }),
    ...mcp.flags,
  },

  async run(context, { args, flags }) {
    const { runInstall } = await import('./run-install.ts');
    await runInstall(context, args.client, {
      profile: flags.profile,
      isLive: flags.live ?? false,
      mayPropose: flags['allow-proposals'] ?? false,
      writes: flags.write ?? false,
    });
  },
});
