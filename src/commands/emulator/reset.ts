import { Flags } from '@oclif/core';
import { readText } from '../../body/read-input.ts';
import { GwCommand } from '../../dispatch/command.ts';
import { dbFlag } from '../../dispatch/emulator-command.ts';
import { startOver } from '../../operations/start-over.ts';
import { emulatorPath } from '../../session/paths.ts';

export default class EmulatorReset extends GwCommand {
  static override summary = 'Start the embedded gateway over';
  static override description =
    'Replaces all records of the embedded gateway by a fresh start. A server that is running goes on with ' +
    'the new state. A file that is damaged is moved aside, not deleted.';
  static override examples = [
    '<%= config.bin %> emulator reset',
    '<%= config.bin %> emulator reset --seed shop.json',
  ];
  static override flags = {
    ...dbFlag,
    seed: Flags.string({
      description: 'JSON file of merchants and records to start with.',
      helpValue: '<file>',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EmulatorReset);
    const { readSeed } = await import('../../emulator/seed.ts');
    const { files, stderr } = this.host;
    const path = flags.db ?? emulatorPath(files);
    const seed =
      flags.seed === undefined
        ? undefined
        : readSeed(await readText(this.host, flags.seed, '--seed'), flags.seed);
    const { movedTo } = await startOver(this.host, path, seed);
    if (movedTo !== undefined)
      await stderr.write(`The old file could not be read and is now ${movedTo}.\n`);
    await stderr.write(`The embedded gateway in ${path} has a fresh start.\n`);
  }
}
