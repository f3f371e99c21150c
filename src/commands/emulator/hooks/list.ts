import { Flags } from '@oclif/core';
import { GwCommand } from '../../../cli/command.ts';
import { HOOK_VIEW } from '../../../cli/emulator-views.ts';
import { outputFlags } from '../../../cli/global-flags.ts';
import { emulatorPath } from '../../../cli/paths.ts';
import { printRecords } from '../../../cli/print-records.ts';

const { output, json, fields } = outputFlags;

export default class EmulatorHooksList extends GwCommand {
  static override summary = 'List the addresses that web hooks are delivered to';
  static override description =
    'Shows every hook, the events it wants, and how many deliveries wait for their turn or their time.';
  static override examples = [
    '<%= config.bin %> emulator hooks list',
    '<%= config.bin %> emulator hooks list -o jsonl | jq -r .url',
  ];
  static override flags = {
    db: Flags.string({
      description: 'File of the state. Default: the one of --profile local.',
      helpValue: '<file>',
    }),
    output,
    json,
    fields,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EmulatorHooksList);
    const { clock, files } = this.host;
    const [{ listHooks, urlToShow }, { openState }] = await Promise.all([
      import('../../../emulator/hooks.ts'),
      import('../../../emulator/state.ts'),
    ]);
    const store = openState({ path: flags.db ?? emulatorPath(files), clock });
    try {
      const records = listHooks(store).map(
        ({ id, username, url, events, temporary, queued, created_at }) => ({
          id,
          account: username,
          url: urlToShow(url),
          events,
          temporary: temporary === 1,
          queued,
          created_at,
        }),
      );
      await printRecords(this.host, flags, records, { kind: HOOK_VIEW, isSingle: false });
    } finally {
      store.close();
    }
  }
}
