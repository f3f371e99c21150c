import { dbFlag, EmulatorCommand } from '../../../dispatch/emulator-command.ts';
import { printFlags } from '../../../flags/global-flags.ts';
import { printRecords } from '../../../view/print-records.ts';
import { HOOK_VIEW } from '../../../view/records/emulator-views.ts';

export default class EmulatorHooksList extends EmulatorCommand {
  static override summary = 'List the addresses that web hooks are delivered to';
  static override description =
    'Shows every hook, the events it wants, and how many deliveries wait for their turn or their time.';
  static override examples = [
    '<%= config.bin %> emulator hooks list',
    '<%= config.bin %> emulator hooks list -o jsonl | jq -r .url',
  ];
  static override flags = {
    ...dbFlag,
    ...printFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EmulatorHooksList);
    const { listHooks, urlToShow } = await import('../../../emulator/deliveries/hooks.ts');
    await this.withState(flags.db, async (store) => {
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
    });
  }
}
