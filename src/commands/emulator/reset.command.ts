import { command } from '../../cli/dispatch/command.ts';
import { option } from '../../cli/flags/flag.ts';
import { dbFlag } from '../../cli/flags/global-flags.ts';
import { DEFAULT_DIALECT, DIALECTS } from '../../contract/local-account.ts';
import { emulatorPath } from '../../store/paths.ts';
import { readBeginning } from './read-beginning.ts';
import { replaceState } from './start-over.ts';

export default command({
  summary: 'Reset the built-in test gateway',
  erases: true,
  description: `Deletes all records of the built-in test gateway, and what gw keeps for the profile
    local. Webhooks that nobody has taken yet are dropped. A running server continues with the new
    state. gw moves a damaged file aside.

    The deployed dialect accepts requests as real gateways do. The strict dialect accepts
    only what the text of the interface allows.`,
  examples: [
    'gw emulator reset',
    'gw emulator reset --seed shop.json',
    'gw emulator reset --dialect strict --clock 2012-06-01',
  ],
  flags: {
    ...dbFlag,
    seed: option({
      description: 'JSON file of merchants and records to start with.',
      helpValue: '<file>',
    }),
    dialect: option({
      description: 'Dialect that the gateway uses, in process and over HTTP.',
      options: DIALECTS,
      default: DEFAULT_DIALECT,
    }),
    clock: option({
      description:
        "Time at which the gateway's clock starts: YYYY-MM-DD (UTC) or a time with its zone.",
      helpValue: '<date>',
    }),
  },

  async run(context, { flags }) {
    const { files, stderr } = context.host;
    const path = flags.db ?? emulatorPath(files);
    const beginning = await readBeginning(context.host, flags);
    await replaceState(context.host, path, beginning);
    const { dialect, time } = beginning;
    const clock = time ? `, and its clock starts at ${time.toISOString()}` : '';
    await stderr.write(
      `Reset the built-in test gateway in ${path}.\n` + `It uses the ${dialect} dialect${clock}.\n`,
    );
  },
});
