import { command } from '../../../dispatch/command.ts';
import { Failure } from '../../../failure.ts';
import { dbFlag } from '../../../flags/db-flag.ts';
import { withState } from '../../../operations/with-state.ts';

export default command({
  summary: 'Stop delivering web hooks to an address',
  description: `Removes the hook. Its queued deliveries are cancelled and stay in the log.`,
  examples: ['gw emulator hooks remove 1', 'gw emulator hooks remove 2 --db ./shop.db'],
  args: {
    id: { required: true, description: 'Id of the hook.' },
  },
  flags: {
    ...dbFlag,
  },

  async run(context, { args, flags }) {
    const { stderr } = context.host;
    const { removeHook } = await import('../../../emulator/deliveries/hooks.ts');
    await withState(context, flags.db, async (store) => {
      const id = /^\d{1,15}$/.test(args.id) ? Number(args.id) : 0;
      if (!removeHook(store, id))
        throw new Failure('notFound', `No hook has the id ${JSON.stringify(args.id)}.`, {
          code: 'hook-not-found',
          next: 'Run `gw emulator hooks list` to see them.',
        });
      await stderr.write(`Removed hook ${id}.\n`);
    });
  },
});
