import { purchaseCreate } from '../../contract/resources/purchase.ts';
import { submitCommand } from '../../requests/operation-commands.ts';

export default submitCommand(purchaseCreate, {
  description: `The gateway asks the card issuer for the amount, stores the card, and returns the
    purchase with a card token.

    If the card is declined, gw prints the purchase and exits with 5. If no answer comes,
    the outcome is unknown and the exit code is 8.`,
  examples: [
    'gw purchase create --profile local --test-card approved --amount 2500 --currency AUD --reference INV-1001',
    'gw purchase create --profile local --card-token hqy7mj2obxa3 --decimal-amount 25.00 --reference INV-1002',
    `$ echo '{"amount": 2500, "card_token": "hqy7mj2obxa3"}' | gw purchase create --profile local --input - -o id`,
  ],
});
