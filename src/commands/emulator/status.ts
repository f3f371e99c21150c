import { Flags } from '@oclif/core';
import { GwCommand } from '../../cli/command.ts';
import { outputFlags } from '../../cli/global-flags.ts';
import { emulatorPath } from '../../cli/paths.ts';
import { printRecords } from '../../cli/print-records.ts';
import type { JsonObject } from '../../contract/envelope.ts';

export default class EmulatorStatus extends GwCommand {
  static override summary = 'Show what the embedded gateway holds';
  static override description =
    'Shows the file of the embedded gateway, its clock, its web hooks, and how many records of each kind ' +
    'every account has.';
  static override examples = [
    '<%= config.bin %> emulator status',
    '<%= config.bin %> emulator status -o json | jq .records',
  ];
  static override flags = {
    db: Flags.string({
      description: 'File of the state. Default: the one of --profile local.',
      helpValue: '<file>',
    }),
    output: outputFlags.output,
    json: outputFlags.json,
    fields: outputFlags.fields,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EmulatorStatus);
    const { describeState, openState } = await import('../../emulator/state.ts');
    const store = openState({
      path: flags.db ?? emulatorPath(this.host.files),
      clock: this.host.clock,
    });
    try {
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
    } finally {
      store.close();
    }
  }
}
