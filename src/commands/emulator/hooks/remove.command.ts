import { command } from '../../../cli/dispatch/command.ts';
import { requestOptions } from '../../../cli/flags/command-options.ts';
import { dbFlag, interactionFlags } from '../../../cli/flags/global-flags.ts';
import { Failure } from '../../../failure.ts';
import { chooseArgument } from '../../../requests/asked-argument.ts';

export default command({
  summary: 'Stop delivering webhooks to an address',
  erases: true,
  description: `Removes the hook and cancels its queued deliveries. They stay in the log.`,
  examples: ['gw emulator hooks remove 1', 'gw emulator hooks remove 2 --db ./shop.db'],
  args: {
    id: { description: 'Id of the hook.', asked: true },
  },
  flags: {
    ...dbFlag,
    'no-input': interactionFlags['no-input'],
  },

  async run(context, { args, flags }) {
    const { stderr } = context.host;
    const [{ listHooks, removeHook, urlToShow }, { withState }] = await Promise.all([
      import('../../../emulator/deliveries/hooks.ts'),
      import('../../../emulator/state.ts'),
    ]);
    await withState(context.host, flags.db, async (store) => {
      const text = await chooseArgument(context.host, {
        given: args.id,
        argument: 'ID',
        command: 'gw emulator hooks remove',
        options: requestOptions(context.host, flags),
        question: 'Hook:',
        seen: '`gw emulator hooks list` shows the ids.',
        choices: async () =>
          listHooks(store).map(({ id, url, events }) => ({
            value: String(id),
            name: `${id} ${urlToShow(url)}`,
            hint: events === '*' ? 'all events' : events,
          })),
      });
      const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
      if (!removeHook(store, id))
        throw new Failure(
          'hook-not-found',
          `No hook has the id ${JSON.stringify(text)}.`,
          'Run `gw emulator hooks list` to see them.',
        );
      await stderr.write(`Removed hook ${id}.\n`);
    });
  },
});
