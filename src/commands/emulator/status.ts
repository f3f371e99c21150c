import type { JsonObject } from '../../base/json.ts';
import { dbFlag, EmulatorCommand } from '../../dispatch/emulator-command.ts';
import { printFlags } from '../../flags/global-flags.ts';
import { printRecords } from '../../view/print-records.ts';

export default class EmulatorStatus extends EmulatorCommand {
  static override summary = 'Show what the embedded gateway holds';
  static override description =
    'Shows the file of the embedded gateway, its clock, its web hooks, and how many records of each kind ' +
    'every account has.';
  static override examples = [
    '<%= config.bin %> emulator status',
    '<%= config.bin %> emulator status -o json | jq .records',
  ];
  static override flags = {
    ...dbFlag,
    ...printFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EmulatorStatus);
    const { describeState } = await import('../../emulator/state.ts');
    await this.withState(flags.db, async (store) => {
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
      await printRecords(this.host, flags, [record], { isSingle: true });
    });
  }
}
