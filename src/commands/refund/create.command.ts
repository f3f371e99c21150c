import { commandOptions } from '../../cli/flags/command-options.ts';
import { option, toggle } from '../../cli/flags/flag.ts';
import { refundCreate } from '../../contract/resources/refund.ts';
import { submitCommand } from '../../requests/operation-commands.ts';

export default {
  ...submitCommand(refundCreate, {
    description: `The gateway returns the amount to the card of the purchase. You can refund a purchase
    several times, up to what was paid. Bookkeepers call the paper a credit note.

    Give an amount, or --full for what is left, which gw looks up first. gw replaces a
    reference by the id of its purchase before it sends anything.

    --last-of refunds the last payment of a customer or subscription that this machine
    knows, and shows it first.`,
    examples: [
      'gw refund create 071-P-IE49OSAF --amount 1000 --reference RET-1001 --profile local',
      'gw refund create 071-P-IE49OSAF --full --reference RET-1002 --profile local',
      'gw refund create --last-of ada@example.com --full --reference RET-1004 --profile local --dry-run',
    ],
  }),
  args: {
    purchase: {
      description: 'Id or reference of the purchase to refund, instead of --transaction-id.',
    },
  },
  flags: {
    full: toggle({
      description: 'Refund what is left of the purchase, instead of --amount.',
      helpGroup: 'FIELD',
      exclusive: [
        'amount',
        'decimal-amount',
        'input',
        'skeleton',
        'no-journal',
        'allow-over-refund',
      ],
    }),
    'last-of': option({
      description:
        'Refund the last known payment of this customer, subscription or card token, instead of --transaction-id.',
      helpValue: '<record>',
      helpGroup: 'FIELD',
      exclusive: ['transaction-id', 'input', 'skeleton'],
    }),
  },
  async run(context, { argv: [purchase], flags }) {
    const { runRefund } = await import('./run-refund.ts');
    await runRefund(context, purchase, {
      ...commandOptions(context.host, flags),
      isFull: flags.full === true,
      lastOf: typeof flags['last-of'] === 'string' ? flags['last-of'] : undefined,
    });
  },
} satisfies ReturnType<typeof submitCommand>;
