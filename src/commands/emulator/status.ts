import type { JsonObject } from '../../base/json.ts';
import { command } from '../../dispatch/command.ts';
import { dbFlag } from '../../flags/db-flag.ts';
import { printFlags } from '../../flags/global-flags.ts';
import { withState } from '../../operations/with-state.ts';
import { printRecords } from '../../view/print-records.ts';

export default command({
  summary: 'Show what the embedded gateway holds',
  description: `Shows the file of the embedded gateway, its clock, its web hooks, and how many records of each
    kind every account has.`,
  examples: ['gw emulator status', 'gw emulator status -o json | jq .records'],
  flags: {
    ...dbFlag,
    ...printFlags,
  },

  async run(context, { flags }) {
    const { describeState } = await import('../../emulator/state.ts');
    await withState(context, flags.db, async (store) => {
      const state = describeState(store);
      const record: JsonObject = {
        file: state.path,
        time: state.clock.now.toISOString(),
        next_day_to_bill: state.billingDay,
        clock: state.clock.frozen
          ? 'stands still'
          : `runs, ${state.clock.offsetMs / 86_400_000} days ahead`,
        hooks: state.hooks,
        queued_deliveries: state.queued,
        records: Object.fromEntries(
          state.merchants.map(({ username, records }) => [username, { ...records }]),
        ),
      };
      await printRecords(context.host, flags, [record], { isSingle: true });
    });
  },
});
