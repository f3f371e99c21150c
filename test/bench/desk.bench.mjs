/**
 * What the card of `gw get` (its ties) and `gw history` take from a ledger of a million facts
 * (million-facts.ts): of a purchase, a subscription and a customer with their hundred charges, by id,
 * reference and name. A name that ten thousand have is named as ambiguous.
 *
 *     npm run bench -- desk [facts]
 *
 * Prints a JSON line for each.
 */
import { fillAndAsk } from './fill-and-ask.mjs';

const [count = '1000000'] = process.argv.slice(2);
await fillAndAsk('desk-program', count);
