import { purchaseGet } from '../contract/purchase.ts';
import { command } from '../dispatch/command.ts';
import { idsArg, toggle } from '../flags/flag.ts';
import { lookUpFlags } from '../flags/global-flags.ts';

export default command({
  summary: 'Look up records by whatever names them',
  description: `An id of any kind (P for a purchase, R a refund, PL a plan, C a customer, S a
    subscription), in either case; a reference, an email, a name, the token of a card, the id of an entry
    of the journal. What the shape of an id says is tried first, then what the ledger knows was seen,
    sent and received, then what the gateway can be asked by reference; stderr says which way led there. Where
    several have the name, nothing is guessed: they are listed, exit 2 (4 where the gateway was asked).`,
  examples: [
    'gw get 071-P-IE49OSAF --profile local',
    'gw get INV-1000 --profile local --follow -o table',
    'gw get 071-P-IE49OSAF 071-R-SHIKOFCV 071-PL-VOD0FSL7 --profile local -o jsonl',
  ],
  args: idsArg('Id, reference, email, name or token.'),
  takesMany: true,
  flags: {
    follow: toggle({
      description:
        'Ask the gateway for what it is tied to as well. With json and jsonl: an object with kind, record and tied.',
      exclusive: ['raw'],
    }),
    ...lookUpFlags,
  },
  async run(context, { argv, flags }) {
    const { runGet } = await import('../operations/run-operation.ts');
    const { Anything } = await import('../operations/look-up-anything.ts');
    const manner = new Anything(context, flags);
    try {
      await runGet(context, { operation: purchaseGet, manner, ids: argv }, flags);
    } finally {
      await manner.close();
    }
  },
});
