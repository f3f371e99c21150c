import { command } from '../../dispatch/command.ts';
import { DEFAULT_DIALECT, DIALECTS } from '../../emulator/dialect.ts';
import { dbFlag } from '../../flags/db-flag.ts';
import { option } from '../../flags/flag.ts';
import { readBeginning } from '../../operations/read-beginning.ts';
import { startOver } from '../../operations/start-over.ts';
import { emulatorPath } from '../../session/paths.ts';

export default command({
  summary: 'Start the embedded gateway over',
  description: `Replaces all records of the embedded gateway by a fresh start, and forgets what the journal,
    records seen and events received have of the profile local. A server that is running goes
    on with the new state. A file that is damaged is moved aside, not deleted. The deployed dialect
    takes requests as deployments do; the strict one keeps to the interface's text.`,
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
      description: 'Dialect that the gateway answers in, at every door.',
      options: DIALECTS,
      default: DEFAULT_DIALECT,
    }),
    clock: option({
      description:
        "Time at which the gateway's clock begins, and runs on: YYYY-MM-DD (UTC) or an instant.",
      helpValue: '<date>',
    }),
  },

  async run(context, { flags }) {
    const { files, stderr } = context.host;
    const path = flags.db ?? emulatorPath(files);
    const beginning = await readBeginning(context.host, flags);
    const { movedTo } = await startOver(context.host, path, beginning);
    if (movedTo !== undefined)
      await stderr.write(`The old file could not be read and is now ${movedTo}.\n`);
    const { dialect, time } = beginning;
    const clock = time ? `, and its clock begins at ${time.toISOString()}` : '';
    await stderr.write(
      `The embedded gateway in ${path} has a fresh start.\n` +
        `It answers in the ${dialect} dialect${clock}.\n`,
    );
  },
});
