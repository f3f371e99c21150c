import { Flags } from '@oclif/core';
import { GwCommand } from '../../../cli/command.ts';
import { DELIVERY_VIEW } from '../../../cli/emulator-views.ts';
import { outputFlags } from '../../../cli/global-flags.ts';
import { parseInteger } from '../../../cli/integer-flag.ts';
import { emulatorPath } from '../../../cli/paths.ts';
import { printRecords } from '../../../cli/print-records.ts';

const { output, json, fields } = outputFlags;

export default class EmulatorHooksLog extends GwCommand {
  static override summary = 'Show what became of web hook deliveries';
  static override description =
    'Lists deliveries, newest first: queued, delivered, given up, or cancelled, with the number of attempts ' +
    'and what the receiver did last. JSON formats have the body too.';
  static override examples = [
    '<%= config.bin %> emulator hooks log',
    "<%= config.bin %> emulator hooks log --state 'given up' -o jsonl | jq .body",
  ];
  static override flags = {
    hook: Flags.string({ description: 'Only those of this hook.', helpValue: '<id>' }),
    state: Flags.option({
      options: ['queued', 'delivered', 'given up', 'cancelled'] as const,
      description: 'Only those in this state.',
    })(),
    limit: Flags.string({
      description: 'Deliveries to show, newest first.',
      helpValue: '<integer>',
      default: '50',
    }),
    db: Flags.string({
      description: 'File of the state. Default: the one of --profile local.',
      helpValue: '<file>',
    }),
    output,
    json,
    fields,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EmulatorHooksLog);
    const { clock, files } = this.host;
    const [{ listDeliveries }, { urlToShow }, { openState }] = await Promise.all([
      import('../../../emulator/queue.ts'),
      import('../../../emulator/hooks.ts'),
      import('../../../emulator/state.ts'),
    ]);
    const query = {
      hook: flags.hook === undefined ? undefined : parseInteger('hook', flags.hook),
      state: flags.state,
      limit: parseInteger('limit', flags.limit),
    };
    const store = openState({ path: flags.db ?? emulatorPath(files), clock });
    try {
      const records = store
        .read((tx) => listDeliveries(tx, query))
        .map((delivery) => ({
          ...delivery,
          url: urlToShow(delivery.url),
          body: JSON.parse(delivery.body),
        }));
      await printRecords(this.host, flags, records, { kind: DELIVERY_VIEW, isSingle: false });
    } finally {
      store.close();
    }
  }
}
