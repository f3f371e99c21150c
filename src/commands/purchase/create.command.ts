import { commandOptions } from '../../cli/flags/command-options.ts';
import { option } from '../../cli/flags/flag.ts';
import { purchaseCreate } from '../../contract/resources/purchase.ts';
import { submitCommand } from '../../requests/operation-commands.ts';

export default {
  ...submitCommand(purchaseCreate, {
    description: `The gateway asks the card issuer for the amount, stores the card, and returns the
    purchase with a card token.

    If the card is declined, gw prints the purchase and exits with 5. If no answer comes,
    the outcome is unknown and the exit code is 8.

    --input takes every field of the gateway, such as metadata of your own. --customer charges the stored card of a customer, and says who it is first.`,
    examples: [
      'gw purchase create --profile local --test-card approved --amount 2500 --currency AUD --reference INV-1001',
      'gw purchase create --profile local --customer ada@example.com --decimal-amount 25.00 --reference INV-1003',
      `$ echo '{"amount": 2500, "card_token": "hqy7mj2obxa3"}' | gw purchase create --profile local --input - -o id`,
    ],
  }),
  flags: {
    customer: option({
      description: 'Charge the stored card of this customer: an id, a reference or an email.',
      helpValue: '<customer>',
      helpGroup: 'CARD',
      exclusive: ['card-token', 'card-number', 'card-file', 'test-card', 'input', 'skeleton'],
    }),
  },
  async run(context, { flags }) {
    const { runPurchase } = await import('./run-purchase.ts');
    const { customer } = flags;
    const name = typeof customer === 'string' ? customer : undefined;
    await runPurchase(context, name, commandOptions(context.host, flags));
  },
} satisfies ReturnType<typeof submitCommand>;
