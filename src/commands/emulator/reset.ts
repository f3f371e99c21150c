import { readText } from '../../body/read-input.ts';
import { command } from '../../dispatch/command.ts';
import { dbFlag } from '../../flags/db-flag.ts';
import { option } from '../../flags/flag.ts';
import { startOver } from '../../operations/start-over.ts';
import { emulatorPath } from '../../session/paths.ts';

export default command({
  summary: 'Start the embedded gateway over',
  description: `Replaces all records of the embedded gateway by a fresh start. A server that is running goes
    on with the new state. A file that is damaged is moved aside, not deleted.`,
  examples: ['gw emulator reset', 'gw emulator reset --seed shop.json'],
  flags: {
    ...dbFlag,
    seed: option({
      description: 'JSON file of merchants and records to start with.',
      helpValue: '<file>',
    }),
  },

  async run(context, { flags }) {
    const { readSeed } = await import('../../emulator/seed.ts');
    const { files, stderr } = context.host;
    const path = flags.db ?? emulatorPath(files);
    const seed =
      flags.seed === undefined
        ? undefined
        : readSeed(await readText(context.host, flags.seed, '--seed'), flags.seed);
    const { movedTo } = await startOver(context.host, path, seed);
    if (movedTo !== undefined)
      await stderr.write(`The old file could not be read and is now ${movedTo}.\n`);
    await stderr.write(`The embedded gateway in ${path} has a fresh start.\n`);
  },
});
