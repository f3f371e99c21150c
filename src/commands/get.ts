import { purchaseGet } from '../contract/purchase.ts';
import { command } from '../dispatch/command.ts';
import { idsArg } from '../flags/flag.ts';
import { lookUpFlags } from '../flags/global-flags.ts';
import { lookUpById } from '../operations/look-up-by-id.ts';

export default command({
  summary: 'Look up any records by id',
  description: `The kind of a record is read from its id: P for a purchase, R a refund, PL a plan, C a
    customer, S a subscription. Ids of different kinds may be mixed.`,
  examples: [
    'gw get 071-P-IE49OSAF --profile local',
    'gw get 071-P-IE49OSAF 071-R-SHIKOFCV 071-PL-VOD0FSL7 --profile local -o jsonl',
  ],
  args: idsArg('Id of a record.'),
  takesMany: true,
  flags: lookUpFlags,
  async run(context, { argv, flags }) {
    const { runGet } = await import('../operations/run-operation.ts');
    const lookUp = { operation: purchaseGet, operationOf: lookUpById, ids: argv };
    await runGet(context, lookUp, flags);
  },
});
