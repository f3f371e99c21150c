import { command } from '../../cli/dispatch/command.ts';
import { outputOptions } from '../../cli/flags/command-options.ts';
import { dbFlag, printFlags } from '../../cli/flags/global-flags.ts';
import { printRecords } from '../../view/print-records.ts';
import { GATEWAY_STATE_VIEW } from './gateway-state.ts';

export default command({
  summary: 'Show the state of the built-in test gateway',
  description: `Shows the file of the built-in test gateway, its dialect, clock and webhooks, and how many
    records each account has.`,
  prints: GATEWAY_STATE_VIEW,
  examples: ['gw emulator status', 'gw emulator status --jq .records'],
  flags: {
    ...dbFlag,
    ...printFlags,
  },

  async run(context, { flags }) {
    const { describeState, withState } = await import('../../emulator/state.ts');
    await withState(context.host, flags.db, async (store) => {
      const record = GATEWAY_STATE_VIEW.record(describeState(store));
      await printRecords(context.host, outputOptions(flags), [record], {
        kind: GATEWAY_STATE_VIEW,
        isSingle: true,
      });
    });
  },
});
