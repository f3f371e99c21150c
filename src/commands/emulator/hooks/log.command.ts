import { command } from '../../../cli/dispatch/command.ts';
import { outputOptions } from '../../../cli/flags/command-options.ts';
import { option } from '../../../cli/flags/flag.ts';
import { dbFlag, printFlags } from '../../../cli/flags/global-flags.ts';
import { parseInteger } from '../../../cli/flags/parse-number.ts';
import { limitOf, listLimitFlag } from '../../../cli/flags/search-flags.ts';
import type { LoggedDelivery } from '../../../emulator/deliveries/queue.ts';
import { cuttable, extra, fieldColumn, ownView, timeColumn } from '../../../view/columns.ts';
import { printRecords } from '../../../view/print-records.ts';

const NO_DELIVERIES = 'Nothing was delivered yet. `gw emulator hooks list` shows the addresses.';

/** A delivery whose address has no username and password. */
export const DELIVERY_VIEW = ownView({
  name: 'delivery',
  plural: 'deliveries',
  mayHave: [
    'id',
    'hook',
    'url',
    'event',
    'customer',
    'created_at',
    'state',
    'attempts',
    'attempted_at',
    'result',
    'due_at',
    'body',
  ],
  columns: [
    fieldColumn('id', { align: 'right' }),
    timeColumn('created_at'),
    fieldColumn('event', cuttable),
    fieldColumn('state'),
    fieldColumn('attempts', { align: 'right' }),
    fieldColumn('result', cuttable),
    fieldColumn('customer', extra),
    fieldColumn('hook', { align: 'right' }),
    timeColumn('due_at', extra),
  ],
  computed: ({ body }: LoggedDelivery) => ({ body: JSON.parse(body) }),
});

export default command({
  summary: 'Show how webhook deliveries ended',
  description: `Lists deliveries, newest first, each with its number of attempts and the receiver's last
    answer. JSON formats include the body.`,
  prints: DELIVERY_VIEW,
  examples: [
    'gw emulator hooks log',
    'gw emulator hooks log --state abandoned -o jsonl --jq .body',
  ],
  flags: {
    hook: option({ description: 'Only deliveries for this hook.', helpValue: '<id>' }),
    state: option({
      options: ['queued', 'delivered', 'abandoned', 'cancelled'] as const,
      description: 'Only deliveries in this state.',
    }),
    ...listLimitFlag('Deliveries to show, newest first'),
    ...dbFlag,
    ...printFlags,
  },

  async run(context, { flags }) {
    const [{ listDeliveries }, { urlToShow }, { withState }] = await Promise.all([
      import('../../../emulator/deliveries/queue.ts'),
      import('../../../emulator/deliveries/hooks.ts'),
      import('../../../emulator/state.ts'),
    ]);
    const isAsked = flags.hook !== undefined || flags.state !== undefined;
    const output = outputOptions(flags);
    const limit = limitOf(flags.limit, output);
    const query = {
      hook: flags.hook === undefined ? undefined : parseInteger('hook', flags.hook),
      state: flags.state,
      limit: limit + 1,
    };
    await withState(context.host, flags.db, async (store) => {
      const deliveries = store.read((tx) => listDeliveries(tx, query));
      const records = deliveries
        .slice(0, limit)
        .map((delivery) => DELIVERY_VIEW.record({ ...delivery, url: urlToShow(delivery.url) }));
      await printRecords(context.host, output, records, {
        kind: DELIVERY_VIEW,
        ifNone: isAsked ? 'No deliveries match.' : NO_DELIVERIES,
      });
      if (deliveries.length > limit)
        await context.host.stderr.write(
          `There are more deliveries. Add ${isAsked ? '' : '--hook, --state, or '}--limit ${limit * 5}.\n`,
        );
    });
  },
});
