/**
 * How long reports take over a ledger of a million facts: records of purchases and refunds and events
 * of charges, half of which tell of a purchase that was seen as well, over ten months; and ten thousand
 * subscriptions.
 *
 *     npm run bench -- report [facts]
 *
 * Prints a JSON line for each.
 */
import { fillAndAsk } from './fill-and-ask.mjs';

const [count = '1000000'] = process.argv.slice(2);
await fillAndAsk('report-program', count);
