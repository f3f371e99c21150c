import { Flags } from '@oclif/core';
import { dbFlag, EmulatorCommand } from '../../../dispatch/emulator-command.ts';
import { printFlags } from '../../../flags/global-flags.ts';
import { parseInteger } from '../../../flags/parse-integer.ts';
import { printRecords } from '../../../view/print-records.ts';
import { DELIVERY_VIEW } from '../../../view/records/emulator-views.ts';

export default class EmulatorHooksLog extends EmulatorCommand {
  static override summary = 'Show what became of web hook deliveries';
  static override description =
    'Lists deliveries, newest first: queued, delivered, abandoned, or cancelled, with the number of attempts ' +
    'and what the receiver did last. JSON formats have the body too.';
  static override examples = [
    '<%= config.bin %> emulator hooks log',
    '<%= config.bin %> emulator hooks log --state abandoned -o jsonl | jq .body',
  ];
  static override flags = {
    hook: Flags.string({ description: 'Only those of this hook.', helpValue: '<id>' }),
    state: Flags.option({
      options: ['queued', 'delivered', 'abandoned', 'cancelled'] as const,
      description: 'Only those in this state.',
    })(),
    limit: Flags.string({
      description: 'Deliveries to show, newest first.',
      helpValue: '<integer>',
      default: '50',
    }),
    ...dbFlag,
    ...printFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EmulatorHooksLog);
    const [{ listDeliveries }, { urlToShow }] = await Promise.all([
      import('../../../emulator/deliveries/queue.ts'),
      import('../../../emulator/deliveries/hooks.ts'),
    ]);
    const query = {
      hook: flags.hook === undefined ? undefined : parseInteger('hook', flags.hook),
      state: flags.state,
      limit: parseInteger('limit', flags.limit),
    };
    await this.withState(flags.db, async (store) => {
      const records = store
        .read((tx) => listDeliveries(tx, query))
        .map((delivery) => ({
          ...delivery,
          url: urlToShow(delivery.url),
          body: JSON.parse(delivery.body),
        }));
      await printRecords(this.host, flags, records, { kind: DELIVERY_VIEW, isSingle: false });
    });
  }
}
