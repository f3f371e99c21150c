import { command } from '../../../cli/dispatch/command.ts';
import { outputOptions } from '../../../cli/flags/command-options.ts';
import { dbFlag, printFlags } from '../../../cli/flags/global-flags.ts';
import { printRecords } from '../../../view/print-records.ts';
import { HOOK_VIEW } from '../../../view/records/embedded-gateway.ts';

export default command({
  summary: 'List the addresses that webhooks are delivered to',
  description: `Shows every hook, the events it wants, and how many deliveries wait for it.`,
  prints: 'hook',
  examples: ['gw emulator hooks list', 'gw emulator hooks list -o jsonl --jq .url'],
  flags: {
    ...dbFlag,
    ...printFlags,
  },

  async run(context, { flags }) {
    const [{ listHooks, urlToShow }, { withState }] = await Promise.all([
      import('../../../emulator/deliveries/hooks.ts'),
      import('../../../emulator/state.ts'),
    ]);
    await withState(context.host, flags.db, async (store) => {
      const records = listHooks(store).map((hook) =>
        HOOK_VIEW.record({ ...hook, url: urlToShow(hook.url) }),
      );
      await printRecords(context.host, outputOptions(flags), records, {
        kind: HOOK_VIEW,
        ifNone: 'No address receives webhooks. `gw emulator hooks add URL` adds one.',
      });
    });
  },
});
