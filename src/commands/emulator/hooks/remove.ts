import { Args } from '@oclif/core';
import { dbFlag, EmulatorCommand } from '../../../dispatch/emulator-command.ts';
import { Failure } from '../../../failure.ts';

export default class EmulatorHooksRemove extends EmulatorCommand {
  static override summary = 'Stop delivering web hooks to an address';
  static override description =
    'Removes the hook. What is queued for it is cancelled and stays in the log.';
  static override examples = [
    '<%= config.bin %> emulator hooks remove 1',
    '<%= config.bin %> emulator hooks remove 2 --db ./shop.db',
  ];
  static override args = {
    id: Args.string({ required: true, ignoreStdin: true, description: 'Id of the hook.' }),
  };
  static override flags = {
    ...dbFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmulatorHooksRemove);
    const { stderr } = this.host;
    const { removeHook } = await import('../../../emulator/deliveries/hooks.ts');
    await this.withState(flags.db, async (store) => {
      const id = /^\d{1,15}$/.test(args.id) ? Number(args.id) : 0;
      if (!removeHook(store, id))
        throw new Failure('notFound', `There is no hook ${JSON.stringify(args.id)}.`, {
          next: '`gw emulator hooks list` lists them.',
        });
      await stderr.write(`Hook ${id} is removed.\n`);
    });
  }
}
